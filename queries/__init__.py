"""Floor 2: bounds, columns and statistics with their ladders. No randomness, no files.

Every file of this folder is imported here, so a new statistic is one new file; named packages add theirs.
"""

from discreet.queries.bounds import Bounds
from discreet.queries.column import Column
from discreet.queries.query import ADD_REMOVE, Query, Relation, registry

if __name__ != "discreet.queries":  # a second import name would create every class twice
    raise ImportError("Write discreet.queries: this folder is a part of the package discreet.")

registry.fill(__name__, __path__)

__all__ = ["ADD_REMOVE", "Bounds", "Column", "Query", "Relation", "registry"]
