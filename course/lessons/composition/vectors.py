"""Vectors: many counts together, with sensitivity measured in the L1 or L2 norm."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import LISTED, Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.composition import numbers as composition
from discreet.course.lessons.composition.answers import ANSWERS
from discreet.course.lessons.composition.book import PAGES
from discreet.course.lessons.composition.dials import DELTAS
from discreet.course.lessons.composition.guesses import GUESSES
from discreet.course.lessons.composition.letters import LETTERS
from discreet.course.lessons.composition.numbers import MANY
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

PLACES = {"every": Phrase("in every count"), "one": Phrase("in one count only")}


def noise_controls(by: Controls) -> tuple[str, float, float, int]:
    """Choose whether a person is in every count, the total epsilon and delta, and the number of counts."""
    return (
        by.choose("person", say("Each person is"), PLACES),
        by.pick("epsilon", say("Total ε"), (0.1, 0.2, 0.5, 1.0, 2.0, 3.0), 1.0),
        by.pick("delta", say("Total δ (Gaussian only)"), DELTAS, 1e-6),
        by.whole("counts", say("Counts k"), 1, MANY, 30),
    )


def noise(settings: tuple[str, float, float, int], key: str) -> None:
    """Draw the error of each count against their number, under both kinds of noise."""
    place, epsilon, delta, counts = settings
    everywhere = place == "every"
    mine = composition.at_once(counts, everywhere, epsilon, delta)
    laplace = number(mine.laplace, 3)
    gaussian = number(mine.gaussian, 3)
    numbers(
        {
            say("L1 sensitivity"): number(mine.l1, 3),
            say("L2 sensitivity"): number(mine.l2, 3),
            say("Laplace margin of error"): f"± {laplace}",
            say("Gaussian margin of error"): f"± {gaussian}",
        }
    )
    words = say(
        "With {k} counts, the margin of error (95%) is {laplace} under Laplace noise and "
        "{gaussian} under Gaussian noise.",
        k=counts,
        laplace=laplace,
        gaussian=gaussian,
    )
    _figure(composition.widths(everywhere, epsilon, delta), counts, words, key)


def _figure(widths: Sequence[composition.Errors], counts: int, words: str, key: str) -> None:
    """Draw both errors, and mark the number from which Gaussian noise is smaller."""
    start = composition.narrower_from(widths)
    marks = [Mark(counts, "", "truth")]
    if start is not None:
        marks.append(Mark(start, say("Gaussian is better from {k}", k=start), "blocks"))
    figures.lines(
        range(1, MANY + 1),
        [
            Series(say("Laplace"), [width.laplace for width in widths], "global", at=-1),
            Series(say("Gaussian"), [width.gaussian for width in widths], "blocks", at=-1),
            Series(say("Gaussian, textbook's σ (ε < 1)"), [width.printed for width in widths], "quiet", "dash", at=-1),
        ],
        (say("Counts k"), say("Margin of error (95%)")),
        words,
        key,
        marks,
        [Handle(f"{key}-counts", say("Counts k"), range(1, MANY + 1), range(1, MANY + 1), counts)],
        xaxis_range=[0, MANY + 1],
        yaxis_rangemode="tozero",
        **LISTED,
    )


VECTORS = Step(
    "noise",
    Phrase("Many counts"),
    Phrase(
        "One person changes k counts by k in the L1 norm, but by √k in L2. Laplace noise scales with L1, "
        "Gaussian noise with L2, at the price of δ."
    ),
    Phrase("Count each person in one count only: which noise is smaller?"),
    noise_controls,
    noise,
    GUESSES["noise"],
    PAGES["noise"],
    letters=LETTERS["noise"],
    answer=ANSWERS["noise"],
)
