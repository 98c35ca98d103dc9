"""Tossing: two coins as two distributions; divergence is not symmetric."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Series
from discreet.course.lesson import numbers
from discreet.course.lessons.composition.answers import ANSWERS
from discreet.course.lessons.composition.book import PAGES
from discreet.course.lessons.composition.guesses import GUESSES
from discreet.course.lessons.composition.letters import LETTERS
from discreet.course.lessons.composition.numbers import Coins
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

LOW = 0.01
HIGH = 0.99
BY = 0.01
CHANCES = [place / 100 for place in range(1, 100)]


def coins_controls(by: Controls) -> Coins:
    """Choose the probability of heads of each coin."""
    p = by.slider("p", say("Chance of heads, P"), LOW, HIGH, 0.5, BY)
    return Coins(p, by.slider("q", say("Chance of heads, Q"), LOW, HIGH, 0.99, BY))


def coins(both: Coins, key: str) -> None:
    """Draw both distributions, with the divergence in both directions."""
    there = number(both.there, 3)
    back = number(both.back, 3)
    numbers({say("KL(P‖Q)"): there, say("KL(Q‖P)"): back, say("Max divergence"): number(both.most, 3)})
    figures.bars(
        [say("heads"), say("tails")],
        [Series("P", [both.p, 1 - both.p], "with"), Series("Q", [both.q, 1 - both.q], "without")],
        ("", say("Probability")),
        say("Two coins. KL(P‖Q) is {there}, KL(Q‖P) is {back}.", there=there, back=back),
        key,
        text=".0%",
        grips=[
            _grip(key, "p", say("Chance of heads, P"), both.p, -0.1),
            _grip(key, "q", say("Chance of heads, Q"), both.q, 0.1),
        ],
        yaxis_range=[0, 1.1],
        yaxis_tickformat=".0%",
    )


def _grip(key: str, name: str, label: str, value: float, shift: float) -> Handle:
    """Return the handle at the top of the bar of heads."""
    texts = [f"{place:.0%}" for place in CHANCES]
    nearest = min(CHANCES, key=lambda place: abs(place - value))
    return Handle(f"{key}-{name}", label, CHANCES, CHANCES, nearest, texts, "y", 0, shift)


TOSSING = Step(
    "coins",
    Phrase("Two coins"),
    Phrase(
        "KL(P‖Q) is the average loss over outcomes of P, KL(Q‖P) over outcomes of Q. They differ: "
        "an outcome that is frequent under P and rare under Q has much weight in one, and almost "
        "none in the other."
    ),
    Phrase(
        "Find two different coins for which the two values agree. Next, make one of the values as large as you can."
    ),
    coins_controls,
    coins,
    GUESSES["coins"],
    PAGES["coins"],
    letters=LETTERS["coins"],
    mathematical=True,
    answer=ANSWERS["coins"],
)
