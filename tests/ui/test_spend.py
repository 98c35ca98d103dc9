"""The button that spends asks what it named, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import discreet.ui.session.state
from discreet.budget import Cost

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def app() -> AppTest:
    """Return a page with a question, in a fresh server process's state."""
    discreet.ui.session.state.server().clear()
    shell = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    return shell.switch_page("../pages/global_sensitivity.py").run()


def test_a_number_typed_and_a_press_at_once_spend_nothing(app: AppTest) -> None:
    """The button named another price: it says so, and names the new one; the next press counts."""
    here = discreet.ui.session.state.server().workspace(app.session_state["browser"])
    (epsilon,) = [w for w in (*app.number_input, *app.slider) if str(w.key).endswith(":epsilon")]
    (button,) = [b for b in app.button if str(b.key).endswith(":spend")]
    epsilon.set_value(0.25)
    button.click().run()
    assert here.curator.ledger.spent == Cost.zero() and not here.curator.releases
    assert any("This page was out of date, so nothing was done" in error.value for error in app.error)
    (button,) = [b for b in app.button if str(b.key).endswith(":spend")]
    assert "0.25" in button.label
    button.click().run()
    assert here.curator.ledger.spent == Cost.of("0.25") and not app.error


def test_an_answer_is_refined_from_its_card_for_the_difference(app: AppTest) -> None:
    """The button names the difference; a slider that was moved since spends nothing; the finer one is next."""
    here = discreet.ui.session.state.server().workspace(app.session_state["browser"])
    (button,) = [b for b in app.button if str(b.key).endswith(":spend")]
    button.click().run()
    (first,) = here.curator.releases

    def finer() -> tuple[Any, Any]:
        """Return the slider and the button of the newest card."""
        (slider,) = [w for w in app.select_slider if str(w.key).startswith("finer:")]
        (press,) = [b for b in app.button if str(b.key).startswith("finer:")]
        return slider, press

    before, (slider, press) = here.curator.ledger.spent, finer()
    slider.set_value(slider.options[-1] if not isinstance(slider.options[-1], str) else float(slider.options[-1]))
    press.click().run()
    assert here.curator.ledger.spent == before and any(
        "This page was out of date, so nothing was done" in error.value for error in app.error
    )
    slider, press = finer()
    press.click().run()
    assert not app.exception and not app.error
    second = here.curator.releases[-1]
    assert second.refines == first.id and here.curator.ledger.spent == before + second.cost
    assert str(second.cost) in press.label
    assert finer()[0].key == f"finer:{second.id}:total"


def on_slider(app: AppTest) -> Any:
    """Return the slider of epsilon, and the field beside it."""
    (slider,) = [w for w in app.slider if str(w.key).endswith(":epsilon")]
    (typed,) = [w for w in app.number_input if ":epsilon:typed:" in str(w.key)]
    return slider, typed


@pytest.mark.parametrize(("wish", "place"), [(0.005, 0.01), (8.0, 3.0), (0.123456, 0.12)])
def test_what_is_typed_reaches_further_than_the_slider(app: AppTest, wish: float, place: float) -> None:
    """The button names what was typed; the slider stands at its end, and leads again when it is moved."""
    _, typed = on_slider(app)
    typed.set_value(wish).run()
    slider, typed = on_slider(app)
    (button,) = [b for b in app.button if str(b.key).endswith(":spend")]
    assert (slider.value, typed.value) == (place, wish) and f"{wish:g}" in button.label
    assert any("which is outside the slider's range" in caption.value for caption in app.caption) == (
        not 0.01 <= wish <= 3
    )
    slider.set_value(0.7).run()
    slider, typed = on_slider(app)
    assert slider.value == typed.value == 0.7
    (button,) = [b for b in app.button if str(b.key).endswith(":spend")]
    button.click()
    typed.set_value(wish).run()
    assert (
        discreet.ui.session.state.server().workspace(app.session_state["browser"]).curator.ledger.spent == Cost.zero()
    )


def test_a_slider_that_is_moved_gets_a_typed_field_of_its_own(app: AppTest) -> None:
    """What its browser still says of the one before is no number that somebody typed."""
    fields = [on_slider(app)[1].key]
    for place in (0.6, 0.7):
        on_slider(app)[0].set_value(place).run()
        slider, typed = on_slider(app)
        assert slider.value == typed.value == place and not typed.proto.set_value
        fields.append(typed.key)
    on_slider(app)[1].set_value(0.25).run()
    assert len(set(fields)) == 3 and on_slider(app)[1].key == fields[-1]  # who types stays in the field


@pytest.mark.parametrize(("patience", "leads"), [(3.0, 0.25), (0.0, 0.5)])
def test_a_slider_whose_browser_has_not_heard_of_what_was_typed_is_put_there_again(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, patience: float, leads: float
) -> None:
    """It says where it stood before; later that is a move like any other."""
    monkeypatch.setattr("discreet.ui.ask.price.PATIENCE", patience)
    on_slider(app)[1].set_value(0.25).run()
    on_slider(app)[0].set_value(0.5).run()
    slider, typed = on_slider(app)
    assert slider.value == typed.value == leads and slider.proto.set_value == (leads == 0.25)


def test_a_form_stands_as_it_was_left(app: AppTest) -> None:
    """Another page in between, and a reload, which is a new connection of the same browser."""
    _, typed = on_slider(app)
    typed.set_value(8.0)
    (column,) = [w for w in app.selectbox if ":column:" in str(w.key)]
    column.set_value(column.options[-1]).run()
    wish = column.options[-1]
    (rows,) = [w for w in app.multiselect if str(w.key).endswith(":where")]
    rows.set_value(["age"]).run()
    (least, _) = [w for w in app.number_input if str(w.key).endswith(":age")]
    least.set_value(30).run()
    app.switch_page("../pages/budget.py").run()
    app.switch_page("../pages/global_sensitivity.py").run()
    again = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60)
    again.session_state["browser"] = app.session_state["browser"]
    again.run()
    again.switch_page("../pages/global_sensitivity.py").run()
    for opened in (app, again):
        assert on_slider(opened)[1].value == 8.0
        assert next(w for w in opened.selectbox if ":column:" in str(w.key)).value == wish
        assert next(w for w in opened.number_input if str(w.key).endswith(":age")).value == 30
        assert not opened.exception and not any("Session State" in warning.value for warning in opened.warning)


def test_a_test_that_may_refuse_says_what_its_refusal_spends(app: AppTest) -> None:
    """The smaller charge stands under the button that names the whole one; nowhere else."""
    sentence = "If the test fails, you get no result and only"
    assert not any(sentence in caption.value for caption in app.caption)
    app.switch_page("../pages/propose_test_release.py").run()
    (said,) = [caption.value for caption in app.caption if sentence in caption.value]
    share = next(text.value for text in app.text if text.value.startswith("Test share"))
    part = Cost.of(str(0.5 * float(share.rpartition(" ")[2])), "1e-6")
    assert said.endswith(f"only {part} is spent.")
