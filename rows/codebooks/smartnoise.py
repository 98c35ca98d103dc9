"""SmartNoise metadata: bounds, keys and kinds of the columns of a database, as YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import yaml

from discreet.budget.errors import ParameterError
from discreet.rows.codebooks.codebook import Codebook, Noted, said
from discreet.rows.columns import Kind, Person

ORIGIN = "SmartNoise metadata"
OWN = ("row_privacy", "rows", "max_ids", "sample_max_ids", "censor_dims", "clamp_counts", "clamp_columns", "use_dpsu")


LARGEST_TEXT = 2**18
DEEPEST = 20
LONGEST_WORD = 1_000


class SmartNoise(Codebook):
    """Database, schema and table, each by its name; a table contains its columns and options for all rows."""

    name: ClassVar[str] = "smartnoise"
    title: ClassVar[str] = "SmartNoise metadata"
    rank: ClassVar[int] = 10

    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Read `lower`, `upper`, `type` and `private_id` of each column of the first table."""
        if len(text) > LARGEST_TEXT or not _plain(text):
            return None
        try:
            tree = yaml.load(text, yaml.CSafeLoader)
        except (yaml.YAMLError, ValueError):
            return None
        table = next(_tables(tree), None)
        return None if table is None else _declared(table)


def _plain(text: str) -> bool:
    """Return whether a text is safe to load: little nesting, no huge number, no alias (it could expand endlessly)."""
    depth = 0
    try:
        for event in yaml.parse(text, yaml.CSafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            endless = isinstance(event, yaml.ScalarEvent) and len(event.value) > LONGEST_WORD
            if depth > DEEPEST or endless or isinstance(event, yaml.AliasEvent):
                return False
    except yaml.YAMLError:
        return False
    return True


def _tables(tree: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the objects whose values are columns, which are objects with a type."""
    if not isinstance(tree, dict) or depth > 4:
        return
    if any(isinstance(inner, dict) and isinstance(inner.get("type"), str) for inner in tree.values()):
        yield tree
        return
    for inner in tree.values():
        yield from _tables(inner, depth + 1)


def _declared(table: dict[str, Any]) -> dict[str, Kind]:
    columns = {str(name): inner for name, inner in table.items() if name not in OWN and isinstance(inner, dict)}
    declared = said({name: _noted(inner) for name, inner in columns.items()})
    persons = [name for name, inner in columns.items() if inner.get("private_id")]
    return declared | {name: _person(table.get("max_ids", 1)) for name in persons[:1]}


def _person(rows: Any) -> Kind:
    try:
        return Person(int(rows))
    except (ParameterError, TypeError, ValueError):
        return Person()


def _noted(inner: dict[str, Any]) -> Noted:
    return Noted(inner.get("lower"), inner.get("upper"), (), inner.get("type") == "int", "", ORIGIN)
