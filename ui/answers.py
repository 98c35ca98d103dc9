"""Answers: the page with every result released for the dataset in use, to search, read and download."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from discreet.curator import Release
from discreet.report.publication import chapter, publication
from discreet.report.words import condition_words, statistic
from discreet.rows import Schema
from discreet.ui import downloads
from discreet.ui.ask import answers as card
from discreet.ui.figures import answers
from discreet.ui.frame import words
from discreet.ui.frame.links import link
from discreet.ui.frame.results import answer_lines
from discreet.ui.frame.words import in_words, number, say
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


def lines(answered: Sequence[Answered]) -> list[FoundLine]:
    """Return one line for each number, newest result first."""
    newest = range(len(answered) - 1, -1, -1)
    return [FoundLine(at, cells) for at in newest for cells in _cells(*answered[at])]


def sought(every: Sequence[FoundLine], text: str) -> list[FoundLine]:
    """Return the lines that contain every word, ignoring case."""
    words = text.casefold().split()
    return [line for line in every if line.holds(words)]


def _cells(release: Release, schema: Schema) -> Iterator[dict[str, str]]:
    request = release.request
    first = {
        say("Statistic"): say(statistic(request)),
        say("Columns"): ", ".join(request.columns),
        say("Filter"): say(" and ").join(say(condition_words(each)) for each in request.where),
    }
    last = {
        say("ε"): f"{release.cost.epsilon:g}",
        say("Mechanism"): say(request.mechanism.title),
        say("Released (UTC)"): f"{release.at:%Y-%m-%d %H:%M}",
    }
    for line in answer_lines(release, schema):
        yield first | line | last


def amount(lines: int, answers: int) -> str:
    """Return a phrase with the numbers of lines and results."""
    return say("Values: {lines}. Results: {answers}.", lines=number(lines), answers=number(answers))


# Page: a table to search, cards of the chosen results, and files to download.

ROW, MOST_LINES = 35, 14  # height of a line in pixels, and how many lines are visible at once
MOST_CARDS = 20


def read() -> None:
    """Draw the page of results of the dataset in use, released by any mechanism."""
    words.show_notice()
    answered = workspace().here.answered
    if not answered:
        _nothing()
        return
    text = st.text_input(
        say("Search"),
        key="answers:search",
        placeholder=say("Search by statistic, column or group"),
        icon=":material/search:",
    )
    seen = sought(lines(answered), text)
    shown = sorted({line.of for line in seen})
    st.caption(amount(len(seen), len(shown)))
    if not seen:
        st.info(say("No results match your search."))
        return
    chosen = _table(seen)
    later = downloads.replaced()
    mine = [answered[at] for at in chosen or shown]
    what = in_words(mine[0][0].request) if len(mine) == 1 else say("results")
    downloads.offer(mine, lambda: publication(mine, replaced=later), what, "answers:take")
    _cards(answered, chosen)


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


def _cards(answered: Sequence[Answered], chosen: Sequence[int]) -> None:
    """Show the chosen results as cards, with a figure for each that has several numbers."""
    if not chosen:
        st.caption(say("Select results in the table to see their details and export them."))
        return
    answers.compare([chapter(*answered[at]) for at in chosen[:MOST_CARDS]], "answers:compare")
    for at in chosen[:MOST_CARDS]:
        drawn = chapter(*answered[at])
        if answers.comparable(drawn):
            answers.show(drawn, f"answers:figure:{answered[at][0].id}")
        card.show(*answered[at])
    if len(chosen) > MOST_CARDS:
        st.caption(say("Only the first {most} results are shown.", most=MOST_CARDS))
