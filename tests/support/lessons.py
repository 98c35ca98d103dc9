"""Lessons: a pupil who opens a lesson by AppTest, moves its controls and reads its numbers."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

import discreet.ui.session.state
from support.seats import SHELL, by_address


class Pupil:
    """A lesson in AppTest: its controls, and the numbers it shows."""

    def __init__(self, page: str, guess: str = "no", **address: str) -> None:
        """Open a lesson, optionally at an address (`step` names the step), by default without guesses."""
        discreet.ui.session.state.server().clear()
        self.number = page.split("_")[1]
        self.app = AppTest.from_file(str(SHELL), default_timeout=60)
        self.app.query_params["lang"] = "en"
        self.app.query_params["guess"] = guess
        by_address(self.app, "a pupil")
        for key, value in address.items():
            self.app.query_params[self.key(key)] = value
        self.app.switch_page(f"../pages/{page}.py").run()
        self.stands()

    def key(self, name: str) -> str:
        """Return the full name of a control: `two-epsilon` is epsilon in the step `two`."""
        return f"lesson{self.number}-{name}"

    def stands(self) -> None:
        """Fail if the page has raised."""
        assert not self.app.exception, self.app.exception
        assert not self.app.error, [error.value for error in self.app.error]

    def move(self, name: str, value: Any) -> None:
        """Set a control: a slider, a number, a switch or a choice."""
        kinds = (
            "slider",
            "select_slider",
            "number_input",
            "toggle",
            "checkbox",
            "selectbox",
            "segmented_control",
            "button_group",
            "multiselect",
        )
        controls = [widget for kind in kinds for widget in getattr(self.app, kind, []) if widget.key == self.key(name)]
        assert controls, (name, "is no control here")
        controls[0].set_value(value).run()
        self.stands()

    def numbers(self) -> dict[str, str]:
        """Return the numbers that the step shows, by label."""
        return {metric.label: metric.value for metric in self.app.metric}

    def press(self, label: str) -> None:
        """Press a button by its label."""
        (button,) = [b for b in self.app.button if b.label == label]
        button.click().run()
        self.stands()

    def reset(self) -> None:
        """Press the reset button."""
        self.press("Reset")
