"""Every row of the list of threats has its tests in this folder, and each has a naive twin."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
FILES = {"L": "test_leaks.py", "B": "test_budget.py", "F": "test_files.py"}
FILES["S"] = "test_sensitivity.py"
ROWS = [
    *(f"L{n}" for n in range(1, 12)),
    *(f"B{n}" for n in range(1, 10)),
    *(f"F{n}" for n in range(1, 9)),
    *(f"S{n}" for n in range(1, 3)),
]


def cases_in(name: str) -> list[ast.FunctionDef]:
    """Return the tests of a file."""
    tree = ast.parse((FOLDER / name).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [node for node in functions if node.name.startswith("test_")]


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_a_test_with_a_naive_twin(row: str) -> None:
    """By name, in the file of its letter; the twin is called naive wherever it is made."""
    tests = [t for t in cases_in(FILES[row[0]]) if t.name.startswith(f"test_{row.lower()}_")]
    assert tests, row
    for test in tests:
        assert ast.get_docstring(test), test.name
        assert re.search("naive", ast.unparse(test), re.IGNORECASE), test.name


@pytest.mark.parametrize("name", FILES.values())
def test_a_test_has_a_row(name: str) -> None:
    """No test of these files is named after nothing on the list."""
    named = [re.match(r"test_([lbfs]\d+)_\w+", test.name) for test in cases_in(name)]
    assert named and all(match and match[1].upper() in ROWS for match in named)
