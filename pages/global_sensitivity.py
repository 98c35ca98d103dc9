"""Global sensitivity: ask, see how it works, read the guarantee."""

from ui import how
from ui.mechanism_page import MechanismPage

MechanismPage(
    key="global",
    title="Global sensitivity",
    idea="Noise for the largest change that one person could make to *any* data. Simple, and best for counts and sums.",
    families=("global",),
    how=how.global_sensitivity,
).show()
