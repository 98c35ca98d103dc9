"""Floor 2: bounds, columns and statistics with their ladders. No randomness, no files.

Every module of this folder is imported here, so a new statistic is one new file.
"""

from importlib import import_module
from pkgutil import iter_modules

from queries.bounds import Bounds
from queries.column import Column
from queries.query import ADD_REMOVE, Query, Relation, registry

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["ADD_REMOVE", "Bounds", "Column", "Query", "Relation", "registry"]
