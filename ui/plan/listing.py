"""Listing: the rows of a plan with their forecasts; wishes and held epsilons are edited where they stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.lab.plans import Planned, PlannedRow, Wanted
from discreet.lab.report.meaning import condition_words
from discreet.mechanisms import registry
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.ui.frame.keystrokes import keep_keystrokes
from discreet.ui.frame.words import number, say
from discreet.ui.sheet import Sheet
from discreet.ui.state import chosen, edited, editor, workspace

ROW, MOST_LINES = 35, 12  # how high a line is, in pixels, and how many are seen at once
EDITED = ("wish", "held")  # what of a row may be typed into its cell
BIN = "bin"
MIDDLE = 0.5  # the quantile that is called the median everywhere


def title(item: Wanted) -> str:
    """Say in words what a row asks, without its groups and conditions."""
    middle = item.statistic == Quantile.name and item.level == MIDDLE
    statistic = Median.name if middle else item.statistic
    levels = item.level if isinstance(item.level, tuple) else () if item.level is None or middle else (item.level,)
    label = say(_labels().get(statistic, statistic))
    return f"{label}{' ' * bool(levels)}{', '.join(f'{level:g}' for level in levels)}: {item.column}"


def whole_title(item: Wanted) -> str:
    """Say all of it."""
    groups = say(" for each {by}", by=", ".join(item.groups)) if item.groups else ""
    return f"{title(item)}{say(' where ') + _where(item) if item.where else ''}{groups}"


def _labels() -> dict[str, str]:
    return {topic.name: topic.label for kind in registry.values() for topic in kind.topics()}


def _where(item: Wanted) -> str:
    return say(" and ").join(say(condition_words(condition)) for condition in item.where)


def table(sheet: Sheet, way: Planned, key: str) -> None:
    """Show every row with its method, its error and its share; rows can be taken out.

    While somebody types, the forecast moves and the table stays: an open cell keeps what is being typed into it.
    """
    lines = pd.DataFrame([_line(row) for row in way.rows]).astype(dict.fromkeys(EDITED, float))
    name = f"{key}:rows"
    mark = editor(name, sheet.version)
    keep_keystrokes(name)
    st.data_editor(
        lines,
        key=mark,
        hide_index=True,
        placeholder="",
        height=ROW * (min(len(lines), MOST_LINES) + 1) + 3,
        disabled=[cell for cell in lines.columns if cell not in EDITED],
        column_config=_looks() | {BIN: _bin(sheet, f"{mark}:{BIN}")},
        on_change=_edit,
        args=(sheet, name, mark),
        alt=say("The rows of the plan, with their forecasts"),
    )


def _line(row: PlannedRow) -> dict[str, Any]:
    item = row.item
    return {
        BIN: ":material/delete:",
        "what": title(item),
        "by": ", ".join(item.groups),
        "where": _where(item),
        "error": f"± {number(row.error, 3)}" + (" ⚠" if row.vague else ""),
        "wish": item.wish,
        "share": row.request.cost().epsilon,
        "held": item.held,
        "method": say(type(row.mechanism).title),
        "why": say(row.reason),
    }


def _looks() -> dict[str, Any]:
    text, figure = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "what": text(say("What"), pinned=True),
        "by": text(say("For each")),
        "where": text(say("Only where")),
        "error": text(say("Error, 19 in 20"), help=say("⚠ The answer would say next to nothing.")),
        "wish": figure(
            say("Wish"), min_value=0.0, format="%g", help=say("An error you can live with, 19 times in 20.")
        ),
        "share": figure("ε", format="%.4g", help=say("What this row alone would lose.")),
        "held": figure(say("Hold ε"), min_value=0.0, format="%g", help=say("An epsilon that stays as it is.")),
        "method": text(say("Method")),
        "why": text(say("Why"), width="large"),
    }


def _bin(sheet: Sheet, key: str) -> Any:
    """Return the column whose cells take their row out."""
    words = say("Take this row out of the plan; undo brings it back.")
    return st.column_config.ButtonColumn(
        "", width=44, pinned=True, help=words, type="tertiary", key=key, on_click=_take_out, args=(sheet, key)
    )


def _take_out(sheet: Sheet, key: str) -> None:
    click = chosen(key)
    if click:
        sheet.remove([int(click["row"])])


def _edit(sheet: Sheet, name: str, mark: str) -> None:
    """Take over what was typed; a cell that was emptied says nothing any more, and one that is refused is as before."""
    state, items = chosen(mark) or {}, list(sheet.items)
    try:
        for at, cells in state.get("edited_rows", {}).items():
            changes: dict[str, Any] = {cell: value or None for cell, value in cells.items() if cell in EDITED}
            items[int(at)] = replace(items[int(at)], **changes)
        sheet.change(tuple(items))
    except ParameterError as refused:
        workspace().notice = refused
        edited(name, None)
    else:
        edited(name, sheet.version)
