"""Sample and aggregate: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import BLOCKS
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="blocks",
    title="Sample and aggregate",
    idea="This mechanism releases a noisy mean or median of results of random blocks.",
    families=(BLOCKS,),
    how=how_it_works.sample_and_aggregate,
).show()
