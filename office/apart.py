"""Apart: the word that the people of new rows are others than those of data like them, where it takes two officers.

Who lets no version in on one word lets the same rows not begin a budget of their own on one either: where the
policy of data wants two officers for a version, one of its officers agrees that the people of rows like them are
others, before these are registered or come in as a version of something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection

from discreet.budget import ParameterError, Phrase
from discreet.office import charges, duties, registry, voices
from discreet.office.acts import Excerpt, trail
from discreet.office.house import House
from discreet.office.likeness import Alike
from discreet.office.registration import VERSION
from discreet.office.registry import Registered
from discreet.office.roles import Member, present, require

KIND, PROPOSED, AGREED = "apart", "apart proposed", "apart agreed"  # what it is called, and on the trail


class Unagreed(ParameterError):
    """An officer of data like these has not agreed yet that their people are others."""

    def __init__(self, waiting: Sequence[Registered]) -> None:
        """Name the first of them."""
        self.waiting = tuple(waiting)
        words = Phrase(
            "Another officer of {name} has to agree that these people are others: it stands on the page of {name}. "
            "Come back then, and send this once more.",
            name=waiting[0].name,
        )
        super().__init__("{wrong}", wrong=words)


@dataclass(frozen=True)
class Claim:
    """What is said of rows: by which fingerprint they are known, and why their people are others."""

    mark: str
    words: str

    @property
    def wanted(self) -> dict[str, str]:
        """What both officers have to want: these rows, with these words."""
        return {"fingerprint": self.mark, "why": self.words}


def check_agreed(house: House, connection: Connection, who: Member, others: Sequence[Alike], claim: Claim) -> None:
    """Refuse rows like data that take two officers until one of theirs has agreed that their people are others."""
    guarded = [other.data for other in others if VERSION in other.data.policy.both]
    waiting = [data for data in guarded if _agreed(house, connection, who, data, claim) is None]
    if waiting:
        raise Unagreed(waiting)


@contextmanager
def proposing(house: House, who: Member, claim: Claim) -> Iterator[None]:
    """Let what is refused so be proposed to those who can agree, once nothing of it is left."""
    try:
        yield
    except Unagreed as refused:
        _propose(house, who, refused, claim)
        raise


def _propose(house: House, who: Member, why: Unagreed, claim: Claim) -> None:
    """Let the officers of data know that somebody wants to bring rows like them, and with which word."""
    with house.writing() as connection:
        present(connection, who, "officer")
        for data in why.waiting:
            waits = voices.standing(house, connection, KIND, data.id)
            if waits is not None and waits.by == who.id and waits.wanted == claim.wanted:
                continue  # it stands there already
            if _agreed(house, connection, who, data, claim) is None:
                wish, act = (KIND, data.id, claim.wanted), (PROPOSED, data.name)
                duties.propose(house, connection, who, wish, act, why=claim.words)


def agree(house: House, who: Member, dataset: str, proposal: str) -> None:
    """Agree, as an officer of these data, with what another one has said of rows like them."""
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        duties.may_keep(house, connection, who, dataset)
        motion = voices.standing(house, connection, KIND, dataset)
        if motion is None or motion.id != proposal:
            raise ParameterError("This was confirmed, dropped or changed meanwhile. Look at it again.")
        absent = charges.stead_at(house, connection, who, dataset, motion.voices)
        if not motion.voices.isdisjoint(charges.voices(who, absent)):
            raise ParameterError("Another officer has to agree.")
        act = AGREED, registry.find(house, dataset).name
        voices.write(house, connection, who, absent, (motion.kind, motion.about, motion.body), act, {})


def _agreed(house: House, connection: Connection, who: Member, data: Registered, claim: Claim) -> object:
    return duties.agreed(house, connection, who, "officer", (KIND, data.id, claim.wanted))


def is_agreed(house: House, data: Registered, motion: voices.Motion) -> bool:
    """Say whether a wish that waits is the word of whoever has agreed, and waits for whoever brings the rows."""
    newest = trail(house.store, 1, Excerpt(data.name, (PROPOSED, AGREED)))
    return bool(newest) and newest[0].what == AGREED and newest[0].who == motion.by
