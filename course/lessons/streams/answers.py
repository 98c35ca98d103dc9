"""Answers of lesson 8: what one sees on trying, with numbers of the laws that release."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.figures import percent
from discreet.course.lessons.streams import numbers
from discreet.course.lessons.streams.scales import error
from discreet.course.steps import Answer
from discreet.ui.frame.words import number

STEPS = range(1, 31)


def _stream() -> dict[str, str]:
    alarms = {days: percent(numbers.watched(days, 0.2, 100.0).early(numbers.NEAR), 1) for days in (30, 120)}
    return {"short": alarms[30], "long": alarms[120]}


def _local() -> dict[str, str]:
    people = 100_000
    both = numbers.surveyed(people, round(numbers.YES * people), 1.0)
    return {"local": error(both.local), "central": error(both.central), "times": number(both.ratio, 3)}


def _people() -> dict[str, str]:
    """Return how many match 300: to two digits, because sizes between those of the curve are interpolated."""
    return {"many": number(round(numbers.worth(300, numbers.YES, 1.0), -3))}


def _places() -> dict[str, str]:
    """Return the best number of steps, and by what factors ten times as many people lower each error."""
    errors = {steps: numbers.error("optimiser", 1000, 1.0, steps) for steps in STEPS}
    best = min(errors, key=errors.__getitem__)
    falls = {place: numbers.error(place, 100, 1.0) / numbers.error(place, 1000, 1.0) for place in numbers.PLACES}
    shown = {place: number(factor, 3) for place, factor in falls.items()}
    return shown | {"steps": str(best), "least": number(errors[best], 3)}


def _patience() -> dict[str, str]:
    return {"n": str(numbers.released_up_to(1.0))}


ANSWERS = {
    "stream": Answer(
        Phrase("The chance of a false alarm: {short} for 30 days, {long} for 120. The cost stays ε = 0.2."), _stream
    ),
    "local": Answer(
        Phrase("By a factor of {times}: the coins alone give {local}, and the noise of a curator {central}."), _local
    ),
    "people": Answer(
        Phrase("About {many}. Three times as many people with a curator need nine times as many without."), _people
    ),
    "places": Answer(
        Phrase(
            "{steps} steps, with an error of ± {least}. From n = 100 to 1,000 the errors fall by factors: *input* by "
            "{input}, *objective* by {objective}, *optimiser* (ten steps) by {optimiser}, *output* by {output}."
        ),
        _places,
    ),
    "patience": Answer(
        Phrase(
            "Up to {n} counts at ε = 1, by the margins in the figure. For more counts, watching has the smaller error."
        ),
        _patience,
    ),
}
