"""Typing: what somebody is writing or has chosen is not taken away by a run that ends meanwhile, or by another tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support.pages import on_dataset

import discreet.ui.session.state
from discreet.plans import Wanted

SHELL = Path(__file__).resolve().parents[2] / "ui" / "shell.py"
PAGES = ("plan", "global_sensitivity", "sample_and_aggregate", "exponential_mechanism", "compare")
FIELDS = ("number_input", "text_input", "text_area", "selectbox", "slider")


@pytest.mark.parametrize("page", PAGES)
def test_no_field_is_set_again_by_a_run_that_changes_nothing(page: str) -> None:
    """A browser that is told a value writes it over what is half typed."""
    discreet.ui.session.state.server().clear()
    app = on_dataset()
    discreet.ui.session.state.server().workspace(app.session_state["browser"]).sheet.add([Wanted("mean", "age")])
    app.switch_page(f"../pages/{page}.py").run()
    fields = [field for kind in FIELDS for field in app.run().get(kind)]
    assert not app.exception and fields
    assert not [field.label for field in fields if field.proto.set_value]


def test_the_language_is_marked_on_every_page() -> None:
    """A browser draws the switch anew with each page, and marks what it is told."""
    discreet.ui.session.state.server().clear()
    app = on_dataset()
    for page in PAGES[:2]:
        app.switch_page(f"../pages/{page}.py").run()
        (switch,) = [each for each in app.segmented_control if each.label == "Language"]
        assert switch.value == "en" and switch.proto.set_value


def test_a_file_is_taken_whatever_another_tab_has_brought_since() -> None:
    """Both tabs stand on the page Data: what is chosen in the second is not lost because the first was quicker."""
    discreet.ui.session.state.server().clear()
    first, second = (AppTest.from_file(str(SHELL), default_timeout=60) for _ in range(2))
    first.session_state["browser"] = second.session_state["browser"] = "one browser"
    for tab in (first, second):
        tab.run().switch_page("../pages/dataset.py").run()
        (uploader,) = [part for part in tab.file_uploader if part.label == "Upload a dataset"]
        uploader.upload(f"{tab is second}.csv", b"age\n1\n2\n").run()
        space = discreet.ui.session.state.server().workspace("one browser")
        assert space.draft is not None and space.draft.name == f"{tab is second}.csv"
        (discard,) = [button for button in tab.button if button.label == "Discard this file"]
        discard.click().run()


def steps() -> None:
    """Draw the key of an editor, and a button that is its own step, another's or a refused one."""
    import streamlit as st

    from discreet.ui.session.state import edited, editor

    version = st.session_state.setdefault("version", 0)
    st.text(editor("plan", version))
    for step in ("own", "other", "refused"):
        if st.button(step):
            st.session_state["version"] += step != "refused"
            if step != "other":
                edited("plan", st.session_state["version"] if step == "own" else None)
            st.rerun()


def test_an_editor_outlives_its_own_steps_and_begins_anew_after_others() -> None:
    """What is being typed stays while the table follows; what was refused or changed elsewhere is never hidden."""
    app = AppTest.from_function(steps, default_timeout=60).run()
    keys = {app.text[0].value}
    for step, changes in (("own", False), ("other", True), ("own", False), ("refused", True), ("own", False)):
        (button,) = [each for each in app.button if each.label == step]
        before = app.text[0].value
        button.click().run()
        assert not app.exception and (app.text[0].value != before) is changes, step
        keys.add(app.text[0].value)
    assert len(keys) == 3
