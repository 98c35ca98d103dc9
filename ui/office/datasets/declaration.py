"""Declaration: the details of a registration, and the currently declared columns."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.office import House
from discreet.office.datasets.letterhead import LABELS
from discreet.office.datasets.registry import Registered
from discreet.office.people.accounts import name_of
from discreet.office.rules.registration import ENDED, OF_A_WAVE, Registration
from discreet.rows.columns import Kind
from discreet.ui.data import table
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.office.datasets.terms import HERE, responsible_in_words

STATES = {"open": Phrase("accepts queries"), "closed": Phrase("closed"), "deleted": Phrase("rows deleted")}


def declared(house: House, data: Registered) -> None:
    """Show the declared columns, and the officer's answers at the registration."""
    schema = data.registration.schema
    st.header(say("Schema"), anchor=False)
    if data.registration.unit == OF_A_WAVE:
        st.info(quoted(say(ENDED)))
    columns = table.reading(schema)
    columns[say("Source")] = [origin_of(column) for column in schema.columns.values()]
    st.dataframe(columns, hide_index=True, width="stretch")
    said({**_standing(house, data), **_promised(data.registration), **_answered_for(data.registration)})


def _standing(house: House, data: Registered) -> dict[str, str]:
    """Return who registered the dataset, when, and whether it can be queried."""
    return {
        say("State"): say(STATES[data.state]),
        say("Registered"): f"{data.at[:10]}, {name_of(house, data.by)}",
        say("Fingerprint (keyed)"): data.fingerprint[:16],
        say("Row marks (to detect the same people)"): _marks(data),
    }


def _promised(words: Registration) -> dict[str, str]:
    """Return the budget, and the unit of privacy."""
    return {
        say("Privacy budget (permanent)"): budget_of(words),
        say("Per period"): say(words.allowance.words) if words.allowance else say("no rule"),
        say("Unit of privacy"): say(words.protected),
        **({say("Definition of a wave"): words.wave} if words.wave else {}),
        say("Public number of people"): "" if words.people is None else f"{words.people:,}",
        say("Every row is a different person"): say("Yes") if words.alone else "",
    }


def _answered_for(words: Registration) -> dict[str, str]:
    """Return the officer's answers at the registration."""
    return {
        say("Source"): words.source,
        say("Legal basis for collection"): words.basis,
        say("Rows kept until"): kept_until(words),
        **{say(LABELS[name]): responsible_in_words(getattr(words, name)) for name in HERE},
        say("Why it covers different people"): words.apart,
        say("Other releases of this dataset"): words.others,
        say("Bounds chosen by looking at the data"): words.looked,
    }


def origin_of(column: Kind) -> str:
    """Return the source of bounds or allowed values; a dash if none are declared or no source was given."""
    return str(column.plain().get("origin") or "–")


def budget_of(words: Registration) -> str:
    """Describe the whole budget, and its accounting rule."""
    return f"ε {number(words.limit.epsilon)}, δ {number(words.limit.delta)}, {say(words.rule)}"


def kept_until(words: Registration) -> str:
    """Return the day of deletion, or the reason why there is none."""
    if words.keep_until or not words.forever:
        return words.keep_until
    return say("no date, because: {why}", why=words.forever)


def _marks(data: Registered) -> str:
    """Say whether the rows can be compared with those of other datasets."""
    if not data.registration.compared:
        return say("not kept")
    return say("deleted with the rows") if data.state == "deleted" else say("kept, sealed with the rows")


def said(answers: Mapping[str, object]) -> None:
    """Show the answer to each point; a dash if there is none."""
    lines = [{say("Item"): point, say("Detail"): answer or "–"} for point, answer in answers.items()]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch", height="content")
