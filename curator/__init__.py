"""Floor 4: the curator, the only holder of rows, ledger and noise. No screens.

A notebook starts here: read a file, declare its columns, ask for a release.
"""

from curator.dataset import Dataset
from curator.experiment import Experiment, compare, simulate
from curator.filters import Filter
from curator.noise import ReleaseNoise, SimulationNoise
from curator.release import Curator
from curator.released import Release
from curator.request import Request
from curator.schema import Category, Ignored, Number, Person, Schema
from curator.source import LocalSource, Source

__all__ = [
    "Category",
    "Curator",
    "Dataset",
    "Experiment",
    "Filter",
    "Ignored",
    "LocalSource",
    "Number",
    "Person",
    "Release",
    "ReleaseNoise",
    "Request",
    "Schema",
    "SimulationNoise",
    "Source",
    "compare",
    "simulate",
]
