"""Walked test: propose, test, release, one click after the other."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.answers import ANSWERS
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import BOUND, GUESSES, PEOPLE
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.lessons.local.numbers import ProposalWalk
from discreet.course.steps import Step
from discreet.mechanisms.base.vocabulary import PTR
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

SIZES = (100, 300, 1000, 3000)
STAGES = {"data": Phrase("Data"), "propose": Phrase("Propose"), "test": Phrase("Test"), "release": Phrase("Release")}
DELTAS = (1e-9, 1e-6, 1e-4, 1e-2, 0.1)
Chosen = tuple[str, int, float, int, float]


def walk_controls(by: Controls) -> Chosen:
    """Choose the stage, the people, the bound, a draw, and delta."""
    stage = by.choose("stage", say("Go through the steps"), STAGES)
    left, right = st.columns(2)
    with left:
        people = int(by.pick("people", say("People"), SIZES, PEOPLE))
    with right:
        b = by.pick("b", say("Bound b"), local.PROPOSALS, BOUND)
    left, right = st.columns(2)
    with left:
        seed = by.draw(1)  # D, its noisy value and T are three places there
    with right:
        return stage, people, b, seed, by.pick("delta", say("δ"), DELTAS, 1e-6)


def walk(settings: Chosen, key: str) -> None:
    """Draw what is known at the current stage."""
    stage, people, b, seed, delta = settings
    walked = local.walk(people, b, 1.0, seed, delta)
    reached = list(STAGES).index(stage)
    numbers(
        {
            say("Distance D"): number(walked.proposed.distance) if reached >= 2 else "?",
            say("Noisy distance"): number(walked.noisy) if reached >= 2 else "?",
            say("Threshold T"): number(walked.threshold) if reached >= 2 else "?",
            say("Result"): "?" if reached < 3 else _answer(walked),
            say("Cost"): "?" if reached < 3 else f"ε = {number(walked.cost.epsilon)}",
        }
    )
    st.caption(_story(walked, stage, b))
    if stage == "release" and walked.answer is not None:
        _bell(walked, walked.answer, key)
    else:
        _ladder(walked, reached, b, key)


def _answer(walked: ProposalWalk) -> str:
    return say("no result") if walked.answer is None else number(walked.answer, 3)


def _story(walked: ProposalWalk, stage: str, b: float) -> str:
    if stage == "propose":
        return say(
            "You propose, without looking at the data: one person changes the median by at most b = {b}.", b=number(b)
        )
    if stage == "test":
        return _tested(walked)
    if stage == "release":
        return _released(walked)
    return say("A(k): how much one person can change the median in any dataset within k people of this one.")


def _tested(walked: ProposalWalk) -> str:
    compared = {"noisy": walked.noisy, "threshold": walked.threshold}
    passed = say("The noisy distance {noisy} reaches the threshold {threshold}: the test passes.", **compared)
    failed = say("The noisy distance {noisy} is below the threshold {threshold}: the test fails.", **compared)
    by_chance = say("At distance 0 it would pass by chance, with a probability of {p}.", p=number(walked.by_chance, 2))
    return f"{passed if walked.noisy >= walked.threshold else failed} {by_chance}"


def _released(walked: ProposalWalk) -> str:
    """State the result, and how often one is released."""
    chance = percent(walked.proposed.chance)
    if walked.answer is None:
        return say("No result is released. With fresh noise, the chance of a result would be {chance}.", chance=chance)
    return say(
        "The chance of a result is {chance}. The result has noise of scale {scale}, for b instead "
        "of the worst dataset.",
        chance=chance,
        scale=number(walked.noise),
    )


def _ladder(walked: ProposalWalk, reached: int, b: float, key: str) -> None:
    """Draw A(k), the proposed bound, and the distance at which A(k) exceeds it."""
    ladder = walked.ladder
    most = int(walked.ladder.k[-1])
    figures.lines(
        ladder.k.tolist(),
        [Series(say("A(k)"), ladder.rungs.tolist(), PTR.key, at=ladder.k.size // 2)],
        (say("Distance k in people"), say("Change by one person, in years")),
        _words(walked, reached, b),
        key,
        _marks(walked, reached, b),
        [Handle(f"{key}-b", say("Bound b"), local.PROPOSALS, local.PROPOSALS, b, axis="y")] if reached else (),
        xaxis_range=[min(0, walked.noisy) - 1, most],
        yaxis_range=[0, max(1.15 * float(ladder.rungs[-1]), 1.15 * local.PROPOSALS[-1])],
    )


def _marks(walked: ProposalWalk, reached: int, b: float) -> Sequence[Mark]:
    """Return the bound once it is proposed, and both distances and the threshold once they are tested."""
    bound = [Mark(b, say("proposed b = {b}", b=number(b)), "truth", "dash", level=True)]
    tested = [
        Mark(walked.proposed.distance, say("distance D = {d}", d=walked.proposed.distance), "truth"),
        Mark(walked.threshold, say("threshold T = {t}", t=walked.threshold), "quiet", "dash"),
        Mark(walked.noisy, say("noisy distance {d}", d=walked.noisy), "result", "solid"),
    ]
    return [*(bound if reached >= 1 else ()), *(tested if reached >= 2 else ())]


def _words(walked: ProposalWalk, reached: int, b: float) -> str:
    if reached < 2:
        return say("The ladder A(k) rises with k. Nothing is tested yet.")
    return say(
        "The ladder A(k) exceeds the bound {b} at distance {d}. With noise the distance is {noisy}, and {t} is needed.",
        b=number(b),
        d=walked.proposed.distance,
        noisy=walked.noisy,
        t=walked.threshold,
    )


def _bell(walked: ProposalWalk, answer: float, key: str) -> None:
    """Draw the distribution of results that pass, the true value, and the released result."""
    x, height = local.bell(walked.law)
    figures.lines(
        x.tolist(),
        [Series(say("results that pass"), height.tolist(), PTR.key, at=-1, fill=True)],
        (say("Result"), say("Density")),
        say(
            "The result {answer} is one of those around the exact value {truth}.",
            answer=number(answer, 3),
            truth=walked.truth,
        ),
        key,
        [
            Mark(walked.truth, say("exact value {x}", x=number(walked.truth)), "truth"),
            Mark(answer, say("result {x}", x=number(answer, 3)), "result", "solid"),
        ],
    )


WALKED = Step(
    "test",
    Phrase("Propose-test-release"),
    Phrase(
        "Propose a bound b on one person's influence. Test privately how far this dataset is from "
        "breaking it. Release with noise for b, or release nothing. The figure shows the median "
        "age at ε = 1, half of which, ε₁, is for the test."
    ),
    Phrase("Find the smallest b that gives a result for 300 people in nine of ten runs. Why not raise δ instead?"),
    walk_controls,
    walk,
    GUESSES["test"],
    PAGES["test"],
    letters=LETTERS["test"],
    answer=ANSWERS["test"],
)
