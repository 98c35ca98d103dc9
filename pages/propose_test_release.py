"""Propose-test-release: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import PTR
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="ptr",
    title="Propose-test-release",
    idea="You propose a limit on one person's influence on *this* dataset. A private test checks the "
    "limit, and the result is released only if the test passes.",
    families=(PTR,),
    how=how_it_works.propose_test_release,
).show()
