"""Widgets of derived columns: how they are described, and filters on them. A form of its own declares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import streamlit as st

from discreet.budget import ParameterError
from discreet.rows import Difference, Filter, Meets, Number, Ratio
from discreet.rows.columns import Kind
from discreet.rows.columns.derivation import OfTwo
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.number import NumberWidgets
from discreet.ui.kinds.widgets import Line, Widgets

SIGNS = {">=": "≥", "<=": "≤", "!=": "≠"}


class Derived:
    """What the widgets of all derived columns have in common: the table of declarations has no cells for them."""

    derived: ClassVar[bool] = True

    def declared(self, line: Line, name: str) -> Any:
        """Raise ParameterError: a line of the table declares a column of the data."""
        raise ParameterError("A derived column is not a column of the data. Add it below the columns.")

    def line(self, declared: Any) -> Line:
        """Return no cells."""
        return {}


class _Numbers(Derived):
    """Numbers of two columns: described and filtered like any number."""

    sign: ClassVar[str]

    def words(self, declared: OfTwo) -> str:
        """Describe the two columns, the bounds and the unit."""
        first, second = declared.derived_from
        of = f"{first} {self.sign} {second}"
        low, high = declared.bounds.lower, declared.bounds.upper
        if not declared.unit:
            return say("{of}, {low:.15g} to {high:.15g}", of=of, low=low, high=high)
        unit = say(declared.unit)
        return say("{of}, {low:.15g} to {high:.15g}, in {unit}", of=of, low=low, high=high, unit=unit)

    def conditions(self, column: str, declared: OfTwo, key: str) -> list[Filter]:
        """Ask for a range; an unchanged bound is no condition."""
        return NumberWidgets().conditions(column, _as_number(declared), key)

    def filled(self, column: str, declared: OfTwo, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Set both ends, each as its filter gives it."""
        return NumberWidgets().filled(column, _as_number(declared), filters, key)


def _as_number(declared: OfTwo) -> Number:
    bounds = declared.bounds
    return Number(bounds.lower, bounds.upper, bounds.resolution, bounds.integer)


class DifferenceWidgets(_Numbers, Widgets[Difference]):
    """One column minus another."""

    declares: ClassVar[type[Kind]] = Difference
    names: ClassVar[tuple[str, ...]] = ("difference",)
    sign: ClassVar[str] = "−"


class RatioWidgets(_Numbers, Widgets[Ratio]):
    """One column divided by another."""

    declares: ClassVar[type[Kind]] = Ratio
    names: ClassVar[tuple[str, ...]] = ("ratio",)
    sign: ClassVar[str] = "/"


class MeetsWidgets(Derived, Widgets[Meets]):
    """Whether a column compares as given: described by the comparison, and filtered like a yes or no."""

    declares: ClassVar[type[Kind]] = Meets
    names: ClassVar[tuple[str, ...]] = ("condition",)

    def words(self, declared: Meets) -> str:
        """Return the comparison."""
        value = declared.value
        shown = ", ".join(value) if isinstance(value, tuple) else f"{value}"
        return f"{declared.of} {SIGNS.get(declared.comparison, say(declared.comparison))} {shown}"

    def conditions(self, column: str, declared: Meets, key: str) -> list[Filter] | None:
        """Ask for one of the two values."""
        choice = st.segmented_control(
            quoted(column),
            (0, 1),
            key=f"{key}:yes:{column}",
            format_func=lambda met: say("yes") if met else say("no"),
            persist_state="session",
        )
        return None if choice is None else [Filter(column, "=", choice)]

    def filled(self, column: str, declared: Meets, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Set the choice."""
        return {f"{key}:yes:{column}": int(float(str(each.value))) for each in filters if each.comparison == "="}
