"""Address registry: the kinds of addresses of external rows; the vault stores the addresses.

Each kind of address registers itself; the module that reads the rows is imported when they are requested.
"""

from __future__ import annotations

from typing import TypeGuard

from discreet.rows.engines.address import LiveSource, Located, Tabled, sources
from discreet.rows.engines.connection import DatabaseSource
from discreet.rows.engines.folder import Folder
from discreet.rows.engines.live_cluster import Cluster
from discreet.rows.source import Source

__all__ = ["Address", "Cluster", "DatabaseSource", "Folder", "LiveSource", "Tabled", "sources"]

Address = Located
sources.load()


def address_of(format: str, text: bytes) -> Address:
    """Parse an address as the vault stores it."""
    return sources[format].from_json(text.decode("utf-8", "replace"))


def table_at(url: str, table: str) -> Tabled:
    """Return the address of a table, by its prefix; kinds that were registered earlier take precedence."""
    kinds = (kind for kind in sources.values() if issubclass(kind, Tabled))
    return next((kind for kind in kinds if url.startswith(kind.schemes)), DatabaseSource)(url, table)


def is_live(source: Source | None) -> TypeGuard[LiveSource]:
    """Return whether rows may change from one query to the next."""
    return isinstance(getattr(source, "where", None), Located)
