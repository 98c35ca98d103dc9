"""Outcome: the answers of a plan in one table, every number with its interval, and to take along."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.curator.fixed import Answers
from discreet.lab.plans import Wanted
from discreet.lab.report.publication import publication
from discreet.rows import Schema
from discreet.ui.frame.results import chapter_lines
from discreet.ui.frame.words import say
from discreet.ui.plan import reporting
from discreet.ui.plan.listing import title

ROW, MOST_LINES = 35, 30  # how high a line is, in pixels, and how many are seen at once


def answers(given: Answers, items: tuple[Wanted, ...], schema: Schema) -> None:
    """Show every number of every row, what they cost, and what can be taken along."""
    edition = publication([(release, schema) for release in given.releases], given.plan.total)
    rows = zip(items, edition.chapters, strict=True)
    lines = [{say("What"): title(item)} | line for item, chapter in rows for line in chapter_lines(chapter)]
    table = pd.DataFrame(lines)
    height = ROW * (min(len(lines), MOST_LINES) + 1) + 3
    st.dataframe(table.loc[:, (table != "").any()], hide_index=True, width="stretch", height=height)
    when = f"{given.at:%Y-%m-%d %H:%M}"
    line = say(
        "Cost {cost} · {when} UTC · entry {entry} of the ledger", cost=given.cost, when=when, entry=given.entry + 1
    )
    st.caption(line)
    reporting.report(given, edition, items, schema)
