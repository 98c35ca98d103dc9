"""Importing: the table of declarations is filled from a declaration or a codebook."""

from __future__ import annotations

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.rows import Schema, codebooks
from discreet.rows.capacity import MIB
from discreet.rows.turns import brought_by
from discreet.ui.data import declare, written
from discreet.ui.frame.words import quoted, say
from discreet.ui.opened import AnySource, Draft
from discreet.ui.state import brought, fresh, workspace


def offer(draft: Draft, source: AnySource) -> None:
    """Fill the table from a declaration or a codebook."""
    name = f"declaration:{draft.number}"
    with st.expander(say("Import a declaration"), icon=":material/upload_file:"):
        st.caption(
            say("Exported here, or a codebook: Data Package, CSVW, DDI, SmartNoise metadata, a list of two columns.")
        )
        file = st.file_uploader(
            say("A declaration or a codebook"), key=fresh(name), max_upload_size=codebooks.LARGEST // MIB
        )
        if file is None:
            if draft.unread:
                st.error(quoted(say(draft.unread)))
            return
        draft.unread = ""
        try:
            with st.spinner(say("Reading the file")), brought_by(workspace().browser):
                columns, whole = codebooks.brought(brought(name, file), source.names)
            draft.take(written.taken(draft, declare.lines_of(Schema(columns), list(source.names))), complete=whole)
        except ParameterError as wrong:
            draft.unread = wrong
    st.rerun()
