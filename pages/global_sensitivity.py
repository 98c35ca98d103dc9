"""Global sensitivity: ask, see how it works, read the guarantee."""

from discreet.mechanisms.families import CLIPPED_AT, GLOBAL
from discreet.ui.ask.how import bounding
from discreet.ui.ask.mechanism_page import MechanismPage

MechanismPage(
    key="global",
    title="Global sensitivity",
    idea="Noise for the largest change one person could make to *any* data. Best for counts.",
    families=(GLOBAL, CLIPPED_AT),
    how=bounding.global_sensitivity,
).show()
