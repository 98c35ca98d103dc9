"""Rows: bytes become ticks: where rows are stored, how they are read, and how columns are declared."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.rows.columns import Category, Date, Difference, Ignored, Meets, Number, Person, Ratio, YesNo
    from discreet.rows.columns.bands import Bands
    from discreet.rows.columns.recode import Recode
    from discreet.rows.dataset import Dataset, OpenData
    from discreet.rows.engines.arrow import ArrowSource
    from discreet.rows.engines.folder import FolderSource
    from discreet.rows.filters import Either, Filter
    from discreet.rows.schema import Schema
    from discreet.rows.source import LocalSource, Source

__all__ = [
    "ArrowSource",
    "Bands",
    "Category",
    "Dataset",
    "Date",
    "Difference",
    "Either",
    "Filter",
    "FolderSource",
    "Ignored",
    "LocalSource",
    "Meets",
    "Number",
    "OpenData",
    "Person",
    "Ratio",
    "Recode",
    "Schema",
    "Source",
    "YesNo",
]
_MODULES = {
    "discreet.rows.columns.bands": ("Bands",),
    "discreet.rows.columns.recode": ("Recode",),
    "discreet.rows.columns": (
        "Category",
        "Date",
        "Difference",
        "Ignored",
        "Meets",
        "Number",
        "Person",
        "Ratio",
        "YesNo",
    ),
    "discreet.rows.dataset": ("Dataset", "OpenData"),
    "discreet.rows.engines.arrow": ("ArrowSource",),
    "discreet.rows.engines.folder": ("FolderSource",),
    "discreet.rows.filters": ("Either", "Filter"),
    "discreet.rows.schema": ("Schema",),
    "discreet.rows.source": ("LocalSource", "Source"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


if not TYPE_CHECKING:  # a type checker sees the imports above, and no others

    def __getattr__(name: str) -> Any:
        """Import a name on first use: a worker that reads one kind of file loads no other."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_PLACES[name]), name)


if __name__ != "discreet.rows":  # a second import name would create every class twice
    raise ImportError("Write discreet.rows: this folder is a part of the package discreet.")
