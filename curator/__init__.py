"""Floor 4: the curator, the only holder of rows, ledger and noise. No screens.

A notebook starts here: read a file, declare its columns, ask for a release. A name is imported
when it is asked for, so that whoever only reads rows does not wait for noise and ledgers.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.curator.noise import ReleaseNoise, SimulationNoise
    from discreet.curator.release import Curator
    from discreet.curator.released import Release
    from discreet.curator.request import Request
    from discreet.rows.columns import Category, Ignored, Number, Person
    from discreet.rows.dataset import Dataset
    from discreet.rows.filters import Filter
    from discreet.rows.open_data import OpenData
    from discreet.rows.schema import Schema
    from discreet.rows.source import LocalSource, Source

__all__ = [
    "Category",
    "Curator",
    "Dataset",
    "Filter",
    "Ignored",
    "LocalSource",
    "Number",
    "OpenData",
    "Person",
    "Release",
    "ReleaseNoise",
    "Request",
    "Schema",
    "SimulationNoise",
    "Source",
]
_MODULES = {
    "discreet.rows.columns": ("Category", "Ignored", "Number", "Person"),
    "discreet.rows.dataset": ("Dataset",),
    "discreet.rows.filters": ("Filter",),
    "discreet.curator.noise": ("ReleaseNoise", "SimulationNoise"),
    "discreet.curator.release": ("Curator",),
    "discreet.curator.released": ("Release",),
    "discreet.curator.request": ("Request",),
    "discreet.rows.open_data": ("OpenData",),
    "discreet.rows.schema": ("Schema",),
    "discreet.rows.source": ("LocalSource", "Source"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what is asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


if __name__ != "discreet.curator":  # under a second name every class would be there twice
    raise ImportError("Write discreet.curator: this folder is a part of the package discreet.")
