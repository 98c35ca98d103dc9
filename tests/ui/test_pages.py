"""Every page by AppTest: it opens, asks once, refuses in sentences, and shows nothing of rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui.state
from budget import Cost

ROOT = Path(__file__).resolve().parents[2]
CANARY = "48151623"
CSV = "id,pay,town\n" + "".join(f"p{i},{20 + i % 50},t{CANARY}\n" for i in range(337))


@pytest.fixture
def app() -> AppTest:
    """Return the app in a fresh server process's state."""
    ui.state.curators.clear()
    return AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()


def ask_page(app: AppTest) -> AppTest:
    """Return the app on the page Ask."""
    return app.switch_page("../pages/ask.py").run()


def shown(app: AppTest) -> str:
    """Return all text on the screen."""
    return "\n".join(str(getattr(e, "value", "")) for e in [*app.main, *app.sidebar])


def upload(app: AppTest, data: bytes, edits: dict[int, dict[str, object]]) -> AppTest:
    """Upload a file and declare some of its columns."""
    app.file_uploader(key="table").upload("people.csv", data).run()
    key = "declared:" + "\x1f".join(["id", "pay", "town"])
    app.session_state[key] = {"edited_rows": edits, "added_rows": [], "deleted_rows": []}
    return app.run()


def test_the_app_opens_on_the_sample_and_shows_its_budget(app: AppTest) -> None:
    """Nothing has to be done first."""
    assert not app.exception
    assert "Sample" in shown(app) and str(ui.state.LIMIT) in shown(app)


def test_one_press_is_one_charge_and_one_answer_that_stays(app: AppTest) -> None:
    """The answer is a card, the budget moves by its cost, and a rerun changes neither."""
    app = ask_page(app)
    app.button[0].click().run()
    assert not app.exception
    curator = ui.state.curators().open(ui.state.census())
    assert curator.ledger.spent == Cost.of("0.5") and len(curator.releases) == 1
    app.run()
    app.slider[0].set_value(1.0).run()
    assert curator.ledger.spent == Cost.of("0.5") and "cost ε = 0.5" in shown(app)


def test_every_question_of_the_page_answers(app: AppTest) -> None:
    """Each choice has a forecast or a reason, and releases."""
    from ui.questions import CHOICES

    app = ask_page(app)
    app.slider[0].set_value(0.1).run()
    for choice in CHOICES:
        app.selectbox[1].set_value(choice).run()
        app.button[0].click().run()
        assert not app.exception, choice
    assert len(ui.state.curators().open(ui.state.census()).releases) == len(CHOICES)


def test_a_question_that_does_not_fit_says_by_how_much(app: AppTest) -> None:
    """The button is off, and the sentence names cost and rest."""
    app = ask_page(app)
    app.slider[0].set_value(2.0).run()
    app.button[0].click().run()
    app.run()
    assert app.button[0].disabled and any("is left" in w.value for w in app.warning)


def test_a_protected_upload_shows_names_and_nothing_else(app: AppTest) -> None:
    """Neither a planted value nor the number of rows appears, before or after an answer."""
    edits = {0: {"kind": "person"}, 1: {"kind": "number", "lower": 0.0, "upper": 100.0}}
    app = upload(app, CSV.encode(), edits)
    assert not app.exception and not app.error
    app.button[0].click().run()
    assert "people.csv" in shown(app)
    app = ask_page(app)
    app.button[0].click().run()
    told = shown(app)
    assert not app.exception and "Mean of pay" in told
    assert CANARY not in told and "337" not in told


def test_a_declaration_that_misses_something_says_what(app: AppTest) -> None:
    """A number without bounds is not accepted, in a sentence."""
    app = upload(app, CSV.encode(), {1: {"kind": "number"}})
    assert any("lower and upper" in i.value for i in app.info)
    assert app.button[0].disabled


@pytest.mark.parametrize(
    ("data", "says"), [(b"\x80\x04x", "pickle"), (b"a,a\n1,2\n", "same name"), (b"a\n", "no rows")]
)
def test_a_bad_file_gets_its_sentence(app: AppTest, data: bytes, says: str) -> None:
    """The page survives and says what to do."""
    app.file_uploader(key="table").upload("people.csv", data).run()
    assert not app.exception and any(says in e.value for e in app.error)


def test_a_second_session_sees_the_same_budget(app: AppTest) -> None:
    """A reload or another tab is a view of the same budget, not a new one."""
    app = ask_page(app)
    app.button[0].click().run()
    other = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    assert "spent  ε = 0.5" in shown(other)
