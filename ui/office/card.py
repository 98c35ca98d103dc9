"""The card of a release for people: the promise, the answer, the budget, then the rest."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.lab.report.dated import written
from discreet.office import cards
from discreet.office.asked import Inquiry
from discreet.office.snapshot import Snapshot
from discreet.rows import Schema
from discreet.ui.frame.results import as_read, group_line, part_line, within
from discreet.ui.frame.units import unit_of
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.office import details, expense
from discreet.ui.office.details import Section

VARIANTS = {
    "Pure DP": Phrase("pure differential privacy"),
    "Approximate DP": Phrase("approximate differential privacy"),
    "Zero-concentrated DP": Phrase("zero-concentrated differential privacy"),
}


def show(snapshot: Snapshot, names: bool) -> None:
    """Show a card; without names to whoever is not signed in."""
    card, asked = cards.card(snapshot, names), snapshot.asked
    _asked(asked, card, snapshot.data.registration.schema, not names)
    _promise(card["guarantee"])
    expense.show(asked, card["accounting"], names)
    with st.expander(say("What is not protected"), icon=":material/visibility:"):
        details.points(card["guarantee"]["unprotected_quantities"])
        st.caption(quoted(say(card["data"]["rows"])))
    with st.expander(say("The data"), icon=":material/table:"):
        details.data(card["data"])
    with st.expander(say("How it is computed"), icon=":material/function:"):
        details.mechanism(card["mechanism"], card["guarantee"]["neighbours"])
    with st.expander(say("How exact it is"), icon=":material/straighten:"):
        details.accuracy(card["accuracy"])
    with st.expander(say("What was checked"), icon=":material/verified:"):
        details.evidence(card["evidence"], card["data"]["fingerprint"])
    with st.expander(say("Who asked, who decided"), icon=":material/group:"):
        details.people(card["people"], card["identity"]["asked"][:10])


def _promise(guarantee: Section) -> None:
    """State what the guarantee means for one person, then its numbers."""
    st.markdown(f"**{say('What is promised')}**")
    guess, *others = guarantee["risk"]["in_words"]
    st.markdown(quoted(say(guess)))
    st.caption(quoted(say(guarantee["privacy_unit_details"])))
    with st.expander(say("The promise in numbers"), icon=":material/balance:"):
        left, middle, right = st.columns(3)
        left.metric(say("Epsilon"), number(guarantee["epsilon"]))
        middle.metric(say("Delta"), number(guarantee["delta"]))
        right.metric(say("For"), say(guarantee["privacy_unit"]))
        st.caption(quoted(say(VARIANTS[guarantee["variant"]])))
        details.points([*others, guarantee["risk_of_budget"]["in_words"][0]])


def _asked(asked: Inquiry, card: Section, schema: Schema, public: bool) -> None:
    """Show the question, what it is worth and, if there is one, the answer."""
    st.markdown(f"**{say('What is asked')}**")
    st.text(f"{card['data']['name']} · {in_words(asked.request)}")
    if public:
        st.caption(say("Purpose: {purpose}", purpose=quoted(asked.purpose)))
    release = asked.release
    if release is None:
        st.caption(say("Not answered: {state}.", state=say(card["identity"]["state"])))
    elif release.refused:
        st.subheader(say("refused"), anchor=False)
    elif isinstance(release.answer, tuple):
        st.dataframe(pd.DataFrame(_lines(card["release"], asked, schema)), hide_index=True, width="stretch")
    else:
        answer, interval = written(asked.request, schema, (release.answer, release.interval))
        unit = unit_of(asked.request, schema) if answer == release.answer else ""
        st.subheader(quoted(f"{number(answer, 6)}{unit}"), anchor=False)
        if interval:
            within(interval)
    _worth(card["accuracy"], card["release"]["no_interval"])
    as_read(asked.request, schema)


def _worth(accuracy: Section, why: Phrase) -> None:
    """Say openly how exact an answer is, and warn of one that tells nothing."""
    if accuracy["warning"] is not None:
        st.warning(quoted(say(accuracy["warning"])))
    if accuracy["half_width"] is not None:
        st.caption(
            say(
                "19 times in 20 the answer is within {width} of the value of the rows as read.",
                width=number(accuracy["half_width"], 3),
            )
        )
    else:
        st.caption(quoted(say("No interval: {why}", why=say(why))))


def _lines(release: Section, asked: Inquiry, schema: Schema) -> list[dict[str, str]]:
    """Return the numbers of an answer that has several, one line each."""
    answer, intervals = written(asked.request, schema, (release["answer"], release["interval"]))
    if release["plain"]["by"] is not None:
        spans = dict(intervals or ())
        return [group_line(group, value, spans.get(group)) for group, value in answer]
    names = release["parts"] or [str(at + 1) for at in range(len(answer))]
    return [part_line(details.said(name), value) for name, value in zip(names, answer, strict=False)]
