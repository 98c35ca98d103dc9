"""Declared: what may be known of data before anything is asked: the declaration, and no rows."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.rows.schema import Schema


@dataclass(frozen=True)
class Declared:
    """A declaration, the name of its budget, and whether its rows are protected."""

    schema: Schema
    digest: str
    protected: bool = True
