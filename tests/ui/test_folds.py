"""Folds: what nobody has opened is neither computed nor sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support.seats import seat
from support.town import PURPOSE, prepare, question

from discreet.office import Desk
from discreet.office.datasets import lifecycle

NAMES = ("unprotected", "data", "computed", "exact", "checked", "people", "numbers", "settled")
INSIDE = (
    "The number of rows is protected and is not",
    "Legal basis for collection",
    "Technical details",
    "Source of the noise",
    "Fingerprint of the rows",
    "This card has no handwritten signature",
    "Checked automatically just now",
)


def folded() -> None:
    """Draw a fold whose inside counts how often it was drawn."""
    import streamlit as st

    from discreet.ui.office.forms import fold

    def draw() -> None:
        st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
        st.markdown("inside")

    fold("some", "A fold", draw)


def test_what_nobody_has_opened_is_not_computed() -> None:
    """It is once it is open, and not any more when it is closed again."""
    app = AppTest.from_function(folded, default_timeout=60).run()
    assert [box.label for box in app.expander] == ["A fold"]
    assert "drawn" not in app.session_state and not app.markdown
    app.session_state["fold:some"] = True
    app.run()
    assert app.session_state["drawn"] == 1 and [each.value for each in app.markdown] == ["inside"]
    app.session_state["fold:some"] = False
    app.run()
    assert app.session_state["drawn"] == 1 and not app.markdown


def test_a_card_sends_what_its_folds_hold_once_they_are_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All eight of Review, whichever request is looked at."""
    house, people, dataset = prepare(tmp_path / "home")
    Desk(house, people["ann"], dataset).ask(question(), "0", PURPOSE)
    olga = seat(monkeypatch, house, people["olga"]).open("review")
    assert not [words for words in INSIDE if words in olga.sent()]
    for name in NAMES:
        olga.app.session_state[f"fold:{name}"] = True
    assert not [words for words in INSIDE if words not in olga.run().sent()]


def test_a_request_of_closed_data_is_not_offered_for_approval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said before anything is pressed, and denying it is what is left."""
    house, people, dataset = prepare(tmp_path / "home")
    Desk(house, people["ann"], dataset).ask(question(), "0", PURPOSE)
    olga = seat(monkeypatch, house, people["olga"]).open("review")
    assert not olga.buttons("Approve and run #1 once")[0].disabled and "This dataset is closed" not in olga.text()
    lifecycle.close(house, people["olga"], dataset)
    olga.run()
    assert olga.buttons("Approve and run #1 once")[0].disabled and not olga.buttons("Deny #1")[0].disabled
    assert "This dataset is closed, so the request" in olga.text()
    ann = seat(monkeypatch, house, people["ann"]).open("requests")
    assert (
        "The dataset of request #1 was closed, so there will be no result." in ann.text()
        and "Request #1 is waiting for approval" not in ann.text()
    )
