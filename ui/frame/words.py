"""Words: the wording of all screens: every sentence goes through here, and a person's own text is quoted."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

import streamlit as st

from discreet.budget.allowance import SPANS
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.lab.samples import SAMPLES
from discreet.queries.count import Count
from discreet.report.words import SHOWN, OfTwo, columns_in_words, condition_words, number_of, statistic
from discreet.rows import Schema
from discreet.rows.columns.grouping import Grouping
from discreet.ui.frame.catalogue import said_in
from discreet.ui.session.state import language, workspace

MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!$:<>~|^=])")
POWER = re.compile(r"(e[+-])0+")

LINKS = re.compile(r"(?<=:)(?=//|[a-z][\w+/-]*:)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)  # and names of icons
UNSEEN = "\u2060"  # a word joiner: it has no width, and it breaks any address or name of an icon


def say(text: str | Exception, **values: object) -> str:
    """Return a sentence in the viewer's language with its values filled in; an error is shown by its own sentence."""
    if isinstance(text, Exception):
        text = text.args[0] if text.args else ""
    return said_in(language(), text, **values)


def named(dataset: str) -> str:
    """Return the name of a dataset; a sample's name is translated."""
    return say(dataset) if dataset in SAMPLES else dataset


def quoted(name: object) -> str:
    """Escape a person's own text for Markdown, so that it is shown unchanged and no link is made of it."""
    return MARKDOWN.sub(r"\\\1", LINKS.sub(UNSEEN, " ".join(str(name).split())))


def drawn(name: object) -> str:
    """Escape a person's own text for a chart, so that it is shown unchanged."""
    return html.escape(" ".join(str(name).split()), quote=False)


def number(value: object, digits: int = 4) -> str:
    """Format a number with a sensible number of digits, a whole number with all of them."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if value != value:
        return "–"
    if isinstance(value, int) or (abs(value) >= 10 ** (digits - 1) and abs(value) < 1e15):
        return f"{value:,.0f}"
    return POWER.sub(r"\1", f"{value:.{digits}g}")  # 1e-6, as in costs, not 1e-06


# Queries: what was asked, in words, as plain text.


def in_words(question: Request | FixedPlan, schema: Schema | None = None) -> str:
    """Describe a query, or a plan by its first rows; under a schema a count is named by what it counts."""
    if not isinstance(question, FixedPlan):
        return _in_words(question, schema)
    rows = [_in_words(row) for row in question.rows[:SHOWN]]
    more = ["…"] if len(question.rows) > SHOWN else []
    if len(question.rows) == 1:
        return say("Plan with 1 query: {rows}", rows=rows[0])
    return say("Plan with {number} queries: {rows}", number=len(question.rows), rows="; ".join([*rows, *more]))


def period_named(label: str) -> str:
    """Return the name of a ledger's period, a month or a wave, in the language of the screen."""
    span, _, which = label.partition(" ")
    return f"{say(SPANS[span])} {which}" if span in SPANS else label


def beside(title: str, *headings: str) -> str:
    """Shorten a name in a list by the part that the headings above already contain."""
    for heading in headings:
        rest = title.removeprefix(heading).lstrip(" ,，")
        if rest and rest != title:
            return rest[0].upper() + rest[1:]
    return title


def groups_in_words(groups: Sequence[Grouping]) -> str:
    """Return what a query groups by; the name of a column stays as it is."""
    return ", ".join(each if isinstance(each, str) else say(each.words) for each in groups)


def columns_named(of: OfTwo, columns: Sequence[str]) -> str:
    """Return the columns of a query: with what the second one is to the first, where the statistic says it."""
    return say(columns_in_words(of, columns)) if of.on or of.weighs else ", ".join(columns)


def _in_words(request: Request, schema: Schema | None = None) -> str:
    columns = columns_named(request.mechanism.view, request.columns)
    text = f"{say(statistic(request))}: {columns}"
    if schema is not None and statistic(request) == Count.label and request.columns[0] in schema.numbers:
        text = say(number_of(schema, request.columns[0]))
    if request.where:
        text += say(" where ") + say(" and ").join(say(condition_words(each, _value)) for each in request.where)
    return text + (say(" for each {by}", by=groups_in_words(request.groups)) if request.groups else "")


def _value(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else number(value)


# Units: the unit of a result, where the schema declares one.


def unit_of(request: Request, schema: Schema) -> str:
    """Return the unit of a result with a space before it, or an empty text."""
    declared = schema.columns.get(request.columns[0])
    unit = request.mechanism.view.unit("" if declared is None else declared.unit)
    return f" {say(unit)}" if unit else ""


def doubted(margin: str, vague: bool) -> str:
    """Return a margin of error, with a warning in words if it is too large to be useful: a table has no other place."""
    return say("{margin} ⚠ too noisy", margin=margin) if vague else margin


# Notices: messages that a callback left for the next run of the page.


def show_notice() -> None:
    """Show once why an action was not carried out."""
    space = workspace()
    if space.notice:
        st.error(quoted(say(space.notice)))
        space.notice = ""
