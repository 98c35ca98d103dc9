"""Floor 2: bounds, columns and statistics with their ladders. No randomness, no files.

Every module of this folder is imported here, so a new statistic is one new file.
"""

from importlib import import_module
from pkgutil import iter_modules

from discreet.queries.bounds import Bounds
from discreet.queries.column import Column
from discreet.queries.query import ADD_REMOVE, Query, Relation, registry

if __name__ != "discreet.queries":  # under a second name every class would be there twice
    raise ImportError("Write discreet.queries: this folder is a part of the package discreet.")

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["ADD_REMOVE", "Bounds", "Column", "Query", "Relation", "registry"]
