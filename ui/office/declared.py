"""Declared: what was said when data were registered, and which columns are declared now."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.office.letterhead import LABELS
from discreet.office.registration import UNITS
from discreet.office.registry import Registered
from discreet.ui.data import declare
from discreet.ui.frame.words import say
from discreet.ui.office.responsible import HERE, in_words

STATES = {"open": Phrase("accepts questions"), "closed": Phrase("closed"), "deleted": Phrase("rows deleted")}


def declared(data: Registered) -> None:
    """Show the declaration of the columns, and what an officer answered for."""
    words = data.registration
    st.header(say("Declaration"), anchor=False)
    st.dataframe(declare.reading(words.schema), hide_index=True, width="stretch")
    said(
        {
            say("State"): say(STATES[data.state]),
            say("Source"): words.source,
            say("Collected on the basis of"): words.basis,
            say("Rows are kept until"): words.keep_until or words.forever,
            say("Who is protected"): say(UNITS[words.unit]),
            **({say("What a wave is"): words.wave} if words.wave else {}),
            say("Public number of people"): "" if words.people is None else f"{words.people:,}",
            **{say(LABELS[name]): in_words(getattr(words, name)) for name in HERE},
            say("Every row is a different person"): say("Yes") if words.alone else "",
            say("Marks of the rows, to notice the same people"): _marks(data),
            say("Other releases of these data"): words.others,
            say("Bounds chosen by looking"): words.looked,
            say("Fingerprint (keyed)"): data.fingerprint[:16],
        }
    )


def _marks(data: Registered) -> str:
    """Say whether the rows can be compared with those of others."""
    if not data.registration.compared:
        return say("none are kept")
    return say("deleted with the rows") if data.state == "deleted" else say("kept, sealed beside the rows")


def said(answers: Mapping[str, object]) -> None:
    """Show what was said about each point; a dash where it was nothing."""
    lines = [{say("What"): point, say("Said"): answer or "–"} for point, answer in answers.items()]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")
