"""Forms: fields that are read at the moment of an act, lazy folds, and how an act says what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import Member
from discreet.ui.frame.words import quoted, say
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen, workspace

# Entries: the fields of a form that are read at the moment of an act, in a callback as well.


def turned(mark: str) -> str:
    """Return the mark of a form as it stands: fields that were discarded begin anew under another one."""
    turn = chosen(_turn(mark), 0)
    return f"{mark}~{turn}" if turn else mark


def turn(mark: str) -> None:
    """Let the fields of a form begin anew."""
    choose(_turn(mark), chosen(_turn(mark), 0) + 1)


def _turn(mark: str) -> str:
    return f"turn:{mark}"


@dataclass(frozen=True)
class Entries:
    """The fields of one form: their keys begin with its mark."""

    mark: str

    def key(self, field: str) -> str:
        """Return the key of a field."""
        return f"{self.mark}:{field}"

    def value(self, field: str, absent: Any = None) -> Any:
        """Return what a field is set to at this moment."""
        return chosen(self.key(field), absent)

    def text(self, field: str) -> str:
        """Return what is typed into a field at this moment."""
        return str(self.value(field) or "").strip()


# Steps: one act of a person of the house, and what the page says when it is refused.


def do(step: Callable[[], object], done: str = "") -> None:
    """Do one thing and show the page anew, with a word of success where the page shows one, or say why not."""
    try:
        step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    workspace().notice, workspace().done = "", done or workspace().done
    st.rerun()


def told_done() -> None:
    """Say what was done in the run before this one, once."""
    space = workspace()
    if space.done:
        st.success(space.done)
    space.done = ""


# Folds: what is closed at first is neither computed nor sent before somebody opens it.


def fold(name: str, label: str, draw: Callable[[], None], icon: str | None = None) -> None:
    """Show a fold; opening it draws what is inside and nothing else of the screen. Its name keeps it open."""
    st.fragment(_folded)(name, label, draw, icon, door.who())


def _folded(name: str, label: str, draw: Callable[[], None], icon: str | None, seen_by: Member | None) -> None:
    """Show it to whom the screen was shown; where a session ended or a role changed, the whole screen is asked anew."""
    box = st.expander(label, icon=icon, key=f"fold:{name}", on_change="rerun")
    if not box.open:
        return
    if door.who() != seen_by:
        st.rerun()
    with box:
        draw()


# Standpoint: the keys of what an officer looks at among registered data.

VIEW = "registered-view"
DATASET = "dataset"
