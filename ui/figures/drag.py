"""Drag: handles on a figure that change a control, by mouse, touch or keyboard.

A handle moves between the values of its control. The browser reports handle and position by index; only a value that
was offered is set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from discreet.ui.frame.words import number, say
from discreet.ui.session.state import choose, chosen

SCRIPT = (Path(__file__).with_suffix(".js")).read_text(encoding="utf-8")
NOWHERE = -1
LAYER = st.components.v2.component("discreet_drag", js=SCRIPT, isolate_styles=False)


@dataclass(frozen=True)
class Handle:
    """A control by its key, its values, their positions on an axis, and their labels.

    `beside` is the position on the other axis (the edge of the figure if None); `shift` offsets it by a share of the
    figure, like bars of a group. Without a value the handle waits in the middle; with `press` it moves to where the
    figure is clicked.
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
        """Return the description of the handle for the browser."""
        return {
            "control": self.control,
            "name": self.name,
            "places": list(self.places),
            "texts": list(self.texts or map(number, self.values)),
            "at": self._at(),
            "nowhere": "?",
            "press": self.press,
            "axis": self.axis,
            "beside": self.beside,
            "shift": self.shift,
        }

    def _at(self) -> int:
        """Return the index of the position nearest to the value."""
        if self.value is None:
            return NOWHERE
        return min(range(len(self.values)), key=lambda at: abs(self.values[at] - self.value))


def handles(figure: str, offered: Sequence[Handle]) -> None:
    """Put handles on the figure in a container, given by the container's key."""
    key = f"{figure}:handles"
    within = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in figure)
    LAYER(
        key=key,
        data={"within": within, "handles": [handle.drawn() for handle in offered]},
        width="content",
        on_moved_change=lambda: _move(key, offered),
    )
    if any(handle.press for handle in offered):
        st.caption(say("Click the figure, drag the point, use the arrow keys on it, or enter the number."))
    else:
        st.caption(say("Drag the points, or use the arrow keys on them."), width="content")


def _move(key: str, offered: Sequence[Handle]) -> None:
    """Set the control of a handle, if handle and value are among those that were offered."""
    word = (chosen(key) or {}).get("moved") or {}
    for handle in offered:
        at = word.get("at")
        if handle.control == word.get("control") and isinstance(at, int) and 0 <= at < len(handle.values):
            # a browser that has not received the last response still reports the earlier value
            choose(handle.control, handle.values[at], again=True)
