"""Drag: handles on a figure that move a control, by mouse, finger or keyboard.

A handle goes from one of the control's values to the next. The browser says which handle came to which
place by number; only a value that was offered is set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from discreet.ui.frame.words import say
from discreet.ui.session.state import choose, chosen

SCRIPT = (Path(__file__).with_suffix(".js")).read_text(encoding="utf-8")
NOWHERE = -1
LAYER = st.components.v2.component("discreet_drag", js=SCRIPT, isolate_styles=False)


@dataclass(frozen=True)
class Handle:
    """A control by its key, its values, where each lies on an axis, and what each is called.

    `beside` is its place on the other axis (the edge of the figure without one); `shift` moves it there by
    a share of the figure, as bars of a group stand beside each other. Without a value it stands nowhere
    yet; one that takes presses comes to where somebody presses on the figure.
    """

    control: str
    name: str
    values: Sequence[Any]
    places: Sequence[float]
    value: Any
    texts: Sequence[str] = ()
    axis: str = "x"
    beside: float | None = None
    shift: float = 0.0
    press: bool = False

    def drawn(self) -> dict[str, Any]:
        """Return what the browser is told."""
        return {
            "control": self.control,
            "name": self.name,
            "places": list(self.places),
            "texts": list(self.texts or map(str, self.values)),
            "at": self._at(),
            "nowhere": "?",
            "press": self.press,
            "axis": self.axis,
            "beside": self.beside,
            "shift": self.shift,
        }

    def _at(self) -> int:
        """Return the number of the place that is nearest to the value."""
        if self.value is None:
            return NOWHERE
        return min(range(len(self.values)), key=lambda at: abs(self.values[at] - self.value))


def handles(figure: str, offered: Sequence[Handle]) -> None:
    """Put handles on the figure that stands in a container, by the container's key."""
    key = f"{figure}:handles"
    within = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in figure)
    LAYER(
        key=key,
        data={"within": within, "handles": [handle.drawn() for handle in offered]},
        width="content",
        on_moved_change=lambda: _move(key, offered),
    )
    if any(handle.press for handle in offered):
        st.caption(say("Press on the figure, drag the point, use the arrow keys on it, or type the number."))
    else:
        st.caption(say("Drag the points on the figure, or use the arrow keys on them."), width="content")


def _move(key: str, offered: Sequence[Handle]) -> None:
    """Set the control that a handle belongs to, if both are among those that were offered."""
    word = (chosen(key) or {}).get("moved") or {}
    for handle in offered:
        at = word.get("at")
        if handle.control == word.get("control") and isinstance(at, int) and 0 <= at < len(handle.values):
            # a browser that has not heard the last answer says where the control stood before it
            choose(handle.control, handle.values[at], again=True)
