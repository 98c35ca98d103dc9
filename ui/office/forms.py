"""Forms: fields that are read at the moment of an action, lazy expanders, and how an action reports its outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import House, Member
from discreet.office.datasets.registry import Registered
from discreet.office.house.roles import OFFICER
from discreet.office.people.accounts import name_of
from discreet.office.rules import rights
from discreet.ui.frame.words import quoted, say
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen, workspace

# Entries: the fields of a form, read at the moment of an action, in a callback as well.


def turned(mark: str) -> str:
    """Return the current key prefix of a form: a form that was reset has a new one."""
    turn = chosen(_turn(mark), 0)
    return f"{mark}~{turn}" if turn else mark


def turn(mark: str) -> None:
    """Reset the fields of a form."""
    choose(_turn(mark), chosen(_turn(mark), 0) + 1)


def _turn(mark: str) -> str:
    return f"turn:{mark}"


@dataclass(frozen=True)
class Entries:
    """The fields of one form, whose keys begin with its prefix."""

    mark: str

    def key(self, field: str) -> str:
        """Return the key of a field."""
        return f"{self.mark}:{field}"

    def value(self, field: str, absent: Any = None) -> Any:
        """Return the current value of a field."""
        return chosen(self.key(field), absent)

    def text(self, field: str) -> str:
        """Return the current text of a field."""
        return str(self.value(field) or "").strip()


# Actions: an action of a signed-in person, and the message if it is refused.


def do(step: Callable[[], object], done: str = "") -> None:
    """Run an action, then rerun the page with a success message if there is one, or show the error."""
    try:
        step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    workspace().notice, workspace().done = "", done or workspace().done
    st.rerun()


def told_done() -> None:
    """Show once the success message of the previous run."""
    space = workspace()
    if space.done:
        st.success(space.done)
    space.done = ""


# Second officer: an action that waits for one.


def waiting_end(house: House, who: Member, data: Registered, act: str, words: Phrase, wanted: object) -> bool:
    """Show an action that waits for a second officer, with a way to reject it; return whether one just confirmed it."""
    waits = rights.pending(house, act, data.id)
    if waits is None or waits.wanted != wanted:
        return False
    st.warning(quoted(say(Phrase(words, name=name_of(house, waits.by)))))
    st.caption(say("This takes effect once another officer confirms it."))
    if st.button(say("Withdraw proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: rights.drop(house, who, OFFICER, waits, data.name))
    return waits.by != who.id and st.button(say("Confirm"), width="stretch", key=f"yes:{waits.id}")


# Expanders: closed content is neither computed nor sent before it is opened.


def fold(name: str, label: str, draw: Callable[[], None], icon: str | None = None) -> None:
    """Show an expander, whose content is drawn alone when it is opened. Its name keeps it open across runs."""
    st.fragment(_folded)(name, label, draw, icon, door.who())


def _folded(name: str, label: str, draw: Callable[[], None], icon: str | None, seen_by: Member | None) -> None:
    """Draw it for the person who saw the screen; if the session ended or a role changed, rerun the whole screen."""
    box = st.expander(label, icon=icon, key=f"fold:{name}", on_change="rerun")
    if not box.open:
        return
    if door.who() != seen_by:
        st.rerun()
    with box:
        draw()


# View: the keys of the registered dataset and part that an officer looks at.

VIEW = "registered-view"
DATASET = "dataset"
