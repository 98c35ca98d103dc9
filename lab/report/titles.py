"""Titles: a question as one line of English, for cards and files; screens say it in their own language."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.curator.fixed import FixedPlan
from discreet.curator.request import Request, plain
from discreet.lab.report.dated import told_apart
from discreet.lab.report.meaning import condition_words
from discreet.rows.schema import Schema

SHOWN = 3  # rows of a plan that its title names


def statistic(request: Request) -> Phrase:
    """Return what is asked in the words of a table: the same by whatever mechanism it is answered."""
    mechanism = request.mechanism
    topics = () if mechanism.view.every_kind else type(mechanism).topics()
    asked = Phrase(topics[0].label) if len(topics) == 1 else mechanism.view.asks
    return asked or Phrase(mechanism.subject)


def unit(request: Request, schema: Schema) -> str:
    """Return what the numbers of an answer are counted in; dates are in nothing."""
    view, declared = request.mechanism.view, schema.columns.get(request.columns[0])
    if told_apart(request, schema) is not None and view.place:
        return ""
    return view.unit("" if declared is None else declared.unit)


def titled(question: Request | FixedPlan) -> str:
    """Write a question in words, or a plan by its first rows."""
    if isinstance(question, FixedPlan):
        rows = [_titled(row) for row in question.rows[:SHOWN]]
        more = ["…"] if len(question.rows) > SHOWN else []
        many = "1 row" if len(question.rows) == 1 else f"{len(question.rows)} rows"
        return f"Plan of {many}: {'; '.join([*rows, *more])}"
    return _titled(question)


def _titled(request: Request) -> str:
    text = f"{request.mechanism.subject}: {', '.join(request.columns)}"
    for at, condition in enumerate(request.where):
        text += f"{' and' if at else ' where'} {condition_words(condition, lambda value: str(plain(value)))}"
    return text + (f" for each {', '.join(request.groups)}" if request.groups else "")
