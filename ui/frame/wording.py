"""Wording: what was asked, in words, as plain text."""

from __future__ import annotations

from discreet.budget.allowance import SPANS
from discreet.curator import Request
from discreet.curator.fixed import FixedPlan
from discreet.lab.report.meaning import condition_words
from discreet.lab.report.titles import SHOWN, statistic
from discreet.ui.frame.words import number, say


def in_words(question: Request | FixedPlan) -> str:
    """Write a question in words, or a plan by its first rows."""
    if not isinstance(question, FixedPlan):
        return _in_words(question)
    rows = [_in_words(row) for row in question.rows[:SHOWN]]
    more = ["…"] if len(question.rows) > SHOWN else []
    if len(question.rows) == 1:
        return say("Plan of 1 row: {rows}", rows=rows[0])
    return say("Plan of {number} rows: {rows}", number=len(question.rows), rows="; ".join([*rows, *more]))


def period_named(label: str) -> str:
    """Say which period a ledger's label means, a month or a wave, in the language of the screen."""
    span, _, which = label.partition(" ")
    return f"{say(SPANS[span])} {which}" if span in SPANS else label


def beside(title: str, *headings: str) -> str:
    """Shorten a name in a list by what already stands above the list, so that what sets it apart is in sight."""
    for heading in headings:
        rest = title.removeprefix(heading).lstrip(" ,，")
        if rest and rest != title:
            return rest[0].upper() + rest[1:]
    return title


def _in_words(request: Request) -> str:
    text = f"{say(statistic(request))}: {', '.join(request.columns)}"
    if request.where:
        text += say(" where ") + say(" and ").join(say(condition_words(each, _value)) for each in request.where)
    return text + (say(" for each {by}", by=", ".join(request.groups)) if request.groups else "")


def _value(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else number(value)
