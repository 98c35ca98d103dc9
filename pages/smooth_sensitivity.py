"""Smooth sensitivity: ask, see how it works, read the guarantee."""

from mechanisms.families import SMOOTH
from ui import how
from ui.mechanism_page import MechanismPage

MechanismPage(
    key="smooth",
    title="Smooth sensitivity",
    idea="Noise that follows the data at hand, smoothed so that the noise itself tells nothing.",
    families=(SMOOTH,),
    how=how.smooth_sensitivity,
).show()
