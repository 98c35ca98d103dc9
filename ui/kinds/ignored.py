"""Widgets of what is ignored: its name in the table, and nothing else."""

from __future__ import annotations

from typing import ClassVar

from discreet.rows import Ignored
from discreet.rows.columns import Kind
from discreet.ui.kinds.widgets import Line, Widgets


class IgnoredWidgets(Widgets[Ignored]):
    """What nothing is said of is ignored."""

    declares: ClassVar[type[Kind]] = Ignored
    names: ClassVar[tuple[str, ...]] = ("ignored",)
    rank: ClassVar[int] = 0

    def declared(self, line: Line, name: str) -> Ignored:
        """Read nothing."""
        return Ignored()

    def line(self, declared: Ignored) -> Line:
        """Write nothing."""
        return {}
