"""Carrying: a plan as a file, to keep, to hand on and to open again."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError
from discreet.lab.plans import plan_text, planned
from discreet.lab.plans.brought_plan import LARGEST, brought_plan
from discreet.rows import Schema
from discreet.rows.capacity import MIB
from discreet.rows.turns import brought_by
from discreet.ui.frame.words import say
from discreet.ui.sheet import Sheet
from discreet.ui.state import brought, fresh, workspace


def carry(sheet: Sheet, schema: Schema, key: str) -> None:
    """Offer the plan as a file, and take one in its place."""
    with st.expander(say("Save or open a plan"), icon=":material/folder_open:"):
        if sheet.plan is not None:
            _save(plan_text(sheet.plan), f"{key}:save")
        file = st.file_uploader(
            say("Open a plan, or a list of requests"),
            key=fresh(f"{key}:open"),
            max_upload_size=LARGEST // MIB,
            help=say("A plan takes the place of this one; undo brings this one back."),
        )
        if file is not None:
            _open(sheet, schema, brought(f"{key}:open", file))
            st.rerun()


def _save(text: str, key: str) -> None:
    label, icon = say("Save this plan"), ":material/download:"
    st.download_button(label, text, "plan.json", "application/json", on_click="ignore", icon=icon, key=key)


def _open(sheet: Sheet, schema: Schema, data: bytes) -> None:
    """Take a plan that can be asked of these data, or leave a notice why it cannot."""
    space = workspace()
    try:
        with st.spinner(say("Reading the file")), brought_by(space.browser):
            plan = brought_plan(data, schema, sheet.common.total)
            way = planned(plan, schema)
            way.fixed.check(schema)
        sheet.open(plan)
        sheet.forecast((plan, schema.digest), lambda: way)
    except ParameterError as wrong:
        space.notice = wrong
