"""Approach: the address of a place of rows, in which secrets of the server's environment may be named."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import quote

from discreet.budget.errors import ParameterError
from discreet.rows.elsewhere import Address, Tabled, table_at
from discreet.rows.live_folder import Folder

ANY_TABLE = "any"
SECRET = re.compile(r"\$\{(CONNECTION_[A-Z0-9_]+)\}")
CONCEALED = "x"  # what stands for a secret where only the place is looked at


def resolved(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return an address with the secrets that the environment holds in it."""

    def secret(name: re.Match[str]) -> str:
        if not environment.get(name[1]):
            raise ParameterError("The environment of this server has no {name}. Set it, and start anew.", name=name[1])
        return quote(environment[name[1]], safe="")

    return SECRET.sub(secret, text)


def address_of_place(text: str, table: str = ANY_TABLE) -> Address:
    """Return the place that an address leads to, for looking at it; nothing can be opened with it."""
    return _address(SECRET.sub(CONCEALED, text), table)


def address_for(text: str, table: str = ANY_TABLE) -> Address:
    """Return the place with all that opens it."""
    return _address(resolved(text), table)


def table_of(where: Address) -> str:
    """Return the table of an address; a folder has none."""
    return where.table if isinstance(where, Tabled) else ""


def _address(url: str, table: str) -> Address:
    return Folder(url) if url.startswith("/") else table_at(url, table)
