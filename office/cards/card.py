"""Card: what is said of one release, section by section; built once, never changed, and written as JSON here alone.

A field without a value of its own is always written; one with a default is left out where it holds that default.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any

from discreet.budget import Cost, Phrase
from discreet.evidence.question import RowProof
from discreet.report.risk import Risk

VERSION = 1
SECTIONS = ("identity", "release", "data", "guarantee", "mechanism", "accounting", "accuracy", "evidence", "people")


@dataclass(frozen=True, kw_only=True)
class Identity:
    """The request, its purpose and its state."""

    id: str
    number: int
    url_slug: str
    title: str
    curators: tuple[str, ...]
    curator_kind: str
    contact: str
    purpose: str
    audience: Phrase
    product: str
    region: str
    sector: str
    asked: str
    published: str
    status: str
    state: Phrase
    supersedes: tuple[int, ...]


# Data: what was said of them when they were registered, and later.


@dataclass(frozen=True, kw_only=True)
class Version:
    """Which rows these are."""

    number: int
    day: str
    why: str
    bounds: tuple[Phrase, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Note:
    """What was noted on the data later."""

    day: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Data:
    """What was said of the data; columns as their declaration file says them."""

    id: str
    name: str
    registration_sha256: str
    fingerprint: str
    source: str
    collection: str
    registered: str
    state: str
    rows: Phrase
    columns: Mapping[str, Mapping[str, Any]]
    declared_by: str
    bounds_chosen_by_looking: str
    public_number: int | None
    extended: str
    extended_by: str
    keep_until: str
    no_day_because: str
    version: Version
    notes: tuple[Note, ...]
    other_people_than: str
    every_row_another_person: bool
    administered_by: str
    live: bool


# Release and guarantee: of each question by itself, and of all rows of a plan together.


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked; `plain` is what it can be asked again from."""

    question: str
    identity: str
    plain: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answered(Asked):
    """One question, and what came out if something did."""

    answer: Any
    refused: bool | None
    interval: Any
    rank_error: Any
    parts: tuple[str, ...]
    as_read: tuple[Phrase, ...]
    no_interval: Phrase


@dataclass(frozen=True, kw_only=True)
class Together(Asked):
    """A plan, and whether all of its rows were refused."""

    refused: bool | None


@dataclass(frozen=True, kw_only=True)
class Alone:
    """What a question would cost by itself."""

    epsilon: float
    delta: float


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The privacy unit and the tables that a guarantee covers, and what nothing protects."""

    neighbours: Phrase
    privacy_unit_details: Phrase
    data_domain: Phrase
    unprotected_quantities: tuple[Phrase, ...]


@dataclass(frozen=True, kw_only=True)
class OwnTerms(Terms, Alone):
    """The same of one question, after what it costs by itself."""


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The guarantee of the whole request, and what it means for one person."""

    variant: str
    epsilon: float
    delta: float
    rho: float | None
    privacy_unit: Phrase
    risk: Risk
    risk_of_all: Risk
    risk_of_waiting: Risk | None = None
    risk_of_budget: Risk


# Method: how an answer is made, how exact it is, and what speaks for that.


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A public parameter of a mechanism, with the label that a form shows."""

    name: str
    value: Any
    label: str


@dataclass(frozen=True, kw_only=True)
class Method:
    """How the answer is made."""

    name: Phrase
    slug: str
    program: str
    description: Phrase
    guarantee: Phrase
    proof: Phrase
    full_proof: str
    parameters: tuple[Parameter, ...]
    depends_on_the_data: Phrase
    noise: Phrase
    noise_source: Phrase
    opendp: str
    mitigations: Mapping[str, Phrase]
    post_processing: Phrase
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """The 95 % half width where it is the same for all data, else why there is none."""

    half_width: float | None
    warning: Phrase | None
    confidence: float
    note: Phrase
    clipping: Phrase | None
    utility: Phrase


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What all neighbour pairs of a small world say of a kind of mechanism."""

    pairs: int
    largest_delta: float
    claimed_delta: float
    holds: bool
    about: Phrase


@dataclass(frozen=True, kw_only=True)
class Run:
    """What the layers of evidence said of this very question; row by row as the trail has it."""

    day: str
    program: str
    code_sha256: str
    this_program: bool
    summary: Phrase
    layers_by_row: tuple[RowProof, ...]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The evidence that was run for this question, if any, and the version of the running program."""

    run: Run | None
    not_run_here: Phrase
    program: str
    commit: str
    code_sha256: str
    requirements_sha256: str


# Accounting: what a request costs, what else was released, how long the budget lasts.


@dataclass(frozen=True, kw_only=True)
class Period:
    """What each period may take, by which rule, and in which one this request counts."""

    rule: Phrase
    label: str
    epsilon: float
    delta: float


@dataclass(frozen=True, kw_only=True)
class Charge:
    """The line of a charge on the ledger."""

    line: int
    hash: str

    def __str__(self) -> str:
        """Write it as LINE:HASH, as verification takes it."""
        return f"{self.line}:{self.hash}"


@dataclass(frozen=True, kw_only=True)
class Other:
    """Another release of the same data, the line of its charge, and what it cost."""

    request: int | None
    charge: str
    epsilon: float
    delta: float


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How much was charged in a week so far."""

    charges_a_week: float
    epsilon: float
    delta: float


@dataclass(frozen=True, kw_only=True)
class Use:
    """How many more like this one fit, and when the budget ends at the pace so far."""

    more_like_this: int
    pace: Pace | None
    ends: str | None


@dataclass(frozen=True, kw_only=True)
class Accounting:
    """The whole account of a request: its cost, the totals, its line, all others."""

    rule: str
    composition: Phrase
    cost: Cost
    proof: Phrase | None = None
    one_by_one: Cost | None = None
    cost_of_a_refusal: Cost
    refusals: Phrase
    counted_rho: float | None
    spent_before: Cost
    spent_after: Cost
    total: Cost
    period: Period | None
    left_now: Cost
    charge: Charge | None
    head: str
    other_releases: tuple[Other, ...]
    outside_of_this_ledger: str
    use: Use


@dataclass(frozen=True, kw_only=True)
class People:
    """Who asked and who decided, when and why."""

    analyst: str
    decided_by: str | None
    decision: Phrase
    decided: str | None
    reason: str
    checklist: Mapping[str, str]
    until: str
    signature: Phrase


# The whole card, and how it is written.


@dataclass(frozen=True, kw_only=True)
class Row:
    """What is said of each question by itself: the one that is asked, or each row of a plan."""

    release: Answered
    guarantee: OwnTerms
    mechanism: Method
    accuracy: Accuracy
    evidence: Audit


@dataclass(frozen=True, kw_only=True)
class Jointly:
    """What is said of all rows of a plan: they are asked together, and promised together."""

    release: Together
    guarantee: Terms


@dataclass(frozen=True, kw_only=True)
class Card:
    """Everything that must be known about one release; `jointly` is of a plan alone."""

    identity: Identity
    data: Data
    guarantee: Guarantee
    accounting: Accounting
    evidence: Evidence
    people: People
    rows: tuple[Row, ...]
    jointly: Jointly | None

    @property
    def whole(self) -> Row | Jointly:
        """What is said of the question as a whole."""
        return self.jointly or self.rows[0]

    def to_json(self) -> dict[str, Any]:
        """Write it: each section holds what is said of the request and of its question, a plan has its rows beside."""
        of_question = _written(self.whole)
        of_request = _written(self)
        sections = {name: of_question.get(name, {}) | of_request.get(name, {}) for name in SECTIONS}
        card = {"discreet_card": VERSION} | {name: section for name, section in sections.items() if section}
        return card if self.jointly is None else card | {"rows": of_request["rows"]}


def card_json(card: Card) -> str:
    """Write a card as JSON text."""
    return json.dumps(card.to_json(), indent=1, ensure_ascii=False)


def _written(thing: Any) -> Any:
    """Write a section, or what is in one."""
    if isinstance(thing, Cost):
        return thing.numbers
    if is_dataclass(thing):
        said = {each.name: (getattr(thing, each.name), each.default) for each in fields(thing)}
        return {
            name: _written(value) for name, (value, default) in said.items() if default is MISSING or value != default
        }
    if isinstance(thing, Mapping):
        return {name: _written(value) for name, value in thing.items()}
    return [_written(part) for part in thing] if isinstance(thing, tuple | list) else thing
