"""Giving: released answers as files to give away, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from discreet.curator import Release
from discreet.lab.report.bundle import bundle
from discreet.lab.report.export import answers_json
from discreet.lab.report.html_report import html_report
from discreet.lab.report.publication import Publication
from discreet.lab.report.sheets import answers_csv
from discreet.lab.report.workbook import workbook
from discreet.rows import Schema
from discreet.ui.frame.catalogues import said_in
from discreet.ui.frame.words import say
from discreet.ui.state import language

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
File = tuple[str, str, str, Callable[[], str | bytes]]  # its label, the ending of its name, its type, what makes it


def publications(edition: Callable[[], Publication]) -> list[File]:
    """Return a report and all files about it, in the language of the screen."""
    tongue = language()
    say_so = partial(said_in, tongue)
    return [
        (say("Report (HTML)"), "html", "text/html", lambda: html_report(edition(), say_so, tongue)),
        ("Excel", "xlsx", EXCEL, lambda: workbook(edition(), say_so)),
        (say("All files (ZIP)"), "zip", "application/zip", lambda: bundle(edition(), say_so, tongue)),
    ]


def tables(answered: Sequence[tuple[Release, Schema]]) -> list[File]:
    """Return the bare numbers."""
    return [
        ("JSON", "json", "application/json", lambda: answers_json(answered)),
        ("CSV", "csv", "text/csv", lambda: answers_csv(answered)),
    ]


def offer(files: Sequence[File], name: str, key: str) -> None:
    """Show a button for each file."""
    with st.container(horizontal=True):
        for label, ending, mime, make in files:
            icon, mark = ":material/download:", f"{key}:{ending}"
            st.download_button(label, make, f"{name}.{ending}", mime, on_click="ignore", icon=icon, key=mark)
