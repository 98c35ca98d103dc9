"""Deriving: columns that follow from others of the row, added below those of the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.rows import Difference, Meets, Ratio, Schema
from discreet.rows.calendar import GRAINS
from discreet.rows.columns import Kind
from discreet.rows.columns.date import UNITS
from discreet.rows.columns.kind import DATES
from discreet.rows.schema import check_name
from discreet.ui import kinds
from discreet.ui.data import layout, table
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import derived
from discreet.ui.kinds.number import ENDS
from discreet.ui.kinds.widgets import Line, typed
from discreet.ui.session.workspace import Draft

WAYS = {
    Difference.name: Phrase("Difference of two columns"),
    Ratio.name: Phrase("Ratio of two columns"),
    Meets.name: Phrase("Condition, 1 or 0"),
}
COMPARISONS = (">=", ">", "<=", "<", "=", "!=")


def ask(draft: Draft) -> None:
    """List the derived columns of a draft, each with a button that removes it, and offer to add one."""
    columns = _declared(draft)
    for name, declared in draft.derived.items():
        _listed(draft, name, declared, columns)
    try:
        schema = Schema(columns)
    except ParameterError:
        return  # said where the columns are declared
    if not schema.askable:
        return
    mark = f"derive:{draft.number}:{len(draft.derived)}"
    with st.expander(say("Add a derived column"), icon=":material/calculate:", key=f"{mark}:open"):
        st.caption(say("Its value follows from the other values of the same row, by a rule that is public."))
        _form(draft, schema, mark)


def _declared(draft: Draft) -> dict[str, Kind]:
    """Return the columns that are complete, the derived ones among them as far as they fit."""
    columns: dict[str, Kind] = {}
    for line in layout.resolved(draft).to_dict("records"):
        try:
            columns[str(line["column"])] = table.declared(line)
        except ParameterError:
            continue
    for name, declared in draft.derived.items():
        try:
            columns = dict(Schema({**columns, name: declared}).columns)
        except ParameterError:
            continue
    return columns


def _listed(draft: Draft, name: str, declared: Kind, columns: Mapping[str, Kind]) -> None:
    """Show one derived column, or that it no longer fits."""
    kind = kinds.of(declared)
    fits = f"{table.DONE} :gray-badge[{say(kind.called(declared))}] "
    words = fits + quoted(kind.words(columns[name])) if name in columns else f"{table.OPEN} {say('not complete')}"
    mark = f"derived:{draft.number}:{name}"
    with (
        st.container(border=True, key=f"card:{mark}", gap="small"),
        st.container(horizontal=True, vertical_alignment="center", key=f"line:{mark}"),
    ):
        st.markdown(f"**{quoted(name)}**", width="content")
        st.markdown(words)
        st.button(
            say("Remove"),
            icon=":material/delete:",
            type="tertiary",
            key=f"underive:{draft.number}:{name}",
            on_click=_remove,
            args=(draft, name),
        )


def _remove(draft: Draft, name: str) -> None:
    draft.derived.pop(name, None)


def _form(draft: Draft, schema: Schema, mark: str) -> None:
    """Ask for a derived column and add it, or say what is wrong."""
    way = st.segmented_control(
        say("Rule"),
        list(WAYS),
        default=Difference.name,
        format_func=lambda way: say(WAYS[way]),
        key=f"{mark}:way",
        required=True,
    )
    name = st.text_input(say("New column"), key=f"{mark}:name")
    fields = st.container()
    pressed = st.button(say("Add derived column"), icon=":material/add:", key=f"{mark}:add")
    try:
        with fields:
            found = (_condition if way == Meets.name else _of_two)(draft, schema, way, mark)
        if pressed:
            _add(draft, name, found, schema)
    except ParameterError as wrong:
        if pressed:
            st.error(quoted(say(wrong)))
        return
    if pressed:
        st.rerun()


def _add(draft: Draft, name: str, found: Kind, schema: Schema) -> None:
    """Add a column; raise ParameterError for a name that is taken, and for what does not fit."""
    if not name.strip():
        raise ParameterError("Enter a name for the derived column.")
    if name in draft.derived or name in set(draft.lines["column"]):
        raise ParameterError("There is a column {name!r} already. Enter another name.", name=name)
    Schema({**schema.columns, check_name(name): found})
    draft.derived[name] = found


def _of_two(draft: Draft, schema: Schema, way: str, mark: str) -> Kind:
    """Ask for two columns and the bounds."""
    numbers = {name: column for name, column in schema.numbers.items() if way != Ratio.name or column.zero}
    left, right = st.columns(2)
    first = left.selectbox(say("Column"), list(numbers), None, key=f"{mark}:{way}:of", placeholder=say("Choose"))
    label = say("divided by") if way == Ratio.name else say("minus")
    like = [name for name in numbers if name != first and _alike(numbers.get(str(first)), numbers[name])]
    second = right.selectbox(label, like, None, key=f"{mark}:{way}:by:{first}", placeholder=say("Choose"))
    dates = {name: column for name, column in numbers.items() if column.amounts == DATES}
    grain = _grain(dates, [first, second], mark)
    line: Line = {layout.WRITTEN: draft.numbers}
    hint = None if way == Ratio.name else say("from both columns")
    for place, where in zip(("lower", "upper"), st.columns(2), strict=True):
        line[place] = where.text_input(say(ENDS[place]), key=f"{mark}:{way}:{place}", placeholder=hint)
    origin = st.text_input(say("Known from"), key=f"{mark}:{way}:origin") if draft.registering else ""
    if first is None or second is None:
        raise ParameterError("Choose two columns.")
    low, high = (typed(line, place, say(ENDS[place])) for place in ("lower", "upper"))
    if way == Difference.name:
        return Difference(first, second, low, high, grain=grain, origin=origin)
    if low is None or high is None:
        raise ParameterError("Enter a lower and an upper bound from public knowledge.")
    return Ratio(first, second, low, high, origin=origin)


def _alike(first: Kind | None, second: Kind) -> bool:
    """Whether two columns can be subtracted: two dates, or two numbers."""
    return first is None or first.amounts == second.amounts


def _grain(dates: Mapping[str, Any], names: list[str | None], mark: str) -> str:
    """Ask in which unit two dates are apart: that of the dates, or a longer one."""
    grains = [date.grain for name in names if (date := dates.get(str(name))) is not None]
    if len(grains) < 2:
        return ""
    least = max(map(GRAINS.index, grains))
    return str(
        st.segmented_control(
            say("Unit"),
            GRAINS[least:],
            default=GRAINS[least],
            format_func=lambda grain: say(UNITS[grain]),
            key=f"{mark}:grain:{names}",
            required=True,
        )
    )


def _condition(draft: Draft, schema: Schema, way: str, mark: str) -> Kind:
    """Ask for a column, a comparison and a value."""
    st.caption(say("The value is 1 or 0: its mean is the share of rows that meet the condition, its sum their number."))
    left, middle, right = st.columns([2, 1, 2])
    name = left.selectbox(say("Column"), schema.askable, None, key=f"{mark}:{way}:of", placeholder=say("Choose"))
    if name in schema.categories:
        levels = st.multiselect(
            say("{column} is", column=quoted(name)),
            schema.categories[name].labels,
            key=f"{mark}:{way}:in:{name}",
            format_func=say,
            select_all=False,
            placeholder=say("Choose values"),
        )
        if not levels:
            raise ParameterError("Choose at least one value.")
        return Meets(str(name), "in", tuple(map(str, levels)))
    comparison = middle.selectbox(
        say("Comparison"), COMPARISONS, key=f"{mark}:{way}:how", format_func=lambda each: derived.SIGNS.get(each, each)
    )
    text = right.text_input(say("Value"), key=f"{mark}:{way}:value")
    if name is None:
        raise ParameterError("Choose a column.")
    value: Any = (
        text.strip() if schema.numbers[name].amounts == DATES else typed(_as_typed(draft, text), "value", say("Value"))
    )
    if value in (None, ""):
        raise ParameterError("Enter a value to compare with.")
    return Meets(str(name), comparison, value)


def _as_typed(draft: Draft, text: str) -> Line:
    return {layout.WRITTEN: draft.numbers, "value": text}
