"""Elsewhere: rows that stay where they are and may change; the vault holds how to reach them."""

from __future__ import annotations

from typing import TypeGuard

from discreet.rows.connection import Connection, TableSource
from discreet.rows.live_folder import Folder, LiveFolder
from discreet.rows.source import Source

Address = Connection | Folder
LiveSource = TableSource | LiveFolder
ADDRESSES: dict[str, type[Connection] | type[Folder]] = {kind.format: kind for kind in (Connection, Folder)}


def address_of(format: str, text: bytes) -> Address:
    """Read an address as the vault keeps it."""
    return ADDRESSES[format].from_json(text.decode("utf-8", "replace"))


def is_live(source: Source | None) -> TypeGuard[LiveSource]:
    """Say whether rows may change from one question to the next."""
    return isinstance(source, LiveSource)
