"""Drafts: what an officer typed into a form and has not sent, sealed, for this officer alone, for thirty days.

A draft decides nothing and is not an act. It is sealed under a key that no database holds, in the name of
its owner and form: a row that was moved to another one does not open. Forms with passwords have none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, delete, insert, select

from discreet.budget import ParameterError
from discreet.office.house.failures import DAY
from discreet.office.house.house import House
from discreet.office.house.roles import OFFICER, Member, present, require
from discreet.office.house.tables import drafts

LASTING = 30 * DAY
LONGEST = 500_000  # characters, as it is written
NONCE = bytes(12)  # each draft is sealed under a key of its own
DATE = "day"  # how a day is written among values that JSON has itself
Values = dict[str, Any]


@dataclass(frozen=True)
class FormDraft:
    """What lies of a form: which one, what it is about, what was typed, and when that was written down."""

    form: str
    title: str
    values: Values
    time: datetime


def save_draft(house: House, who: Member | None, form: str, title: str, values: Values) -> datetime:
    """Write down what is typed now in the place of what was before; return when."""
    who, body = require(who, OFFICER), json.dumps(values, default=_day, sort_keys=True)
    if len(body) > LONGEST:
        raise ParameterError("This form is too large to be saved as a draft. Send it, or shorten it.")
    with house.writing() as connection:
        who = present(connection, who, OFFICER)
        _forget(house, connection, who, form)
        row: Values = {"person": who.id, "form": form, "id": uuid4().hex, "at": house.clock()}
        sealed = {part: _seal(house, row, part, text) for part, text in (("title", title), ("body", body))}
        connection.execute(insert(drafts).values(**row, **sealed))
    return datetime.fromtimestamp(row["at"], UTC)


def draft_of(house: House, who: Member | None, form: str) -> FormDraft | None:
    """Return what this person typed into a form, if it still lies."""
    return next((draft for draft in own_drafts(house, who) if draft.form == form), None)


def own_drafts(house: House, who: Member | None) -> list[FormDraft]:
    """Return this person's unsent drafts, newest first, without those that lack a valid seal."""
    who = require(who, OFFICER)
    with house.store.reading() as connection:
        who = present(connection, who, OFFICER)
        mine = select(drafts).where(drafts.c.person == who.id, drafts.c.at > house.clock() - LASTING)
        rows = list(connection.execute(mine.order_by(drafts.c.at.desc())).mappings())
    every = (_opened(house, row) for row in rows)
    return [draft for draft in every if draft is not None]


def discard_draft(house: House, who: Member | None, form: str) -> None:
    """Forget what was typed into a form: it was sent, or is not wanted."""
    who = require(who, OFFICER)
    with house.writing() as connection:
        _forget(house, connection, present(connection, who, OFFICER), form)


def expire_drafts(house: House) -> int:
    """Forget everything that was typed more than thirty days ago; return how much that was."""
    late = drafts.c.at <= house.clock() - LASTING
    with house.store.reading() as connection:
        if connection.execute(select(drafts.c.id).where(late).limit(1)).first() is None:
            return 0
    with house.writing() as connection:
        return connection.execute(delete(drafts).where(late)).rowcount


def _forget(house: House, connection: Connection, who: Member, form: str) -> None:
    late = drafts.c.at <= house.clock() - LASTING
    connection.execute(delete(drafts).where(drafts.c.person == who.id, (drafts.c.form == form) | late))


def _seal(house: House, row: Any, part: str, text: str) -> bytes:
    cipher, owner = _cipher(house, row, part)
    return cipher.encrypt(NONCE, text.encode(), owner)


def _unsealed(house: House, row: Any, part: str) -> str:
    cipher, owner = _cipher(house, row, part)
    return cipher.decrypt(NONCE, bytes(row[part]), owner).decode()


def _cipher(house: House, row: Any, part: str) -> tuple[AESGCM, bytes]:
    """Return the cipher of one part of a draft, and its associated data: owner and form."""
    key = house.seal.derived(f"draft {part} {row['id']}")
    return AESGCM(key), f"{row['person']}\n{row['form']}".encode()


def _opened(house: House, row: Any) -> FormDraft | None:
    try:
        title, body = (_unsealed(house, row, part) for part in ("title", "body"))
    except InvalidTag:
        return None
    values: Values = json.loads(body, object_hook=_restored)
    return FormDraft(row["form"], title, values, datetime.fromtimestamp(row["at"], UTC))


def _day(value: Any) -> Values:
    if not isinstance(value, date):
        raise TypeError(type(value).__name__)
    return {DATE: value.isoformat()}


def _restored(part: Values) -> Any:
    return date.fromisoformat(part[DATE]) if set(part) == {DATE} else part
