"""Dividing: a mean as a noisy sum over a noisy count, and how to share the budget between the two."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.sensitivity import numbers as sensitivity
from discreet.course.lessons.sensitivity.answers import ANSWERS
from discreet.course.lessons.sensitivity.book import PAGES
from discreet.course.lessons.sensitivity.guesses import GUESSES
from discreet.course.lessons.sensitivity.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

EPSILONS = (0.2, 0.5, 1.0, 2.0, 5.0)


def mean_controls(by: Controls) -> tuple[int, float, int]:
    """Choose the share of the sum, the total epsilon, and how many people there are."""
    share = int(by.pick("share", say("Share of ε for the sum, in percent"), sensitivity.PERCENT, 50))
    epsilon = by.pick("epsilon", say("Total ε"), EPSILONS, 1.0)
    return share, epsilon, int(by.pick("people", say("People n"), (100, 300, 1000, 3000), 300))


def mean(settings: tuple[int, float, int], key: str) -> None:
    """Draw the error of the mean against the share of the sum."""
    share, epsilon, people = settings
    places = sensitivity.PERCENT
    errors = [sensitivity.mean_error(each / 100, epsilon, people) for each in places]
    here = number(errors[places.index(share)], 3)
    numbers(
        {
            say("ε of the sum"): number(epsilon * share / 100),
            say("ε of the count"): number(epsilon * (100 - share) / 100),
            say("ε of the mean"): number(epsilon),
            say("Margin of error (95%)"): f"± {here}",
        }
    )
    figures.lines(
        list(places),
        [Series(say("mean age"), errors, "global", at=-1)],
        (say("Share of ε for the sum, in percent"), say("Margin of error (95%)")),
        say("With {share}% of ε for the sum, the mean age is off by {error} years.", share=share, error=here),
        key,
        [Mark(share, f"± {here}", "truth")],
        [
            Handle(
                f"{key}-share",
                say("Share of ε for the sum, in percent"),
                sensitivity.PERCENT,
                sensitivity.PERCENT,
                share,
            )
        ],
        xaxis_range=[0, 100],
        yaxis_range=[0, 1.15 * max(errors)],
    )


DIVIDING = Step(
    "mean",
    Phrase("A mean is a sum over a count"),
    Phrase(
        "A noisy sum and a noisy count are two results about the same people. Their ratio is computed from results "
        "alone, so the division costs nothing. Ages are from 0 to 100: one person changes the sum by up to 100."
    ),
    Phrase("Move the share: where is the error smallest? Does the best share depend on n?"),
    mean_controls,
    mean,
    GUESSES["mean"],
    PAGES["mean"],
    letters=LETTERS["mean"],
    answer=ANSWERS["mean"],
)
