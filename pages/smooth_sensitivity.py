"""Smooth sensitivity: ask, see how it works, read the guarantee."""

from discreet.mechanisms.families import SMOOTH
from discreet.ui.ask.how import smoothing
from discreet.ui.ask.mechanism_page import MechanismPage

MechanismPage(
    key="smooth",
    title="Smooth sensitivity",
    idea="Noise that follows the data at hand, smoothed so that the noise itself tells nothing.",
    families=(SMOOTH,),
    how=smoothing.smooth_sensitivity,
).show()
