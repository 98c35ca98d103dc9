"""Frozen: what will be registered, as it stands at this moment."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import Registration
from discreet.office.letterhead import LABELS
from discreet.rows import Schema
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import policies
from discreet.ui.office.declared import budget_of, kept_until, said
from discreet.ui.office.entries import Entries
from discreet.ui.office.promises import OATHS, registration_of
from discreet.ui.office.responsible import HERE, in_words


def summary(entries: Entries, schema: Schema | None, lacks: Sequence[Phrase]) -> None:
    """Show what will be frozen, or everything that is missing for it."""
    st.header(say("What will be registered"), anchor=False)
    st.caption(
        say(
            "What is said here is on every card and never changes, except for the policy; more columns and "
            "levels can be declared later."
        )
    )
    st.caption(say("The budget cannot be enlarged: releases add up for good."))
    if lacks:
        st.info(say("Still to be done:") + "\n" + "\n".join(f"- {quoted(say(lack))}" for lack in lacks))
        return
    if schema is None:
        return
    try:
        words, policy = registration_of(entries, schema), policies.policy_of(entries)
    except ParameterError as missing:
        st.info(quoted(say(missing)))
        return
    said({**_in_words(words, schema), **policies.in_words(policy)})


def _in_words(words: Registration, schema: Schema) -> dict[str, str]:
    """Return a registration in words, for reading before it holds."""
    return {
        say("Name"): words.name,
        say("Columns"): ", ".join(schema.used),
        say("Budget, for good"): budget_of(words),
        say("Each period"): say(words.allowance.words) if words.allowance else say("no rule"),
        say("Who is protected"): say(words.protected),
        say("Public number of people"): "" if words.people is None else f"{words.people:,}",
        say("Source"): words.source,
        say("Collected on the basis of"): words.basis,
        **{say(LABELS[name]): in_words(getattr(words, name)) for name in HERE},
        say("Rows are kept until"): kept_until(words),
        **{say(label): getattr(words, field) or say("No") for field, label in OATHS.items()},
        say("Other people than in similar data"): words.apart,
        say("Marks of the rows, to notice the same people"): say("kept") if words.compared else say("not kept"),
    }
