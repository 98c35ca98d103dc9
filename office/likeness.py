"""Likeness: registered data that new ones look like, so that the same people get no second budget unseen.

It looks at what officers see anyway: names of columns, the words on the source, and which table of which
database. It reads no row, so what it says tells nothing about one; and people who are in two tables that
share none of these it does not find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from discreet.budget import ParameterError, Phrase
from discreet.office import registry
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.rows.connection import Connection
from discreet.rows.elsewhere import Address, is_live
from discreet.rows.live_cluster import Cluster

CLOSE, FEWEST = 0.75, 2  # the part of all columns that two tables share, and how many at least


@dataclass(frozen=True)
class Alike:
    """A registered dataset that looks like what is to be registered, and by what."""

    data: Registered
    why: tuple[Phrase, ...]


def alike(house: House, names: Iterable[str], source: str, address: Address | None = None) -> list[Alike]:
    """Return what looks like rows with these columns, from this source, at this place; deleted ones too."""
    columns, words, table = _columns(names), _words(source), _table(address)
    each = (Alike(data, tuple(_reasons(house, data, columns, words, table))) for data in registry.everything(house))
    return [other for other in each if other.why]


def check(others: list[Alike], apart: str, fewest: int) -> None:
    """Refuse a registration that looks like another one as long as nobody says why its people are others."""
    if others and len(apart.strip()) < fewest:
        raise ParameterError(
            "These data look like {name}. Add them as a version of it, or say in at least {fewest} characters why "
            "their people are others.",
            name=others[0].data.name,
            fewest=fewest,
        )


def _reasons(house: House, data: Registered, columns: set[str], words: str, table: str) -> Iterator[Phrase]:
    """Say by what a registered dataset is like."""
    theirs = _columns(data.first.columns)
    shared, all_ = len(columns & theirs), len(columns | theirs)
    if shared >= FEWEST and shared >= CLOSE * all_:
        yield Phrase("{shared} of {all} columns are called the same", shared=shared, all=all_)
    if words and words == _words(data.registration.source):
        yield Phrase("the source is the same")
    if table and table == _table(_address(house, data)):
        yield Phrase("the table is called the same")


def _address(house: House, data: Registered) -> Address | None:
    """Return the place of rows that stay where they are; none where nothing says it any more."""
    if not data.table or data.state == "deleted":
        return None
    row = registry.row_of(house, data.id)
    try:
        source = house.vault.open(row["content"], row["layout"], row["fingerprint"])
    except ParameterError:
        return None
    return source.where if is_live(source) else None


def _columns(names: Iterable[str]) -> set[str]:
    return {_words(name) for name in names}


def _words(text: str) -> str:
    """Return a text as people compare it: without case, signs and blanks."""
    return "".join(re.findall(r"\w+", text.casefold()))


def _table(address: Address | None) -> str:
    """Return the name of a table without its schema."""
    return address.table.rpartition(".")[2].casefold() if isinstance(address, (Connection, Cluster)) else ""
