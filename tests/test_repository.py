"""The repository holds nothing of the machine it was made on, and does what README says."""

from __future__ import annotations

import ast
import re
import subprocess
import tarfile
import warnings
from pathlib import Path
from typing import Any

import pytest
from support import browser_setup

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted(ROOT.glob("requirements*.txt"))


def tracked() -> list[Path]:
    """Return the text files git knows."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    return [ROOT / name for name in listed if name and not name.endswith((".png", ".ico", ".gz"))]


def test_no_file_names_a_path_of_a_machine_or_a_mirror() -> None:
    """No absolute home or work path, no package index."""
    machine = re.compile(r"/(?:home|work|Users|root)/\w|index-url|extra-index|pypi\.\w+/simple")
    for path in tracked():
        if path.is_file() and path != Path(__file__):
            assert not machine.search(path.read_text(encoding="utf-8")), path


def test_no_archive_of_old_work_names_where_or_by_whom_it_was_made() -> None:
    """No path of a machine, no account, nothing outside of its own folder; and it stays small."""
    archives = sorted((ROOT / "tests" / "old").rglob("*.tar.gz"))
    assert archives
    for path in archives:
        assert path.stat().st_size < 500_000, path
        with tarfile.open(path) as archive:
            for file in archive:
                assert file.name.startswith(path.name.partition(".")[0]) and not file.uname and not file.uid, file
                content = archive.extractfile(file)
                assert content is None or not re.search(rb"/(?:home|work|Users|root|tmp)/\w", content.read()), file


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_locked_packages_carry_hashes_and_no_address(path: Path) -> None:
    """Every requirement is pinned, with hashes; no host stands in a lock."""
    text = path.read_text(encoding="utf-8")
    pinned = re.findall(r"^[a-z0-9_.\-\[\]]+==\S+", text, re.MULTILINE | re.IGNORECASE)
    assert len(pinned) > 1 and "://" not in text
    entries = [entry for entry in re.split(r"\n(?=\S)", text) if "==" in entry.split("\n")[0]]
    assert all("--hash=sha256:" in entry for entry in entries if not entry.startswith("#"))


def test_the_commands_of_readme_are_targets_of_the_makefile() -> None:
    """Nobody is sent to a command that does not exist."""
    named = set(re.findall(r"make (\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"run", "test", "check", "bench"} <= named <= targets


def test_ci_runs_what_readme_tells() -> None:
    """The script of CI is check and test, and nothing else."""
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("make")] == ["make check", "make test"]


def test_what_will_be_taken_away_is_an_error_in_our_own_modules() -> None:
    """A newer Python or NumPy says so first; what others use of theirs is their own."""
    for category in (DeprecationWarning, PendingDeprecationWarning):
        with pytest.raises(category):
            warnings.warn_explicit("it will be an error", category, "x.py", 1, "discreet.rows.calendar")
        with pytest.warns(category):
            warnings.warn_explicit("it will be an error", category, "x.py", 1, "discreetly")


NAMED = re.compile(r"""pip install\s+(?:-\S+\s+)*['"]?discreet\b(?!-|(?:\[\w+\])? @ )""")


def test_nobody_is_told_to_install_a_name_that_is_not_ours() -> None:
    """In no sentence and no document: whoever takes the name first would run code on the machines of our readers."""
    assert NAMED.search("pip install 'discreet[app]'") and NAMED.search("pip install -U discreet")
    for name in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split():
        if (ROOT / name).is_file() and (name.endswith((".py", ".md", ".json", ".toml", ".js")) or "file" in name):
            text = (ROOT / name).read_text(encoding="utf-8") if name != "tests/test_repository.py" else ""
            assert not NAMED.search(text), name


def test_a_machine_without_a_browser_passes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """`make test` and `.ci/run` end there; no test of a browser is marked to be skipped."""
    monkeypatch.setattr(browser_setup.shutil, "which", lambda name: None)
    assert browser_setup.main() == 1 and "need Chromium" in capsys.readouterr().out
    assert re.search(r"^test: .*\bbrowser$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for path in (ROOT / "tests" / "ui").glob("*.py"):
        assert not re.search(r"pytest\.(mark\.)?(skip|importorskip|xfail)", path.read_text(encoding="utf-8")), path


def unnamed(source: str) -> list[str]:
    """Return the tests that only `make soak` runs and that do not say what catches the same in `make test`."""
    tests = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    alone = [test for test in tests if "pytest.mark.soak_alone" in map(ast.unparse, test.decorator_list)]
    return [test.name for test in alone if "`make test`" not in (ast.get_docstring(test) or "")]


def test_what_only_soak_runs_says_what_catches_the_same_in_make_test() -> None:
    """Whoever moves a test there has looked for the one that stays."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    alone = [path for path, source in sources.items() if "soak_alone" in source]  # others need no parsing
    assert len(alone) > 5 and not [path for path in alone if unnamed(sources[path])]
    assert unnamed("@pytest.mark.soak_alone\ndef test_it():\n    'Long.'") == ["test_it"]
    assert not unnamed("@pytest.mark.soak_alone\ndef test_it():\n    'In `make test` another.'")
