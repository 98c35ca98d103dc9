"""Perimeter: the files a release runs through to charge, read and draw, found by following imports.

`python tests/support/perimeter.py > docs/perimeter.md` writes the document.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = "curator/release.py"
WHOLE = ("curator/", "noise/")  # folders of which every file counts
HEAD = """# The perimeter

Everything that a release runs through to charge, to read rows and to draw noise, found by following the imports of
`curator/release.py`. An auditor of releases reads these files; a test keeps the list true. The other {others} files
that a release imports ({other_lines} lines) say what is computed: they charge nothing, open no rows and draw nothing.

| file | lines | what it does |
|---|---|---|
"""


def draws_of(protocol: str) -> set[str]:
    """Return the names of all draws of a noise source."""
    (kind,) = [node for node in ast.parse(protocol).body if isinstance(node, ast.ClassDef)]
    return {node.name for node in kind.body if isinstance(node, ast.FunctionDef)}


DRAWS = draws_of((ROOT / "noise" / "protocol.py").read_text(encoding="utf-8"))


def imported(source: str) -> list[str]:
    """Return the files that a source may import from."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("discreet."):
            below = node.module.removeprefix("discreet.").replace(".", "/")
            names += [f"{below}/{alias.name}.py" for alias in node.names] + [f"{below}.py", f"{below}/__init__.py"]
    return names


def reached(start: str = START) -> dict[str, str]:
    """Return the files that a release imports, including its own, with their text."""
    found, waiting = dict[str, str](), [start]
    while waiting:
        name = waiting.pop()
        if name not in found and (ROOT / name).is_file():
            found[name] = (ROOT / name).read_text(encoding="utf-8")
            waiting += imported(found[name])
    return {name: text for name, text in found.items() if not name.endswith("__init__.py")}


def powers(source: str) -> list[str]:
    """Return which operations of a source change a budget, read rows or use randomness."""
    tree = list(ast.walk(ast.parse(source)))
    called = {node.func.attr for node in tree if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}
    taken = {alias.name for node in tree if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
    named = {node.id for node in tree if isinstance(node, ast.Name)} | taken
    modules = {node.module for node in tree if isinstance(node, ast.ImportFrom)}
    can = {
        "charges": "charge" in called,
        "reads": bool({"pyarrow", "pyarrow.compute"} & taken),
        "draws": bool(DRAWS & called) and bool({"NoiseSource", "WordSource", "ReleaseNoise", "Lots"} & named),
        "waits": "time" in taken,
        "keeps": "discreet.curator.records" in modules,
    }
    return [power for power, has in can.items() if has]


def perimeter() -> dict[str, tuple[int, list[str]]]:
    """Return the files of the perimeter with their lines and powers."""
    listed = {}
    for name, text in sorted(reached().items()):
        can = powers(text)
        if can or name.startswith(WHOLE):
            listed[name] = (text.count("\n"), can)
    return listed


def document() -> str:
    """Return the list as a Markdown document."""
    listed, every = perimeter(), reached()
    others = {name: text.count("\n") for name, text in every.items() if name not in listed}
    rows = [f"| `{name}` | {lines} | {', '.join(can) or 'belongs to it'} |" for name, (lines, can) in listed.items()]
    total = f"\n{len(listed)} files, {sum(lines for lines, _ in listed.values())} lines.\n"
    return HEAD.format(others=len(others), other_lines=sum(others.values())) + "\n".join(rows) + "\n" + total


if __name__ == "__main__":
    sys.stdout.write(document())
