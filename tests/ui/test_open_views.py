"""Open data are read once: moving a slider reads no row and hashes no person anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import discreet.ui.session.state
from discreet.rows import persons

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("global_sensitivity", "smooth_sensitivity", "propose_test_release", "sample_and_aggregate", "compare")


@pytest.mark.parametrize("page", PAGES)
def test_a_move_of_a_slider_on_a_sample_hashes_nobody(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample has a column of persons; its views are made when a question is looked at first.

    Where epsilon decides how many blocks there are, other blocks are made of the same words.
    """
    hashed = list[int]()
    own = persons.person_words
    monkeypatch.setattr(persons, "person_words", lambda *cells: hashed.append(1) or own(*cells))
    discreet.ui.session.state.server().clear()
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    app = app.switch_page(f"../pages/{page}.py").run()
    for epsilon in (0.5, 0.75, 1.25):
        hashed.clear()
        (slider,) = [w for w in (*app.number_input, *app.slider) if str(w.key).endswith("epsilon")][:1]
        app = slider.set_value(epsilon).run()
        assert not app.exception and not hashed
