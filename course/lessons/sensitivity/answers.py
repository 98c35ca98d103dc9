"""Answers of lesson 4: what one sees on trying, with numbers of the queries and laws that release."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from discreet.budget import Phrase
from discreet.course.figures import percent
from discreet.course.lessons.sensitivity import numbers
from discreet.course.lessons.sensitivity.bounds import FIRM, PEOPLE
from discreet.course.steps import Answer
from discreet.queries import Bounds
from discreet.queries.sum import Sum
from discreet.ui.frame.words import number

LOW, HIGH, PUBLIC = -100, 100, 10  # bounds of a sum, and the public number of people
CROWD = 300
EPSILON = 0.5  # of a look at incomes


def _distance() -> dict[str, str]:
    return {"changed": str(numbers.pair(0, 0, 60).distance), "both": str(numbers.pair(1, 0, 60).distance)}


def _statistics() -> dict[str, str]:
    inside = Bounds(LOW, HIGH, integer=True)
    added, changed = (numbers.moved(Sum.name, inside, size) for size in (None, PUBLIC))
    return {"added": number(added), "changed": number(changed)}


def _functions() -> dict[str, str]:
    places = {"ten": 10, "fifty": 50, "top": numbers.TOP - 1}
    return {name: number(numbers.moved_by_one("square", x, 1)) for name, x in places.items()}


def _mean() -> dict[str, str]:
    errors = {share: numbers.mean_error(share / 100, 1.0, CROWD) for share in numbers.PERCENT}
    best = min(errors, key=errors.__getitem__)
    return {"share": str(best), "least": number(errors[best], 3), "half": number(errors[50], 3)}


@lru_cache(maxsize=8)
def _best_bound(column: str, epsilon: float) -> float:
    curve = numbers.clipping(numbers.people(column, PEOPLE), epsilon)
    return float(curve.bounds[int(np.argmin(curve.bias + curve.noise))])


def _clipping() -> dict[str, str]:
    """Return the best bounds of capital gains, and the mean of two columns as a share of their best bounds."""
    bounds = {f"at{place}": number(_best_bound("capital_gain", epsilon), 3) for place, epsilon in ((0, 0.1), (1, 1.0))}
    means = {column: numbers.total(numbers.people(column, PEOPLE)) / PEOPLE for column in ("age", "wealth")}
    return bounds | {column: percent(mean / _best_bound(column, 0.1)) for column, mean in means.items()}


def _bounds() -> dict[str, str]:
    widened = numbers.chosen("widen", FIRM, 600_000, EPSILON)
    return {"average": number(widened.average, 3), "most": number(widened.most)}


ANSWERS = {
    "distance": Answer(
        Phrase(
            "No: it is {changed} for every other age. With another row removed as well it is "
            "{both}, or 1 if the new age is that of the removed row."
        ),
        _distance,
    ),
    "statistics": Answer(
        Phrase(
            "The count: one person changes it by at most 1. With u = 100, an added or removed person changes "
            "the sum by at most {added}, as at l = 20. A changed person changes it by at most {changed}."
        ),
        _statistics,
    ),
    "functions": Answer(
        Phrase("By {ten}, by {fifty}, and by {top} from 99 to 100: it is 2x + 1. No, n x changes by n at every x."),
        _functions,
    ),
    "mean": Answer(
        Phrase(
            "At {share}%: for 300 people the error is ± {least}, and ± {half} at 50%. No: at ε = 1 it is the "
            "best of these shares for each n."
        ),
        _mean,
    ),
    "clipping": Answer(
        Phrase(
            "It rises, for capital gains from {at0} to {at1} at ε = 1: noise shrinks, and bias does not. The mean age "
            "is {age} of its best bound, the mean wealth {wealth}: so noise is a larger share of the sum of wealth."
        ),
        _clipping,
    ),
    "bounds": Answer(
        Phrase(
            "*Look* does: its bound is her income. *Widen* costs {average} on average at ε = 0.5 for each look, "
            "and {most} at most."
        ),
        _bounds,
    ),
}
