"""Importing: the table of declarations is filled from a declaration or a codebook."""

from __future__ import annotations

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.rows import Schema, codebooks
from discreet.ui.data import declare, written
from discreet.ui.frame.words import quoted, say
from discreet.ui.opened import AnySource, Draft
from discreet.ui.state import let_go


def offer(draft: Draft, source: AnySource) -> None:
    """Fill the table from a declaration or a codebook."""
    with st.expander(say("Import a declaration"), icon=":material/upload_file:"):
        st.caption(
            say("Exported here, or a codebook: Data Package, CSVW, DDI, SmartNoise metadata, a list of two columns.")
        )
        file = st.file_uploader(say("A declaration or a codebook"), key=f"declaration:{draft.number}:{draft.version}")
        if file is None:
            return
        try:
            columns, whole = codebooks.read(file.getvalue(), source.names)
        except ParameterError as wrong:
            st.error(quoted(say(wrong)))
            return
    let_go(file)
    draft.take(written.taken(draft, declare.lines_of(Schema(columns), list(source.names))), complete=whole)
    st.rerun()
