"""Checking: whether protected rows were read as they were meant, for a small part of the budget."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from discreet.budget import AlreadyCharged, BudgetExceeded, ParameterError
from discreet.curator import Release, Request
from discreet.curator.terms import TooMuch
from discreet.lab import reading_check
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import workspace

EPSILONS = (0.02, 0.05, 0.1, 0.2, 0.5)


def offer() -> None:
    """Offer the check of the dataset in use, and show what it said: it is asked once and remembered."""
    schema = workspace().dataset.schema
    st.subheader(say("Was it read as it was meant?"), anchor=False)
    mark = f"check:{schema.digest[:8]}"
    label = say("Epsilon of the check")
    epsilon = st.select_slider(label, EPSILONS, reading_check.EPSILON, key=mark, persist_state="session")
    asked = reading_check.requests(schema, float(epsilon))
    answers = _answers(asked)
    if not answers:
        st.caption(
            say(
                "Cells that do not fit the declaration are left out, and nobody may see them. This counts, for each "
                "column, about how many rows could be read, and says which columns to look at again."
            )
        )
        _button(asked, mark)
        others = (_answers(reading_check.requests(schema, each)) for each in EPSILONS[::-1])
        answers = next(filter(None, others), {})
    if answers:
        _verdicts(answers)


def _answers(asked: Mapping[str, Request]) -> dict[str, Release]:
    """Return what was answered; nothing where a part of it was not asked."""
    answers: dict[str, Release] = {}
    for name, request in asked.items():
        release = workspace().stored(request)
        if release is None:
            return {}
        answers[name] = release
    return answers


def _button(asked: Mapping[str, Request], mark: str) -> None:
    """Offer to ask all of it at once."""
    price, left = reading_check.cost(asked), workspace().curator.ledger.left
    short = not price.fits_in(left)
    if short:
        st.warning(say("This does not fit in what is left: {left}.", left=left))
    label = say("Spend {cost} and check", cost=price)
    primary(label, disabled=short or not asked, key=f"{mark}:go", on_click=_ask, args=(list(asked.values()),))


def _ask(asked: list[Request]) -> None:
    """Ask the questions that the button named; where one does not fit any more, say so."""
    space = workspace()
    try:
        for request in asked:
            if isinstance(space.curator.terms(request), TooMuch):
                raise BudgetExceeded(request.cost(), space.curator.ledger.left)
            space.curator.ask(request, space.nonce(request))
    except AlreadyCharged:
        pass  # another tab was faster; its answer is on the record
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


def _verdicts(answers: Mapping[str, Release]) -> None:
    """Show what was counted, and say what to look at."""
    lines = reading_check.readings(workspace().dataset.schema, answers)
    doubtful = [quoted(line.column) for line in lines if not line.good]
    if doubtful:
        st.warning(say("Look again at: {columns}. The declaration can be changed below.", columns=", ".join(doubtful)))
    else:
        st.success(say("All columns could be read about equally well."))
    table = [
        {
            say("Column"): line.column,
            say("Rows that could be read"): f"{number(line.rows)} ± {number(line.width)}",
            say("What it means"): say(line.verdict),
        }
        for line in lines
    ]
    st.dataframe(pd.DataFrame(table), hide_index=True, width="stretch")
    st.caption(say("Noisy counts, 999 times in 1,000 within what is said. They are on the record like any answer."))
