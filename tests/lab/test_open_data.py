"""Open data: what shows rows, counts or truths takes them alone, by its type and when it runs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from discreet.rows import Dataset, OpenData

ROOT = Path(__file__).resolve().parents[2]
AUDIT = "evidence/road.py"  # goes through small tables of its own, and shows laws
OPENING = {
    "lab/samples.py",
    "course/classroom/activity.py",
    "course/lessons/deidentification/numbers.py",
    "ui/data/upload.py",
}  # generated, or said to be public


def taken(source: str) -> list[str]:
    """Return the functions that take rows which may be protected, or say nothing of what they take."""
    functions = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            typed = {word for a in arguments if a.annotation for word in ast.unparse(a.annotation).split(" | ")}
            loose = any(a.arg == "dataset" and ast.unparse(a.annotation or ast.Name("Any")) == "Any" for a in arguments)
            functions += [node.name] if "Dataset" in typed or loose else []
    return functions


def makers(*folders: str) -> set[str]:
    """Return the modules that say of rows that they are open."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    return {
        path.relative_to(ROOT).as_posix()
        for path, source in sources.items()
        if "OpenData" in source
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and "OpenData" in ast.unparse(node.func)
    }


@pytest.mark.parametrize("path", sorted((ROOT / "lab").rglob("*.py")), ids=lambda path: path.stem)
def test_the_lab_takes_open_data_alone(path: Path) -> None:
    """So that a caller who hands it protected rows is refused by the type checker, which runs strictly."""
    if path.relative_to(ROOT).as_posix() != AUDIT:
        assert taken(path.read_text(encoding="utf-8")) == []


def test_a_function_that_takes_any_rows_is_noticed() -> None:
    """The check fails on a broken twin, typed as rows of any kind or not at all."""
    assert taken("def rows(dataset: Dataset, most: int) -> Table: ...") == ["rows"]
    assert taken("def rows(dataset): ...") == taken("def rows(dataset: Any): ...") == ["rows"]
    assert taken("def rows(data: OpenData | Dataset): ...") == ["rows"]
    assert taken("def rows(dataset: OpenData): ...") == []


def test_protected_rows_have_no_way_to_be_shown() -> None:
    """What shows them does not exist on the type that is the default."""
    assert Dataset.protected and not OpenData.protected
    assert not {"head", "opened"} & set(dir(Dataset)) and {"head", "opened"} <= set(dir(OpenData))


def test_rows_are_opened_where_everybody_may_see_them() -> None:
    """Samples, the town of the lessons, votes that a class sees, an upload of which somebody says that it is public."""
    assert (
        makers("lab", "plans", "report", "evidence", "office", "course", "curator", "ui", "pages", "discreet", "rows")
        == OPENING
    )
