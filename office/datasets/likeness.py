"""Likeness: registered data that new ones look like, so that the same people get no second budget unseen.

It looks at what officers see anyway: names of columns, the words on the source, the names of a table and of
its database; names do not show what a view is made of. It compares rows only where the officer of those that are
registered let their imprints be kept; people who are in two tables that share none of these it does not find.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from discreet.budget import ParameterError, Phrase
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.house.house import House
from discreet.office.house.roles import OFFICER, TERMINAL, Member
from discreet.office.house.versions import contents
from discreet.office.people import signing_in
from discreet.office.rules import rights
from discreet.office.rules.registration import VERSION, Registration
from discreet.office.rules.visit import Visit
from discreet.rows.engines.connection import DatabaseSource
from discreet.rows.engines.connection import place as place_of
from discreet.rows.engines.registry import Address, Tabled, is_live
from discreet.rows.imprints import Imprints, imprints_of
from discreet.rows.source import Source

# Imprinting: what registered rows are compared by, where an officer said so; stored sealed, never shown.

USE = "imprints of rows"
LOST = Phrase(
    "The data needed to compare the rows is lost. If someone registers the same people again, "
    "Discreet cannot warn them."
)


def taken(house: House, who: Member, source: Source, registration: Registration) -> Imprints | None:
    """Read rows for their imprints, where those are to be kept, or a file is compared with others.

    Datasets of other officers answer a limited number of files a day: trying rows one by one does not finish.
    """
    others = _any(house)
    if not registration.compared and (is_live(source) or not others):
        return None
    if others:
        with house.writing() as connection:  # stays, also where the rows are refused
            rows = "" if is_live(source) else house.vault.fingerprint(source.digest)
            signing_in.count_compared(house, connection, who.id, rows)
    person = registration.schema.person
    imprints = imprints_of(source, house.vault.derived(USE), person[0] if person else None)
    if imprints is None and registration.compared:
        raise ParameterError("The rows of a cluster are not copied here for comparison. Turn off the row marks.")
    return imprints


def keep(house: House, place: str, imprints: Imprints | None, registration: Registration) -> None:
    """Keep imprints beside the rows, where the officer who registered them said so."""
    if registration.compared and imprints is not None:
        house.vault.keep_imprints(place, imprints.to_bytes())


def move(house: House, before: str, place: str) -> None:
    """Keep the imprints of rows beside their other address, too."""
    content = house.vault.imprints(before)
    if content is not None:
        house.vault.keep_imprints(place, content)


def stored(house: House, row: Mapping[str, Any]) -> Iterator[Imprints]:
    """Yield the imprints of all versions of a dataset; an inspection reports those that cannot be opened."""
    for place in contents(row):
        with suppress(ParameterError):
            content = house.vault.imprints(place)
            if content is not None:
                yield Imprints.from_bytes(content)


def damage(house: House, row: Mapping[str, Any], place: str) -> Phrase | None:
    """Say that imprints that should be kept are not there, or cannot be opened."""
    if not json.loads(row["body"]).get("compared"):  # that the row is as it was written is looked at by others
        return None
    try:
        return LOST if house.vault.imprints(place) is None else None
    except ParameterError:
        return LOST


def _any(house: House) -> bool:
    """Return whether anything is kept that rows could be compared with."""
    return any(data.registration.compared and data.state != "deleted" for data in registry.everything(house))


CLOSE, FEWEST = 0.75, 2  # the part of all columns that two tables share, and how many at least
SHORTEST = 10  # characters that say why the people of data that look alike are others
NOTICED = 0.1  # the part of the rows, or of the identifiers, that two tables share


@dataclass(frozen=True)
class Alike:
    """A registered dataset that looks like what is to be registered, and by what."""

    data: Registered
    why: tuple[Phrase, ...]


class Guarded(ParameterError):
    """Data look like registered ones, and the word of one officer does not bring them in elsewhere."""

    def __init__(self, data: Registered) -> None:
        """Name them, and what to do."""
        words = Phrase(
            "This dataset looks like {name}. A version of {name} requires two officers, so one "
            "officer cannot register it separately. Add it as a version of {name}. If it covers "
            "different people, first change the policy of {name} so that one officer is enough for a "
            "version. That change requires two officers.",
            name=data.name,
        )
        super().__init__("{wrong}", wrong=words)


class Resembling(ParameterError):
    """The data resemble registered data, and no reason was given why they are about other people."""

    def __init__(self, others: Sequence[Alike]) -> None:
        """Name the first of them, and what to do."""
        self.others = tuple(others)
        words = Phrase(
            "This dataset looks like {name}. Add it as a new version, or explain in at least {fewest} "
            "characters why it covers different people.",
            name=others[0].data.name,
            fewest=SHORTEST,
        )
        super().__init__("{wrong}", wrong=words)


def alike(
    house: House, names: Iterable[str], source: str, address: Address | None = None, rows: Imprints | None = None
) -> list[Alike]:
    """Return what looks like rows with these columns, from this source, at this place; deleted ones too."""
    columns = _columns(names)
    words = _words(source)
    each = (
        Alike(data, (*_reasons(data, columns, words), *_places(house, data, address), *_shared(house, data, rows)))
        for data in registry.everything(house)
    )
    return [other for other in each if other.why]


def alike_by_rows(house: House, rows: Imprints | None, but: str) -> list[Alike]:
    """Return what has the same rows or people as a new version of a dataset, but for that dataset itself."""
    each = (Alike(data, tuple(_shared(house, data, rows))) for data in registry.everything(house) if data.id != but)
    return [other for other in each if other.why]


def check(others: Sequence[Alike], apart: str) -> None:
    """Refuse a registration that looks like another one until a reason is given why it is about other people."""
    if others and len(apart.strip()) < SHORTEST:
        raise Resembling(others)


def check_word(visit: Visit, others: Sequence[Alike], apart: str) -> None:
    """Refuse the same, and where one officer's word is not enough: beside data that need two officers for a version.

    The terminal and the only officer of a house need no second person, as everywhere.
    """
    check(others, apart)
    if visit.who == TERMINAL:
        return
    for data in [other.data for other in others]:
        there = visit.to(data.id)
        if VERSION in there.sealed_policy.both and not rights.only_one(there, OFFICER):
            raise Guarded(data)


def _reasons(data: Registered, columns: set[str], words: str) -> Iterator[Phrase]:
    """Say by which words a registered dataset is like."""
    theirs = _columns(data.first.columns)
    shared = len(columns & theirs)
    all_ = len(columns | theirs)
    if shared >= FEWEST and shared >= CLOSE * all_:
        yield Phrase("{shared} of {all} columns have the same name", shared=shared, all=all_)
    if words and words == _words(data.registration.source):
        yield Phrase("the source is the same")


def _places(house: House, data: Registered, address: Address | None) -> Iterator[Phrase]:
    """Say by which place a registered dataset is like: any view of a database may be made of any of its tables."""
    theirs = None if address is None else address_of(house, data)
    if theirs is None:
        return
    if _table(address) and _table(address) == _table(theirs):
        yield Phrase("the table has the same name")
    if _database(address) and _database(address) == _database(theirs):
        yield Phrase("the database has the same name")


def _shared(house: House, data: Registered, rows: Imprints | None) -> Iterator[Phrase]:
    """Say, in tenths, how many people or rows are the same."""
    if rows is None or not data.registration.compared or data.state == "deleted":
        return
    theirs = list(stored(house, registry.row_of(house, data.id)))
    people, same = (max(map(part, theirs), default=0.0) for part in (rows.same_people, rows.same_rows))
    if people >= NOTICED:
        yield Phrase(
            "about {tenths} in 10 identifiers of the smaller table are also in the other one", tenths=_tenths(people)
        )
    if same >= NOTICED:
        yield Phrase("about {tenths} in 10 rows of the smaller table are also in the other one", tenths=_tenths(same))


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


def _database(address: Address | None) -> tuple[str | int, ...]:
    """Return the kind and the name of a database, whatever its host is called; a file by any path that leads to it."""
    if not isinstance(address, DatabaseSource):
        return ()
    where = place_of(address.address)
    return where[0], where[-1]


def _table(address: Address | None) -> str:
    """Return the name of a table without its schema."""
    return address.table.rpartition(".")[2].casefold() if isinstance(address, Tabled) else ""
