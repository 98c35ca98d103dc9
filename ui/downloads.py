"""Downloads: the one place where results are taken along as files, with what their publisher writes on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Literal

import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Release
from discreet.report.export import answers_json, file_name
from discreet.report.html import html_report
from discreet.report.programs import results_notebook
from discreet.report.publication import CORRECTED, CURRENT, REPLACED, WITHDRAWN, Cover, Publication, Rule
from discreet.report.tables import answers_csv, bundle
from discreet.report.workbook import workbook
from discreet.rows import Schema
from discreet.ui.frame.catalogue import said_in
from discreet.ui.frame.words import named, say
from discreet.ui.session.state import chosen, language, workspace

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
NOTEBOOK = "application/x-ipynb+json"
SIGNS = {"en": "1,234.5", "de": "1.234,5", "fr": "1 234,5"}
STATUSES = {CURRENT: Phrase("Current"), CORRECTED: Phrase("Corrected edition"), WITHDRAWN: Phrase("Withdrawn")}
LONGEST, LONGEST_NOTE = 200, 2000
File = tuple[str, str, str, Callable[[], str | bytes]]  # label, ending, media type, maker
Answered = Sequence[tuple[Release, Schema]]


QUALITY = "answers:quality"
RULES = {"none": None, "5-15": (0.05, 0.15), "10-30": (0.1, 0.3)}  # classes a and b by half the interval over the value


def rule() -> Rule | None:
    """Return the rule by which numbers have marks of their quality, if one was chosen on Results."""
    return RULES[chosen(QUALITY, "none")]


def offer(
    answered: Answered, edition: Callable[[], Publication], what: str, key: str, programs: Sequence[File] = ()
) -> None:
    """Offer every file about these results, each made when it is requested; nothing is drawn or charged for it."""
    cover = titled()
    now = rule()
    name = _name(answered, what, cover)
    report, *others = [*_files(lambda: replace(edition().covered(cover), rule=now), bool(programs)), *programs]
    with st.container(horizontal=True):
        _button(report, name, key)
        with st.popover(say("Download"), icon=":material/download:"):
            for file in others:
                _button(file, name, key, width="stretch")
            _ask(key)


def _button(file: File, name: Callable[[str], str], key: str, width: Literal["content", "stretch"] = "content") -> None:
    label, ending, mime, make = file
    mark = f"{key}:{ending}"
    icon = ":material/download:"
    st.download_button(label, make, name(ending), mime, on_click="ignore", icon=icon, key=mark, width=width)


def _files(edition: Callable[[], Publication], again: bool) -> list[File]:
    """Return the files about results, in the language of the screen; a notebook, unless a program is offered for it."""
    tongue = language()
    say_so = partial(said_in, tongue)
    files: list[File] = [
        (say("Report (HTML)"), "html", "text/html", lambda: html_report(edition(), say_so, tongue)),
        ("Excel", "xlsx", EXCEL, lambda: workbook(edition(), say_so)),
        ("CSV", "csv", "text/csv", lambda: _csv(edition())),
        ("JSON", "json", "application/json", lambda: _json(edition())),
        (say("Data package (ZIP)"), "zip", "application/zip", lambda: bundle(edition(), say_so, tongue)),
    ]
    return files if again else [*files, (say("Notebook"), "ipynb", NOTEBOOK, lambda: results_notebook(edition()))]


def _csv(edition: Publication) -> str:
    return answers_csv(edition.own, edition.at_once, edition.statuses)


def _json(edition: Publication) -> str:
    return answers_json(edition.own, statuses=edition.statuses)


def _name(answered: Answered, what: str, cover: Cover) -> Callable[[str], str]:
    """Return the names of the files by ending: the dataset once, what is asked, the day, and whether it stands."""
    day = max(release.at for release, _ in answered)
    named_in = file_name(stem(), ending="").rstrip(".") in file_name(what, ending="")
    parts = ("" if named_in else stem(), what, f"{day:%Y-%m-%d}", cover.status)
    return lambda ending: file_name(*parts, ending=ending)


def stem() -> str:
    """Return the name of the dataset in use without the ending of its file."""
    return PurePath(named(workspace().here.name)).stem


def own_file() -> str:
    """Return the name of the data file that a script asks."""
    here = workspace().here
    return here.name if here.source is not None or here.shelved else "people.csv"


def replaced() -> frozenset[str]:
    """Return the results of the dataset in use that a more precise one has replaced."""
    return frozenset(release.refines for release, _ in workspace().here.answered if release.refines)


def statuses(release: Release) -> dict[str, str]:
    """Return what a file of one result says of it, if it does not stand."""
    status = _cover().status or (REPLACED if release.id in replaced() else CURRENT)
    return {release.id: status} if status else {}


# Cover: what is typed once for a dataset, kept with the project, and changed without a new draw.


def _cover() -> Cover:
    """Return what was typed for the dataset in use; the office, the contact and the signs begin as they were last."""
    space = workspace()
    if space.current in space.covers:
        return space.covers[space.current]
    last = next(reversed(space.covers.values()), Cover())
    return Cover(office=last.office, contact=last.contact, signs=last.signs)


def titled() -> Cover:
    """Return it with a title: the typed one, or the name of the dataset."""
    cover = _cover()
    return replace(cover, title=cover.title or say("Statistics on {dataset}", dataset=stem()))


def _ask(key: str) -> None:
    """Ask for title, office, contact, note, signs of numbers, and status."""
    now = _cover()
    with st.expander(say("Title, office, note")):
        kept = f"{key}:cover:{workspace().current}"
        for name, label in {"title": say("Title"), "office": say("Office"), "contact": say("Contact")}.items():
            field = f"{kept}:{name}"
            example = titled().title if name == "title" else None
            st.text_input(
                label, getattr(now, name), LONGEST, key=field, placeholder=example, on_change=_keep, args=(name, field)
            )
        st.text_area(
            say("Note"),
            now.note,
            max_chars=LONGEST_NOTE,
            key=f"{kept}:note",
            on_change=_keep,
            args=("note", f"{kept}:note"),
        )
        _choose(say("Numbers"), SIGNS, "signs", kept)
        _choose(say("Status"), {name: say(status) for name, status in STATUSES.items()}, "status", kept)


def _choose(label: str, options: dict[str, str], name: str, kept: str) -> None:
    field = f"{kept}:{name}"
    at = list(options).index(getattr(_cover(), name))
    st.selectbox(
        label, list(options), at, format_func=options.__getitem__, key=field, on_change=_keep, args=(name, field)
    )


def _keep(name: str, field: str) -> None:
    space = workspace()
    text = str(chosen(field, "") or "").strip()
    space.covers[space.current] = replace(_cover(), **{name: text})
