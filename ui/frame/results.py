"""Results: how an answer, a part of it and its interval are written, on screens and on cards."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.curator import Request
from discreet.lab.report import meaning
from discreet.rows import Schema
from discreet.ui.frame.words import number, quoted, say


def as_read(request: Request, schema: Schema) -> None:
    """Say in one line of which rows an answer is, and as what they count."""
    reading = "; ".join(say(part) for part in meaning.as_read(request, schema))
    st.caption(quoted(say("As read: {how}.", how=reading)))


def within(interval: tuple[float | str, float | str]) -> None:
    """Say between which ends the value of the rows lies."""
    low, high = (number(end, 5) for end in interval)
    st.caption(say("19 times in 20 the value of the rows as read lies between {low} and {high}.", low=low, high=high))


def group_line(group: str, value: Any, interval: Any) -> dict[str, str]:
    """Return the line of a group: its answer and its interval, if there is one."""
    span = f"{number(interval[0], 5)} – {number(interval[1], 5)}" if interval else "–"
    return {say("Group"): group, say("Answer"): _cell(value), say("19 in 20"): span}


def part_line(name: str, value: Any) -> dict[str, str]:
    """Return the line of one number of several."""
    return {say("Part"): name, say("Answer"): _cell(value)}


def _cell(value: Any) -> str:
    return say("refused") if value is None else number(value, 6)
