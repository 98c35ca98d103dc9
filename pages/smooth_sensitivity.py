"""Smooth sensitivity: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import SMOOTH
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="smooth",
    title="Smooth sensitivity",
    idea="The noise follows how much one person can change *this* result, and its size reveals nothing.",
    families=(SMOOTH,),
    how=how_it_works.smooth_sensitivity,
).show()
