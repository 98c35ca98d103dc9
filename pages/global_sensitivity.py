"""Global sensitivity: ask, see how it works, read the guarantee."""

from mechanisms.families import GLOBAL
from ui import how
from ui.mechanism_page import MechanismPage

MechanismPage(
    key="global",
    title="Global sensitivity",
    idea="Noise for the largest change one person could make to *any* data. Best for counts.",
    families=(GLOBAL,),
    how=how.global_sensitivity,
).show()
