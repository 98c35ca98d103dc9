"""A mechanism page: Ask, How it works, Guarantee; only the part that is looked at is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ui.ask import ask
from ui.guarantee import guarantee
from ui.words import say

VIEWS = {"ask": "Ask", "how": "How it works", "guarantee": "Guarantee"}


@dataclass(frozen=True)
class MechanismPage:
    """What tells the pages apart."""

    key: str
    title: str
    idea: str
    families: tuple[str, ...]
    how: Callable[[str], None]

    def show(self) -> None:
        """Show the part that is chosen; the address remembers which."""
        st.title(say(self.title), anchor=False)
        st.markdown(say(self.idea))
        view = st.segmented_control(
            say("View"), list(VIEWS), default="ask", required=True, key=f"{self.key}-view",
            format_func=lambda name: say(VIEWS[name]), label_visibility="collapsed",
            bind="query-params",
        )  # fmt: skip
        if view == "how":
            self.how(self.key)
        elif view == "guarantee":
            guarantee(self.families, self.key)
        else:
            ask(self.families, self.key)
