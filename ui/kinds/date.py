"""Widgets of a date: its first and last day, its unit and format, its range in a filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.rows import Filter
from discreet.rows.calendar import GRAINS, ISO, ORDERS
from discreet.rows.columns import Kind
from discreet.rows.columns.bands import CALENDAR
from discreet.rows.columns.date import Date
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.widgets import Cell, Line, Pair, Widgets, source, text_of

DAYS = {ISO: "2020-01-31", "day-month-year": "31.01.2020", "month-day-year": "01/31/2020"}


class DateWidgets(Widgets[Date]):
    """A date can be recognised by its first and last day alone."""

    declares: ClassVar[type[Kind]] = Date
    names: ClassVar[tuple[str, ...]] = ("date",)
    rank: ClassVar[int] = 4

    def cells(self) -> dict[str, Cell]:
        """Ask for the first and the last day."""
        text = st.column_config.TextColumn
        written = say(
            "Enter a date like 2020-01-31 or 2020-01-31 18:30. Dates outside the range count as the nearest bound."
        )
        return {
            "first": Cell("", text(say("First day"), width=110, help=written)),
            "last": Cell("", text(say("Last day"), width=110, help=written)),
        }

    def details(self) -> dict[str, Cell]:
        """Ask for the unit of dates, their format, and the time zone."""
        text = st.column_config.TextColumn
        choice = st.column_config.SelectboxColumn
        return {
            "origin": source(),
            "grain": Cell(
                "",
                choice(
                    say("Date unit"),
                    options=["", *GRAINS],
                    format_func=_called,
                    help=say("Dates are counted in this unit. Default: days."),
                ),
            ),
            "order": Cell(
                "",
                choice(
                    say("Date order"),
                    options=["", *ORDERS],
                    format_func=_called,
                    help=say("Choose the order of dates stored as text, such as 31/12/2020. Default: year first."),
                ),
            ),
            "zone": Cell(
                "",
                text(
                    say("Time zone"),
                    help=say("Enter the time zone of the values, for example Europe/Paris. Default: UTC."),
                ),
            ),
        }

    def shows(self, line: Line) -> bool:
        """A first or last day implies a date."""
        return bool(text_of(line["first"]) or text_of(line["last"]))

    def declared(self, line: Line, name: str) -> Date:
        """Parse the cells of a date."""
        first = text_of(line["first"])
        last = text_of(line["last"])
        if not first or not last:
            raise ParameterError("Enter the first and the last day from public knowledge.")
        given = {place: text_of(line[place]) for place in ("grain", "order", "zone", "origin")}
        return Date(first, last, **{place: text for place, text in given.items() if text})

    def line(self, declared: Date) -> Line:
        """Write the cells of a date."""
        usual = {"grain": "day", "order": ISO, "zone": "UTC"}
        details = {place: getattr(declared, place) for place in usual}
        written: Line = {place: "" if usual[place] == text else text for place, text in details.items()}
        return {"first": declared.first, "last": declared.last, "origin": declared.origin} | written

    def words(self, declared: Date) -> str:
        """Describe the first and last day, and the unit."""
        return say("{first} to {last}, in {unit}", first=declared.first, last=declared.last, unit=say(declared.unit))

    def written(self, declared: Date) -> tuple[Phrase, str]:
        """Return an example of a date in this format."""
        return Phrase("dates like {examples}"), DAYS[declared.order]

    def between(self, declared: Date, labels: Pair[str], ends: Pair[float], keys: Pair[str]) -> Pair[float]:
        """Ask for two dates, which are returned in units after the first day."""
        left, right = st.columns(2)
        low = left.text_input(labels[0], declared.shown(ends[0]), key=keys[0])
        return _place(declared, low), _place(
            declared, right.text_input(labels[1], declared.shown(ends[1]), key=keys[1])
        )

    def bands(self, column: str, declared: Date, text: str, key: str) -> str:
        """Ask for the bands of a column: by the calendar, or from days that are typed."""
        periods = list(filter(declared.has_bands, CALENDAR))
        options = periods if text in periods else [text, *periods]
        return st.selectbox(
            say("Bands of {column}", column=quoted(column)),
            options,
            options.index(text),
            key=key,
            persist_state="session",
            accept_new_options=True,
            format_func=lambda typed: say(CALENDAR[typed]) if typed in CALENDAR else typed,
            help=say("Choose one, or enter the first days of bands, such as 2020-01-01, 2020-07-01."),
        )

    def conditions(self, column: str, declared: Date, key: str) -> list[Filter]:
        """Ask for a range; an empty end is no condition."""
        left, right = st.columns(2)
        low = say("{column} from", column=quoted(column)), f"{key}:from:{column}", declared.first
        high = say("{column} to", column=quoted(column)), f"{key}:to:{column}", declared.last
        ends = [(">=", left, low), ("<=", right, high)]
        typed = [
            (comparison, place.text_input(label, key=mark, placeholder=end, persist_state="session"))
            for comparison, place, (label, mark, end) in ends
        ]
        return [Filter(column, comparison, text.strip()) for comparison, text in typed if text.strip()]

    def filled(self, column: str, declared: Date, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Set both ends, as typed."""
        ends = {">=": "from", "<=": "to"}
        return {f"{key}:{ends[each.comparison]}:{column}": each.value for each in filters if each.comparison in ends}


def _place(declared: Date, text: str) -> float:
    place = declared.number(text.strip())
    if place is None:
        raise ParameterError("Enter a date in the form {day}.", day=declared.first)
    return place


def _called(name: object) -> str:
    return say(str(name)) if name else ""
