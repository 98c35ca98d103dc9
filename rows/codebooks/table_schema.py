"""Table Schema: the fields of a Data Package, or of one of its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from discreet.rows.codebooks.codebook import Codebook, Noted, items, part, said
from discreet.rows.columns import Kind

ORIGIN = "Data Package"


class TableSchema(Codebook):
    """`resources` with a `schema` each, or one schema alone: its `fields` with their `constraints`."""

    name: ClassVar[str] = "table-schema"
    title: ClassVar[str] = "Data Package"
    rank: ClassVar[int] = 1

    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Read names, types, minimum, maximum and enum."""
        try:
            package = json.loads(text)
        except (ValueError, RecursionError):
            return None
        tables = [part(resource, "schema") for resource in items(package, "resources")] or [package]
        fields = [field for table in tables for field in items(table, "fields")]
        if not fields:
            return None
        return said({str(field.get("name", "")): _noted(field) for field in fields})


def _noted(field: dict[str, Any]) -> Noted:
    limits = part(field, "constraints")
    levels = limits.get("enum") or field.get("categories") or ()
    texts = [level.get("value") if isinstance(level, dict) else level for level in levels]
    return Noted(
        limits.get("minimum"),
        limits.get("maximum"),
        tuple(str(text) for text in texts),
        field.get("type") == "integer",
        str(field.get("unit", "")),
        ORIGIN,
    )
