"""Requests: their current state, who may read which, and which of them ask the same."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Select, select

from discreet.budget import Cost, ParameterError, Phrase
from discreet.budget.durable import store as durable
from discreet.budget.durable.lines import digest
from discreet.curator.records import PLAN, Shown, answers_of, rebuilt, release_of
from discreet.curator.release import Question
from discreet.curator.request import Request, plain
from discreet.curator.result import Release
from discreet.office.house.house import House
from discreet.office.house.roles import DECIDERS, ROLES, Member, require
from discreet.office.house.tables import requests
from discreet.office.requests.states import ANSWERED, LIVE, WAITING
from discreet.office.rules import rights
from discreet.office.rules.visit import select_requests
from discreet.report.words import statistic

# Asked: requests in their current state, and who may read which.

# before points of the checklist had names, answers were stored under their places from 1 up
PLACES = {
    "1": "unit",
    "2": "limits",
    "3": "public",
    "4": "total",
    "5": "others",
    "6": "method",
    "7": "pure",
    "8": "noise",
    "9": "silent",
    "10": "after",
    "11": "trust",
    "12": "apart",
    "13": "readable",
    "14": "deletion",
    "15": "chains",
    "16": "unseen",
    "17": "purpose",
}

# reasons to wait, as requests of earlier versions stored them, and as they are said now
REASONS = {
    "Every release of these data needs approval.": "Every release from this dataset needs approval.",
    "Releases above epsilon {free:g} need approval.": "Releases above ε = {free:g} need approval.",
}


@dataclass(frozen=True)
class Inquiry:
    """A request in its current state; only state, decision and answer change after it was sent."""

    id: str
    number: int
    dataset: str
    analyst: str
    round: int
    request: Question
    purpose: str
    cost: Cost
    state: str
    why: Phrase | None
    asked: datetime
    until: float
    decided_by: str | None
    decided: datetime | None
    reason: str
    checklist: Mapping[str, str]
    release: Shown | None

    @property
    def answers(self) -> tuple[Release, ...]:
        """The answers of its rows, of a question alone its own; none as long as there is none."""
        return () if self.release is None else self.release.releases

    @property
    def status(self) -> str:
        """The public state: the state of the request, or that there is an answer."""
        return ANSWERED.name if self.release is not None else self.state

    @property
    def nonce(self) -> str:
        """What distinguishes this draw from others of the same question."""
        return nonce(self.dataset, self.analyst, self.round)


def nonce(dataset: str, analyst: str, round: int) -> str:
    """Distinguish one draw of a question from those of other data, analysts and rounds."""
    return f"{dataset}:{analyst}:{round}"


def find(house: House, request: str) -> Inquiry:
    """Return one request."""
    with house.store.reading() as connection:
        return asked_of(line_of(connection, request))


def line_of(connection: Connection, request: str) -> Mapping[str, Any]:
    """Return the line of one request, with its answer and the release of that."""
    line = connection.execute(select_requests().where(requests.c.id == request)).mappings().first()
    if line is None:
        raise ParameterError("This request does not exist.")
    return dict(line)


def row_alone(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line of a request as its own table has it."""
    return {column.name: line[column.name] for column in requests.columns}


def is_new(house: House, request: str) -> bool:
    """Return whether nothing was asked yet under this id."""
    return not _some(house, select(requests.c.id).filter_by(id=request))


def seen_by(house: House, who: Member | None, request: str) -> Inquiry:
    """Return a request to its analyst, to officers and to administrators; refuse others."""
    who = require(who, *ROLES)
    asked = find(house, request)
    if asked.analyst != who.id:
        require(who, *DECIDERS)
        rights.check_reader(house, who, asked.dataset)
    return asked


def decided(house: House, who: Member) -> list[Inquiry]:
    """Return what does not wait any more, newest first."""
    require(who, *DECIDERS)
    mine = requests.c.dataset.in_(rights.of_reader(house, who))
    return listed(house, select_requests().where(requests.c.state != WAITING.name, mine))[::-1]


def anything(house: House, who: Member) -> bool:
    """Return whether anything was ever asked of the data this person reads about."""
    require(who, *DECIDERS)
    return _some(house, select(requests.c.id).where(requests.c.dataset.in_(rights.of_reader(house, who))))


def anything_released(house: House) -> bool:
    """Return whether anything was ever released, of any data."""
    lines = durable.lines
    same = (requests.c.dataset == lines.c.budget) & (requests.c.id == lines.c.request) & (lines.c.kind == "release")
    return _some(house, select(requests.c.id).join(lines, same))


def _some(house: House, query: Select[Any]) -> bool:
    """Return whether a question finds a row; none is read beyond the first."""
    with house.store.reading() as connection:
        return connection.execute(query.limit(1)).first() is not None


def last_words(house: House, who: Member, dataset: str) -> Mapping[str, str]:
    """Return what an officer last answered to the points of the checklist of these data."""
    require(who, "officer")
    mine = select(requests.c.checklist).filter_by(dataset=dataset, decided_by=who.id)
    latest = mine.where(requests.c.checklist != "{}").order_by(requests.c.decided.desc(), requests.c.number.desc())
    with house.store.reading() as connection:
        return named(json.loads(connection.execute(latest.limit(1)).scalar_one_or_none() or "{}"))


def number_of(house: House, number: int) -> str | None:
    """Return the id of the request with this number, None where there is none."""
    with house.store.reading() as connection:
        same = select(requests.c.id).filter_by(number=number)
        return connection.execute(same).scalar_one_or_none()


def released(house: House, dataset: str) -> list[Inquiry]:
    """Return what was answered of a dataset, oldest first: public where the list is published."""
    rows = listed(house, select_requests().where(requests.c.dataset == dataset))
    return [asked for asked in rows if asked.release is not None]


def spent_by(house: House, dataset: str, analyst: str) -> Cost:
    """Return what an analyst has spent or reserved of a dataset."""
    mine = select_requests().where(requests.c.dataset == dataset, requests.c.analyst == analyst)
    costs = [
        asked.release.cost if asked.release is not None else asked.cost
        for asked in listed(house, mine)
        if asked.release is not None or asked.state in LIVE
    ]
    return sum(costs, Cost.zero())


def listed(house: House, query: Select[Any]) -> list[Inquiry]:
    """Return the requests that a question for them finds."""
    with house.store.reading() as connection:
        return [asked_of(line) for line in connection.execute(query).mappings().all()]


def asked_of(line: Any) -> Inquiry:
    """Return the request of a row, with its answer if that is the one that was released."""
    why = json.loads(line["why"])
    return Inquiry(
        line["id"],
        line["number"],
        line["dataset"],
        line["analyst"],
        line["round"],
        question_of(line["question"]),
        line["purpose"],
        Cost(line["cost_epsilon"], line["cost_delta"]),
        line["state"],
        None if why is None else Phrase(REASONS.get(why[0], why[0]), **why[1]),
        datetime.fromisoformat(line["asked"]),
        line["until"],
        line["decided_by"],
        None if line["decided"] is None else datetime.fromisoformat(line["decided"]),
        line["reason"],
        named(json.loads(line["checklist"])),
        _shown(line["body"]) if _released(line) else None,
    )


def unanswered(row: Mapping[str, Any]) -> Inquiry:
    """Return the request of a row that has just been written: nothing is answered of it."""
    return asked_of({**row, "body": None, "note": None})


@lru_cache(maxsize=2048)
def question_of(text: str) -> Question:
    """Make a question of its text; a list of requests is drawn again at every click, and none of them changes."""
    question: Question = rebuilt(json.loads(text))
    return question


def named(checklist: Mapping[str, str]) -> dict[str, str]:
    """Return answers to the checklist by the names of its points, however they were stored."""
    return {PLACES.get(name, name): word for name, word in checklist.items()}


def _shown(body: str) -> Shown:
    """Read what was released: one answer, or those of all rows of a plan."""
    return answers_of(body) if body.startswith(PLAN) else release_of(body)


def _released(line: Any) -> bool:
    """Return whether there is an answer, and its release is on the ledger."""
    return line["body"] is not None and digest(line["body"]) == line["note"]


# Same question: what is asked, whatever its epsilon and by whichever mechanism; answers to it can be averaged.

# settings of a mechanism that say what is asked, not how it is answered
ASKED = ("queries", "levels", "bins", "threshold", "most", "least", "yes")
NAMED = ("kind", "relation", "q")  # of a statistic: in its words, or a rule of persons


@lru_cache(maxsize=4096)
def subjects(question: Question) -> frozenset[str]:
    """Return what a question asks, of a plan what each of its rows does.

    The statistic with its own settings, the columns, the filter in any order, the groups in any order, and how many
    rows of a person count.
    """
    return frozenset(map(_subject, question.rows))


def alike(one: Question, other: Question) -> bool:
    """Return whether two questions ask the same, or some of it."""
    return not subjects(one).isdisjoint(subjects(other))


class Same:
    """Many questions of some data, each found by what it asks."""

    def __init__(self, questions: Iterable[tuple[str, Question]]) -> None:
        """Take questions, each with its dataset."""
        self._places = defaultdict[tuple[str, str], list[int]](list)
        for at, (dataset, question) in enumerate(questions):
            for subject in subjects(question):
                self._places[dataset, subject].append(at)

    def of(self, dataset: str, question: Question) -> list[int]:
        """Return the places of those that ask the same of a dataset, or some of it."""
        return sorted({at for subject in subjects(question) for at in self._places.get((dataset, subject), ())})


def _subject(row: Request) -> str:
    settings = plain(row.mechanism)
    view = plain(row.mechanism.view)
    own = _own(view.get("query") or settings.get("query") or {})
    asked = {name: _settings(settings[name]) for name in ASKED if settings.get(name) is not None}
    where = sorted(json.dumps(plain(condition), sort_keys=True) for condition in row.where)
    rows = row.mechanism.neighbours.rows
    return json.dumps(
        [str(statistic(row)), own, asked, row.columns, where, sorted(map(str, row.groups)), rows], sort_keys=True
    )


def _settings(value: Any) -> Any:
    """Return a setting without the rules of persons of the statistics in it."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_own(each) | {"kind": each["kind"]} if isinstance(each, Mapping) else each for each in value]
    return value


def _own(query: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if name not in NAMED}
