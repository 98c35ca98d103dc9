"""Sample and aggregate: ask, see how it works, read the guarantee."""

from discreet.mechanisms.families import BLOCKS
from discreet.ui.ask.how import splitting
from discreet.ui.ask.mechanism_page import MechanismPage

MechanismPage(
    key="blocks",
    title="Sample and aggregate",
    idea="Compute anything on secret random blocks of people, and release their middle.",
    families=(BLOCKS,),
    how=splitting.sample_and_aggregate,
).show()
