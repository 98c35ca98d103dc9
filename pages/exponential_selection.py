"""Exponential selection: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import SELECTION, SPARSE
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="selection",
    title="Exponential selection",
    idea="Choose from a public list, the better with the higher chance: a category, a median.",
    families=(SELECTION, SPARSE),
    how=how_it_works.exponential_selection,
).show()
