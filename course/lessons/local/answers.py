"""Answers of lesson 6: what one sees on trying, with numbers of the laws that release."""

from __future__ import annotations

import math

from discreet.budget import Cost, Phrase
from discreet.course.figures import percent
from discreet.course.lessons.local import numbers
from discreet.course.lessons.local.guesses import BOUND, OLD, PEOPLE, RANGE, TAIL, YOUNG
from discreet.course.steps import Answer
from discreet.queries.mean import Mean
from discreet.report.risk import best_guess, of_100
from discreet.ui.figures.push import CALLED
from discreet.ui.frame.words import number

FOUR = (*numbers.PUSHED, *[CALLED] * 4)  # after *Add person* was pressed four times; the last one is watched
FEW, MANY = 100, 10_000
NARROW = (20.0, 60.0)
MOSTLY = 0.9  # of the runs of a test


def _spy() -> dict[str, str]:
    odds = {way: numbers.watched(way, FOUR, len(FOUR) - 1, 1.0).odds for way in ("local", "smooth")}
    shown = {way: str(of_100(chance)) for way, chance in odds.items()}
    return shown | {"limit": str(of_100(best_guess(Cost.of(1))))}


def _attack() -> dict[str, str]:
    return {"few": number(numbers.known_after(FEW)), "many": number(numbers.known_after(MANY))}


def _jump() -> dict[str, str]:
    pairs = [numbers.jump(young, OLD, 1.0).sensitivities for young in (5, 2)]
    return {"low": number(min(map(min, pairs))), "high": number(min(map(max, pairs)))}


def _test() -> dict[str, str]:
    """Return the smallest bound that gives a result in nine of ten runs, and the next smaller one."""
    chances = {b: numbers.walk(PEOPLE, b, 1.0, 1).proposed.chance for b in numbers.PROPOSALS if b <= BOUND}
    b = min(b for b, chance in chances.items() if chance >= MOSTLY)
    less = max(other for other in chances if other < b)
    return {"b": number(b), "often": percent(chances[b], 1), "less": number(less), "seldom": percent(chances[less], 1)}


def _tent() -> dict[str, str]:
    before, after = (numbers.tent(young, OLD, TAIL) for young in (YOUNG, YOUNG - 1))
    return {
        "k": str(before.peak),
        "before": number(before.bound, 3),
        "after": number(after.bound, 3),
        "most": number(math.exp(1 / TAIL), 3),
    }


def _blocks() -> dict[str, str]:
    wide, narrow = (numbers.errors_by_blocks(Mean.name, *span) for span in (RANGE, NARROW))
    return {
        "k": str(numbers.best_blocks(Mean.name, *RANGE)),
        "error": number(min(wide), 2),
        "narrow": str(numbers.best_blocks(Mean.name, *NARROW)),
        "less": number(min(narrow), 2),
    }


ANSWERS = {
    "local": Answer(
        Phrase("Yes: {local} of 100, and ε = 1 allows fewer than {limit}. With *Smooth sensitivity* it is {smooth}."),
        _spy,
    ),
    "leak": Answer(
        Phrase(
            "No: {few} results are enough for n = 100, {many} for n = 10,000. ε changes nothing: it is "
            "known, and divides the scale of the noise for any n."
        ),
        _attack,
    ),
    "jump": Answer(
        Phrase(
            "At 5 and at 2: there one person changes the local sensitivity from {low} to {high} or "
            "more, and with it the noise. A guarantee must hold for every dataset, so also for "
            "these."
        ),
        _jump,
    ),
    "test": Answer(
        Phrase(
            "b = {b}: {often} of runs give a result, at b = {less} only {seldom}. A larger δ lowers T, but "
            "δ also limits how often a wrong bound passes."
        ),
        _test,
    ),
    "tent": Answer(
        Phrase(
            "At k = {k}. S does not jump: without one person around 40 it grows from {before} to {after}, by the "
            "factor e^β = {most}, the largest that one person can cause."
        ),
        _tent,
    ),
    "blocks": Answer(
        Phrase(
            "k = {k}, with an error of ± {error}. In the range from 20 to 60 the noise, (u − l)/(kε), is a third "
            "smaller for each k. The smallest error is ± {less}, at k = {narrow}, and hardly larger from 70 to 200."
        ),
        _blocks,
    ),
    "ways": Answer(
        Phrase(
            "*Propose-test-release* and *Sample and aggregate* need many people. A low bound "
            "gives no result of *Propose-test-release*, and a high one adds noise. The others "
            "stay as they are."
        )
    ),
}
