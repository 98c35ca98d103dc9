"""Choices that several insides have in common, and the few numbers that they show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from discreet.mechanisms import registry
from discreet.queries import Query
from discreet.queries import registry as statistics
from discreet.ui.figures import look
from discreet.ui.frame.wording import beside
from discreet.ui.frame.words import say


def way(base: type[Any], key: str) -> type[Any]:
    """Ask for one of the mechanisms of a kind."""
    kinds = [kind for kind in registry.values() if issubclass(kind, base)]
    slug: str = st.selectbox(
        say("Method"),
        [kind.slug for kind in kinds],
        format_func=lambda slug: beside(look.title(slug), say(registry[slug].family.name)),
        key=f"{key}:how:slug",
    )
    return registry[slug]


def query_of(kinds: tuple[type[Query], ...], key: str) -> Query:
    """Ask for one of a few statistics."""
    names = [kind.name for kind in kinds]
    name = st.selectbox(say("Statistic"), names, key=f"{key}:how:query", format_func=lambda n: say(statistics[n].label))
    return statistics[name]()


def story(*steps: str) -> None:
    """Tell in numbered sentences what the figure beside shows, with its numbers."""
    st.markdown("\n".join(f"{at}. {step}" for at, step in enumerate(steps, 1)))


def numbers(figures: Mapping[str, str]) -> None:
    """Show a few numbers side by side."""
    for place, (label, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
        place.metric(label, value)
