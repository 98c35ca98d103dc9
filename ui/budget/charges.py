"""Charges: what is spent and left, and every line of the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from discreet.budget import Entry
from discreet.budget.durable.spent import LastingLedger
from discreet.budget.ledger import NOTHING
from discreet.curator import Request
from discreet.curator.fixed import FixedPlan
from discreet.lab.report.export import answers_json
from discreet.lab.report.sheets import answers_csv, ledger_csv
from discreet.ui.frame import costs
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import named, number, quoted, say
from discreet.ui.state import workspace


def totals() -> None:
    """Show of which data it is, and what is spent and left."""
    st.header(say("Data in use: {name}", name=quoted(named(workspace().here.name))), anchor=False)
    _totals()


def _totals() -> None:
    ledger = workspace().curator.ledger
    costs.side_by_side({say("Spent"): ledger.spent, say("Left"): ledger.left, say("Limit"): ledger.limit})
    rule = say(ledger.rule.name)
    if ledger.lasting:
        st.caption(say("Rule: {rule}. Kept for good; a charge is never given back.", rule=rule))
    elif isinstance(ledger, LastingLedger):
        st.caption(
            say(
                "Rule: {rule}. What is spent stays when the server stops, and answers do not; "
                "a charge is never given back.",
                rule=rule,
            )
        )
    else:
        st.caption(say("Rule: {rule}. Valid until the server stops; a charge is never given back.", rule=rule))
    before = sum(workspace().before, NOTHING)
    if before != NOTHING:
        st.warning(
            say(
                "Budgets that this one was put in the place of have spent {before}. What was told in all is the sum.",
                before=before,
            )
        )


def lines() -> None:
    """Show the ledger, oldest first."""
    ledger = workspace().curator.ledger
    entries = ledger.entries
    st.header(say("Ledger"), anchor=False)
    if not entries:
        st.info(say("Nothing is spent yet. Every question is charged before a row is read."))
        return
    asked = _asked(entries)
    ends = {entry.request_id: entry.taken for entry in entries if entry.kind == "settle"}
    table = [_line(entry, ends, asked) for entry in entries if entry.kind == "charge"]
    st.dataframe(pd.DataFrame(table), hide_index=True, width="stretch")
    st.caption(say("Held: kept back until a test said whether there is an answer."))
    if workspace().here.desk is None:
        _take_along(entries)


def _asked(entries: Sequence[Entry]) -> dict[str, str]:
    """Say in words what each charge was for, as far as this browser asked it."""
    asked: dict[str, list[Request]] = {}
    for release, _ in workspace().here.answered:
        asked.setdefault(release.id.partition(":")[0], []).append(release.request)
    return {entry.request_id: _words(asked[entry.request_id]) for entry in entries if entry.request_id in asked}


def _words(requests: Sequence[Request]) -> str:
    """Write one question in words, or a plan by its first rows."""
    return in_words(requests[0] if len(requests) == 1 else FixedPlan(tuple(requests)))


def _line(entry: Entry, ends: Mapping[str, bool | None], asked: Mapping[str, str]) -> dict[str, object]:
    """Return a charge as one line, with how it ended: the ledger keeps its end as a line of its own."""
    held = "" if not entry.held.nano_epsilon else say("taken") if ends.get(entry.request_id) else say("free again")
    return {
        say("Entry"): entry.seq + 1,
        say("ε"): entry.cost.epsilon,
        say("δ"): number(entry.cost.delta),
        say("Held"): str(entry.held) if entry.held.nano_epsilon else "",
        say("What was held"): held if entry.request_id in ends else "",
        say("Ended"): say("yes") if entry.request_id in ends else say("not yet"),
        say("Question"): asked.get(entry.request_id, say("asked elsewhere, or not answered yet")),
    }


def _take_along(entries: Sequence[Entry]) -> None:
    """Offer the ledger and the answers as files."""
    answers = workspace().here.answered
    files = (
        (say("Ledger (CSV)"), ledger_csv(entries), "ledger.csv", "text/csv"),
        (say("Answers (CSV)"), answers_csv(answers), "answers.csv", "text/csv"),
        (say("Answers (JSON)"), answers_json(answers), "answers.json", "application/json"),
    )
    for place, (label, text, name, mime) in zip(st.columns(3), files, strict=True):
        place.download_button(label, text, name, mime, on_click="ignore", width="stretch", icon=":material/download:")
