"""Registration: what is said about a dataset once and for good, and the policy that may change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, func, insert, select

from discreet.budget import RULES, Cost, ParameterError, Phrase
from discreet.budget.allowance import WAVE, Allowance, read
from discreet.curator.release import Question
from discreet.curator.request import Request
from discreet.mechanisms import known_families
from discreet.office.house.house import writable
from discreet.office.house.tables import declarations, requests
from discreet.report.words import ROW as ONE_ROW
from discreet.rows.schema import Schema

ROW = "row"
PERSON = "person"
HOUSEHOLD = "household"
OF_A_WAVE = "person-wave"  # of earlier versions, with a budget for each wave: it is read, but not created any more
UNITS = {
    ROW: ONE_ROW,
    PERSON: Phrase("a person"),
    HOUSEHOLD: Phrase("a household"),
    "event": Phrase("an event"),
    "user-day": Phrase("one day of a person"),
    OF_A_WAVE: Phrase("the data of a person in one wave"),
}
ENDED = Phrase(
    "This dataset was registered with a separate budget for each wave and accepts no more "
    "requests. Register the next rows as a dataset with one budget. List the results released "
    "here among its other releases."
)
VERSION = "version"
# acts that take two officers where the policy says so, beside those that always do
PAIRED = {
    "policy": Phrase("every policy change"),
    "publication": Phrase("publication"),
    "deletion": Phrase("deletion of the rows"),
    VERSION: Phrase("a new version of the rows"),
}
LONGEST = 2_000
# not said by those who registered before these could be: their hash stays
LATER = ("period", "apart", "compared", "organisation", "kind", "contact", "wave")
REQUIRED = {"name": Phrase("Name"), "source": Phrase("Source"), "basis": Phrase("Legal basis")}
OF_THE_HOUSE = {
    "organisation": Phrase("Organisation"),
    "kind": Phrase("Kind of organisation"),
    "contact": Phrase("Contact for people in the dataset"),
}
FAMILIES = tuple(known_families())


@dataclass(frozen=True)
class Registration:
    """What an officer says about a dataset before anybody asks; only its declaration grows (`changes.extend`).

    `people` is a public number of people, from outside the data, for the bound on delta. `looked`
    explains bounds that were chosen by looking at the data; empty says that none was. `others` are
    releases of the same data that this ledger does not know, private or not. `alone` says that
    every row is a person of its own, `access` who can reach the files of the server, and `forever`
    the reason for having no deletion date. `period` is how much of the budget each period may
    take, as it is written; `apart` why the people of similar data are others. `compared`
    lets keyed marks of some rows be kept, by which the same rows are noticed elsewhere. `organisation`, of a
    `kind`, answers for the data, and `contact` is for questions of people in them. `wave` occurs in registrations of
    earlier versions, and says what a wave is. What is not said here is asked of the officer who decides.
    `unit` is what was meant; `protects` is what is protected by all that is said.
    """

    name: str
    schema: Schema
    limit: Cost
    source: str
    basis: str
    rule: str = "Basic"
    unit: str = "person"
    looked: str = ""
    others: str = ""
    people: int | None = None
    region: str = ""
    sector: str = ""
    keep_until: str = ""
    alone: bool = False
    access: str = ""
    forever: str = ""
    period: str = ""
    apart: str = ""
    compared: bool = False
    organisation: str = ""
    kind: str = ""
    contact: str = ""
    wave: str = ""

    def __post_init__(self) -> None:
        """Refuse what an officer could not answer for."""
        for part, label in REQUIRED.items():
            _text(label, getattr(self, part))
        for part, label in OF_THE_HOUSE.items():
            _text(label, getattr(self, part) or "-")
        if self.unit not in UNITS or self.rule not in RULES:
            raise ParameterError("Choose a unit of privacy and an accounting method from the lists.")
        if self.unit == ROW and (self.alone or self.schema.person is not None):
            raise ParameterError(
                "A column identifies people, so more than one row is protected. Choose the unit of privacy."
            )
        if self.limit.nano_epsilon == 0:
            raise ParameterError("The budget needs an ε above 0.")
        if self.people is not None and self.people < 1:
            raise ParameterError("The public number of people must be at least 1, or empty.")
        if self.keep_until:
            _day(self.keep_until)
        for name, declared in self.schema.columns.items():
            if not declared.sourced:
                raise ParameterError("Column {name!r}: enter the public source of its bounds.", name=name)
        if not self.schema.askable:
            raise ParameterError("Declare at least one number or category.")

    @property
    def protects(self) -> str:
        """Who is protected, by the names of `UNITS`: one row where nothing says which rows belong together."""
        if self.schema.person is not None:
            return self.unit
        if not self.alone:
            return ROW
        return PERSON if self.unit == HOUSEHOLD else self.unit  # no column says who lives together

    @property
    def protected(self) -> Phrase:
        """Who is protected, in words."""
        return UNITS[self.protects]

    def check_unit(self) -> None:
        """Refuse to begin with a unit that is not protected; what was registered before is shown as what it is."""
        if self.unit == OF_A_WAVE or self.wave:
            raise ParameterError(
                "A wave is no longer a unit of privacy and has no separate budget. Choose the unit "
                "person, with one budget for all waves, and leave the wave empty."
            )
        if self.protects != self.unit:
            raise ParameterError(
                "No column shows which rows belong to {unit}, so {protected} would be protected, not "
                "{unit}. Name the column that identifies it (kind person), or state that every row is a "
                "different person (alone). If a person may have several rows and no column identifies "
                "them, choose the unit one row (row).",
                unit=UNITS[self.unit],
                protected=self.protected,
            )

    @property
    def most_delta(self) -> float:
        """The largest delta that a release should have: below one over the people, squared."""
        return 1e-6 if self.people is None else min(1e-6, 1 / self.people**2)

    @property
    def allowance(self) -> Allowance | None:
        """What each period may take of the budget; None where it may be spent at any time."""
        if self.unit == OF_A_WAVE:
            return Allowance(WAVE, self.limit, apart=True)
        return read(self.period) if self.period else None

    def to_json(self) -> str:
        """Write it as text that `from_json` reads back exactly."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values = {name: value for name, value in values.items() if value or name not in LATER}
        limit = [self.limit.nano_epsilon, self.limit.delta_units]
        return json.dumps(values | {"schema": self.schema.to_json(), "limit": limit}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Registration:
        """Read it back."""
        values = json.loads(text)
        schema = Schema.from_json(values["schema"])
        limit = Cost(*values["limit"])
        return cls(**values | {"schema": schema, "limit": limit})


@dataclass(frozen=True)
class Policy:
    """What may be asked, and what needs an officer's approval first.

    `free` is the largest epsilon of a release that runs without approval (zero: every release waits
    for an officer), `most` the largest that may be asked at all. `share` is what one analyst may
    spend in all; `shares` says it for single analysts by login. Nothing is asked after `until`.
    Above `pair` an approval takes two officers; None: one is enough. `both` are acts that take two, too.
    `officers` keep these data, and `analysts` may ask of them, by login; where none is named all do.
    """

    families: tuple[str, ...] = FAMILIES
    free: float = 0.0
    most: float = 1.0
    most_delta: float = 1e-6
    share: float | None = None
    shares: Mapping[str, float] = field(default_factory=dict)
    days: int = 14
    until: str = ""
    pair: float | None = None
    both: tuple[str, ...] = ()
    officers: tuple[str, ...] = ()
    analysts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        object.__setattr__(self, "families", tuple(self.families))
        object.__setattr__(self, "shares", dict(self.shares))
        for name in ("both", "officers", "analysts"):
            object.__setattr__(self, name, tuple(sorted(set(getattr(self, name)))))
        if not self.families or set(self.families) - set(FAMILIES):
            raise ParameterError("Choose at least one family of mechanisms.")
        if not 0 <= self.free <= self.most <= 50 or self.most <= 0:
            raise ParameterError(
                "The limit without approval must be from 0 to the maximum ε per release, which must be "
                "above 0 and at most 50."
            )
        if not 0 <= self.most_delta < 0.5:
            raise ParameterError("The maximum δ must be at least 0 and below 0.5.")
        if any(not 0 <= share <= 50 for share in (self.share or 0.0, *self.shares.values())):
            raise ParameterError("An analyst limit must be an ε from 0 to 50.")
        if self.pair is not None and not 0 <= self.pair <= 50:
            raise ParameterError("The ε that requires two approvals must be from 0 to 50.")
        if not 1 <= self.days <= 365:
            raise ParameterError("Requests must expire after 1 to 365 days.")
        if set(self.both) - set(PAIRED):
            raise ParameterError("Choose from the list which actions require two officers.")
        if self.until:
            _day(self.until)

    def looser(self, before: Policy) -> bool:
        """Return whether fewer acts take two officers than before, or other people keep the data or ask of them."""
        fewer = before.pair is not None and (self.pair is None or self.pair > before.pair)
        others = (self.officers, self.analysts) != (before.officers, before.analysts)
        return fewer or others or not set(self.both) >= set(before.both)

    def share_of(self, login: str) -> float | None:
        """Return what one analyst may spend in all; None says as much as is left."""
        return self.shares.get(login, self.share)

    def check(self, question: Question, cost: Cost, today: str) -> None:
        """Refuse what is outside of the policy: of a plan each row by itself, and all of them together."""
        if self.until and today > self.until:
            raise ParameterError("This dataset accepted requests until {day}.", day=self.until)
        for number, row in enumerate(question.rows, 1):
            try:
                self._check_row(row)
            except ParameterError as error:
                if row is question:
                    raise
                raise ParameterError("Query {number} of the plan: {why}", number=number, why=error.args[0]) from None
        self._check_cost(cost)

    def _check_row(self, row: Request) -> None:
        if row.mechanism.family.key not in self.families:
            raise ParameterError("The policy of this dataset does not allow this mechanism.")
        self._check_cost(row.cost())

    def _check_cost(self, cost: Cost) -> None:
        for name, asked, most in (("ε", cost.epsilon, self.most), ("δ", cost.delta, self.most_delta)):
            if asked > most:
                raise ParameterError(
                    "This request costs {name} = {cost:.9g}. The policy of this dataset allows at most {name} "
                    "= {most:g} per release.",
                    name=name,
                    cost=asked,
                    most=most,
                )

    def waits(self, question: Question) -> Phrase | None:
        """Return why a release needs approval; None if it runs at once, all rows together and each by itself."""
        if self.free == 0:
            return Phrase("Every release from this dataset needs approval.")
        if any(part.cost().epsilon > self.free for part in (question, *question.rows)):
            return Phrase("Releases above ε = {free:g} need approval.", free=self.free)
        return None

    def to_json(self) -> str:
        """Write it as text."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return json.dumps(values | {"families": list(self.families)}, sort_keys=True)

    @classmethod
    @lru_cache(maxsize=256)
    def from_json(cls, text: str) -> Policy:
        """Read it back; the same text is the same policy."""
        return cls(**json.loads(text))


def _text(label: Phrase, text: str) -> None:
    if not text.strip() or len(text) > LONGEST or text != writable(text):
        raise ParameterError("{label} must have 1 to {most} characters.", label=label, most=LONGEST)


def _day(text: str) -> None:
    try:
        good = date.fromisoformat(text).isoformat() == text  # days are compared as texts
    except ValueError:
        good = False
    if not good:
        raise ParameterError("Write a date as 2030-12-31.")


# Declarations: under which one each request of a dataset was asked, where it was extended later.

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Edition:
    """A declaration that was extended: the requests from `since` on are asked under it."""

    version: int
    since: int
    schema: Schema
    by: str
    at: str


def editions(lines: Sequence[Line], number: int | None = None) -> tuple[Edition, ...]:
    """Read the declarations that held when a request was asked; with no number, all of them."""
    return tuple(
        Edition(line["version"], line["since"], Schema.from_json(line["body"]), line["by"], line["at"])
        for line in lines
        if number is None or line["since"] <= number
    )


def asked_under(registration: Registration, later: Sequence[Edition]) -> Registration:
    """Return what was said of a dataset, with the newest of some declarations."""
    return replace(registration, schema=later[-1].schema) if later else registration


def follow(connection: Connection, lines: Sequence[Line], dataset: str, values: Line) -> list[dict[str, Any]]:
    """Write down a declaration that holds from the next request on; return all lines, as they are meant."""
    newest = connection.execute(select(func.max(requests.c.number))).scalar()
    line = {"dataset": dataset, "version": len(lines) + 1, "since": (newest or 0) + 1, **values}
    connection.execute(insert(declarations).values(**line))
    return [*map(dict, lines), line]
