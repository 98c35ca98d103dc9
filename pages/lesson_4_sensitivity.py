"""Lesson 4: distance, how far one person moves a statistic, clipping, and three ways to a bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.budget import Phrase
from discreet.lab.lessons import sensitivity
from discreet.lab.lessons.sensitivity import Chosen
from discreet.mechanisms.histogram_bounds import HistogramBounds
from discreet.mechanisms.private_bounds import PrivateUpperBound
from discreet.queries import Bounds
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers

EPSILONS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
INSIDE: dict[str, Any] = {"showlegend": True, "legend": {"orientation": "h", "y": 0.99, "x": 0.02}}
SHOWN = 6  # bounds that have a bar of their own; the smaller ones share one
NEIGHBOURS = {
    "same": Phrase("equal"),
    "add": Phrase("add/remove"),
    "change": Phrase("change one"),
    "none": Phrase("neither"),
}
STATISTICS = {kind.name: Phrase(kind.label) for kind in (Count, Sum, Mean)}
UPPERS = range(60, 201, 10)
COLUMNS = {"capital_gain": Phrase("Capital gain"), "age": Phrase("Age")}
LIMITS = {
    "capital_gain": (100, 300, 1000, 3000, 6000, 10_000, 20_000, 50_000, 100_000),
    "age": (20, 30, 40, 50, 60, 70, 80, 90, 100),
}
USUAL = {"capital_gain": 50_000, "age": 60}
PEOPLE = 3000
PUBLIC = 10  # the number of people that change-one makes public
WAYS = {
    "look": Phrase("Look"),
    "widen": Phrase("Widen"),
    PrivateUpperBound.slug: Phrase("Sparse"),
    HistogramBounds.slug: Phrase("Bins"),
}
FIRM = 500
TOPS = (350_000, 450_000, 600_000, 800_000, 990_000)


def distance_controls(by: Controls) -> tuple[int, int, int]:
    """Choose what sets the second dataset apart: rows removed, rows added, one row changed."""
    removed = by.whole("removed", say("Rows removed"), 0, sensitivity.CHANGED, 0)
    added = by.whole("added", say("Rows added"), 0, len(sensitivity.ADDED), 0)
    ages = sensitivity.ages()
    return removed, added, int(by.pick("age", say("The person of 45 is now"), ages, 60))


def distance(settings: tuple[int, int, int], key: str) -> None:
    """Draw both datasets as how often every age occurs."""
    told = sensitivity.pair(*settings)
    numbers(
        {
            say("Only in the first"): str(told.only[0]),
            say("Only in the second"): str(told.only[1]),
            say("Distance"): str(told.distance),
            say("Neighbours by"): say(NEIGHBOURS[told.neighbours]),
        }
    )
    learn.bars(
        sensitivity.ages(),
        [
            Series(say("first dataset"), told.first.tolist(), "global"),
            Series(say("second dataset"), told.second.tolist(), "ptr"),
        ],
        (say("Age"), say("Rows")),
        say(
            "Two datasets of {first} and {second} ages at distance {distance}.",
            first=int(told.first.sum()),
            second=int(told.second.sum()),
            distance=told.distance,
        ),
        key,
        xaxis_dtick=sensitivity.STEP,
        yaxis_dtick=1,
        yaxis_range=[0, 4],
    )


def statistics_controls(by: Controls) -> tuple[str, int, int]:
    """Choose the statistic and its bounds."""
    name = by.choose("statistic", say("Statistic"), STATISTICS, "sum")
    lower = by.whole("lower", say("Lower bound l"), -100, 50, 20, 10)
    return name, lower, by.whole("upper", say("Upper bound u"), UPPERS[0], UPPERS[-1], 100, 10)


def statistics(settings: tuple[str, int, int], key: str) -> None:
    """Draw how far one person can move the statistic, against the upper bound."""
    name, lower, upper = settings
    added, changed = (
        [sensitivity.moved(name, Bounds(lower, u, integer=True), size) for u in UPPERS] for size in (None, PUBLIC)
    )
    here = UPPERS.index(upper)
    endless = sensitivity.unlimited(name, lower)
    numbers(
        {
            say("Add or remove one"): number(added[here]),
            say("Change one of {n}", n=PUBLIC): number(changed[here]),
            say("Without a bound"): say("no limit") if endless else number(added[here]),
        }
    )
    learn.lines(
        list(UPPERS),
        [
            Series(say("add or remove one"), added, "global", at=-1),
            Series(say("change one"), changed, "ptr", "dash", at=-1),
        ],
        (say("Upper bound u"), say("One person can move it by")),
        say(
            "One person who comes or goes moves it by {added} at most, one who changes by "
            "{changed}, if the upper bound is {upper}.",
            added=number(added[here]),
            changed=number(changed[here]),
            upper=upper,
        ),
        key,
        [Mark(upper, say("u = {u}", u=upper))],
        yaxis_range=[0, 1.3 * max(*added, *changed)],
        xaxis_dtick=20,
        **INSIDE,
    )


def clipping_controls(by: Controls) -> tuple[str, float, int]:
    """Choose the column, its upper bound and epsilon."""
    column = by.choose("column", say("Column of the census"), COLUMNS)
    upper = int(
        by.pick(f"upper-{column}", say("Upper bound u"), LIMITS[column], USUAL[column])
    )  # a scale for each column, so that each keeps its own place
    return column, by.pick("epsilon", say("ε"), EPSILONS, 0.1), upper


def clipping(settings: tuple[str, float, int], key: str) -> None:
    """Draw what clipping takes and what noise adds, against the bound."""
    column, epsilon, upper = settings
    told = sensitivity.clipping(column, PEOPLE, epsilon)
    here = sensitivity.clipped(column, PEOPLE, epsilon, upper)
    both = told.bias + told.noise
    best = float(told.bounds[int(np.argmin(both))])
    numbers(
        {
            say("Clipped away"): f"{here.bias:.1%}",
            say("Noise, 19 in 20"): f"± {here.noise:.1%}",
            say("Together"): f"{here.bias + here.noise:.1%}",
            say("Best of {n} bounds", n=both.size): number(best, 3),
        }
    )
    learn.lines(
        told.bounds.tolist(),
        [
            Series(say("clipped away"), told.bias.tolist(), "exhibit", "dot", at=-1),
            Series(say("noise"), told.noise.tolist(), "global", "dash", at=-1),
            Series(say("both"), both.tolist(), "truth", at=-1),
        ],
        (say("Upper bound u (logarithmic)"), say("Share of the exact sum")),
        say(
            "With the bound {u} clipping takes {bias} of the sum and noise moves it by {noise}; {best} is best.",
            u=number(upper),
            bias=f"{here.bias:.1%}",
            noise=f"{here.noise:.1%}",
            best=number(best, 3),
        ),
        key,
        [Mark(upper, say("u = {u}", u=number(upper)))],
        xaxis_type="log",
        yaxis_range=[0, 1.5],
        yaxis_tickformat=".0%",
        xaxis_dtick=1,
        xaxis_tickformat=",",
        **INSIDE,
    )


def bounds_controls(by: Controls) -> tuple[str, int, float]:
    """Choose the way to a bound, the highest income and epsilon."""
    way = by.choose("way", say("Way"), WAYS)
    top = int(by.pick("top", say("Highest income"), TOPS, 600_000))
    return way, top, by.pick("epsilon", say("ε of each question"), EPSILONS, 0.5)


def bounds(settings: tuple[str, int, float], key: str) -> None:
    """Draw the chances of the bound with and without the person who earns most."""
    way, top, epsilon = settings
    with_, without = (sensitivity.chosen(way, FIRM, one, epsilon) for one in (top, None))
    found = with_.likeliest
    numbers(
        {
            say("Likeliest bound"): number(found),
            say("Incomes above"): str(sensitivity.above(sensitivity.firm(FIRM, top), found)),
            say("Mean cost, ε") if way == "widen" else say("Cost, ε"): number(with_.average, 3)
            if with_.average < np.inf
            else "∞",
            say("Guess right"): f"≤ {with_.guess:.0%}" if way != "look" else "100%",
        }
    )
    labels, shares = _bars(with_, without)
    learn.bars(
        labels,
        [Series(say("with the highest income"), shares[0], "ptr"), Series(say("without"), shares[1], "global")],
        (say("Upper bound that is chosen"), say("Chance")),
        say(
            "The bound is {bound} with a chance of {chance}; a guess whether the person with the "
            "highest income is in the data is right {guess} of the time at most.",
            bound=number(found),
            chance=f"{with_.chances.max():.0%}",
            guess=f"{with_.guess:.0%}",
        ),
        key,
        xaxis_type="category",
        yaxis_range=[0, 1.05],
        yaxis_tickformat=".0%",
    )


def _bars(with_: Chosen, without: Chosen) -> tuple[list[str], list[list[float]]]:
    """Return a label for each of the largest bounds, one for all others, and both chances."""
    points = np.union1d(with_.points, without.points)
    cut = max(points.size - SHOWN, 0)
    shares = []
    for one in (with_, without):
        chances = np.zeros(points.size)
        chances[np.searchsorted(points, one.points)] = one.chances
        shares.append([*([float(chances[:cut].sum())] if cut else []), *chances[cut:].tolist()])
    labels = [number(float(point)) for point in points[cut:]]
    return [*([say("less")] if cut else []), *labels], shares


lesson(
    "lesson_4_sensitivity",
    {
        "distance": Step(
            Phrase("Distance"),
            Phrase(
                "How far apart are two datasets? Count the rows that are in one but not in the "
                "other. A row that comes or goes is distance 1; a row that changes goes **and** "
                "comes, so it is distance 2."
            ),
            Phrase("Change the age as far as you can: does the distance grow? Then remove a row too."),
            distance_controls,
            distance,
        ),
        "statistics": Step(
            Phrase("Three statistics"),
            Phrase(
                "Sensitivity is the most that one person can move the answer, whatever the data. "
                "If a person comes or goes, n is secret. If one changes, n = 10 is public."
            ),
            Phrase("Which of the three needs no upper bound? Set l to −100: what moves the sum?"),
            statistics_controls,
            statistics,
        ),
        "clipping": Step(
            Phrase("Clipping"),
            Phrase(
                "The sum of 3,000 people; values above u count as u. A low bound takes from the "
                "sum, always the same way: **bias**. A high bound needs more **noise**."
            ),
            Phrase("Raise ε: does the best bound rise or fall? Why is age different?"),
            clipping_controls,
            clipping,
        ),
        "bounds": Step(
            Phrase("Choosing bounds"),
            Phrase(
                "Bounds for 500 incomes. **Look** takes the maximum. **Widen** doubles a bound "
                "until a noisy count above it is small, and pays for each look. **Sparse** does "
                "so for one ε. **Bins** keeps full histogram bins."
            ),
            Phrase("Move the highest income: which way tells it? What does widening cost?"),
            bounds_controls,
            bounds,
        ),
    },
)
