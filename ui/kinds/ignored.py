"""Widgets of an ignored column: its name in the table, without any cells."""

from __future__ import annotations

from typing import ClassVar

from discreet.rows import Ignored
from discreet.rows.columns import Kind
from discreet.ui.kinds.widgets import Line, Widgets


class IgnoredWidgets(Widgets[Ignored]):
    """A column without a declared kind is ignored."""

    declares: ClassVar[type[Kind]] = Ignored
    names: ClassVar[tuple[str, ...]] = ("ignored",)
    rank: ClassVar[int] = 0

    def declared(self, line: Line, name: str) -> Ignored:
        """Return the kind; there is nothing to parse."""
        return Ignored()

    def line(self, declared: Ignored) -> Line:
        """Return no cells."""
        return {}
