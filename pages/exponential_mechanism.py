"""Exponential mechanism: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import SELECTION, SPARSE
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="selection",
    title="Exponential mechanism",
    idea="This mechanism picks one option from a public list: the better it fits the data, the more likely.",
    families=(SELECTION, SPARSE),
    how=how_it_works.exponential_selection,
).show()
