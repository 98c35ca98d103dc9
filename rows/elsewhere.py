"""Elsewhere: rows that stay where they are and may change; the vault holds how to reach them."""

from __future__ import annotations

from typing import TypeGuard

from discreet.rows.connection import Connection, TableSource
from discreet.rows.live_cluster import SCHEME, Cluster, LiveCluster
from discreet.rows.live_folder import Folder, LiveFolder
from discreet.rows.source import Source

Address = Connection | Folder | Cluster
LiveSource = TableSource | LiveFolder | LiveCluster
KINDS: tuple[type[Address], ...] = (Connection, Folder, Cluster)
ADDRESSES: dict[str, type[Address]] = {kind.format: kind for kind in KINDS}


def address_of(format: str, text: bytes) -> Address:
    """Read an address as the vault keeps it."""
    return ADDRESSES[format].from_json(text.decode("utf-8", "replace"))


def table_at(url: str, table: str) -> Connection | Cluster:
    """Return the address of a table of a database or of a cluster, told by how it begins."""
    return Cluster(url, table) if url.startswith(SCHEME) else Connection(url, table)


def is_live(source: Source | None) -> TypeGuard[LiveSource]:
    """Say whether rows may change from one question to the next."""
    return isinstance(source, LiveSource)
