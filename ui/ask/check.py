"""Check: the exact audit of a small world, run here and now."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import streamlit as st

from discreet.lab.evidence import Certificate, certificate
from discreet.mechanisms import Mechanism, registry
from discreet.ui.frame.words import number, say


def check(kind: type[Mechanism], key: str) -> None:
    """Offer to compare every neighbour pair, and say what came out."""
    st.markdown(f"**{say('Evidence')}**")
    st.caption(
        say(
            "The exact distance of the two answers of every neighbour pair of a small world, "
            "computed without sampling. The tests do this for more worlds."
        )
    )
    if st.button(say("Check it now"), key=f"{key}:check:{kind.slug}", icon=":material/verified:"):
        with st.spinner(say("Comparing all pairs")):
            audit = _checked(kind.slug)
        _verdict(audit)


def _verdict(audit: Certificate) -> None:
    word = say("holds") if audit.worst.holds else say("FAILS")
    st.success(
        say(
            "{pairs} pairs: the largest delta is {found}, claimed {claimed}. It {word}.",
            pairs=audit.pairs,
            found=number(audit.worst.delta),
            claimed=number(audit.worst.claimed),
            word=word,
        )
    )


@lru_cache(maxsize=64)
def _checked(slug: str) -> Certificate:
    kind: Any = registry[slug]
    small = {"k": 3} if "k" in kind.parameters() else {}
    return certificate(kind(**small))
