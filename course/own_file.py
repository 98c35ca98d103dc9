"""Own file: a teacher's public data as an alternative to the sample, in steps that can use them.

In a class it is the table that the class was started with. On a person's own machine it is a file that they upload and
declare public; a class accepts no uploads.
"""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.budget.errors import ParameterError
from discreet.course.controls import Controls
from discreet.rows.intake.parser import FULL, brought_by
from discreet.ui.frame.links import offered
from discreet.ui.frame.words import number, say
from discreet.ui.session import own_table
from discreet.ui.session.own_table import LECTERN, OwnTable
from discreet.ui.session.state import brought, fresh, server, workspace
from discreet.ui.session.streamlit_seams import UploadedFile

OF_CLASS = {"sample": Phrase("Sample"), "own": Phrase("Dataset of the class")}
OF_ONE = {"sample": Phrase("Sample"), "own": Phrase("Your own file")}
OPEN = "own-file-open"
FILE = "own-file"
OFFER = Phrase(
    "Use a CSV file (UTF-8) of public data with at least 30 rows. Lessons 1, 3, 4 and 8 can "
    "use it. They show its exact counts and the names of its columns and values, so upload no "
    "data of people who need protection. The file stays in the memory of this server until "
    "you remove it, sign out or are inactive for long."
)


def own(by: Controls) -> OwnTable | None:
    """Return the own table if it is available, suits this step, and is selected."""
    table = LECTERN.table or workspace().own_table
    need = own_table.need(by.prefix)
    fits = table is not None and need is not None and need.met(table)
    words = OF_CLASS if LECTERN.table else OF_ONE
    mine = table if fits and by.choose("table", say("Dataset"), words) == "own" else None
    if mine is not None:
        rows = say("{rows} rows, all of them treated as public.", rows=number(mine.rows))
        st.caption(f"{rows} {say('The text and the guess are about the sample.')}")
    elif table is not None and need is not None and not fits:
        st.caption(f"{say(need.missing)} {say('This step always uses the sample.')}")
    return mine


def offer(step: str) -> None:
    """Offer to upload or remove a file in a step that can use one; not in a class."""
    table = workspace().own_table
    if own_table.need(step) is None or not offered("dataset"):  # a class has no such screen
        return
    with st.popover(say("Your own file"), icon=":material/upload_file:", type="tertiary"):
        st.markdown(say(OFFER))
        if table is None:
            _bring()
        else:
            st.button(say("Remove file"), on_click=_put_away, icon=":material/delete:")
            st.caption("  \n".join(say(sentence) for sentence in table.missing))


def _bring() -> None:
    """Take a file that the person has declared public."""
    public = st.checkbox(say("Everything in this file is public."), key=OPEN)
    file = st.file_uploader(
        say("CSV file of public data"), "csv", key=fresh(FILE), disabled=not public, max_upload_size=5
    )
    if file is not None and public:
        _take(file)


def _take(file: UploadedFile) -> None:
    """Keep the uploaded file, or the reason why it cannot be used."""
    space = workspace()
    data = brought(FILE, file)
    space.uploads += 1
    try:
        with st.spinner(say("Reading the file")), brought_by(space.browser):
            table = own_table.brought(data)
        if not server().takes(space.browser, table.weight):
            raise ParameterError(FULL)
    except ParameterError as wrong:
        space.notice = wrong
    else:
        space.own_table = table
    st.rerun()


def _put_away() -> None:
    workspace().own_table = None
