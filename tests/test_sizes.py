"""What is too long, and what says nothing: no module, no body, no page, no name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from syntax import nodes

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ("budget", "queries", "mechanisms", "rows", "curator", "lab", "office", "ui", "pages", "discreet")
BESIDE = ("tests", "benchmarks", "docs")
MODULE, MEDIAN, BODY, PAGE, PERIMETER = 250, 90, 20, 60, 1000
SAY_NOTHING = {"told", "one", "found", "made", "known", "kept"}

Offenders = dict[str, int]


def sources(folders: tuple[str, ...] = HOUSE, alone: str = "app.py") -> Iterator[tuple[str, str]]:
    """Yield every module of the house, by its place."""
    for path in sorted([ROOT / alone, *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def bodies(source: str) -> Iterator[tuple[str, int]]:
    """Yield each function with the lines of its body, without its docstring."""
    for node in nodes(source):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            yield node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def riddles(source: str) -> int:
    """Return how often a name that says nothing is given to a value, a function or what is imported."""
    return sum(given(node) in SAY_NOTHING for node in nodes(source))


def given(node: ast.AST) -> str | None:
    """Return the name that a node gives to something."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.alias(asname=name) | ast.ExceptHandler(name=name) | ast.MatchAs(name=name):
            return name
    return None


def modules() -> Offenders:
    """Return the modules that are too long."""
    return {place: lines for place, text in sources() if (lines := len(text.splitlines())) > MODULE}


def pages() -> Offenders:
    """Return the pages that are more than a short file."""
    lengths = {place: len(text.splitlines()) for place, text in sources() if place.startswith("pages/")}
    return {place: lines for place, lines in lengths.items() if lines > PAGE}


def functions() -> Offenders:
    """Return the functions whose body is too long."""
    return {f"{place}:{name}": n for place, text in sources() for name, n in bodies(text) if n > BODY}


def names() -> Offenders:
    """Return the modules with names that say nothing, those of tests and benchmarks, too."""
    everything = (*sources(), *sources(BESIDE, "setup.py"))
    return {place: count for place, text in everything if (count := riddles(text))}


LOOKS = {"modules": modules, "pages": pages, "functions": functions, "names": names}


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_is_too_long_or_says_nothing(look: str) -> None:
    """Split by concept, and name a value by a noun of the field."""
    assert LOOKS[look]() == {}


def test_a_reader_sees_a_module_on_two_screens() -> None:
    """The median of the house stays small."""
    assert median(len(text.splitlines()) for _, text in sources()) <= MEDIAN


def test_the_looks_see() -> None:
    """A long body, a riddle and a good name are told apart."""
    long = "def f(told):\n    '''Say.'''\n" + "    x = 1\n" * (BODY + 1)
    assert list(bodies(long)) == [("f", BODY + 1)] and riddles(long) == 1
    assert riddles("found = 1\nfor one in x: pass\n(a, made) = 1, 2") == 3 and riddles("rows = 1") == 0
    assert riddles("import a as kept\nself.found = 1\nclass C:\n    def known(self): pass") == 3


def test_the_perimeter_is_read_in_ten_minutes() -> None:
    """What charges, reads and draws is less than a thousand lines, and all of it lies in one folder."""
    assert sum(len(text.splitlines()) for place, text in sources() if place.startswith("curator/")) <= PERIMETER
