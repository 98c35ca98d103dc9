"""CSVW: the metadata of CSV on the Web, which accompanies a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from discreet.rows.codebooks.codebook import Codebook, Noted, items, part, said
from discreet.rows.columns import Kind

ORIGIN = "CSVW"
_WHOLE = (
    "integer int long short byte nonNegativeInteger positiveInteger unsignedInt unsignedLong unsignedShort unsignedByte"
    " nonPositiveInteger negativeInteger"
)
WHOLE = frozenset(_WHOLE.split())


class Csvw(Codebook):
    """`tableSchema` (of a table, or of each of some `tables`) with `columns` and their `datatype`."""

    name: ClassVar[str] = "csvw"
    title: ClassVar[str] = "CSVW"
    rank: ClassVar[int] = 2

    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Read titles, base types, limits, and formats that list their values."""
        try:
            group = json.loads(text)
        except (ValueError, RecursionError):
            return None
        schemas = [part(table, "tableSchema") for table in (items(group, "tables") or [group])]
        columns = [column for schema in schemas for column in items(schema, "columns")]
        if not columns:
            return None
        return said({_name(column): _noted(column) for column in columns})


def _name(column: dict[str, Any]) -> str:
    """Return the name of a column in the table: its first title, or its name."""
    title: Any = column.get("titles", column.get("name", ""))
    while isinstance(title, (dict, list)) and title:
        title = next(iter(title.values())) if isinstance(title, dict) else title[0]
    return str(title)


def _noted(column: dict[str, Any]) -> Noted:
    form = column.get("datatype")
    kind = form if isinstance(form, dict) else {"base": form}
    lower = kind.get("minimum", kind.get("minInclusive"))
    upper = kind.get("maximum", kind.get("maxInclusive"))
    return Noted(lower, upper, _listed(kind), kind.get("base") in WHOLE, str(column.get("unit", "")), ORIGIN)


def _listed(kind: dict[str, Any]) -> tuple[str, ...]:
    """Return the values that a format lists: `^(a|b|c)$` or `a|b|c`, and no other pattern."""
    pattern = kind.get("format")
    if not isinstance(pattern, str) or kind.get("base", "string") not in ("string", "boolean") or "|" not in pattern:
        return ()
    bare = pattern.removeprefix("^").removesuffix("$")
    inner = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
    return () if set(inner) & set("()[]{}*+?\\.^$") else tuple(inner.split("|"))
