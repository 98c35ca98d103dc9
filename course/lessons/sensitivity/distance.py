"""Distance: the number of rows in which two datasets differ."""

from __future__ import annotations

from typing import Any

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Face, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.sensitivity import numbers as sensitivity
from discreet.course.lessons.sensitivity.answers import ANSWERS
from discreet.course.lessons.sensitivity.book import PAGES
from discreet.course.lessons.sensitivity.guesses import GUESSES
from discreet.course.lessons.sensitivity.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.people import MIA
from discreet.ui.frame.words import say

NEIGHBOURS = {
    "same": Phrase("equal"),
    "add": Phrase("add/remove"),
    "change": Phrase("change one"),
    "none": Phrase("neither"),
}
ROWS: dict[str, Any] = {"xaxis_dtick": sensitivity.STEP, "yaxis_dtick": 1, "yaxis_range": [0, 4]}
GAP = 0.05  # between a bar and her


def distance_controls(by: Controls) -> tuple[int, int, int]:
    """Choose the difference of the second dataset: rows removed, rows added, one row changed."""
    removed = by.whole("removed", say("Rows removed"), 0, sensitivity.CHANGED, 0)
    added = by.whole("added", say("Rows added"), 0, len(sensitivity.ADDED), 0)
    ages = sensitivity.ages()
    return removed, added, int(by.pick("age", say("New age of Mia, 45"), ages, 60))


def distance(settings: tuple[int, int, int], key: str) -> None:
    """Draw both datasets as histograms of ages."""
    pair = sensitivity.pair(*settings)
    numbers(_apart(pair))
    figures.bars(
        sensitivity.ages(),
        [
            Series(say("first dataset"), pair.first.tolist(), "global"),
            Series(say("second dataset"), pair.second.tolist(), "blocks"),
        ],
        (say("Age"), say("Rows")),
        _words(pair),
        key,
        _mia(settings[-1], pair),
        grips=[_grip(settings[-1], key)],
        **ROWS,
    )


def _apart(pair: sensitivity.TwoDatasets) -> dict[str, str]:
    """Return the number of different rows, and under which relation the datasets are neighbours."""
    return {
        say("Only in the first"): str(pair.only[0]),
        say("Only in the second"): str(pair.only[1]),
        say("Distance"): str(pair.distance),
        say("Neighbour relation"): say(NEIGHBOURS[pair.neighbours]),
    }


def _mia(age: int, pair: sensitivity.TwoDatasets) -> list[Face]:
    """Return Mia where she is in the second dataset, and her empty place if her age changed."""
    before = sensitivity.FIRST[sensitivity.CHANGED]
    there, here = (float(max(pair.first[at], pair.second[at])) for at in map(sensitivity.ages().index, (before, age)))
    place = [Face(MIA, before, there + GAP, "global", gone=True)] if age != before else []
    return [*place, Face(MIA, age, here + GAP, "blocks")]


def _grip(age: int, key: str) -> Handle:
    """Return the handle of the person whose age can be changed."""
    return Handle(f"{key}-age", say("New age of Mia, 45"), sensitivity.ages(), sensitivity.ages(), age)


def _words(pair: sensitivity.TwoDatasets) -> str:
    return say(
        "Two datasets of {first} and {second} ages at distance {distance}.",
        first=int(pair.first.sum()),
        second=int(pair.second.sum()),
        distance=pair.distance,
    )


DISTANCE = Step(
    "distance",
    Phrase("Distance"),
    Phrase(
        "How far apart are two datasets? Count the rows that are in one but not in the other. "
        "Adding or removing a row is distance 1. Changing a row removes one **and** adds one, so "
        "it is distance 2."
    ),
    Phrase("Change the age as much as you can: does the distance grow? Next, remove a row as well."),
    distance_controls,
    distance,
    GUESSES["distance"],
    PAGES["distance"],
    letters=LETTERS["distance"],
    answer=ANSWERS["distance"],
)
