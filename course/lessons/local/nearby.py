"""Nearby: people on a line, how far one of them can move the median, and what a spy learns of her."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.figures import percent
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.answers import ANSWERS
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.steps import Step
from discreet.mechanisms.base.vocabulary import BLOCKS, PTR, SMOOTH
from discreet.mechanisms.smooth import M_CHOICES
from discreet.queries.median import Median
from discreet.report.risk import best_guess, of_100
from discreet.ui.figures import push
from discreet.ui.frame.words import number, say

PICTURES = {"people": Phrase("People"), "walk": Phrase("Walk"), "spy": Phrase("Spy")}
WALKS = {"test": PTR.name, "smooth": SMOOTH.name, "blocks": BLOCKS.name}
WAYS = {"global": Phrase("Global"), "local": Phrase("Local")} | WALKS
NOTES = {
    "test": Phrase("The test proposes b = 5, with δ = 0.01."),
    "local": Phrase("Noise scaled to local sensitivity does not keep ε."),
    "blocks": Phrase("There are five blocks, and the spy knows who is in which."),
}
BOUNDS = (0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 16.0, 20.0, 25.0, 30.0, 40.0)
EPSILONS = (0.5, 1.0, 1.5, 2.0, 3.0)


@dataclass(frozen=True)
class Pushed:
    """The people of the picture, what it shows of them, and the controls that follow what is moved there."""

    ages: tuple[float, ...]
    shows: str
    chosen: Mapping[str, Any]
    controls: Mapping[str, str] = field(default_factory=dict)


def local_controls(by: Controls) -> Pushed:
    """Choose the picture, the people, and what the picture needs besides."""
    picture = by.choose("picture", say("Picture"), PICTURES)
    return walked(by) if picture == "walk" else _shown(by, picture)


def walked(by: Controls) -> Pushed:
    """Choose a safe mechanism that is walked through on the people."""
    return _shown(by, by.choose("walk", say("Mechanism"), WALKS))


def _shown(by: Controls, shows: str) -> Pushed:
    chosen, names = CHOSEN[shows](by)
    first = local.PUSHED
    ages = push.ages_in(by.text("ages", say("Ages"), push.listed(first)), local.AGES)
    if ages is None:
        st.warning(say("Enter 1 to {most} ages from 0 to 100, separated by spaces.", most=push.MOST))
    controls = {name: f"{by.prefix}-{name}" for name in ("ages", *names)}
    return Pushed(ages or first, shows, chosen, controls)


def _nothing(by: Controls) -> tuple[dict[str, Any], tuple[str, ...]]:
    return {}, ()


def _bound(by: Controls) -> tuple[dict[str, Any], tuple[str, ...]]:
    return {"b": by.pick("b", say("Bound b"), BOUNDS, 5.0)}, ("b",)


def _tail(by: Controls) -> tuple[dict[str, Any], tuple[str, ...]]:
    return {"m": int(by.pick("m", say("Tail m (β = 1/m)"), M_CHOICES[:8], 3))}, ()


def _count(by: Controls) -> tuple[dict[str, Any], tuple[str, ...]]:
    return {"count": by.whole("count", say("Number of blocks"), 1, 8, local.BLOCKS)}, ()


def _spy(by: Controls) -> tuple[dict[str, Any], tuple[str, ...]]:
    way = by.choose("way", say("Noise"), WAYS)
    epsilon = by.pick("epsilon", say("ε"), EPSILONS, 1.0)
    return {"way": way, "epsilon": epsilon, "who": by.whole("who", say("Person"), 1, push.MOST, 9)}, ("who",)


CHOSEN: dict[str, Callable[[Controls], tuple[dict[str, Any], tuple[str, ...]]]] = {
    "people": _nothing,
    "test": _bound,
    "smooth": _tail,
    "blocks": _count,
    "spy": _spy,
}


def here(settings: Pushed, key: str) -> None:
    """Draw the people, and what the picture shows of them."""
    shown, part = PARTS[settings.shows](settings)
    if shown:
        numbers(shown)
    push.crowd(settings.ages, local.PUSHED, local.AGES, settings.controls, part | {"mode": settings.shows}, key)
    if note := part.get("note"):
        st.caption(note)


Part = tuple[dict[str, str], dict[str, Any]]


def _people(settings: Pushed) -> Part:
    """Return how far one person more or less moves the median."""
    median = Median()
    people = local.pushed(settings.ages)
    return {
        say("Median"): number(median.value(people)),
        say("Local sensitivity"): number(local.local(median, people)),
        say("Global sensitivity"): number(median.global_sensitivity(people.bounds)),
    }, {}


def _test(settings: Pushed) -> Part:
    """Return the distance at which the ladder exceeds the bound, and the threshold that it must reach."""
    b = settings.chosen["b"]
    tested = local.push_test(settings.ages, b)
    shown = {
        say("Distance D"): number(tested.distance),
        say("Threshold T"): number(tested.threshold.least),
        say("Chance of a result"): percent(tested.chance),
    }
    note = say(
        "The test of a result at ε = 2 spends half of it, and δ = 0.01: with a smaller δ, so few people hardly pass."
    )
    gate = {"least": tested.threshold.least, "drawn": local.push_draws(tested), "said": _gate()}
    return shown, gate | {"stairs": True, "b": b, "offered": BOUNDS, "distance": tested.distance, "note": note}


def _gate() -> dict[str, str]:
    """Return what is said of a run of the test."""
    return {
        "run": say("Run test"),
        "least": say("T = {t}"),
        "noisy": say("noisy D = {d}"),
        "open": say("The noisy distance {d} reaches T = {t}: the gate opens."),
        "shut": say("The noisy distance {d} is below T = {t}: the gate stays shut."),
    }


def _smooth(settings: Pushed) -> Part:
    """Return the highest product of weight and ladder."""
    m = settings.chosen["m"]
    smoothed = local.push_smooth(settings.ages, m)
    shown = {
        say("Local sensitivity A(0)"): number(float(smoothed.rungs[0])),
        say("Smooth bound S"): number(smoothed.bound, 3),
        say("Reached at k"): number(smoothed.peak),
    }
    return shown, {"stairs": True, "beta": 1 / m, "smooth": smoothed.bound}


def _blocks(settings: Pushed) -> Part:
    """Return the blocks to which people are dealt, and what they give."""
    count = settings.chosen["count"]
    estimates = local.push_blocks(settings.ages, count).estimates
    shown = {
        say("Median"): number(Median().value(local.pushed(settings.ages))),
        say("Mean of the blocks"): number(float(estimates.mean())),
        say("One person at most"): number(100 / count, 3),
    }
    return shown, {"count": count, "deal": local.block_of_each(count).tolist()}


def _watched(settings: Pushed) -> Part:
    """Return the results with and without a person, and how often a spy who compares them is right."""
    way, epsilon = settings.chosen["way"], settings.chosen["epsilon"]
    who = min(settings.chosen["who"], len(settings.ages))
    watched = local.watched(way, settings.ages, who - 1, epsilon)
    limit = best_guess(watched.cost)
    names = {"with": _named(say("with {who}", who="{who}"), watched.refusals[0])}
    names["without"] = _named(say("without {who}", who="{who}"), watched.refusals[1])
    heaps = {
        "at": watched.x.tolist(),
        "heights": {"with": watched.densities[0].tolist(), "without": watched.densities[1].tolist()},
        "names": names,
    }
    words = {
        "spy": say("{n} of 100 times, at most, a spy guesses right whether {who} is in the data", n="{n}", who="{who}"),
        "limit": say("ε = {epsilon} allows {n} of 100 at most", epsilon=number(epsilon), n=of_100(limit)),
        "coin": say("50: tossing a coin"),
        "sure": say("100: certain"),
        "best": say("Highest so far at this ε:"),
    }
    drawn = say("The vertical axis is compressed: it shows square roots of densities.")
    note = f"{say(NOTES[way])} {drawn}" if way in NOTES else drawn
    score = {"way": way, "ways": {name: say(title) for name, title in WAYS.items()}, "epsilon": epsilon}
    spy = {"odds": watched.odds, "limit": limit, "who": who, "said": words, "note": note}
    return {}, {"heaps": heaps} | spy | score


def _named(name: str, refusal: float) -> str:
    return name if not refusal else f"{name} · {say('no result: {share}', share=percent(refusal))}"


PARTS: dict[str, Callable[[Pushed], Part]] = {
    "people": _people,
    "test": _test,
    "smooth": _smooth,
    "blocks": _blocks,
    "spy": _watched,
}

NEARBY = Step(
    "local",
    Phrase("In this dataset"),
    Phrase(
        "Global sensitivity is how much one person can change the result in the **worst** "
        "dataset. Local sensitivity is how much in **this** dataset. The result is the median "
        "age. One person may be added or removed."
    ),
    Phrase(
        "Choose the picture *Spy* and the noise *Local*. Press *Add person* four times: does the "
        "spy guess better than ε allows? Next, choose *Smooth sensitivity*, which a later step explains."
    ),
    local_controls,
    here,
    GUESSES["local"],
    PAGES["local"],
    letters=LETTERS["local"],
    answer=ANSWERS["local"],
)
