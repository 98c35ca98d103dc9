"""Exponential mechanism: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import SELECTION, SPARSE
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="selection",
    title="Exponential mechanism",
    idea="This mechanism picks one option from a public list, such as a category or a median. The better "
    "an option fits the data, the more likely it is picked.",
    families=(SELECTION, SPARSE),
    how=how_it_works.exponential_selection,
).show()
