"""Keepsake: an answer to take along, as JSON and CSV, and its question as a script."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.curator import Release
from discreet.lab.report.export import releases_json
from discreet.lab.report.script import script
from discreet.lab.report.sheets import releases_csv
from discreet.rows import Schema
from discreet.ui.frame import links
from discreet.ui.frame.words import say
from discreet.ui.state import workspace


def take_along(release: Release, schema: Schema) -> None:
    """Offer the answer and the question, each made when asked for."""
    if workspace().here.desk is not None:  # its answers have cards
        links.card_files(release.id)
        return
    with st.popover(say("Take along"), icon=":material/download:", type="tertiary"):
        for ending, (label, text, mime) in _files(release, schema).items():
            st.download_button(
                label,
                text,
                f"release-{release.id[:8]}.{ending}",
                mime,
                on_click="ignore",
                key=f"take:{release.id}:{ending}",
                width="stretch",
            )


def _files(release: Release, schema: Schema) -> dict[str, tuple[str, Callable[[], str], str]]:
    """Return label, text and type of each file, by the ending of its name."""
    here = workspace().here
    limit, layout = here.curator.ledger.limit, here.layout_of(release)
    words = say("Python script that asks the same")
    return {
        "json": ("JSON", lambda: releases_json([release], schema), "application/json"),
        "csv": ("CSV", lambda: releases_csv([release], schema), "text/csv"),
        "py": (words, lambda: script(release.request, schema, limit, layout), "text/x-python"),
    }
