"""Propose-test-release: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import PTR
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="ptr",
    title="Propose-test-release",
    idea="You propose a limit on one person's influence on *this* dataset; a private test checks it first.",
    families=(PTR,),
    how=how_it_works.propose_test_release,
).show()
