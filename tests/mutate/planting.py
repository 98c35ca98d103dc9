"""Planting: bugs as small edits, the one place of the product where each belongs, and where its lines are reached."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUGS = Path(__file__).resolve().parent / "bugs"
BESIDE = ("tests/", "benchmarks/", "docs/")
HARMS = {"loss", "wrong number", "charge missed"}
Sources = Mapping[str, str]
Def = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Bug:
    """An edit of a function (`Class.method`, `outer.inner`; of a module: nothing), and its harm as it was measured."""

    name: str
    kind: str
    function: str
    old: str
    new: str
    harm: str
    measured: str
    survives: str = ""  # why no test catches it, where that is accepted

    @property
    def key(self) -> str:
        """Return a short name of what is edited."""
        return f"{zlib.crc32(f'{self.function} {self.old}'.encode()):08x}"


@dataclass(frozen=True)
class Place:
    """Where the old text of a bug stands, and in what function, class or module."""

    path: str
    start: int
    end: int
    scope: ast.AST


def bugs() -> list[Bug]:
    """Return all planted bugs."""
    files = sorted(BUGS.glob("*.toml"))
    return [Bug(**entry) for file in files for entry in tomllib.loads(file.read_text(encoding="utf-8"))["bug"]]


def listing() -> list[str]:
    """Return the files that git knows, and those that it will."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(name for name in names if name and (ROOT / name).is_file())


def product() -> dict[str, str]:
    """Return the Python of the product by its path."""
    names = [name for name in listing() if name.endswith(".py") and not name.startswith(BESIDE)]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


def places(bug: Bug, sources: Sources) -> list[Place]:
    """Return where the old text stands: as it is written or, where it is nowhere, as it may have been re-formatted."""
    last = bug.function.rpartition(".")[2]
    texts = {path: text for path, text in sources.items() if last in text}
    for pattern in (re.escape(bug.old), _loose(bug.old)):
        hits = [place for path, text in texts.items() for place in _matches(bug.function, pattern, path, text)]
        if hits:
            return hits
    return []


def edited(bug: Bug, place: Place, text: str) -> str:
    """Return a source with the bug in it; lines after the first move as those of the old text have moved."""
    before, now = bug.old.split("\n"), text[place.start : place.end].split("\n")
    move = _depth(now[1]) - _depth(before[1]) if len(now) > 1 and len(before) > 1 else 0
    first, *rest = bug.new.split("\n")
    moved = [" " * (_depth(line) + move) + line.lstrip() if line.strip() else line for line in rest]
    return text[: place.start] + "\n".join([first, *moved]) + text[place.end :]


def reaching(place: Place, sources: Sources) -> set[tuple[str, int]]:
    """Return the lines before which to note that a bug is reached.

    A value of a module or class is reached in whatever function names it; where none does, by an import.
    """
    text = sources[place.path]
    statement = _statement(place, text)
    if isinstance(place.scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return {(place.path, _first(statement or _beginning(place.scope)))}
    if statement is None:
        return {(place.path, _first(_beginning(place.scope)))} if isinstance(place.scope, ast.ClassDef) else set()
    stores = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names = {statement.name} if isinstance(statement, Def) else stores
    lines = {
        (path, _first(_beginning(node)))
        for path, source in sources.items()
        if any(name in source for name in names)
        for _, node in _defs(source)
        if not isinstance(node, ast.ClassDef) and _names(node) & names and _leads(_beginning(node), source)
    }
    return lines or {(place.path, _first(statement))}


def noting(text: str, here: Iterable[tuple[int, str]]) -> str:
    """Return a source that notes before some lines that a bug, by its key, is reached."""
    lines = text.split("\n")
    for line, key in sorted(here, reverse=True):
        lines.insert(line - 1, f'{" " * _depth(lines[line - 1])}__import__("discreet.reached").reached.note("{key}")')
    return "\n".join(lines)


def _matches(function: str, pattern: str, path: str, text: str) -> Iterator[Place]:
    ends = [0, *(hit.end() for hit in re.finditer(r"\n|\Z", text))]
    spans = [(name, node, ends[_first(node) - 1], ends[node.end_lineno or 0]) for name, node in _defs(text)]
    scopes: list[tuple[ast.AST, int, int]] = [span[1:] for span in spans if span[0] == function]
    bodies = [] if function else [span[2:] for span in spans if not isinstance(span[1], ast.ClassDef)]
    for scope, start, end in scopes if function else [(_tree(text), 0, len(text))]:
        for hit in re.finditer(pattern, text[start:end]):
            begin = start + hit.start()
            if not any(first <= begin < last for first, last in bodies):
                yield Place(path, begin, start + hit.end(), scope)


def _loose(old: str) -> str:
    """Return a pattern for the same words and signs, with any space between them, and commas before an end."""
    words = re.findall(r"\w+|[^\w\s]", old)
    pattern: str = re.escape(words[0])
    for before, word in pairwise(words):
        gap = r"\s+" if before[-1].isidentifier() and word[0].isidentifier() else r"\s*"
        pattern += (r"\s*,?\s*" if word in ")]}" else gap) + re.escape(word)
    return pattern


def _statement(place: Place, text: str) -> ast.stmt | None:
    """Return the innermost statement in which a text begins and before which a line can be added."""
    old = text[place.start : place.end]
    line = text.count("\n", 0, place.end - len(old.lstrip())) + 1
    around = [
        node
        for node in ast.walk(place.scope)
        if isinstance(node, ast.stmt) and node is not place.scope and _first(node) <= line <= (node.end_lineno or 0)
    ]
    return max((node for node in around if _leads(node, text)), key=_first, default=None)


def _leads(node: ast.stmt, text: str) -> bool:
    """Say whether a statement begins its line, and another may stand before it."""
    line = text.split("\n")[node.lineno - 1]
    return not line[: node.col_offset].strip() and not line.lstrip().startswith("elif")


def _beginning(scope: Def) -> ast.stmt:
    """Return the first statement after the docstring."""
    return scope.body[1] if ast.get_docstring(scope) and len(scope.body) > 1 else scope.body[0]


def _first(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, Def) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


@cache
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def _names(node: ast.AST) -> frozenset[str]:
    within = list(ast.walk(node))
    attributes = {each.attr for each in within if isinstance(each, ast.Attribute)}
    return frozenset(attributes | {each.id for each in within if isinstance(each, ast.Name)})


@cache
def _defs(text: str) -> tuple[tuple[str, Def], ...]:
    return tuple(_below(_tree(text), ""))


def _below(node: ast.AST, around: str) -> Iterator[tuple[str, Def]]:
    for child in ast.iter_child_nodes(node):
        name = f"{around}.{child.name}".lstrip(".") if isinstance(child, Def) else around
        if isinstance(child, Def):
            yield name, child
        yield from _below(child, name)
