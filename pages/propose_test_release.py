"""Propose-test-release: ask, see how it works, read the guarantee."""

from discreet.mechanisms.families import PTR
from discreet.ui.ask.how import testing
from discreet.ui.ask.mechanism_page import MechanismPage

MechanismPage(
    key="ptr",
    title="Propose-test-release",
    idea="Propose how much one person changes *these* data, test it in private, then release.",
    families=(PTR,),
    how=testing.propose_test_release,
).show()
