"""Columns: one file for each kind of column: its declaration, its file format, and how cells are read.

Every file of this folder is imported here, so a new kind is one new file (and one for its widgets in ui/kinds).
"""

from discreet.budget.plugins import import_files
from discreet.rows.columns.category import OTHER, Category
from discreet.rows.columns.date import Date
from discreet.rows.columns.difference import Difference
from discreet.rows.columns.factor import Factor
from discreet.rows.columns.ignored import Ignored
from discreet.rows.columns.kind import Kind, Value, kinds
from discreet.rows.columns.meets import Meets
from discreet.rows.columns.number import DROP, Number
from discreet.rows.columns.person import Person
from discreet.rows.columns.quantity import Quantity
from discreet.rows.columns.ratio import Ratio
from discreet.rows.columns.yes_no import YesNo

import_files(__name__, __path__)

__all__ = [
    "DROP",
    "OTHER",
    "Category",
    "Date",
    "Difference",
    "Factor",
    "Ignored",
    "Kind",
    "Meets",
    "Number",
    "Person",
    "Quantity",
    "Ratio",
    "Value",
    "YesNo",
    "kinds",
]
