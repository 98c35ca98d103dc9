"""Global sensitivity: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import CLIPPED_AT, GLOBAL
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="global",
    title="Global sensitivity",
    idea="This mechanism adds noise for the largest change one person could cause in *any* dataset.",
    families=(GLOBAL, CLIPPED_AT),
    how=how_it_works.global_sensitivity,
).show()
