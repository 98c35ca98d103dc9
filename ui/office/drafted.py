"""Drafted: the draft that an officer is about to register, as it stands at the moment of the press, and its end."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import House, Member, registry
from discreet.office.enrolment import Known
from discreet.office.likeness import Alike, Resembling
from discreet.ui.frame.words import say
from discreet.ui.office import door
from discreet.ui.office.standpoint import DATASET, VIEW
from discreet.ui.opened import Draft
from discreet.ui.state import choose, workspace


def standing(number: int) -> tuple[House, Member, Draft] | None:
    """Return the house, who is signed in and the draft of this number; say so where one of them is gone."""
    house, who, space = door.house(), door.who(), workspace()
    draft = space.registration
    if house is None or who is None or draft is None or draft.number != number:
        space.notice = say("Nothing was registered: sign in, and begin anew.")
        return None
    return house, who, draft


def refused(draft: Draft, why: ParameterError) -> None:
    """Say why nothing was registered; what the core took for the same data is asked about from now on."""
    workspace().notice = why
    if isinstance(why, Resembling):
        draft.resembling = why.others
    house = door.house()
    if isinstance(why, Known) and house is not None:
        draft.resembling = (Alike(registry.find(house, why.dataset), (Phrase("its rows are the same"),)),)


def arrive(draft: Draft, dataset: str, words: str) -> None:
    """Leave the draft for the dataset that it became, and say so in sight: the page may stand far below."""
    workspace().drop(draft)
    choose(VIEW, "kept")
    choose(DATASET, dataset)
    st.toast(words, icon=":material/check:")
