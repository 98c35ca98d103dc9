"""Notebook: cells of text and of programs, as a file that Jupyter opens."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

Cell = dict[str, Any]


def text(source: str) -> Cell:
    """Return a cell of text."""
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def program(source: str) -> Cell:
    """Return a cell that can be run."""
    cell: Cell = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    return {**cell, "source": source.splitlines(keepends=True)}


def notebook(cells: Sequence[Cell]) -> str:
    """Write the cells as a notebook; each has a name by its place."""
    named = [{"id": sha256(f"{at}".encode()).hexdigest()[:8], **cell} for at, cell in enumerate(cells)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    book = {"cells": named, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"
