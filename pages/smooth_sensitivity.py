"""Smooth sensitivity: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import SMOOTH
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="smooth",
    title="Smooth sensitivity",
    idea="Noise that follows the data at hand, smoothed so that the noise itself tells nothing.",
    families=(SMOOTH,),
    how=how_it_works.smooth_sensitivity,
).show()
