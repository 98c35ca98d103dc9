"""The card of a release for people: the promise, the answer, the budget, then the rest."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.office import cards
from discreet.office.asked import Inquiry
from discreet.office.jointly import rows_of
from discreet.office.snapshot import Snapshot
from discreet.rows import Schema
from discreet.ui.frame.results import answer, as_read, off_by
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.office import details, expense, row_by_row
from discreet.ui.office.details import Section
from discreet.ui.office.fold import fold

VARIANTS = {
    "Pure DP": Phrase("pure differential privacy"),
    "Approximate DP": Phrase("approximate differential privacy"),
    "Zero-concentrated DP": Phrase("zero-concentrated differential privacy"),
}


def show(snapshot: Snapshot, names: bool) -> None:
    """Show a card; without names to whoever is not signed in."""
    card, asked = cards.card(snapshot, names), snapshot.asked
    _asked(asked, card, not names)
    row = _answered(asked, card, snapshot.data.registration.schema)
    _promise(card["guarantee"])
    _evidence(card["evidence"]["run"])
    expense.show(asked, card["accounting"], names)
    fold("unprotected", say("What is not protected"), lambda: _unprotected(card), ":material/visibility:")
    fold("data", say("The data"), lambda: details.data(card["data"]), ":material/table:")
    fold("computed", say("How it is computed"), lambda: _computed(row), ":material/function:")
    fold("exact", say("How exact it is"), lambda: details.accuracy(row["accuracy"]), ":material/straighten:")
    fold("checked", say("What was checked"), lambda: _checked(card, row), ":material/verified:")
    fold("people", say("Who asked, who decided"), lambda: _people(card), ":material/group:")


def _unprotected(card: Section) -> None:
    details.points(card["guarantee"]["unprotected_quantities"])
    st.caption(quoted(say(card["data"]["rows"])))


def _computed(row: Section) -> None:
    details.mechanism(row["mechanism"], row["guarantee"]["neighbours"])


def _checked(card: Section, row: Section) -> None:
    details.evidence({**row["evidence"], **card["evidence"]}, card["data"]["fingerprint"])


def _people(card: Section) -> None:
    details.people(card["people"], card["identity"]["asked"][:10])


def _promise(guarantee: Section) -> None:
    """State what the guarantee means for one person, then its numbers."""
    st.markdown(f"**{say('What is promised')}**")
    guess, *others = guarantee["risk"]["in_words"]
    st.markdown(quoted(say(guess)))
    st.caption(quoted(say(guarantee["risk_of_all"]["in_words"][0])))
    if "risk_of_waiting" in guarantee:
        st.caption(quoted(say(guarantee["risk_of_waiting"]["in_words"][0])))
    st.caption(quoted(say(guarantee["privacy_unit_details"])))
    fold("numbers", say("The promise in numbers"), lambda: _in_numbers(guarantee, others), ":material/balance:")


def _in_numbers(guarantee: Section, others: Sequence[str]) -> None:
    left, middle, right = st.columns(3)
    left.metric(say("Epsilon"), number(guarantee["epsilon"]))
    middle.metric(say("Delta"), number(guarantee["delta"]))
    right.metric(say("For"), say(guarantee["privacy_unit"]))
    st.caption(quoted(say(VARIANTS[guarantee["variant"]])))
    details.points([*others, guarantee["risk_of_budget"]["in_words"][0]])


def _asked(asked: Inquiry, card: Section, public: bool) -> None:
    """Show the question, and why it has no answer if it has none."""
    st.markdown(f"**{say('What is asked')}**")
    st.text(f"{card['data']['name']} · {in_words(asked.request)}")
    if public:
        st.caption(say("Purpose: {purpose}", purpose=quoted(asked.purpose)))
    if asked.release is None:
        st.caption(say("Not answered: {state}.", state=say(card["identity"]["state"])))


def _answered(asked: Inquiry, card: Section, schema: Schema) -> Section:
    """Show the answer and what it is worth, of a plan those of all rows; return the row that is looked at."""
    rows, at = rows_of(card), 0
    if "rows" in card:
        row_by_row.table(asked, rows, schema)
        at = row_by_row.choose(asked)
    elif asked.release is not None:
        answer(asked.answers[at], schema)
    row, request = rows[at], asked.request.rows[at]
    _worth(row)
    off_by(request, schema)
    as_read(request, schema)
    return row


def _evidence(run: Section | None) -> None:
    """Say in one line what the layers of evidence found out for this very question, if somebody ran them."""
    if run is not None:
        text = say(
            "Evidence of {day}, Discreet {program}: {summary}",
            day=run["day"],
            program=run["program"],
            summary=say(run["summary"]),
        )
        st.markdown(quoted(text))


def _worth(row: Section) -> None:
    """Say openly how exact an answer is, and warn of one that tells nothing."""
    accuracy, release = row["accuracy"], row["release"]
    if accuracy["warning"] is not None:
        st.warning(quoted(say(accuracy["warning"])))
    if accuracy["half_width"] is not None:
        st.caption(
            say(
                "19 times in 20 the answer is within {width} of the value of the rows as read.",
                width=number(accuracy["half_width"], 3),
            )
        )
    elif release["interval"] is None:
        st.caption(quoted(say("No interval: {why}", why=say(release["no_interval"]))))
