"""Exponential selection: ask, see how it works, read the guarantee."""

from ui import how
from ui.mechanism_page import MechanismPage

MechanismPage(
    key="selection",
    title="Exponential selection",
    idea="Choose one of a public list, better ones with higher chance: a category, a median, a bound.",
    families=("selection", "sparse"),
    how=how.exponential_selection,
).show()
