"""Syntax: the parsed source of the product, for tests of its rules."""

from __future__ import annotations

import ast
from functools import cache


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a module; cached, because every rule reads them."""
    return tuple(ast.walk(ast.parse(source)))
