"""A class in memory: who gets in, whose word counts, what an answer is, and that nothing outlives it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from discreet.budget import ParameterError
from discreet.lab.classroom.activity import ACTIVITIES, CoinFlip, Estimation, Questioning
from discreet.lab.classroom.attendance import plain_name
from discreet.lab.classroom.drawings import CommonLedger, estimated, reported
from discreet.lab.classroom.meeting import ACT_SECONDS, ACTS, GONE, HERE, MINUTE, TRIES, Meeting, Rules
from discreet.lab.classroom.rate_limit import RateLimit

RULES = Rules("ABC234", "SECRETWORD", 30, 3, "http://192.0.2.7:8501")
NAMES = [activity.name for activity in ACTIVITIES]


class Clock:
    """A clock that goes when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands."""
    return Clock()


@pytest.fixture
def meeting(clock: Clock) -> Meeting:
    """Return a class of two and a teacher."""
    meeting = Meeting(RULES, clock)
    meeting.lead("teacher", "SECRETWORD")
    for browser in ("ann", "bob"):
        meeting.join(browser, "abc234 ", browser.title())
    return meeting


def at(meeting: Meeting, name: str) -> None:
    """Go to an activity by its name."""
    meeting.turn("teacher", -len(NAMES))
    meeting.turn("teacher", NAMES.index(name) + 1)


def give(meeting: Meeting, browser: str, value: float) -> None:
    """Answer what is on the screen now."""
    activity = meeting.stage.activity
    assert activity is not None
    meeting.answer(browser, meeting.results.round(activity), value)


def test_an_answer_to_what_was_asked_before_counts_for_nothing_else(meeting: Meeting) -> None:
    """A guess that is sent while the teacher turns the page is no vote; a vote of the last round none of this one."""
    at(meeting, "reach")
    before = meeting.results.round(ACTIVITIES[NAMES.index("reach")])
    at(meeting, "outing")
    old = meeting.results.round(ACTIVITIES[NAMES.index("outing")])
    meeting.reset("teacher")
    for asked in (before, old, ""):
        with pytest.raises(ParameterError):
            meeting.answer("ann", asked, 1)
    assert meeting.mine("ann") is None


def test_a_wrong_code_lets_nobody_in_and_many_of_them_are_not_even_compared(meeting: Meeting, clock: Clock) -> None:
    """Whoever has the right one gets in, however many wrong ones others try."""
    for _ in range(TRIES):
        with pytest.raises(ParameterError, match="not the code"):
            meeting.join("eve", "WRONG2")
    with pytest.raises(ParameterError, match="Too many"):
        meeting.lead("eve", "ABC234")
    assert not meeting.has("eve") and not meeting.teaches("eve")
    meeting.join("cid", "ABC234")
    clock.now += MINUTE
    with pytest.raises(ParameterError, match="not the code"):
        meeting.join("eve", "\u00e9")


def test_a_full_class_takes_the_place_of_who_left_only(meeting: Meeting, clock: Clock) -> None:
    """Nobody who is there loses a place."""
    meeting.join("cid", "ABC234")
    with pytest.raises(ParameterError, match="full"):
        meeting.join("dan", "ABC234")
    clock.now += GONE + 1
    assert meeting.has("ann") and meeting.has("bob")
    meeting.join("dan", "ABC234")
    assert meeting.has("dan") and not meeting.has("cid")


def test_only_the_teacher_leads(meeting: Meeting) -> None:
    """A participant, a stranger and nobody at all move nothing, whatever they send."""
    for browser in ("ann", "stranger", ""):
        meeting.turn(browser, 1)
        meeting.end(browser)
        assert meeting.stage.activity is None and meeting.left > 0
    at(meeting, "outing")
    give(meeting, "ann", 1)
    for browser in ("ann", "stranger", ""):
        meeting.reveal(browser)
        meeting.reset(browser)
    assert not meeting.stage.revealed and meeting.results.given(ACTIVITIES[NAMES.index("outing")]) == [1]


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_is_taken_of_members_while_it_is_asked_and_only_if_it_is_one(meeting: Meeting, name: str) -> None:
    """Neither strangers, nor values that no screen sends, nor after the reveal, nor too fast."""
    at(meeting, name)
    activity = ACTIVITIES[NAMES.index(name)]
    for value in (-1.0, 0.5, 1e9, float("nan"), float("inf")):
        with pytest.raises(ParameterError):
            give(meeting, "ann", value)
    with pytest.raises(ParameterError):
        give(meeting, "stranger", 1)
    if name != "pair":
        with pytest.raises(ParameterError):
            meeting.ask("ann", 0)
    assert meeting.results.given(activity) == []
    meeting.reveal("teacher")
    with pytest.raises(ParameterError):
        give(meeting, "bob", 1)


def test_nobody_answers_faster_than_a_person(meeting: Meeting, clock: Clock) -> None:
    """Ten acts in ten seconds; then one waits."""
    at(meeting, "outing")
    for _ in range(ACTS):
        give(meeting, "ann", 1)
    with pytest.raises(ParameterError, match="Too fast"):
        give(meeting, "ann", 2)
    give(meeting, "bob", 2)
    clock.now += ACT_SECONDS
    give(meeting, "ann", 2)


def test_a_guess_stands_and_a_vote_may_change(meeting: Meeting) -> None:
    """Predict, commit, reveal: whoever could guess again would not have guessed."""
    at(meeting, "reach")
    give(meeting, "ann", 10)
    give(meeting, "ann", 30)
    assert meeting.mine("ann") == 10
    at(meeting, "outing")
    give(meeting, "ann", 0)
    give(meeting, "ann", 3)
    assert meeting.mine("ann") == 3


def test_the_election_is_drawn_once_by_the_votes_of_the_class(meeting: Meeting) -> None:
    """A second reveal changes nothing; asked again, everything is open and the widgets are new."""
    at(meeting, "outing")
    activity, before = ACTIVITIES[NAMES.index("outing")], meeting.results.round(ACTIVITIES[NAMES.index("outing")])
    give(meeting, "ann", 2)
    meeting.reveal("teacher")
    draws = dict(meeting.results.draws["outing"])
    meeting.reveal("teacher")
    assert meeting.results.draws["outing"] == draws and set(draws.values()) <= set(range(4))
    meeting.reset("teacher")
    assert not meeting.stage.revealed and meeting.mine("ann") is None and not meeting.results.draws
    assert meeting.results.round(activity) != before


def test_a_reveal_of_nothing_is_no_error(meeting: Meeting) -> None:
    """Nobody voted: nothing is drawn."""
    at(meeting, "outing")
    meeting.reveal("teacher")
    assert meeting.stage.revealed and not meeting.results.draws


def test_a_class_asks_on_one_budget_until_its_ledger_refuses(meeting: Meeting, clock: Clock) -> None:
    """Thirty answers of 0.1 fit into 3, also if everybody asks at once; not one more is charged or told."""
    at(meeting, "pair")
    ledger = meeting.results.ledger

    def work(which: int) -> int:
        try:
            return ledger.ask(which % 2)
        except ParameterError:
            return 0

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(work, range(40)))
    assert sum(map(bool, answers)) == sum(map(len, ledger.answers)) == 30
    assert ledger.refusals == 10 and ledger.left < 0.1
    with pytest.raises(ParameterError, match="spent"):
        meeting.ask("ann", 0)
    assert (
        ledger.difference is not None and abs(ledger.difference.estimate - ledger.smokes) < 6 * ledger.difference.error
    )
    meeting.reset("teacher")
    assert meeting.results.ledger.left == pytest.approx(3.0)


def test_reports_go_through_the_coin_and_the_estimate_is_corrected() -> None:
    """Of 4,000 people who say yes, e / (1 + e) report it, and the estimate is near 1 (false alarm below 1e-9)."""
    (coin,) = [activity for activity in ACTIVITIES if isinstance(activity, CoinFlip)]
    reports = [reported(coin, True) for _ in range(4000)]
    assert 0.73106 * 4000 - 180 < sum(reports) < 0.73106 * 4000 + 180
    share = estimated(coin, reports)
    assert abs(share.estimate - 1) < 3.1 * share.error


def test_what_the_class_guesses_is_computed_and_can_be_guessed() -> None:
    """The truth of every question lies between the ends of its field."""
    for activity in ACTIVITIES:
        if isinstance(activity, Estimation):
            assert activity.low < activity.truth() < activity.high
        if isinstance(activity, Questioning):
            assert CommonLedger(activity).difference is None


def test_when_the_class_has_ended_nobody_and_nothing_is_remembered(meeting: Meeting, clock: Clock) -> None:
    """By its time or by its teacher: everybody is out, and no code and no word opens it again."""
    at(meeting, "outing")
    give(meeting, "ann", 1)
    clock.now += 60 * RULES.minutes
    assert not meeting.left and not meeting.has("ann") and not meeting.teaches("teacher")
    assert meeting.names() == [] and not meeting.results.answers and not meeting.places()
    for enter in (lambda: meeting.join("ann", "ABC234"), lambda: meeting.lead("t", "SECRETWORD")):
        with pytest.raises(ParameterError, match="ended"):
            enter()


def test_a_teacher_ends_the_class_at_once(meeting: Meeting) -> None:
    """And is out as well."""
    meeting.end("teacher")
    assert not meeting.left and not meeting.teaches("teacher") and not meeting.has("ann")


def test_names_are_letters_and_whoever_is_away_is_not_counted(meeting: Meeting, clock: Clock) -> None:
    """Markup, signs, bells and long names come to nothing; places are counts only."""
    assert plain_name("<b>Ann</b>\u202e [x](y) \x07" + "z" * 99) == "b Ann b x y zzzzzzzz"
    assert plain_name("  \u674e\u00a0\u96f7 ") == "\u674e \u96f7" and plain_name("***") == ""
    meeting.stands("ann", "class")
    meeting.stands("stranger", "class")
    assert meeting.places() == {"class": 1, "": 1} and meeting.names() == ["Ann", "Bob"]
    clock.now += HERE + 1
    assert meeting.has("bob") and meeting.names() == ["Bob"]


def test_a_rate_limit_forgets_what_is_long_ago() -> None:
    """Each name has its own, and a flood of names does not grow for ever."""
    clock = Clock()
    limit = RateLimit(2, 10.0, clock)
    assert [limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")] == [True, True, False, True]
    clock.now += 10
    assert limit.take("a")
    assert all(limit.take(str(name)) for name in range(6000)) and len(limit._past) <= 5000
