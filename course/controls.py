"""Controls: the widgets of a lesson, whose values are in the address and can be reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

import streamlit as st

from discreet.course.contents import LESSONS
from discreet.ui.frame.formulas import powers
from discreet.ui.frame.links import link, view
from discreet.ui.frame.words import number, say
from discreet.ui.session.state import choose, chosen, preset


class Controls:
    """The widgets of one step of a lesson; each name is a query parameter."""

    def __init__(self, prefix: str) -> None:
        """Take the prefix of all names of the step."""
        self.prefix = prefix

    def _key(self, name: str, default: object) -> str:
        key = f"{self.prefix}-{name}"
        preset(key, default)
        return key

    def of(self, step: str) -> Controls:
        """Return the widgets of another step of the lesson, with what was chosen there."""
        return Controls(f"{self.prefix.rpartition('-')[0]}-{step}")

    def slider(
        self, name: str, label: str, low: float, high: float, default: float, step: float, help: str | None = None
    ) -> float:
        """Choose a number on a linear scale."""
        key = self._key(name, default)
        return st.slider(label, low, high, default, step, "%.6g", key=key, help=help, bind="query-params")

    def whole(
        self, name: str, label: str, low: int, high: int, default: int, step: int = 1, help: str | None = None
    ) -> int:
        """Choose a whole number on a linear scale."""
        key = self._key(name, default)
        return st.slider(label, low, high, default, step, key=key, help=help, bind="query-params")

    def pick(self, name: str, label: str, options: Sequence[float], default: float, help: str | None = None) -> float:
        """Choose one of several numbers on a scale."""
        key = self._key(name, default)
        _read(key, options)
        return st.select_slider(
            label, list(options), default, key=key, help=help, bind="query-params", format_func=_shown
        )

    def choose(self, name: str, label: str, options: Mapping[str, str], default: str = "") -> str:
        """Choose one of a few named options; the labels are phrases."""
        first = default or next(iter(options))
        return view(label, options, self._key(name, first), first, labelled=True)

    def several(self, name: str, label: str, options: Mapping[str, str], default: Sequence[str]) -> list[str]:
        """Choose any of a few named options; the labels are phrases."""
        key = f"{self.prefix}-{name}"
        st.caption(label)
        boxes = {option: self._ticked(f"{key}-{option}", said, option in default) for option, said in options.items()}
        return [option for option, ticked in boxes.items() if ticked]

    def among(self, name: str, label: str, options: Sequence[str]) -> int:
        """Choose one of many names from a person's own data, none of which enters the address."""
        key = f"{self.prefix}-{name}-{crc32(chr(0).join(options).encode())}"  # one widget per list
        preset(key, 0)
        return st.selectbox(label, range(len(options)), key=key, format_func=options.__getitem__)

    def text(self, name: str, label: str, default: str, help: str | None = None) -> str:
        """Type a few words or numbers."""
        key = self._key(name, default)
        return st.text_input(label, default, 200, key=key, help=help, bind="query-params")

    def _ticked(self, key: str, label: str, default: bool) -> bool:
        preset(key, default)
        return st.checkbox(say(label), default, key=key, bind="query-params")

    def toggle(self, name: str, label: str, default: bool = False) -> bool:
        """Switch something on or off."""
        key = self._key(name, default)
        return st.toggle(label, default, key=key, bind="query-params")

    def draw(self, first: int = 1) -> int:
        """Choose the number of a random draw, which is its seed."""
        key = self._key("draw", first)
        return st.number_input(
            say("Random seed"),
            1,
            1000,
            first,
            key=key,
            bind="query-params",
            help=say("The same seed gives the same noise on every screen."),
        )


def _shown(option: float) -> str:
    """Return a number as it is on the screen, and in an address: 10⁻⁶."""
    return powers(number(option))


def _read(key: str, options: Sequence[float]) -> None:
    """Read a number in an address that is not written as on the screen, such as 1e-6, 1e-06 and 50000."""
    asked = st.query_params.get(key)
    for option in options:
        if chosen(key) is None and asked in (str(option), f"{option:g}", number(option)) and asked != _shown(option):
            choose(key, option)


# Return: a link from a screen to the step of a lesson that led there.

FROM = "from"  # the query parameter with the step


def back() -> None:
    """Link back to the step in the address, if there is one."""
    key, _, step = st.query_params.get(FROM, "").partition("-")
    for lesson in LESSONS:
        if key == lesson.key and step.isalpha():
            words = say("Back to lesson {number}", number=lesson.number)
            link(lesson.page, words, "arrow_back", {f"{key}-step": step})
