"""The form that declares columns: one line per column, in an editable table."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from budget.errors import ParameterError
from curator import Category, Ignored, Number, Person, Schema
from curator.schema import Declaration

KINDS = ["ignored", "number", "whole number", "category", "person"]


def table(names: list[str]) -> list[dict[str, Any]]:
    """Show the editable table and return its lines."""
    empty = pd.DataFrame({"column": names, "kind": "ignored", "lower": None, "upper": None})
    edited = st.data_editor(
        empty.assign(levels="").astype({"lower": float, "upper": float}),
        key="declared:" + "\x1f".join(names),
        hide_index=True,
        disabled=["column"],
        column_config={
            "column": st.column_config.TextColumn("Column"),
            "kind": st.column_config.SelectboxColumn("Kind", options=KINDS, required=True),
            "lower": st.column_config.NumberColumn("Lower"),
            "upper": st.column_config.NumberColumn("Upper"),
            "levels": st.column_config.TextColumn("Levels, separated by commas"),
        },
    )
    found: list[dict[str, Any]] = edited.to_dict("records")
    return found


def declaration(names: list[str]) -> Schema | None:
    """Return what is declared so far, or say what is missing."""
    columns: dict[str, Declaration] = {}
    for line in table(names):
        try:
            columns[line["column"]] = declared(line)
        except ParameterError as wrong:
            st.info(f"{line['column']}: {wrong}")
            return None
    if not any(isinstance(d, (Number, Category)) for d in columns.values()):
        st.info("Declare at least one number or category.")
        return None
    return Schema(columns)


def lines(schema: Schema) -> pd.DataFrame:
    """Return what is declared, one line per column, for reading."""
    told = []
    for name, said in schema.columns.items():
        line = {"Column": name, "Kind": type(said).__name__.lower(), "Declared": ""}
        if isinstance(said, Number):
            line["Declared"] = f"{said.lower:g} to {said.upper:g}, step {said.bounds.resolution:g}"
        elif isinstance(said, Category):
            line["Declared"] = ", ".join(said.labels)
        elif isinstance(said, Person):
            line["Declared"] = f"at most {said.rows} row(s) a person"
        told.append(line)
    return pd.DataFrame(told)


def declared(line: dict[str, Any]) -> Declaration:
    """Turn one line of the table into a declaration."""
    kind = line["kind"]
    if kind in ("number", "whole number"):
        if pd.isna(line["lower"]) or pd.isna(line["upper"]):
            raise ParameterError("Type lower and upper, from public knowledge.")
        return Number(line["lower"], line["upper"], integer=kind == "whole number")
    if kind == "category":
        levels = [level.strip() for level in str(line["levels"] or "").split(",")]
        return Category(tuple(level for level in levels if level), other=True)
    return Person() if kind == "person" else Ignored()
