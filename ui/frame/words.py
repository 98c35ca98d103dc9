"""Words: every sentence of a screen goes through here; a person's own text is quoted."""

from __future__ import annotations

import html
import re

import streamlit as st

from discreet.budget.allowance import SPANS
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.lab.samples import SAMPLES
from discreet.report.words import SHOWN, condition_words, statistic
from discreet.rows import Schema
from discreet.ui.frame.catalogue import said_in
from discreet.ui.session.state import language, workspace

MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!$:<>~|^=])")
POWER = re.compile(r"(e[+-])0+")

LINKS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
UNSEEN = "\u2060"  # a word joiner: takes no room, and no address survives it


def say(text: str | Exception, **values: object) -> str:
    """Return a sentence in the language of the person who looks, with its values filled in; an error says its own."""
    if isinstance(text, Exception):
        text = text.args[0] if text.args else ""
    return said_in(language(), text, **values)


def named(dataset: str) -> str:
    """Return the name of a dataset: a sample's in the language of the screen, else as it is."""
    return say(dataset) if dataset in SAMPLES else dataset


def quoted(name: object) -> str:
    """Write somebody's own text so that Markdown shows it as it is, and makes no link of it."""
    return MARKDOWN.sub(r"\\\1", LINKS.sub(UNSEEN, " ".join(str(name).split())))


def drawn(name: object) -> str:
    """Write somebody's own text so that a chart shows it as it is."""
    return html.escape(" ".join(str(name).split()), quote=False)


def number(value: object, digits: int = 4) -> str:
    """Write a number with sensible digits, a whole number with all of them."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if value != value:
        return "–"
    if isinstance(value, int) or (abs(value) >= 10 ** (digits - 1) and abs(value) < 1e15):
        return f"{value:,.0f}"
    return POWER.sub(r"\1", f"{value:.{digits}g}")  # 1e-6, as a cost is written, and not 1e-06


# Wording: what was asked, in words, as plain text.


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


# Units: what the number of an answer is counted in, where the declaration says it.


def unit_of(request: Request, schema: Schema) -> str:
    """Return the unit behind an answer, with a blank before it, or nothing."""
    declared = schema.columns.get(request.columns[0])
    unit = request.mechanism.view.unit("" if declared is None else declared.unit)
    return f" {say(unit)}" if unit else ""


# Notices: what a callback has left to be said when the page is drawn again.


def show_notice() -> None:
    """Say once why nothing was done."""
    space = workspace()
    if space.notice:
        st.error(quoted(say(space.notice)))
        space.notice = ""
