"""Imprinting: what registered rows are compared by, where an officer said so; kept sealed, shown to nobody.

They are made under a key of the vault for this use alone. Whoever has that key and what is sealed could
test whether a row that they know already is among those of which one is kept: so nobody has to keep any.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from discreet.budget import ParameterError, Phrase
from discreet.office import registry, tries
from discreet.office.house import House
from discreet.office.registration import Registration
from discreet.office.roles import Member
from discreet.office.versions import contents
from discreet.rows.elsewhere import is_live
from discreet.rows.imprints import Imprints, imprints_of
from discreet.rows.source import Source

USE = "imprints of rows"
LOST = Phrase("What its rows are compared by is lost: who registers the same people again is not asked about them.")


def taken(house: House, who: Member, source: Source, registration: Registration) -> Imprints | None:
    """Read rows for their imprints, where those are to be kept, or a file is compared with others.

    What others keep answers so many files of an officer in a day: whoever tries rows one by one comes to no end.
    """
    others = _any(house)
    if not registration.compared and (is_live(source) or not others):
        return None
    if others:
        with house.writing() as connection:  # stays, also where the rows are refused
            rows = "" if is_live(source) else house.vault.fingerprint(source.digest)
            tries.count_compared(house, connection, who.id, rows)
    person = registration.schema.person
    imprints = imprints_of(source, house.vault.derived(USE), person[0] if person else None)
    if imprints is None and registration.compared:
        raise ParameterError("The rows of a cluster do not come here to be compared. Leave the marks of rows out.")
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
    """Yield the imprints of all versions of a dataset; those that cannot be opened are told by an inspection."""
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
    """Say whether anything is kept that rows could be compared with."""
    return any(data.registration.compared and data.state != "deleted" for data in registry.everything(house))
