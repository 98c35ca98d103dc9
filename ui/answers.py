"""Answers: the page with every result released for the dataset in use, to search, read and download."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.curator import Release
from discreet.mechanisms.base.mechanism import CONFIDENCE
from discreet.report.html import NO_MARKS, Marks, marked, name_of, rule_words
from discreet.report.intervals import Value, apart, values
from discreet.report.numbers import outward
from discreet.report.publication import chapter, publication
from discreet.report.words import condition_words, statistic
from discreet.rows import Schema
from discreet.ui import downloads
from discreet.ui.ask import answers as card
from discreet.ui.figures import answers
from discreet.ui.frame import words
from discreet.ui.frame.links import link
from discreet.ui.frame.results import answer, answer_lines
from discreet.ui.frame.words import in_words, number, quoted, say
from discreet.ui.session.state import workspace

# Search: one line for every released number of the dataset in use, newest first.

Answered = tuple[Release, Schema]


@dataclass(frozen=True)
class FoundLine:
    """A number of a result: the index of its result, and the cells of its line."""

    of: int
    cells: dict[str, str]

    def holds(self, words: Sequence[str]) -> bool:
        """Whether every word occurs somewhere in the line."""
        text = " ".join(self.cells.values()).casefold()
        return all(word in text for word in words)


def lines(answered: Sequence[Answered], marks: Marks = NO_MARKS) -> list[FoundLine]:
    """Return one line for each number, newest result first."""
    newest = range(len(answered) - 1, -1, -1)
    return [FoundLine(at, cells) for at in newest for cells in _cells(*answered[at], marks)]


def sought(every: Sequence[FoundLine], text: str) -> list[FoundLine]:
    """Return the lines that contain every word, ignoring case."""
    words = text.casefold().split()
    return [line for line in every if line.holds(words)]


def _cells(release: Release, schema: Schema, marks: Marks) -> Iterator[dict[str, str]]:
    request = release.request
    first = {
        say("Statistic"): say(statistic(request)),
        say("Columns"): ", ".join(request.columns),
        say("Filter"): say(" and ").join(say(condition_words(each)) for each in request.where),
    }
    last = {
        say("ε"): str(release.cost).removeprefix("ε = "),
        say("Mechanism"): say(request.mechanism.title),
        say("Released (UTC)"): f"{release.at:%Y-%m-%d %H:%M}",
    }
    for line in answer_lines(release, schema, marks):
        yield first | line | last


def amount(lines: int, answers: int) -> str:
    """Return a phrase with the numbers of lines and results."""
    return say("Values: {lines}. Results: {answers}.", lines=number(lines), answers=number(answers))


# Quality: marks that tell how large a margin of error is beside its value, by a rule that the publisher chooses.


def _marks() -> Marks:
    """Return how numbers are written under the rule that is chosen."""
    rule = downloads.rule()
    return NO_MARKS if rule is None else partial(marked, rule=rule)


def _fine_tuning() -> None:
    with st.expander(say("Fine tuning"), icon=":material/tune:"):
        st.selectbox(
            say("Quality marks"),
            list(downloads.RULES),
            format_func=_rule_words,
            key=downloads.QUALITY,
            persist_state="session",
            help=say(
                "The margin of error in percent of the value decides the mark. A mark reads released numbers only."
            ),
        )


def _rule_words(name: str) -> str:
    rule = downloads.RULES[name]
    return say("No marks") if rule is None else say(rule_words(rule))


# Comparison: whether one value is above another one or above a number, with an interval for the difference.

NUMBER = -1  # in place of the second value


def _above(answered: Sequence[Answered]) -> None:
    """Ask for two values, and say whether the first is above the other."""
    every = [value for release, schema in answered for value in values(release, schema)]
    if not every:
        return
    st.subheader(say("Is A above B?"), anchor=False, help=say(COMPARED))
    names = [_value_name(value) for value in every]
    left, right, below = st.columns([2, 2, 1])
    key = "answers:above"
    first = every[left.selectbox("A", range(len(every)), format_func=names.__getitem__, key=f"{key}:a")]
    others = [at for at, value in enumerate(every) if value.name != first.name and value.unit == first.unit]
    at = right.selectbox(
        "B",
        [*others, NUMBER],
        format_func=lambda at: say("a number") if at == NUMBER else names[at],
        key=f"{key}:b:{every.index(first)}",
    )
    if at == NUMBER:
        number = below.number_input(say("Number"), value=None, key=f"{key}:number", placeholder="0.5")
        if number is not None:
            st.markdown(_said_of_number(first, float(number)))
        return
    try:
        st.markdown(_said_of(first, every[at]))
    except ParameterError as refused:
        st.caption(quoted(say(refused)))


COMPARED = Phrase(
    "Each comparison holds with 95% confidence on its own. It is computed from released results and spends nothing."
)


def _value_name(value: Value) -> str:
    """Name a value by its query, its group and, where it was asked more than once, its ledger entry."""
    release = value.release
    group = name_of((value.datum,), say)
    entry = say("entry {number}", number=release.entry + 1)
    return " · ".join(each for each in (group, in_words(release.request), entry) if each)


def _said_of(first: Value, other: Value) -> str:
    """Answer in words whether the first value is above the other; of one query asked twice, whether it has changed."""
    low, high = apart(first, other)
    unit = f" {quoted(say(first.unit))}" if first.unit else ""
    again = _asked_of(first) == _asked_of(other)
    names = {"first": quoted(_short_name(first)), "other": quoted(_short_name(other))}
    if low > 0 or high < 0:
        least, most = outward(min(abs(low), abs(high)), max(abs(low), abs(high)))
        ends = {"low": least, "high": most, "unit": unit}
        if again and low > 0:
            return say("**It has changed: up by {low} to {high}{unit}** (95%).", **ends)
        if again:
            return say("**It has changed: down by {low} to {high}{unit}** (95%).", **ends)
        if low > 0:
            return say("**{first} is above {other}: yes, by {low} to {high}{unit}** (95%).", **names, **ends)
        return say("**{first} is above {other}: no, it is below, by {low} to {high}{unit}** (95%).", **names, **ends)
    least, most = outward(low, high)
    ends = {"low": least, "high": most, "unit": unit}
    if again:
        return say("**Too close to say whether it has changed**: by {low} to {high}{unit} (95%).", **ends)
    return say("**Too close to say**: {first} minus {other} is {low} to {high}{unit} (95%).", **names, **ends)


def _said_of_number(value: Value, number: float) -> str:
    """Answer in words whether a value is above a number: whether its own interval is."""
    low, high = value.interval(CONFIDENCE) or (-math.inf, math.inf)
    names = {"first": quoted(_short_name(value)), "number": quoted(f"{number:,.15g}")}
    ends = dict(zip(("low", "high"), value.datum.ends or ("", ""), strict=True))
    if low > number:
        return say("**{first} is above {number}: yes** (95% interval {low} to {high}).", **names, **ends)
    if high < number:
        return say("**{first} is above {number}: no, it is below** (95% interval {low} to {high}).", **names, **ends)
    return say(
        "**Too close to say**: the 95% interval of {first}, {low} to {high}, has {number} in it.", **names, **ends
    )


def _short_name(value: Value) -> str:
    return name_of((value.datum,), say) or in_words(value.release.request)


def _asked_of(value: Value) -> tuple[str, str]:
    return in_words(value.release.request), name_of((value.datum,), say)


# Page: a card with a figure for each result, a comparison of two values, and a table of all of them to search.

ROW, MOST_LINES = 35, 14  # height of a line in pixels, and how many lines are visible at once
MOST_CARDS = 12  # on one page
CARD = 340  # pixels of a card's width at least


def read(by_plan: Callable[[], None]) -> None:
    """Draw the page of results of the dataset in use, released by any mechanism; `by_plan` draws those of its plans."""
    words.show_notice()
    answered = workspace().here.answered
    if not answered:
        _nothing()
        return
    with st.container(horizontal=True, key="answers-top"):
        text = st.text_input(
            say("Search"),
            key="answers:search",
            placeholder=say("Search by statistic, column or group"),
            icon=":material/search:",
            label_visibility="collapsed",
        )
        files = st.container(width="content")
    marks = _marks()
    seen = sought(lines(answered, marks), text)
    shown = sorted({line.of for line in seen}, reverse=True)
    count = amount(len(seen), len(shown))
    st.caption(f"{count} {say('Intervals are 95% intervals for the noise added. They do not include sampling error.')}")
    if not seen:
        st.info(say("No results match your search."))
        return
    _cards([answered[at] for at in shown], marks)
    by_plan()
    _above([answered[at] for at in shown])
    st.subheader(say("All values"), anchor=False)
    chosen = _table(seen)
    mine = [answered[at] for at in chosen or sorted(shown)]
    answers.compare([chapter(*answered[at]) for at in chosen[:MOST_CARDS]], marks)
    with files:
        later = downloads.replaced()
        what = in_words(mine[0][0].request) if len(mine) == 1 else say("results")
        downloads.offer(mine, lambda: publication(mine, replaced=later), what, "answers:take")
    _fine_tuning()


def _nothing() -> None:
    """Explain where results come from, while there are none."""
    st.info(say("No results yet. Every result you release from this dataset is listed here."))
    with st.container(horizontal=True):
        link("plan", say("Plan a release"), "checklist")
        link("query", say("Run a query"), "search")


def _table(seen: Sequence[FoundLine]) -> list[int]:
    """Show the lines; return the indices of the selected results, in the order of the table."""
    cells = pd.DataFrame([line.cells for line in seen])
    picked = st.dataframe(
        cells.loc[:, (cells != "").any()],
        hide_index=True,
        width="stretch",
        height=ROW * (min(len(seen), MOST_LINES) + 1) + 3,
        on_select="rerun",
        selection_mode="multi-row",
        key="answers:table",
    )
    rows = [at for at in picked.selection.rows if at < len(seen)]  # the selection may be of a longer table
    return list(dict.fromkeys(seen[at].of for at in rows))


def _cards(newest: Sequence[Answered], marks: Marks) -> None:
    """Show each result as a card with its figure, as many beside each other as have room."""
    pages = -(-len(newest) // MOST_CARDS)
    first = st.empty()
    at = st.pagination(pages, key="answers:page") if pages > 1 else 1
    with first.container(), st.grid(min_column_width=CARD):
        for release, schema in newest[(at - 1) * MOST_CARDS : at * MOST_CARDS]:
            _card(release, schema, marks)


def _card(release: Release, schema: Schema, marks: Marks) -> None:
    """Show one result: what was asked, its cost, its figure, and a fold with every number and how it was made."""
    told = chapter(release, schema)
    with st.container(border=True, height="stretch"):
        with st.container(horizontal=True, horizontal_alignment="distribute", wrap=False):
            st.markdown(f"**{quoted(in_words(release.request))}**")
            st.markdown(f":gray[{release.cost}]", width="content")
        finer = next((each for each in workspace().curator.releases if each.refines == release.id), None)
        if finer is not None:
            st.badge(say("improved in ledger entry {entry}", entry=finer.entry + 1), color="gray")
        if answers.drawable(told):
            answers.show(told, marks)
        else:
            answer(release, schema)
        fold = st.expander(say("Details"), key=f"answers:details:{release.id}", on_change="rerun")
        if not fold.open:  # a page has many, and most stay closed
            return
        with fold:
            answer(release, schema)
            if not release.request.groups and not isinstance(release.answer, tuple):
                card.worth(release, schema)
            card.about(release, schema)
            card.acts(release, schema, answers.drawable(told))
