"""Tongues: in which language somebody gets mail.

Who says a sentence in a language is given from above: the catalogues belong to the screens.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, select

from discreet.budget import ParameterError, Phrase
from discreet.office.house import House
from discreet.office.notice_tables import tongues
from discreet.office.roles import ROLES, Member, present, require

FIRST = "en"  # of whoever has chosen none
CODE = re.compile(r"[a-z]{2,3}")


Said = Callable[..., str]  # says a sentence in a language: its code, the sentence, and what fills its slots


def in_english(_: str, text: str, /, **values: object) -> str:
    """Say a sentence as it stands in the code."""
    return str(Phrase(text, **values)) if values else str(text)


def own_tongue(house: House, who: Member | None) -> str:
    """Return in which language somebody is written to."""
    with house.store.reading() as connection:
        return tongue_of(connection, require(who, *ROLES).id)


def choose_tongue(house: House, who: Member | None, language: str, first: bool = False) -> None:
    """Say in which language one is written to; at `first` only where nothing was said. It is no act on the trail."""
    who = require(who, *ROLES)
    if not CODE.fullmatch(language):
        raise ParameterError("Choose a language from the list.")
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        mine = connection.execute(select(tongues).filter_by(person=who.id)).first()
        if first and mine is not None:
            return
        connection.execute(delete(tongues).filter_by(person=who.id))
        connection.execute(insert(tongues).values(person=who.id, language=language))


def tongue_of(connection: Connection, person: str) -> str:
    """Return the same in a transaction that is under way."""
    language = connection.execute(select(tongues.c.language).filter_by(person=person)).scalar_one_or_none()
    return str(language or FIRST)
