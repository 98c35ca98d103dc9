"""A class in memory: who gets in, whose word counts, what an answer is, and that nothing outlives it."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from discreet.budget import ParameterError
from discreet.course.classroom.activity import (
    ACTIVITIES,
    RELEASED,
    TOO_LATE,
    TOO_NEAR,
    CoinFlip,
    CommonLedger,
    Dealing,
    Estimation,
    Proposal,
    Questioning,
    Tournament,
    dealt,
    estimated,
    noises,
    remaining,
    reported,
)
from discreet.course.classroom.meeting import (
    ACT_SECONDS,
    ACTS,
    CODE,
    GONE,
    HERE,
    LONGEST,
    MINUTE,
    PACE,
    PACE_OF_ALL,
    TRIES,
    TRIES_OF_ALL,
    Meeting,
    Rules,
    plain_name,
)
from discreet.course.lessons.differencing.numbers import PEOPLE
from discreet.course.lessons.local import numbers as local
from discreet.course.whole_course import places
from discreet.office.api.rate_limit import RateLimit

RULES = Rules("ABC234", "SECRETWORD", 30, 3, "http://192.0.2.7:8501")
NAMES = [activity.name for activity in ACTIVITIES]


class Clock:
    """A clock that goes when a test says so."""

    now = 1000.0

    def __init__(self) -> None:
        """Sleep never."""
        self.slept: list[float] = []

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
    meeting = Meeting(RULES, clock, clock.slept.append)
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


def test_a_phone_that_wakes_up_and_sends_its_vote_again_is_told_nothing_false(meeting: Meeting) -> None:
    """Its vote counts as before: revealed, or behind another question; only what was asked again is to be answered."""
    at(meeting, "outing")
    old = meeting.results.round(ACTIVITIES[NAMES.index("outing")])
    give(meeting, "ann", 2)
    meeting.reveal("teacher")
    meeting.answer("ann", old, 2)
    with pytest.raises(ParameterError, match="closed"):
        meeting.answer("ann", old, 3)
    at(meeting, "reach")
    meeting.answer("ann", old, 2)
    with pytest.raises(ParameterError, match="closed"):
        meeting.answer("bob", old, 2)
    at(meeting, "outing")
    assert meeting.mine("ann") == 2
    meeting.reset("teacher")
    with pytest.raises(ParameterError, match="asked this question again"):
        meeting.answer("ann", old, 2)
    assert meeting.mine("ann") is None


def test_a_wrong_code_lets_nobody_in_and_many_of_them_wait(clock: Clock) -> None:
    """Then they are looked at one after the other; whoever has the right one waits like the others, and gets in."""
    meeting = full(12, [], clock)
    for _ in range(TRIES):
        with pytest.raises(ParameterError, match="not the code"):
            meeting.join("eve", "WRONG2", "", "10.0.0.6")
    assert not clock.slept
    with pytest.raises(ParameterError, match="not the code"):
        meeting.join("eve", "ABC234 x", "", "10.0.0.6")
    meeting.join("cid", "ABC234", "", "10.0.0.6")  # of the same school
    assert meeting.has("cid") and len(clock.slept) == 2
    meeting.join("dan", "ABC234", "", "10.0.0.7")
    assert not meeting.has("eve") and meeting.has("dan") and len(clock.slept) == 2
    clock.now += MINUTE
    with pytest.raises(ParameterError, match="not the code"):
        meeting.join("eve", "\u00e9", "", "10.0.0.6")


def test_codes_beyond_the_limit_are_not_looked_at(meeting: Meeting, clock: Clock) -> None:
    """However many tries there are at once, from one address or from a thousand, so many are compared and no more."""
    compared = 0
    for at in range(10_000):
        with pytest.raises(ParameterError) as refused:
            meeting.join(f"eve{at}", "WRONG2", "", "10.0.0.6")
        compared += refused.value.args[0].startswith("This is not")
        clock.now = 1000.0 + at / 100  # the others come while one sleeps
    assert compared <= 2 * TRIES + (100 + LONGEST) / PACE
    for at in range(10_000):
        with pytest.raises(ParameterError) as refused:
            meeting.join(f"eve{at}", "WRONG2", "", f"10.1.{at % 1_000}")
        compared += refused.value.args[0].startswith("This is not")
        clock.now = 1100.0 + at / 100
    assert compared <= 2 * TRIES + (200 + LONGEST) / PACE + 2 * TRIES_OF_ALL + (100 + LONGEST) / PACE_OF_ALL


def test_the_right_code_is_refused_too_where_codes_are_not_looked_at(meeting: Meeting, clock: Clock) -> None:
    """Or a guesser learns it from the words of the refusal."""
    said = ""
    while "Too many" not in said:
        with pytest.raises(ParameterError) as refused:
            meeting.join("eve", "WRONG2")
        said = str(refused.value)
    with pytest.raises(ParameterError, match="Too many"):
        meeting.join("eve", "ABC234")
    assert not meeting.has("eve")
    meeting.lead("second laptop", "SECRETWORD")  # the teacher's word waits for nobody
    clock.now += 1
    meeting.join("ned", "ABC234")
    assert meeting.has("ned")


def test_a_browser_waits_once(clock: Clock) -> None:
    """A page that sends again while its code waits takes no second turn."""
    started, over = Event(), Event()
    meeting = Meeting(RULES, clock, lambda seconds: (started.set(), over.wait(10)))
    for _ in range(TRIES):
        with pytest.raises(ParameterError):
            meeting.join("eve", "WRONG2")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(meeting.join, "eve", "ABC234")
        assert started.wait(10)
        with pytest.raises(ParameterError, match="Too many"):
            meeting.join("eve", "ABC234")
        over.set()
        waiting.result(10)
    assert meeting.has("eve")


def full(most: int, addresses: list[str], clock: Clock) -> Meeting:
    """Return a class in which as many from these addresses joined, one after the other."""
    meeting = Meeting(Rules("ABC234", "SECRETWORD", 30, most, ""), clock, clock.slept.append)
    meeting.lead("teacher", "SECRETWORD")
    for at, address in enumerate(addresses):
        meeting.join(f"{address}-{at}", "ABC234", "", address)
    return meeting


def test_nobody_fills_a_class_with_browsers_of_one_machine(clock: Clock) -> None:
    """Also where they keep looking; whoever was there before keeps their place, and a class of one address all."""
    meeting = full(12, ["ann", *["eve"] * 11], clock)
    with pytest.raises(ParameterError, match="full"):
        meeting.join("eve-more", "ABC234", "", "eve")
    for name in ("bob", "cid", "dan", "fay", "gus", "hal", "ida", "jim"):
        meeting.join(name, "ABC234", "", name)
        assert meeting.has(name) and meeting.has("ann-0")
    assert meeting.addresses() == [("eve", 3)]
    with pytest.raises(ParameterError, match="full"):
        meeting.join("kim", "ABC234", "", "kim")
    with pytest.raises(ParameterError, match="full"):
        meeting.join("eve-more", "ABC234", "", "eve")
    school = full(12, ["school"] * 12, clock)
    assert school.addresses() == [("school", 12)]


def test_a_place_that_is_taken_is_of_somebody_who_is_not_here(clock: Clock) -> None:
    """As far as there is one among those of the address."""
    meeting = full(8, ["eve"] * 8, clock)
    clock.now += HERE + 1
    assert all(meeting.has(f"eve-{at}") for at in range(8) if at != 2)
    meeting.join("ann", "ABC234", "", "ann")
    assert not meeting.has("eve-2") and meeting.has("eve-7")
    meeting.join("bob", "ABC234", "", "bob")
    assert not meeting.has("eve-7") and meeting.has("eve-0")


def test_a_teacher_lets_go_of_who_is_not_here_and_of_an_address(clock: Clock) -> None:
    """With what they answered, and until they are let in again; nobody else can."""
    meeting = full(12, ["ann", *["eve"] * 5], clock)
    at(meeting, "outing")
    for browser in ("ann-0", "eve-1", "eve-2"):
        give(meeting, browser, 1)
    meeting.shut("ann-0", "eve")
    meeting.let_go_absent("ann-0")
    meeting.change_code("ann-0")
    assert meeting.addresses() == [("eve", 5)] and meeting.rules.code == "ABC234"
    meeting.shut("teacher", "eve")
    assert meeting.results.given(ACTIVITIES[NAMES.index("outing")]) == [1]
    assert not meeting.has("eve-1") and meeting.has("ann-0") and meeting.addresses() == [("eve", 0)]
    with pytest.raises(ParameterError, match="The teacher has blocked your address"):
        meeting.join("eve-9", "ABC234", "", "eve")
    meeting.shut("teacher", "eve")
    meeting.join("eve-9", "ABC234", "", "eve")
    clock.now += HERE + 1
    assert meeting.has("ann-0")
    meeting.let_go_absent("teacher")
    assert meeting.has("ann-0") and not meeting.has("eve-9") and meeting.addresses() == []


def test_another_code_lets_nobody_in_by_the_old_one(meeting: Meeting) -> None:
    """Who has joined stays."""
    meeting.change_code("teacher")
    assert (
        meeting.rules.code != "ABC234" and len(meeting.rules.code) == CODE and meeting.rules.code in meeting.rules.link
    )
    with pytest.raises(ParameterError, match="not the code"):
        meeting.join("cid", "ABC234")
    meeting.join("cid", meeting.rules.code)
    assert meeting.has("cid") and meeting.has("ann")


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
    for value in (-1.0, 0.25, 1e9, float("nan"), float("inf")):
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
    with pytest.raises(ParameterError, match="Too many answers"):
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
    draws = meeting.results.draws["outing"]
    meeting.reveal("teacher")
    assert meeting.results.draws["outing"] == draws and set(draws.first.values()) <= set(range(4))
    meeting.reset("teacher")
    assert not meeting.stage.revealed and meeting.mine("ann") is None and not meeting.results.draws
    assert meeting.results.round(activity) != before


def test_the_election_is_drawn_ten_times_more_at_a_press(meeting: Meeting) -> None:
    """From the same votes, after the reveal, and by the teacher alone; the first draw stands."""
    at(meeting, "outing")
    give(meeting, "ann", 2)
    meeting.further("teacher")
    assert "outing" not in meeting.results.draws
    meeting.reveal("teacher")
    first = meeting.results.draws["outing"].first
    meeting.further("ann")
    assert not any(meeting.results.draws["outing"].more.values())
    for presses in (1, 2):
        meeting.further("teacher")
        held = meeting.results.draws["outing"]
        assert held.first == first and {len(places) for places in held.more.values()} == {10 * presses}
        assert {place for places in held.more.values() for place in places} <= set(range(4))


def test_everybody_plays_twenty_people_of_their_own(meeting: Meeting) -> None:
    """A guess counts once, in its order; the score is an answer once all are guessed, and the limit is the law's."""
    at(meeting, "spy")
    spy = ACTIVITIES[NAMES.index("spy")]
    assert isinstance(spy, Tournament) and spy.allowed == pytest.approx(math.e / (1 + math.e))
    asked = meeting.results.round(spy)
    assert meeting.game("ann", spy)[0] != meeting.game("bob", spy)[0]
    for place in range(PEOPLE):
        assert meeting.mine("ann") is None
        for _ in range(2):  # pressed twice
            meeting.play("ann", asked, place, "y")
    game, said = meeting.game("ann", spy)
    assert said == "y" * PEOPLE and meeting.mine("ann") == sum(game.smokes)
    meeting.play("ann", asked, PEOPLE, "y")
    with pytest.raises(ParameterError):
        meeting.play("stranger", asked, 0, "y")
    with pytest.raises(ParameterError):
        meeting.play("bob", asked, 0, "x")
    meeting.reveal("teacher")
    with pytest.raises(ParameterError):
        meeting.play("bob", asked, 0, "y")
    assert meeting.results.given(spy) == [sum(game.smokes)]
    meeting.reset("teacher")
    assert meeting.game("ann", spy)[1] == ""


def test_a_class_proposes_on_one_budget(meeting: Meeting) -> None:
    """A bound that is too small is refused by the test, for half the cost; later ones by the ledger, for nothing."""
    at(meeting, "propose")
    asking = ACTIVITIES[NAMES.index("propose")]
    assert isinstance(asking, Proposal)
    asked, results = meeting.results.round(asking), meeting.results
    meeting.propose("ann", asked, 0.25)
    meeting.propose("bob", asked, 20.0)
    meeting.propose("bob", asked, 0.25)  # once
    assert results.proposed["ann"].outcome == TOO_NEAR and results.proposed["ann"].answer is None
    assert results.proposed["bob"].outcome == RELEASED and results.proposed["bob"].answer is not None
    assert results.proposals.left == pytest.approx(8.5) and meeting.mine("bob") == 20
    for refused in (lambda: meeting.propose("stranger", asked, 2.0), lambda: meeting.propose("ann", asked, 7.0)):
        with pytest.raises(ParameterError):
            refused()
    made = [results.proposals.propose(20.0) for _ in range(12)]
    assert [each.outcome for each in made] == [RELEASED] * 8 + [TOO_LATE] * 4
    assert results.proposals.left == pytest.approx(0.5)
    smaller = [b for b in asking.bounds if b < asking.least]
    column = local.crowd(1000).column
    assert smaller and all(asking.mechanism(b).law(column).refusal > 0.9 for b in smaller)
    meeting.reset("teacher")
    assert meeting.results.proposals.left == pytest.approx(10.0) and not meeting.results.proposed


def test_one_person_taken_away_widens_the_noise_of_local_sensitivity_alone(meeting: Meeting) -> None:
    """From two more at one age to one more; smooth noise changes by e^beta at most, global noise never."""
    before, after = noises((14, 12), 1.0), noises(remaining((14, 12), 1), 1.0)
    assert remaining((14, 12), 1) == (13, 12) and remaining((2, 2), 3) == (0, 1)
    assert after["local"] == pytest.approx(80 * before["local"])
    assert (
        1 < after["smooth"] / before["smooth"] <= math.exp(1 / 3) * (1 + 1e-9) and after["global"] == before["global"]
    )
    at(meeting, "stand")
    give(meeting, "ann", 0)
    give(meeting, "ann", 1)
    give(meeting, "bob", 1)
    meeting.reveal("teacher")
    for taken in (0, 1, 1):  # one person is left
        assert meeting.results.draws["stand"] == taken
        meeting.further("teacher")


def test_a_class_is_dealt_into_blocks(meeting: Meeting) -> None:
    """Every deal has the medians of its blocks and a noisy median in the range; another one is drawn afresh."""
    at(meeting, "blocks")
    dealing = ACTIVITIES[NAMES.index("blocks")]
    assert isinstance(dealing, Dealing) and not dealing.takes(61) and not dealing.takes(2.5)
    for browser, minutes in (("ann", 10), ("bob", 20)):
        give(meeting, browser, minutes)
    meeting.reveal("teacher")
    first = meeting.results.draws["blocks"]
    assert first.medians == (15,) and 0 <= first.middle <= 60
    meeting.further("teacher")
    assert meeting.results.draws["blocks"].times == 2
    deals = [dealt(dealing, list(range(30))) for _ in range(3)]
    assert {len(deal.medians) for deal in deals} == {10} and len({deal.medians for deal in deals}) > 1


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
    """Of 12,000 reports of yes, e / (1 + e) say so, and the estimate is near 1 (false alarm below 1e-9)."""
    (coin,) = [activity for activity in ACTIVITIES if isinstance(activity, CoinFlip)]
    reports = [reported(coin, True) for _ in range(4000)]
    assert 0.73106 * 12_000 - 300 < sum(reports) < 0.73106 * 12_000 + 300
    assert set(reports) == {0, 1, 2, 3}
    share = estimated(coin, reports)
    assert share.error == pytest.approx(estimated(coin, reports[:1000]).error / 2)
    assert abs(share.estimate - 1) < 3.1 * share.error


def test_what_the_class_guesses_is_computed_and_can_be_guessed() -> None:
    """The truth of every question lies between the ends of its field."""
    for activity in ACTIVITIES:
        if isinstance(activity, Estimation):
            assert activity.low < activity.truth() < activity.high
        if isinstance(activity, Questioning):
            assert CommonLedger(activity).difference is None


def test_a_phone_keeps_the_results_it_paid_for(meeting: Meeting) -> None:
    """In order and by query, until the class asks again; no other phone has them."""
    at(meeting, "pair")
    results = [meeting.ask("ann", which) for which in (0, 0, 1)]
    assert meeting.bought("ann", 0) == results[:2] and meeting.bought("ann", 1) == results[2:]
    assert meeting.bought("bob", 0) == meeting.bought("stranger", 0) == []
    meeting.reset("teacher")
    assert meeting.bought("ann", 0) == []


def test_a_cost_is_guessed_to_a_tenth(meeting: Meeting) -> None:
    """Its exact value is no whole number."""
    at(meeting, "hundred")
    give(meeting, "ann", 4.8)
    with pytest.raises(ParameterError):
        give(meeting, "bob", 4.77)
    assert meeting.mine("ann") == 4.8 and meeting.mine("bob") is None


def test_every_activity_has_its_step_of_a_lesson() -> None:
    """Its screen leads there, not to the first step of the lesson."""
    assert {activity.step for activity in ACTIVITIES} <= set(places())
    assert places()[ACTIVITIES[0].step].address == {"lesson3-step": "count"}
    assert places()[ACTIVITIES[NAMES.index("blocks")].step].address == {"lesson6-step": "blocks"}


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
