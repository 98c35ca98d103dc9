"""Checking: whether protected rows were read as they were meant, for a small part of the budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Release, Request
from discreet.lab import left_out, reading_check
from discreet.lab.reading_check import AboutRows, Reading
from discreet.rows import Schema
from discreet.ui.data import asked_at_desk, filters, paying
from discreet.ui.data.anew import perhaps
from discreet.ui.frame.odds import odds
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import workspace

EPSILONS = (0.02, 0.05, 0.1, 0.2, 0.5)
Answers = dict[str, Release]
WHY = Phrase(
    "Cells that do not fit the declaration are left out, and nobody may see them. This counts, for each "
    "column, about how many cells are read, are not, or are empty, and says which columns to look at again."
)


def offer() -> None:
    """Offer the check of the dataset in use, and show what it said: it is asked once and remembered."""
    schema = workspace().dataset.schema
    st.header(say("Was it read as it was meant?"), anchor=False)
    mark = f"check:{schema.digest[:8]}"
    label = say("Epsilon of the check")
    epsilon = float(st.select_slider(label, EPSILONS, reading_check.EPSILON, key=mark, persist_state="session"))
    asked = paying.questions(schema, epsilon)
    answers = _answers(asked)
    if not answers:
        st.caption(say(WHY))
        _button(asked, mark)
        st.button(say("Skip"), type="tertiary", key=f"{mark}:skip", on_click=skip, args=(True,))
        others = (_answers(paying.questions(schema, each)) for each in EPSILONS[::-1])
        answers = next(filter(None, others), {})
    if answers:
        _verdicts(_readings(schema, answers), epsilon < EPSILONS[-1])
        _filter(schema, answers, epsilon, mark)


def skip(now: bool) -> None:
    """Leave the check out, or bring it back."""
    workspace().here.unchecked = now


def _button(asked: Mapping[str, Request], mark: str) -> None:
    """Offer to ask all of it at once, where it is asked."""
    st.caption(odds(reading_check.cost(asked)))
    desk = workspace().here.desk
    if desk is None:
        paying.button(asked, mark)
    else:
        asked_at_desk.button(desk, asked, mark)


def _answers(asked: Mapping[str, Request]) -> Answers:
    """Return what was answered; nothing where a part of it was not asked."""
    answers = {name: paying.stored(name, request) for name, request in asked.items()}
    return {} if not all(answers.values()) else {name: answer for name, answer in answers.items() if answer}


def _readings(schema: Schema, answers: Answers) -> list[Reading]:
    """Say what the counts mean: of the columns, and of the limit of rows a person."""
    columns = {name: release for name, release in answers.items() if name != left_out.NOT_A_COLUMN}
    lines = reading_check.readings(schema, columns)
    if left_out.NOT_A_COLUMN in answers:
        lines.append(left_out.of_limit(schema, columns[schema.askable[0]], answers[left_out.NOT_A_COLUMN]))
    return lines


def _filter(schema: Schema, answers: Answers, epsilon: float, mark: str) -> None:
    """Offer to count the rows that pass a filter, before a question is asked with it."""
    with st.expander(say("What does a filter leave out?"), icon=":material/filter_alt:"):
        where = filters.where(schema, mark)
        if not where:
            return
        columns = [line for line in _readings(schema, answers) if line.column in schema.columns]
        best = max(columns, key=lambda line: line.rows).column
        asked = {left_out.NOT_A_COLUMN: left_out.filtered(schema, best, where, epsilon)}
        passed = _answers(asked)
        if passed:
            _table([left_out.of_filter(schema, answers[best], passed[left_out.NOT_A_COLUMN])])
        else:
            _button(asked, f"{mark}:filter")


def _verdicts(lines: Sequence[Reading], larger: bool) -> None:
    """Show what was counted, and say in words what to look at: a narrow screen cuts the table.

    Where it cannot tell, a larger epsilon may be left to be chosen.
    """
    doubtful = [line for line in lines if not line.good and not line.unsure]
    unsure = [line for line in lines if line.unsure]
    if doubtful:
        _again(doubtful)
    if unsure:
        again = say("Choose one above, and check again.") if larger else ""
        st.info("\n".join([*_grouped(unsure), "", again]))
    if not doubtful and not unsure:
        st.success(say("All columns are read."))
    _table(lines)
    st.caption(
        say(
            "Noisy counts. 99 times in 100 all of them are within what is said. They are on the record like any answer."
        )
    )


def _again(doubtful: Sequence[Reading]) -> None:
    """Say what to look at again, and who can mend it."""
    columns = _listed(doubtful)
    text = (
        say("Look again at: {columns}. The declaration can be changed below.", columns=columns)
        if workspace().here.desk is None
        else say("Look again at: {columns}. Ask whoever registered these data what was meant.", columns=columns)
    )
    st.warning("\n".join([text, "", *_grouped(doubtful)]))
    perhaps(doubtful, "check")


def _grouped(lines: Sequence[Reading]) -> list[str]:
    """Say of which columns the same is said."""
    verdicts = dict.fromkeys(line.verdict for line in lines)
    same = {verdict: [line for line in lines if line.verdict == verdict] for verdict in verdicts}
    return [f"- {_listed(of)}: {quoted(say(verdict))}" for verdict, of in same.items()]


def _listed(lines: Sequence[Reading]) -> str:
    return ", ".join(quoted(_called(line)) for line in lines)


def _called(line: Reading) -> str:
    return say(line.column) if isinstance(line.column, Phrase) else line.column


def _table(lines: Sequence[Reading]) -> None:
    apart = any(line.unread for line in lines)
    table = [
        {
            say("What was counted"): _called(line),
            say("Read") if apart else say("Rows"): _within(AboutRows(line.rows, line.width)),
            **({say("Not read"): _within(line.unread), say("Missing"): _within(line.missing)} if apart else {}),
            say("What it means"): say(line.verdict),
        }
        for line in lines
    ]
    st.dataframe(pd.DataFrame(table), hide_index=True, width="stretch")


def _within(count: AboutRows | None) -> str:
    return "–" if count is None else f"{number(count.rows)} ± {number(count.width)}"
