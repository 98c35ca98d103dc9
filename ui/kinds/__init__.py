"""Kinds: the widgets of each kind of column, one file per kind.

Every file of this folder is imported here, so the widgets of a new kind are one new file.
"""

from operator import attrgetter
from typing import Any

from discreet.budget.plugins import import_files
from discreet.rows.columns import Kind
from discreet.ui.kinds.widgets import Cell, Line, Widgets, registry

import_files(__name__, __path__)

__all__ = ["Cell", "Line", "Widgets", "every", "of"]


def every() -> list[Widgets[Any]]:
    """Return the widgets of all kinds, in the order of the table."""
    return sorted(registry.values(), key=attrgetter("rank"))


def of(declared: Kind) -> Widgets[Any]:
    """Return the widgets of a declared kind."""
    return registry[type(declared)]
