"""Propose-test-release: ask a query, see how the mechanism works, read its guarantee."""

from discreet.mechanisms.base.vocabulary import PTR
from discreet.ui.ask import how_it_works
from discreet.ui.ask.page import MechanismPage

MechanismPage(
    key="ptr",
    title="Propose-test-release",
    idea="Propose how much one person changes *these* data, test it in private, then release.",
    families=(PTR,),
    how=how_it_works.propose_test_release,
).show()
