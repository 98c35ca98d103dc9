"""A mechanism page: Ask, How it works, Guarantee; only the part that is looked at is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from discreet.budget import Phrase
from discreet.lab.experiment import NoRows
from discreet.mechanisms.families import Family
from discreet.ui.ask.asking import ask
from discreet.ui.ask.guarantee import guarantee
from discreet.ui.frame.links import view
from discreet.ui.frame.words import say

VIEWS = {"ask": Phrase("Ask"), "how": Phrase("How it works"), "guarantee": Phrase("Guarantee")}


@dataclass(frozen=True)
class MechanismPage:
    """What tells the pages apart."""

    key: str
    title: str
    idea: str
    families: tuple[Family, ...]
    how: Callable[[str], None]

    def show(self) -> None:
        """Show the part that is chosen; the address remembers which."""
        st.title(say(self.title), anchor=False)
        st.markdown(say(self.idea))
        part = view(say("View"), VIEWS, f"{self.key}-view")
        if part == "how":
            self._explain()
        elif part == "guarantee":
            guarantee(self.families, self.key)
        else:
            ask(self.families, self.key)

    def _explain(self) -> None:
        """Show how it works, where there are rows to show it on."""
        try:
            self.how(self.key)
        except NoRows as nobody:
            st.info(say(nobody))
