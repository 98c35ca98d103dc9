"""A mechanism page: Ask, How it works, Guarantee; only the part that is looked at is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from budget import Phrase
from mechanisms.families import Family
from ui.ask import ask
from ui.guarantee import guarantee
from ui.links import view
from ui.words import say

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
            self.how(self.key)
        elif part == "guarantee":
            guarantee(self.families, self.key)
        else:
            ask(self.families, self.key)
