"""Documents are true: every Python block runs, every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
WITH_CODE = [path for path in DOCUMENTS if "```python" in path.read_text(encoding="utf-8")]


@pytest.mark.soak_alone
@pytest.mark.parametrize("path", WITH_CODE, ids=lambda path: path.name)
def test_the_python_of_a_document_runs_as_it_stands(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks run from top to bottom in one namespace, beside a small file of people.

    In `make test` test_package.py runs the same blocks after an install.
    """
    ages = "\n".join(f"{i},{18 + i % 60},{'ab'[i % 2]}" for i in range(500))
    (tmp_path / "people.csv").write_text(f"id,age,group\n{ages}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    namespace: dict[str, object] = {"__name__": path.name}
    for block in blocks:
        exec(compile(block, path.name, "exec"), namespace)


def test_there_are_documents_with_code() -> None:
    """The test above cannot pass by finding nothing."""
    assert {"README.md", "guide.md"} <= {path.name for path in WITH_CODE}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_to_a_file(path: Path) -> None:
    """A relative link names a file of the project."""
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_every_statement_of_the_guarantees_names_what_is_not_proven() -> None:
    """The proofs end with what is missing."""
    assert "## What is not proven" in (ROOT / "docs/guarantees.md").read_text(encoding="utf-8")
