"""Stretching: how far x, n x and x² move when x moves by 1."""

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

SHAPES = {"square": Phrase("x²"), "x": Phrase("x"), "nx": Phrase("n x")}
PLACES = range(sensitivity.TOP)


def functions_controls(by: Controls) -> tuple[str, int, int]:
    """Choose the function, x, and n."""
    name = by.choose("f", say("f(x)"), SHAPES)
    x = by.whole("x", say("x, which changes by 1"), 0, sensitivity.TOP - 1, 50)
    return name, x, by.whole("n", say("n"), 1, 20, 3) if name == "nx" else 1


def stretched(settings: tuple[str, int, int], key: str) -> None:
    """Draw the function, and its move from x to x + 1."""
    name, x, n = settings
    moved = sensitivity.moved_by_one(name, x, n)
    most = sensitivity.most(name, n)
    numbers(
        {
            say("f(x)"): number(sensitivity.value(name, x, n)),
            say("Change of f"): number(moved),
            say("Sensitivity for x up to {top}", top=sensitivity.TOP): number(most),
            say("Without a bound"): say("no limit") if sensitivity.unbounded(name, n) else number(most),
        }
    )
    words = say("f changes by {moved} from x = {x} to {next}.", moved=number(moved), x=x, next=x + 1)
    _figure(name, x, n, words, key)


def _figure(name: str, x: int, n: int, words: str, key: str) -> None:
    """Draw the function, with x and its move."""
    low = sensitivity.value(name, x, n)
    high = sensitivity.value(name, x + 1, n)
    figures.lines(
        list(range(sensitivity.TOP + 1)),
        [Series("f", [sensitivity.value(name, at, n) for at in range(sensitivity.TOP + 1)], "truth", at=-1)],
        ("x", "f(x)"),
        words,
        key,
        [
            Mark(x, f"x = {x}", "with"),
            Mark(low, "", "quiet", level=True),
            Mark(high, say("one step further"), "quiet", level=True),
        ],
        [Handle(f"{key}-x", say("x, which changes by 1"), PLACES, PLACES, x, beside=low)],
    )


STRETCHING = Step(
    "functions",
    Phrase("Three functions"),
    Phrase(
        "A number x may change by 1. f(x) = x changes by 1 and f(x) = n x by n, for any x. f(x) = "
        "x² changes more, the larger x is: without a bound on x it has no sensitivity."
    ),
    Phrase("Increase x: how much does x² change at 10, at 50, at the bound? Does n x depend on x?"),
    functions_controls,
    stretched,
    GUESSES["functions"],
    PAGES["functions"],
    letters=LETTERS["functions"],
    part_of="statistics",
    answer=ANSWERS["functions"],
)
