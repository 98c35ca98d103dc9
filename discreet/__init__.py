"""Discreet: statistics released with local-sensitivity differential privacy.

These are the names that a notebook or a pipeline needs; everything else is in the subpackages (`discreet.mechanisms`,
`discreet.queries`, `discreet.budget`, `discreet.rows`, `discreet.curator`). A name is imported on first use.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.analysis import Analysis, open
    from discreet.budget import BudgetExceeded, Cost, ParameterError, SessionLedger
    from discreet.budget.durable import open_ledger, verify
    from discreet.curator import Curator, Release, Request
    from discreet.evidence.certificate import certificate
    from discreet.queries import Bounds, Relation
    from discreet.rows import (
        ArrowSource,
        Bands,
        Category,
        Dataset,
        Date,
        Difference,
        Either,
        Filter,
        FolderSource,
        Ignored,
        LocalSource,
        Meets,
        Number,
        OpenData,
        Person,
        Ratio,
        Recode,
        Schema,
        YesNo,
    )
    from discreet.rows.columns.bands import bands

__all__ = [
    "Analysis",
    "ArrowSource",
    "Bands",
    "Bounds",
    "BudgetExceeded",
    "Category",
    "Cost",
    "Curator",
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
    "ParameterError",
    "Person",
    "Ratio",
    "Recode",
    "Relation",
    "Release",
    "Request",
    "Schema",
    "SessionLedger",
    "YesNo",
    "bands",
    "certificate",
    "open",
    "open_ledger",
    "verify",
]
_MODULES = {
    "discreet.analysis": ("Analysis", "open"),
    "discreet.budget": ("BudgetExceeded", "Cost", "ParameterError", "SessionLedger"),
    "discreet.budget.durable": ("open_ledger", "verify"),
    "discreet.curator": ("Curator", "Release", "Request"),
    "discreet.evidence.certificate": ("certificate",),
    "discreet.queries": ("Bounds", "Relation"),
    "discreet.rows.columns.bands": ("bands",),
    "discreet.rows": (
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
        "YesNo",
    ),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}

if __name__ != "discreet":  # a second import name would create every class twice
    raise ImportError("Write discreet: there is one package of this name.")
_HERE = Path(__file__).resolve().parent
if not (_HERE / "budget").is_dir():  # a checkout: the floors are beside this folder, not in it
    __path__.append(str(_HERE.parent))


if not TYPE_CHECKING:  # a type checker sees the imports above, and no others

    def __getattr__(name: str) -> Any:
        """Import a name on first use."""
        if name == "__version__":
            return import_module("discreet.lab.program").program()
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
