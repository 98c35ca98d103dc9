"""Exponential selection: ask, see how it works, read the guarantee."""

from discreet.mechanisms.families import SELECTION, SPARSE
from discreet.ui.ask.how import selecting
from discreet.ui.ask.mechanism_page import MechanismPage

MechanismPage(
    key="selection",
    title="Exponential selection",
    idea="Choose from a public list, the better with the higher chance: a category, a median.",
    families=(SELECTION, SPARSE),
    how=selecting.exponential_selection,
).show()
