"""Smooth sensitivity: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import SMOOTH
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="smooth",
    title="Smooth sensitivity",
    idea="This mechanism adds noise matched to how much one person can change the result on this dataset. "
    "The noise is smoothed so that its size reveals nothing.",
    families=(SMOOTH,),
    how=how_it_works.smooth_sensitivity,
).show()
