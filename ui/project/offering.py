"""Offering: the offer to save work in a file on this machine, and what is shown once it is saved."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office.house.failures import sentence
from discreet.ui.frame import words
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import startup
from discreet.ui.project import place
from discreet.ui.session.budgets import PROJECT
from discreet.ui.session.project import AWAY, OTHER, content
from discreet.ui.session.project_file import ProjectFile
from discreet.ui.session.state import browser, chosen, server, workspace
from discreet.ui.session.workspace import Opened

WORD = "project"  # the query parameter that admits another browser
TAKEN = Phrase("This file already contains a saved project. Restart the server to open it.")
FULL = Phrase("The file could not be written. {why} Nothing was changed.")


def enter() -> None:
    """Admit a browser that presents the secret printed at the server's start."""
    word = st.query_params.get(WORD)
    project = server().project
    if word is None:
        return
    del st.query_params[WORD]
    if project is not None and not workspace().session and project.admit(browser(), word):
        st.rerun()


def save() -> None:
    """Save the work at the end of a run."""
    space = workspace()
    project = server().project
    if project is not None and space.browser == PROJECT:
        project.save(space)


def keeping() -> None:
    """Offer to save the work if only this machine can reach the server; show where it is saved."""
    space = workspace()
    if space.session or not place.private():
        return
    words.show_notice()
    if space.browser == PROJECT:
        _kept(space.here)
    elif server().project is None and space.worked and not space.declined:
        _offer()


def _offer() -> None:
    with st.container(border=True):
        st.markdown(say("**Save this project?** Otherwise it is lost when the server stops."))
        st.caption(
            say(
                "A project saves schemas, plans, results and spent budget on the server's computer, for this browser. "
                "The rows are not saved. Spent budget stays spent after a restart."
            )
        )
        with st.container(horizontal=True):
            st.button(say("Save project"), icon=":material/save:", on_click=_keep)
            st.button(say("Not now"), type="tertiary", on_click=_decline)


def _keep() -> None:
    """Create the file with all work of this browser."""
    file = None
    space = workspace()
    try:
        file = ProjectFile(place.path())
        if not file.fresh:
            raise ParameterError(TAKEN)
        server().keep(file, browser())
    except Exception as wrong:
        if file is not None:
            file.discard()
        space.notice = wrong if isinstance(wrong, ParameterError) else ParameterError(FULL, why=_cause(wrong))


def _cause(wrong: Exception) -> Phrase:
    return sentence(wrong) or Phrase("Check that there is enough disk space and that this account may write there.")


def _decline() -> None:
    workspace().declined = True


def _kept(here: Opened) -> None:
    """Show where the work is saved, and help to load missing rows again."""
    st.caption(
        say(
            "The project is saved on the server's computer. To open it in another browser, use the link that the "
            "server prints when it starts."
        )
    )
    if here.shelved:
        _bring_back(here)
    elif here.source is not None:
        _ask_for_path(here)


def _bring_back(here: Opened) -> None:
    st.warning(say(AWAY))
    if here.path:
        st.button(
            say("Reload data from {path}", path=quoted(here.path)),
            icon=":material/folder_open:",
            on_click=_read,
            args=(here, here.path),
        )


def _read(here: Opened, path: str) -> None:
    space = workspace()
    try:
        space.bring(here, content(path, here.dataset.digest), server().room(space.browser))
    except ParameterError as refused:
        space.notice = refused


def _ask_for_path(here: Opened) -> None:
    """Ask for the path of the data file, from which rows are loaded after a restart."""
    with st.expander(say("Data file location"), icon=":material/folder:"):
        st.caption(
            say(
                "The rows are not saved. Enter the path of the file on this machine so that it can be reloaded "
                "after a restart. Only the path is stored, and the file must be identical to the one you "
                "uploaded."
            )
        )
        key = f"path:{here.dataset.digest[:16]}"
        typed = st.text_input(say("File path"), here.path, key=key, on_change=_note, args=(here, key))
        if typed.strip() != here.path:
            st.error(say(OTHER))
        elif here.path:
            st.caption(say("Saved. The data can be reloaded from there after a restart."))


def _note(here: Opened, key: str) -> None:
    path = str(chosen(key, "")).strip()
    with suppress(ParameterError):
        if path:
            content(path, here.dataset.digest)
        here.path = path


# Start: saved work is opened with the server, and only its owner learns how to admit another browser.


def begin(address: str) -> None:
    """Open the saved work, if there is any, and print the link to it; a damaged file stops the server."""
    try:
        file = place.begun()
        project = None if file is None else server().begin(file)
    except ParameterError as wrong:
        startup.refuse(wrong)
    if project is not None:
        link = f"{address}/?{WORD}={project.word}"
        print(f"\n  Your saved project. Open this link in a browser that does not know it yet:\n  {link}\n", flush=True)
