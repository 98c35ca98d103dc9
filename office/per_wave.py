"""Per wave: what a person did in one wave as the unit of privacy, where it is true, and what it does not promise.

Each version of the rows then belongs to one wave, as a new one or as a correction of the newest, and holds
no rows of another. Answers of different waves read different rows, so each wave is a budget of its own;
a person who is in k of them is protected with at most k times that (docs/guarantees.md, "Waves apart").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from discreet.budget import Cost, ParameterError, Phrase
from discreet.budget.allowance import WAVE, Allowance, read
from discreet.budget.durable.periods import COUNTING
from discreet.budget.durable.written import Told

UNIT, ROW = "person-wave", "row"
FEWEST = 10  # characters that say what a wave is
WHAT = Phrase("what a person did in one wave")
OF_ANSWERS = Phrase("all answers of this wave so far and this one")
OF_WAITING = Phrase("all answers of this wave so far, this one, and all that waits")
OF_WAVE = Phrase("all answers that the whole budget of one wave allows")
OF_WAVES = Phrase("all answers that the whole budget of each wave up to wave {waves} allows")


class UnitWords(Protocol):
    """What a registration says of its unit and its budget."""

    @property
    def unit(self) -> str:
        """Who is meant to be protected."""

    @property
    def protects(self) -> str:
        """Who is protected by all that is said."""

    @property
    def wave(self) -> str:
        """What a wave is."""

    @property
    def period(self) -> str:
        """How much each period may take."""

    @property
    def limit(self) -> Cost:
        """The budget."""


def check(registration: UnitWords) -> None:
    """Refuse a unit of one wave without what makes it true, and what belongs to it beside another unit."""
    wave = registration.wave.strip()
    if registration.unit != UNIT:
        if wave:
            raise ParameterError("Only where what a person did in one wave is protected is it said what a wave is.")
        return
    if len(wave) < FEWEST:
        raise ParameterError(
            "Say in at least {fewest} characters what a wave is, and that each file holds the rows of its own only.",
            fewest=FEWEST,
        )
    if registration.period:
        raise ParameterError("Where each wave is a budget of its own, no other rule of periods goes with it.")


def allowance(registration: UnitWords) -> Allowance | None:
    """Return the rule of the periods of a budget: of a unit of one wave, that waves stand apart."""
    if registration.unit == UNIT:
        return Allowance(WAVE, registration.limit, apart=True)
    return read(registration.period) if registration.period else None


def applies(registration: UnitWords) -> bool:
    """Say whether each wave of these data is a budget of its own."""
    return registration.unit == UNIT


def promise(registration: UnitWords) -> Phrase | None:
    """Say what a wave is, and how a person is protected who is in several; None where a wave is no unit."""
    if not applies(registration):
        return None
    if registration.protects != UNIT:
        return Phrase("A wave is: “{wave}”. Each wave is a budget of its own.", wave=registration.wave)
    return Phrase(
        "A wave is: “{wave}”. A person who is in k waves is protected with at most k times what is promised for "
        "one; what stays the same of them from wave to wave is in each of them.",
        wave=registration.wave,
    )


def strays(waves: Sequence[tuple[int, int]], numbers: Mapping[str, int], lines: Iterable[Told]) -> Iterator[int]:
    """Yield the requests that count in another wave than that of the rows they were asked of.

    `waves` are those of all versions, each with the first request that it answers: only they can say so, as
    a ledger knows no rows.
    """
    for line in lines:
        number = numbers.get(line["request"])
        if number is not None and line["kind"] in COUNTING:
            wave = [wave for since, wave in waves if since <= number][-1]
            if line["note"] != f"{WAVE} {wave}":
                yield number


def no_person(registration: UnitWords) -> Phrase:
    """Say who is protected where that is not a person."""
    said = promise(registration)
    if registration.protects == ROW:
        return Phrase("One row is protected, not one person: nothing says which rows belong to one person.")
    if said is None:
        return Phrase("The unit of privacy is not a person.")
    return Phrase("Not a person, but what a person did in one wave. {promise}", promise=said)


def of_waves(limit: Cost, waves: int) -> Cost:
    """Return what the whole budgets of some waves amount to, for a person who is in all of them."""
    return Cost(limit.nano_epsilon * waves, limit.delta_units * waves)
