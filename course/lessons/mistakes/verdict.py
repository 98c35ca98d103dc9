"""Verdict: the exact guarantee of a claim, in one sentence."""

from __future__ import annotations

from discreet.course.lessons.mistakes import numbers
from discreet.course.lessons.mistakes.numbers import Case
from discreet.evidence.audit import ROUNDING
from discreet.mechanisms.exhibits.global_mean import TextbookGlobalMean, TextbookLocalMean
from discreet.ui.frame.words import number, say


def delta(case: Case, form: str) -> str:
    """Format the exact delta of one version."""
    return _small(case.exact(form).delta)


def _small(delta: float) -> str:
    return number(delta, 3) if delta > ROUNDING else "0"


def verdict(case: Case, form: str, refuted: bool) -> str:
    """State what the attack found, what is exactly true, and what holds over all datasets."""
    holds = case.exact(form).holds
    title = say(case.corrected.title)
    if refuted and holds:
        return say(
            "**False alarm:** the attack rejects a true claim in at most 1 of 100 runs. The exact δ "
            "confirms this claim."
        )
    if form == "corrected" and case.corrected.view.in_blocks:
        return say(
            "*{title}* satisfies the claim, here with the blocks of this run, and the attack finds nothing.",
            title=title,
        )
    if form == "corrected":
        return say("*{title}* satisfies the claim, and the attack finds nothing.", title=title)
    worth = _worth(case)
    if refuted:
        return say(
            "**Refuted** with 99% confidence, by {answers:,} results each. {worth}",
            answers=numbers.ANSWERS,
            worth=worth,
        )
    if holds:
        return say("**Satisfies its claim** on this pair. {worth}", worth=worth)
    return say(
        "The exact calculation shows that the claim is **false**, but {answers:,} results cannot show it. {worth}",
        answers=numbers.ANSWERS,
        worth=worth,
    )


def _worth(case: Case) -> str:
    """State what the published version guarantees, as far as the exhibit itself can compute it."""
    truth = case.truth
    epsilon = number(truth.epsilon, 3)
    delta = _small(truth.delta)
    if isinstance(case.printed, TextbookLocalMean):
        return say(
            "With {people} people, δ is {delta} at this ε. No ε makes it 0.", people=case.public.size_guess, delta=delta
        )
    if isinstance(case.printed, TextbookGlobalMean):
        return say("For these bounds it is ({epsilon}, {delta})-DP.", epsilon=epsilon, delta=delta)
    return say("For any dataset it is ({epsilon}, {delta})-DP.", epsilon=epsilon, delta=delta)
