"""Declaration: the format of declarations that are exported by Discreet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar

from discreet.rows.codebooks.codebook import Codebook, check_many
from discreet.rows.columns import Kind
from discreet.rows.schema import Schema


class OwnDeclaration(Codebook):
    """An exported declaration: it contains everything that can be declared, or is refused."""

    name: ClassVar[str] = "declaration"
    title: ClassVar[str] = "a declaration that was exported here"
    rank: ClassVar[int] = 0
    whole: ClassVar[bool] = True

    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Parse all columns."""
        try:
            columns = json.loads(text)["columns"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        if not isinstance(columns, dict):
            return None
        check_many(columns)
        return Schema.from_json(text).columns
