"""Sample and aggregate: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import BLOCKS
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="blocks",
    title="Sample and aggregate",
    idea="This mechanism splits people into blocks at random and computes any statistic on each block. It "
    "releases a noisy mean or median of the block results.",
    families=(BLOCKS,),
    how=how_it_works.sample_and_aggregate,
).show()
