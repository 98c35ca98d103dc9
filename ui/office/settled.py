"""Settled: the points of a checklist that need no answer, and on whose word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.office.checklist import Item
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.fold import fold


def settled(items: Sequence[Item]) -> None:
    """Show what the system found, and what was said at registration."""
    sure = [item for item in items if item.verified is True]
    by_word = [item for item in sure if item.said]
    by_system = [item for item in sure if not item.said]
    label = say(
        "Found by the system: {found}, said at registration: {told}, yours: {yours}",
        found=len(by_system),
        told=len(by_word),
        yours=len(items) - len(sure),
    )
    fold("settled", label, lambda: _both(by_system, by_word))


def _both(by_system: Sequence[Item], by_word: Sequence[Item]) -> None:
    _points(Phrase("Found by the system just now"), by_system, "check_circle")
    _points(Phrase("Said by whoever registered the data"), by_word, "record_voice_over")


def _points(title: Phrase, items: Sequence[Item], icon: str) -> None:
    if items:
        st.markdown(f"**{say(title)}**")
    for item in items:
        st.markdown(f":material/{icon}: **{item.number}** · {quoted(say(item.question))}")
        st.caption(quoted(say(item.note)))
