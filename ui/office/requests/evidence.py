"""Evidence: the privacy tests of a query in five layers, their findings, and whether they detect broken controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.evidence.layers import LAYERS, Layer
from discreet.office import House, Member
from discreet.office.cards import proof
from discreet.office.cards.proof import Examination
from discreet.office.desk.queue import queue
from discreet.office.house.roles import OFFICER
from discreet.office.people.accounts import name_of
from discreet.office.requests.request import Inquiry, decided
from discreet.ui.frame import words
from discreet.ui.frame.background import away
from discreet.ui.frame.links import pick
from discreet.ui.frame.words import in_words, number, quoted, say
from discreet.ui.session import door
from discreet.ui.session.state import workspace

NUMBERS = {
    "pairs": Phrase("neighbouring pairs"),
    "faults": Phrase("faults"),
    "largest_move": Phrase("largest change"),
    "epsilon": Phrase("ε"),
    "largest_delta": Phrase("largest δ"),
    "claimed_delta": Phrase("claimed δ"),
    "twin_delta": Phrase("δ of the broken control"),
    "samples": Phrase("answers"),
    "least_epsilon": Phrase("proven lower bound on ε"),
    "twin_least_epsilon": Phrase("proven lower bound on ε of the broken control"),
    "draws": Phrase("draws"),
    "gap": Phrase("distance from the distribution"),
    "allowed_gap": Phrase("largest distance explained by chance"),
    "blocks": Phrase("blocks used here"),
}
LOOK_EVERY = 1.0  # seconds until the progress is drawn again


def show() -> None:
    """Show what was found for a request, and offer to run the tests."""
    st.title(say("Privacy tests"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None or OFFICER not in who.roles:
        return
    st.caption(
        say(
            "Five tests look for ways in which a result could reveal more than its guarantee allows. "
            "They use this mechanism, statistic and settings on simulated data with the same schema. "
            "No protected row is read, and no budget is spent. Each test must also catch a "
            "deliberately broken control."
        )
    )
    requests = [*queue(house, who), *decided(house, who)]
    if not requests:
        st.info(say("No requests yet."))
        return
    by_number = {str(asked.number): asked for asked in requests}
    labels = {key: f"#{key} · {in_words(asked.request)}" for key, asked in by_number.items()}
    _of(house, who, by_number[pick(say("Request"), labels, "request")])


def _of(house: House, who: Member, asked: Inquiry) -> None:
    """Show the last run for a request, and the current one."""
    words.show_notice()
    run = proof.under_way(asked.id)
    if run is not None and run.thread.is_alive():
        st.fragment(_progress, run_every=LOOK_EVERY)(asked.id)
        return
    if run is not None and run.failed:
        st.error(say("The last run did not finish. The server log gives the reason."))
    said = proof.latest(house, asked)
    if said is None:
        st.info(say("No privacy tests have been run for this request."))
    else:
        _said(house, said)
    label = say("Run privacy tests") if said is None else say("Run again")
    st.button(label, key=f"prove:{asked.id}", icon=":material/play_arrow:", on_click=_begin, args=(asked.id,))
    st.caption(
        say(
            "The tests take up to a few minutes and continue if you leave this page. The outcome is "
            "recorded in the audit log."
        )
    )


def _progress(request: str) -> None:
    """Show the progress; at its end the whole page is drawn again."""
    run = proof.under_way(request)
    if run is None or not run.thread.is_alive():
        st.rerun()
    else:
        st.progress(run.share, say("Running"))


def _begin(request: str) -> None:
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    try:
        proof.begin(house, who, request, away)
    except ParameterError as refused:
        workspace().notice = refused


def _said(house: House, said: Examination) -> None:
    """Show the overall finding of all layers, then each layer."""
    layers = [layer for row in said.rows for layer in row.layers]
    wrong = any(layer.holds is False for layer in layers)
    deaf = any(layer.caught is False or layer.broke_off for layer in layers)
    (st.error if wrong else st.warning if deaf else st.success)(quoted(say(said.summary)))
    for row in said.rows:
        if len(said.rows) > 1:
            st.text(row.question)
        lines = pd.DataFrame([_line(layer) for layer in row.layers])
        st.dataframe(lines, hide_index=True, width="stretch", row_height=36)
    _program(said, quoted(name_of(house, said.by)))


def _program(said: Examination, by: str) -> None:
    """Show who ran the tests, when, and with which code."""
    day = f"{said.at:%Y-%m-%d %H:%M}"
    version = quoted(said.program)
    st.caption(
        say("Run by {name}, {time} UTC, with Discreet {program}. Hash of the code:", name=by, time=day, program=version)
    )
    st.code(said.code, language=None, wrap_lines=True)
    if not said.current:
        st.warning(say("Another version of Discreet is running now. Run the tests again."))


def _line(layer: Layer) -> dict[str, str]:
    """Return one layer in words."""
    return {
        say("Privacy test"): say(LAYERS[layer.name]),
        say("Claimed guarantee"): _claim(layer),
        say("Broken control"): _caught(layer.caught),
        say("Measured values"): _numbers(layer.numbers),
    }


def _claim(layer: Layer) -> str:
    if layer.broke_off:
        return say("did not finish")
    return {True: say("holds"), False: say("FAILS"), None: say("not applicable")}[layer.holds]


def _caught(caught: bool | None) -> str:
    return {True: say("caught"), False: say("not caught"), None: "–"}[caught]


def _numbers(numbers: Mapping[str, Any]) -> str:
    return " · ".join(f"{say(name)} {number(numbers[key])}" for key, name in NUMBERS.items() if key in numbers)
