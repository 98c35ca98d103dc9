"""Syntax: the source of the house as the tests of its rules read it."""

from __future__ import annotations

import ast
from functools import cache


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a module: every rule looks at the same ones."""
    return tuple(ast.walk(ast.parse(source)))
