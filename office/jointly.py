"""Jointly: what a card says of all rows of a plan: they are asked together, and promised together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from discreet.budget import Phrase
from discreet.curator.fixed import FixedPlan
from discreet.curator.release import Question
from discreet.curator.request import plain
from discreet.lab.report.titles import titled
from discreet.office.particulars import Sections, details
from discreet.rows.schema import Schema

Card = Mapping[str, Any]


def rows_of(card: Card) -> Sequence[Card]:
    """Return the questions of a card, each with its own sections: the rows of a plan, or the card itself."""
    return card.get("rows") or (card,)


def jointly(plan: Question, rows: Sequence[Sections]) -> Sections:
    """Return the sections that a plan has as a whole, from those of its rows."""
    refused = [row["release"]["refused"] for row in rows]
    said = {name: [row["guarantee"][name] for row in rows] for name in rows[0]["guarantee"]}
    words = ("neighbours", "privacy_unit_details", "data_domain")
    return {
        "release": {
            "question": titled(plan),
            "identity": plan.identity,
            "plain": plain(plan),
            "refused": None if None in refused else all(refused),
        },
        "guarantee": {name: in_one(said[name]) for name in words}
        | {"unprotected_quantities": list(dict.fromkeys(sum(said["unprotected_quantities"], [])))},
    }


def in_one(sentences: Iterable[Phrase]) -> Phrase:
    """Say each of some sentences once, one after the other."""
    each = dict.fromkeys(sentences)
    return reduce(lambda first, second: Phrase("{first} {second}", first=first, second=second), each)


def of_whom(question: Question, schema: Schema, unit: Phrase) -> Phrase:
    """Say whose rows are protected together, in each way in which a question of a plan takes them."""
    return in_one(details(row, schema, unit) for row in question.rows)


def composed(question: Question) -> dict[str, Any]:
    """Return by which proof the rows of a plan cost less than one by one, and what they would cost so."""
    if not isinstance(question, FixedPlan):
        return {}
    return {"proof": Phrase(question.total.proof), "one_by_one": question.total.plain.numbers}
