"""Likeness: registered data that new ones look like, so that the same people get no second budget unseen.

It looks at what officers see anyway: names of columns, the words on the source, which table of which
database, and what a view of it is made of. Rows it compares only where the officer of those that are
registered let their imprints be kept; people who are in two tables that share none of these it does not find.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from discreet.budget import ParameterError, Phrase
from discreet.office import imprinting, registry
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.rows.elsewhere import Address, Tabled, is_live
from discreet.rows.imprints import Imprints

CLOSE, FEWEST = 0.75, 2  # the part of all columns that two tables share, and how many at least
SHORTEST = 10  # characters that say why the people of data that look alike are others
NOTICED = 0.1  # the part of the rows, or of the identifiers, that two tables share


@dataclass(frozen=True)
class Alike:
    """A registered dataset that looks like what is to be registered, and by what."""

    data: Registered
    why: tuple[Phrase, ...]


class Resembling(ParameterError):
    """Data look like registered ones, and nobody said yet why their people are others."""

    def __init__(self, others: Sequence[Alike]) -> None:
        """Name the first of them, and what to do."""
        self.others = tuple(others)
        words = Phrase(
            "These data look like {name}. Add them as a version of it, or say in at least {fewest} characters why "
            "their people are others.",
            name=others[0].data.name,
            fewest=SHORTEST,
        )
        super().__init__("{wrong}", wrong=words)


def alike(
    house: House,
    names: Iterable[str],
    source: str,
    address: Address | None = None,
    rows: Imprints | None = None,
    kin: Collection[str] = (),
) -> list[Alike]:
    """Return what looks like rows with these columns, from this source, at this place; deleted ones too.

    `kin` are data of which the database says that they have rows in common with these (`kinship`).
    """
    columns, words, table = _columns(names), _words(source), _table(address)
    each = (
        Alike(data, (*_made(data, kin), *_reasons(house, data, columns, words, table), *_shared(house, data, rows)))
        for data in registry.everything(house)
    )
    return [other for other in each if other.why]


def alike_by_rows(house: House, rows: Imprints | None, but: str) -> list[Alike]:
    """Return what has the same rows or people as a new version of a dataset, but for that dataset itself."""
    each = (Alike(data, tuple(_shared(house, data, rows))) for data in registry.everything(house) if data.id != but)
    return [other for other in each if other.why]


def check(others: Sequence[Alike], apart: str) -> None:
    """Refuse a registration that looks like another one as long as nobody says why its people are others."""
    if others and len(apart.strip()) < SHORTEST:
        raise Resembling(others)


def _made(data: Registered, kin: Collection[str]) -> Iterator[Phrase]:
    """Say that a view and its table, or two views, are made of the same rows."""
    if data.id in kin:
        yield Phrase("their database says that both are made of the same table")


def _reasons(house: House, data: Registered, columns: set[str], words: str, table: str) -> Iterator[Phrase]:
    """Say by what a registered dataset is like."""
    theirs = _columns(data.first.columns)
    shared, all_ = len(columns & theirs), len(columns | theirs)
    if shared >= FEWEST and shared >= CLOSE * all_:
        yield Phrase("{shared} of {all} columns are called the same", shared=shared, all=all_)
    if words and words == _words(data.registration.source):
        yield Phrase("the source is the same")
    if table and table == _table(address_of(house, data)):
        yield Phrase("the table is called the same")


def _shared(house: House, data: Registered, rows: Imprints | None) -> Iterator[Phrase]:
    """Say, in tenths, how many people or rows are the same."""
    if rows is None or not data.registration.compared or data.state == "deleted":
        return
    theirs = list(imprinting.stored(house, registry.row_of(house, data.id)))
    people, same = (max(map(part, theirs), default=0.0) for part in (rows.same_people, rows.same_rows))
    if people >= NOTICED:
        yield Phrase("about {tenths} in 10 identifiers of the smaller table are in the other", tenths=_tenths(people))
    if same >= NOTICED:
        yield Phrase("about {tenths} in 10 rows of the smaller table are in the other", tenths=_tenths(same))


def _tenths(part: float) -> int:
    return round(10 * min(part, 1.0))


def address_of(house: House, data: Registered) -> Address | None:
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
    return address.table.rpartition(".")[2].casefold() if isinstance(address, Tabled) else ""
