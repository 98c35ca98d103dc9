"""Rename: a sentence that the product shows is changed in code, catalogue, tests and planted bugs at once.

`python tests/support/rename.py OLD NEW [CHINESE]` renames one, `python tests/support/rename.py FILE.tsv` one a line
(old, new and, if it changes, the Chinese). Afterwards it prints where tests still quote a part of an old sentence.
A single word is renamed only where it is plainly shown: elsewhere it may be the name of something.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.floors import FLOORS  # noqa: E402
from support.spoken import SENTENCES  # noqa: E402

WIDTH = 88  # a longer sentence stands on several lines
QUOTED = 12  # a shorter part of a sentence, in a test, may be anything
Place = tuple[int, int]


def product() -> list[Path]:
    """Return the files whose sentences are shown."""
    return [ROOT / "app.py", *(path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py")))]


def tests() -> list[Path]:
    """Return the files that quote sentences; the scripts that ran in earlier versions stay as they were."""
    return [path for path in sorted((ROOT / "tests").rglob("*.py")) if "old" not in path.relative_to(ROOT).parts]


def constants(tree: ast.AST) -> Iterator[tuple[ast.Constant, bool]]:
    """Yield the texts of a module, each with whether brackets around it let it go on in the next line."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring is not shown
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node, inside
        if not isinstance(node, ast.JoinedStr):  # where its parts are is not exact
            inside = inside or isinstance(node, (ast.Call, ast.List, ast.Dict, ast.Set, ast.Subscript))
            inside = inside and not isinstance(node, ast.stmt)
            waiting += [(child, inside) for child in ast.iter_child_nodes(node)]


def shown_in(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the arguments of calls that show a sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            for place in SENTENCES.get(name, ()):
                yield from node.args[place : place + 1] if isinstance(place, int) else ()
                yield from (word.value for word in node.keywords if word.arg == place)


def literal(text: str, inside: bool) -> str:
    """Return a text as source, on as many lines as it needs."""
    if len(text) <= WIDTH:
        return json.dumps(text, ensure_ascii=False)
    lines, line = list[str](), ""
    for word in text.split(" "):
        if line and len(line) + len(word) > WIDTH:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.removesuffix(" "))
    joined = "\n".join(json.dumps(each, ensure_ascii=False) for each in lines)
    return joined if inside else f"(\n{joined}\n)"


def renamed(source: str, names: dict[str, str], parts: bool = False) -> str:
    """Return a module with its sentences renamed; with `parts` also sentences that stand within others."""
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for each in lines:
        starts.append(starts[-1] + len(each))
    text = source.encode()
    tree = ast.parse(source)
    shown = {id(node) for node in shown_in(tree)}
    found = []
    for node, inside in constants(tree):
        assert node.end_lineno is not None and node.end_col_offset is not None
        new = names.get(node.value) if " " in node.value.strip() or id(node) in shown else None
        if new is None and parts:
            new = node.value
            for old, other in names.items():
                if len(old) > QUOTED and old in new:
                    new = new.replace(old, other)
        if new is not None and new != node.value:
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            found.append((begin, end, literal(new, inside).encode()))
    for node in (each for each in ast.walk(tree) if isinstance(each, ast.JoinedStr)):
        assert node.end_lineno is not None and node.end_col_offset is not None
        begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        written = text[begin:end].decode()
        said = with_renamed_calls(written, node, names)
        if said != written:
            found.append((begin, end, said.encode()))
    for begin, end, new_text in sorted(found, reverse=True):
        text = text[:begin] + new_text + text[end:]
    return text.decode()


def with_renamed_calls(written: str, node: ast.JoinedStr, names: dict[str, str]) -> str:
    """Return the source of an f-string with the sentences renamed that calls within it show."""
    for part in (each.value for each in ast.walk(node) if isinstance(each, ast.Constant)):
        if isinstance(part, str) and part in names:
            for quote in "'\"":
                written = written.replace(f"{quote}{part}{quote}", f"{quote}{names[part]}{quote}")
    return written


def rename(pairs: Iterable[tuple[str, str, str]]) -> None:
    """Rename sentences everywhere."""
    table = list(pairs)
    names = {old: new for old, new, _ in table if old != new}
    for path in product():
        _write(path, renamed(path.read_text(encoding="utf-8"), names))
    for path in tests():
        _write(path, renamed(path.read_text(encoding="utf-8"), names, parts=True))
    for path in sorted((ROOT / "tests" / "mutate" / "bugs").glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(json.dumps(old, ensure_ascii=False), json.dumps(new, ensure_ascii=False))
        _write(path, text)
    catalogue = ROOT / "ui" / "catalogue" / "zh.json"
    spoken = json.loads(catalogue.read_text(encoding="utf-8"))
    changes = {old: (new, chinese) for old, new, chinese in table}
    changed = dict[str, str]()
    for old, said in spoken.items():
        new, chinese = changes.get(old, (old, ""))
        if chinese or new not in changed:
            changed[new] = chinese or (spoken.get(new, said) if new != old else said)
    shown = json.dumps(changed, ensure_ascii=False, indent=1) + "\n"
    _write(catalogue, shown)


def stale(names: dict[str, str]) -> Iterator[str]:
    """Yield where a test quotes a part of an old sentence that the new one does not have."""
    for path in tests():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            quoted = node.value.strip() if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if len(quoted) < QUOTED or " " not in quoted:
                continue
            olds = [old for old, new in names.items() if quoted in old and quoted not in new]
            if olds:
                place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
                yield f"{place}: {quoted!r} of {olds[0]!r} -> {names[olds[0]]!r}"


def _write(path: Path, text: str) -> None:
    if path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _pairs(words: list[str]) -> list[tuple[str, str, str]]:
    if len(words) == 1:
        lines = Path(words[0]).read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in lines if line.strip()]
    else:
        rows = [words]
    unescaped = [[cell.replace("\\n", "\n") for cell in row] for row in rows]
    return [(row[0], row[1], row[2] if len(row) > 2 else "") for row in unescaped]


if __name__ == "__main__":
    table = _pairs(sys.argv[1:])
    rename(table)
    for line in stale({old: new for old, new, _ in table}):
        print(line)
