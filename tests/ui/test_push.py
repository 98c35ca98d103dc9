"""Push: whatever people stand on the line, the picture has the numbers of the core, and the address carries them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect
from support.axe import in_both_themes, violations
from support.hands import drag_by_finger
from support.lessons import Pupil
from support.visitor import Visitor

from discreet.course.lessons.local import numbers
from discreet.course.lessons.local.nearby import EPSILONS
from discreet.lab.simulation import SimulationNoise
from discreet.queries import Column
from discreet.queries.median import Median
from discreet.report.risk import best_guess, of_100
from discreet.ui.figures import push

LESSON = "lesson-6-local-sensitivity"
PAGE = "lesson_6_local_sensitivity"
TOLERANCE = 1e-9
ENDS = {"low": 0, "high": 100}
FURTHEST = 24
FIRST = list(numbers.PUSHED)
CROWDS: tuple[list[float], ...] = (
    FIRST,
    [50.0],
    [0.0, 100.0],
    [41.0, 41.0, 41.0],
    [0.0] * 6 + [100.0] * 7,
    *(sorted((np.random.default_rng(n).integers(0, 201, n) / 2).tolist()) for n in range(2, push.MOST + 1)),
)
BOUND = 5.1  # no rung is as high
BETA = 1 / 3
BLOCKS = 4
# what the picture's own script computes while people are moved
COMPUTED = """async ([script, ends, crowds, most, b, beta, deal, count]) => {
  const made = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(script));
  return crowds.map((ages) => {
    const stairs = made.ladder(ends, ages, most);
    const { middles, mean } = made.dealt(ends, ages, deal, count);
    return {
      numbers: [made.median(ends, ages), ...made.reach(ends, ages), ...stairs],
      distance: made.distance(stairs, b),
      smooth: made.smooth(stairs, beta).bound,
      blocks: [...middles, mean],
      leaving: stairs.map((_, k) => made.leaving(ends, ages, k)),
    };
  });
}"""


def people(ages: Sequence[float]) -> Column:
    """Return people of these ages."""
    return numbers.pushed(ages)


def neighbours(ages: list[float]) -> list[Column]:
    """Return everyone's departure, and the arrival of one more person of every age."""
    fewer = [people(ages[:at] + ages[at + 1 :]) for at in range(len(ages))]
    return [*fewer, *(people([*ages, age]) for age in np.arange(0, 100.5, 0.5))]


def core(ages: list[float]) -> list[float]:
    """Return what the core says of people: their median, where one person can move it, and the ladder."""
    query = Median()
    moved = [query.value(column) for column in (people(ages), *neighbours(ages))]
    ladder = query.ladder(people(ages), np.arange(FURTHEST + 1)).tolist()
    assert max(abs(value - moved[0]) for value in moved) == ladder[0]
    return [moved[0], min(moved), max(moved), *ladder]


def computed(chromium: Browser, program: str, *given: Any) -> Any:
    """Return what the script of the picture computes."""
    page = chromium.new_page()
    said = page.evaluate(program, [push.SCRIPT, *given])
    page.close()
    return said


def far(said: Any, truth: Any) -> float:
    """Return the largest distance between numbers of the browser and of the core."""
    return float(np.abs(np.subtract(said, truth)).max())


def test_what_is_computed_while_people_are_moved_is_what_the_core_computes(chromium: Browser) -> None:
    """Few people and many, ties and ends of the line.

    Median, the reach of one person and every rung; the distance of a proposal, the highest weighted rung, and what
    blocks give; and the worst people at each distance: one more can do there what the rung says.
    """
    deal = numbers.block_of_each(BLOCKS).tolist()
    given = ENDS, CROWDS, FURTHEST, BOUND, BETA, deal, BLOCKS
    for ages, said in zip(CROWDS, computed(chromium, COMPUTED, *given), strict=True):
        truth = core(ages)
        assert far(said["numbers"], truth) <= TOLERANCE, ages
        assert said["distance"] == numbers.push_test(ages, BOUND).distance
        assert far(said["smooth"], numbers.push_smooth(ages, 3).weighted.max()) <= TOLERANCE
        estimates = numbers.push_blocks(ages, BLOCKS).estimates
        assert far(said["blocks"], [*estimates, estimates.mean()]) <= TOLERANCE
        for k, (first, last) in enumerate(said["leaving"]):
            assert last - first <= k
            rest = people(ages[:first] + ages[last:])
            assert numbers.local(Median(), rest) == truth[3 + k], (ages, k)


def test_blocks_of_the_picture_are_dealt_as_the_mechanism_deals() -> None:
    """The same words, the same blocks, the same medians."""
    for count in range(1, 9):
        view = numbers.in_blocks(count, 1.0).view
        split = view.split(np.array([FIRST]), SimulationNoise(numbers.LOT)).estimates
        assert split.tolist() == numbers.push_blocks(FIRST, count).estimates.tolist()


JUMPY = [*FIRST[:5], *FIRST[9:]]  # five around 40, four around 80


def test_a_person_who_leaves_changes_the_median_of_one_block_only() -> None:
    """Everyone else keeps the block, and the block of the person has the median of those who stay."""
    blocks = numbers.block_of_each(BLOCKS)
    everyone = numbers.push_blocks(JUMPY, BLOCKS).estimates
    default = numbers.in_blocks(BLOCKS, 1.0).view.default
    for who in range(len(JUMPY)):
        rest = [age for at, age in enumerate(JUMPY) if blocks[at] == blocks[who] and at != who]
        expected = everyone.copy()
        expected[blocks[who]] = np.median(rest) if rest else default
        assert numbers.push_blocks(JUMPY, BLOCKS, who).estimates.tolist() == expected.tolist()


def test_a_spy_exceeds_the_limit_under_local_noise_and_under_no_other() -> None:
    """Wherever people stand and for each of them, at small and large ε; local noise fails at the jump."""
    safe = [way for way in numbers.WATCHED if way != "local"]
    for way, epsilon, ages, at in product(safe, EPSILONS[::2], (FIRST, JUMPY, *CROWDS[2:9:3]), (0, -1)):
        watched = numbers.watched(way, ages, at % len(ages), epsilon)
        assert watched.odds <= best_guess(watched.cost) + TOLERANCE, (way, ages, at)
    jumped = numbers.watched("local", JUMPY, 8, 1.0)
    assert jumped.odds > 0.96 and jumped.delta > 0.9
    ends = numbers.watched("global", [0.0, 100.0], 0, 1.0)
    assert math.isclose(ends.odds, (1 + -math.expm1(-0.5)) / 2, rel_tol=1e-6)  # clipped noise of 50, medians 50 apart


@pytest.mark.parametrize("text", ["", "forty", "nan", "1 2 101", "-1", "50 " * (push.MOST + 1), "1e999"])
def test_ages_that_cannot_be_drawn_are_refused_in_words(text: str) -> None:
    """Then the first people stand there."""
    pupil = Pupil(PAGE, **{"local-ages": "7"})
    assert pupil.numbers()["Median"] == "7" and not pupil.app.warning
    pupil.app.text_input(key=pupil.key("local-ages")).set_value(text).run()
    pupil.stands()
    assert pupil.numbers()["Median"] == "43"
    assert [warning.value for warning in pupil.app.warning] == [
        f"Enter 1 to {push.MOST} ages from 0 to 100, separated by spaces."
    ]


def is_of(page: Page, ages: list[float]) -> None:
    """Expect these people in the picture, in the address, and in the numbers of the core."""
    said = "+".join(f"{age:g}" for age in ages)
    expect(page).to_have_url(re.compile(rf"lesson6-local-ages={re.escape(said)}(&|$)"))
    expect(page.locator(".keys .local span")).to_have_text(f"local sensitivity: {core(ages)[3]:g} years")
    numbers_of = page.get_by_test_id("stMetricValue")
    expect(numbers_of.nth(0)).to_have_text(f"{core(ages)[0]:g}")
    expect(numbers_of.nth(1)).to_have_text(f"{core(ages)[3]:g}")


def spot(page: Page, name: str) -> tuple[float, float]:
    """Return where the middle of a person is."""
    box = page.get_by_role("slider", name=name, exact=True).locator(".figure").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_people_are_moved_sent_away_and_called_back(visit: Callable[..., Visitor]) -> None:
    """On a phone, by keys, by mouse and by finger; numbers of the core follow, and a link brings the same people."""
    visitor = visit(390)
    page = visitor.page
    page.emulate_media(reduced_motion="reduce")
    visitor.load(f"{LESSON}?lang=en&guess=no")
    ninth, now = page.get_by_role("slider", name="Mia"), list(FIRST)
    ninth.focus()
    page.keyboard.press("PageUp")
    now[8] += 10
    is_of(page, now)
    page.keyboard.press("Delete")
    del now[8]
    is_of(page, now)
    page.get_by_role("button", name="Add person").click()
    now.append(54)
    is_of(page, now)
    page.get_by_role("button", name="Show worst people").click()
    is_of(page, [0.0] * 6 + [100.0] * (len(now) - 6))
    page.get_by_role("button", name="Show worst people").click()
    is_of(page, now)
    frame = page.locator(".crowd svg").bounding_box()
    assert frame is not None
    last = spot(page, "Lora")
    page.mouse.move(*last)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] - 1, last[1], steps=4)
    page.mouse.up()
    now[now.index(81.5)] = 100
    is_of(page, now)
    last = spot(page, "Lora")
    drag_by_finger(page, (last[0], frame["x"] + frame["width"] / 2), last[1])
    now[now.index(100)] = 50
    is_of(page, now)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    page.reload()
    visitor.settle()
    is_of(page, now)
    page.get_by_role("button", name="Start again").click()
    expect(page).not_to_have_url(re.compile("lesson6-local-ages"))
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("43")


def test_figures_walk_to_where_they_belong(visit: Callable[..., Visitor]) -> None:
    """They do not jump: on the way they are seen between."""
    visitor = visit()
    visitor.page.emulate_media(reduced_motion="no-preference")
    page = visitor.load(f"{LESSON}?lang=zh&guess=no")
    page.get_by_role("slider", name="Lora").focus()
    page.locator(".person").last.evaluate(
        """last => {
          window.seen = new Set();
          const look = () => (window.seen.add(last.getAttribute("transform")), requestAnimationFrame(look));
          look();
        }"""
    )
    page.keyboard.press("Home")
    page.wait_for_timeout(800)
    assert page.evaluate("seen.size") > 3
    visitor.settle()
    assert in_both_themes(visitor) == []


def test_the_walk_and_the_spy_have_the_numbers_of_the_core(visit: Callable[..., Visitor]) -> None:
    """A bound is moved by keys, a stair is chosen, a person is chosen; what is shown comes from the server."""
    visitor = visit()
    page = visitor.page
    page.emulate_media(reduced_motion="reduce")
    visitor.load(f"{LESSON}?lang=en&guess=no&lesson6-local-picture=walk")
    values = page.get_by_test_id("stMetricValue")
    expect(values.first).to_have_text(str(numbers.push_test(FIRST, 5.0).distance))
    bar = page.get_by_role("slider", name="Bound b", exact=True).last
    bar.focus()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile("lesson6-local-b=40"))
    expect(values.first).to_have_text(str(numbers.push_test(FIRST, 40.0).distance))
    expect(page.locator(".crowd .name.truth").filter(has_text="D = ")).to_have_text(
        f"D = {numbers.push_test(FIRST, 40.0).distance}"
    )
    page.get_by_role("slider", name="Distance k in people").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".keys .stair span")).to_have_text("A(4) = 19 years, 4 people away")
    expect(page.locator(".person[opacity='0.15']")).to_have_count(4)
    assert violations(page) == []
    ages = "+".join(f"{age:g}" for age in JUMPY)
    visitor.load(
        f"{LESSON}?lang=en&guess=no&lesson6-local-picture=spy&lesson6-local-way=local&lesson6-local-ages={ages}"
    )
    expect(page.locator(".spy.won b")).to_have_text("97")
    page.get_by_role("slider", name="Alo").focus()
    expect(page.locator(".spy:not(.won) b")).to_have_text("70")
    assert violations(page) == []


def test_a_run_of_the_test_opens_the_gate_when_the_noisy_distance_reaches_the_threshold(
    visit: Callable[..., Visitor],
) -> None:
    """Runs have the noise of the mechanism's own test; what is moved afterwards is not tested yet."""
    visitor = visit(390)
    page = visitor.page
    page.emulate_media(reduced_motion="reduce")
    visitor.load(f"{LESSON}?lang=en&guess=no&lesson6-local-picture=walk")
    expect(page.locator(".walk text").filter(has_text="Distance k in people")).to_be_visible()
    expect(page.locator(".walk text").filter(has_text="A(k) in years")).to_be_visible()
    test = numbers.push_test(FIRST, 5.0)
    drawn, least = numbers.push_draws(test), test.threshold.least
    assert drawn == [
        test.distance + noise for noise in (each - 40 for each in numbers.push_draws(replace(test, distance=40)))
    ]
    first = next(run for run, noisy in enumerate(drawn) if noisy >= least)
    outcome = page.locator(".outcome")
    for noisy in drawn[: first + 1]:
        page.get_by_role("button", name="Run test").press("Enter")
        said = "reaches T = {}: the gate opens." if noisy >= least else "is below T = {}: the gate stays shut."
        expect(outcome).to_have_text(f"The noisy distance {noisy} {said.format(least)}")
        expect(page.locator(".gate.open")).to_have_count(int(noisy >= least))
    assert violations(page) == []
    page.get_by_role("slider", name="Mia").focus()
    page.keyboard.press("PageUp")
    expect(outcome).to_have_text("")


def test_the_flag_of_a_run_trembles_before_it_rests(visit: Callable[..., Visitor]) -> None:
    """Until then nothing is said of the outcome."""
    visitor = visit()
    visitor.page.emulate_media(reduced_motion="no-preference")
    page = visitor.load(f"{LESSON}?lang=en&guess=no&lesson6-local-picture=walk")
    page.get_by_role("button", name="Run test").click()
    seen = set()
    while not page.locator(".outcome").text_content():
        seen.add(page.locator(".name.noisy").text_content())
    assert len(seen) > 1


def test_a_score_keeps_the_highest_odds_of_each_kind_of_noise(visit: Callable[..., Visitor]) -> None:
    """At each ε: the spy beats the limit under local noise, and with the same people not under smooth noise."""
    visitor = visit()
    page = visitor.page
    page.emulate_media(reduced_motion="reduce")
    ages = "+".join(f"{age:g}" for age in JUMPY)
    visitor.load(
        f"{LESSON}?lang=en&guess=no&lesson6-local-picture=spy&lesson6-local-way=local&lesson6-local-ages={ages}"
    )
    expect(page.locator(".best .beaten")).to_have_text("Local 97")
    page.get_by_role("radio", name="Smooth sensitivity", exact=True).click()
    smooth = of_100(numbers.watched("smooth", JUMPY, 8, 1.0).odds)
    expect(page.locator(".best span")).to_have_text(["Local 97", f"Smooth sensitivity {smooth}"])
    expect(page.locator(".best .beaten")).to_have_count(1)
    visitor.settle()
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)  # the colours of a pressed button change slowly
    assert violations(page) == []
