"""Answers of lesson 9: what one sees on trying, with the exact guarantees of both versions."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.figures import percent
from discreet.course.lessons.mistakes import numbers
from discreet.course.steps import Answer
from discreet.ui.frame.words import number

ROWS = 32_561
TEN_YEARS = 3650


def _global() -> dict[str, str]:
    true = {u: numbers.global_mean(1.0, u).truth.epsilon for u in (75, 100)}
    return {"below": number(true[75], 3), "there": number(true[100], 3)}


def _local() -> dict[str, str]:
    needed = {people: numbers.local_mean(1.0, 0, people).exact("printed").delta for people in (40, 1000)}
    return {"few": number(needed[40], 2), "many": number(needed[1000], 2)}


def _test() -> dict[str, str]:
    """Return how often the test passes where the median jumps, under both thresholds."""
    case = numbers.tested(1.0, 1e-3, 0)
    passed = {form: 1 - case.laws(form)[0].refusal for form in ("printed", "corrected")}
    return {form: percent(share, 2) for form, share in passed.items()}


def _chunks() -> dict[str, str]:
    case = numbers.chunks(0.01, 600, 1)
    return {"delta": number(case.exact("printed").delta, 2), "epsilon": number(case.truth.epsilon)}


def _catastrophe() -> dict[str, str]:
    unlikely, inverse = (numbers.public_by(delta, TEN_YEARS) for delta in (1e-6, 1 / ROWS))
    return {"unlikely": percent(unlikely, 2), "inverse": percent(inverse)}


def _smooth() -> dict[str, str]:
    return {"times": number(1e-6 / numbers.smooth(1.0, 1e-6).truth.delta, 2)}


ANSWERS = {
    "global": Answer(
        Phrase(
            "From u = 100 on: a row at −100 changes the sum by 100, so by at most u. There ε is {there}, and "
            "{below} at u = 75."
        ),
        _global,
    ),
    "local": Answer(
        Phrase(
            "No: it needs δ = {few} with 40 people and {many} with 1,000. The scale still reveals n, so δ is never 0."
        ),
        _local,
    ),
    "test": Answer(
        Phrase(
            "In {printed} of runs, although δ = 0.1% is claimed: so often the test passes at a distance of 0. With "
            "the proven threshold it is {corrected}."
        ),
        _test,
    ),
    "chunks": Answer(
        Phrase("Not at all: it needs δ = {delta}. All 600 chunks change, so only ε = {epsilon} is guaranteed."), _chunks
    ),
    "catastrophe": Answer(
        Phrase(
            "δ = 10⁻⁶: all rows are public after ten years with a probability of {unlikely}. At δ = 1/n it is "
            "{inverse}."
        ),
        _catastrophe,
    ),
    "smooth": Answer(
        Phrase(
            "It is only careless: for any dataset, even a δ {times} times smaller than the claimed one is "
            "enough. At ε = 6 and δ = 0.1 it is wrong."
        ),
        _smooth,
    ),
}
