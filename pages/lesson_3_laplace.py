"""Lesson 3: the density of Laplace noise, a noisy count, and the ratio that is the definition."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.lab.lessons import differencing, laplace
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers

EPSILONS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
DRAWS = 1000
BARS = 41
REACH = 20
ROUNDING = 1e-12  # what doubles cannot tell from 0


def scales_controls(by: Controls) -> tuple[float, float]:
    """Choose how far one person can move the answer, and epsilon."""
    moved = by.pick("moved", say("One person moves it by"), (0.5, 1.0, 2.0, 5.0, 10.0), 1.0)
    return moved, by.pick("epsilon", say("ε"), EPSILONS, 0.5)


def scales(settings: tuple[float, float], key: str) -> None:
    """Draw the density for the scale that is chosen, and for half and twice of it."""
    moved, epsilon = settings
    law = laplace.noise(moved, epsilon)
    numbers(
        {
            say("Scale b"): number(law.scale),
            say("Half of all within"): f"± {number(laplace.half_width(law, 0.5))}",
            say("19 in 20 within"): f"± {number(laplace.half_width(law))}",
        }
    )
    x = np.linspace(-REACH, REACH, laplace.POINTS)
    told = [
        Series(
            say("b = {b}", b=number(times * law.scale)),
            laplace.density(laplace.noise(moved * times, epsilon), x).tolist(),
            "global" if times == 1 else "quiet",
            "solid" if times == 1 else dash,
            at=100,
            fill=times == 1,
        )
        for times, dash in ((0.5, "dot"), (1.0, "solid"), (2.0, "dash"))
    ]
    learn.lines(
        x.tolist(),
        told,
        (say("Noise"), say("Density")),
        say(
            "Laplace densities of scale {b}, half and twice of it: 19 of 20 draws lie within {width}.",
            b=number(law.scale),
            width=number(laplace.half_width(law)),
        ),
        key,
        xaxis_range=[-REACH, REACH],
    )


def count_controls(by: Controls) -> tuple[int, float, int]:
    """Choose the question, epsilon and a draw."""
    least = by.whole("age", say("People aged at least"), 17, 90, 40)
    return least, by.pick("epsilon", say("ε"), EPSILONS, 0.1), by.draw()


def count(settings: tuple[int, float, int], key: str) -> None:
    """Draw a thousand noisy answers of one count, and the first of them."""
    least, epsilon, seed = settings
    truth = laplace.aged(least)
    told = laplace.answers(truth, epsilon, DRAWS, seed)
    width = float(differencing.law(0, epsilon).quantile(0.975))
    numbers(
        {
            say("Exact count"): number(truth),
            say("Noisy answer"): number(int(told[0])),
            say("Its error"): f"{abs(told[0] - truth) / max(truth, 1):.2%}",
            say("19 in 20 within"): f"± {number(width)}",
        }
    )
    edges = np.linspace(-3 * width - 0.5, 3 * width + 0.5, BARS + 1)
    found, _ = np.histogram(told - truth, edges)
    middles = truth + (edges[:-1] + edges[1:]) / 2
    learn.bars(
        middles.tolist(),
        [Series(say("answers"), found.tolist(), "global")],
        (say("Noisy answer"), say("Answers of 1,000")),
        say(
            "A thousand noisy answers around the exact count {truth}; 19 in 20 are within {width}.",
            truth=truth,
            width=number(width),
        ),
        key,
        [Mark(truth, say("truth {x}", x=number(truth)), "truth", "solid"), Mark(float(told[0]), "", "ptr")],
        bargap=0.05,
        xaxis_tickformat=",",
    )


SHOWN = {"chances": Phrase("Chances"), "ratio": Phrase("Their ratio")}


def ratio_controls(by: Controls) -> tuple[float, str]:
    """Choose epsilon, and whether chances or their ratio are drawn."""
    return (by.pick("epsilon", say("ε"), EPSILONS, 0.5), by.choose("show", say("Show"), SHOWN))


def ratio(settings: tuple[float, str], key: str) -> None:
    """Draw the answers of two neighbours, or how much likelier each is on one of them."""
    epsilon, shown = settings
    truth = laplace.aged(40)
    told = laplace.neighbours(truth, epsilon, epsilon)
    numbers(
        {
            say("Largest ratio"): number(float(np.exp(told.loss))),
            say("e to the ε"): number(float(np.exp(epsilon))),
            say("δ at this ε"): number(told.delta, 2) if told.delta > ROUNDING else "0",
        }
    )
    x, axis = told.answers.tolist(), say("Noisy answer")
    if shown == "chances":
        learn.bars(
            x,
            [
                Series(say("with the person"), told.with_.tolist(), "global"),
                Series(say("without"), told.without.tolist(), "ptr"),
            ],
            (axis, say("Chance")),
            say("Chances of every answer with {n} people and with one less.", n=truth),
            key,
            yaxis_tickformat=".0%",
            xaxis_tickformat=",",
        )
        return
    limit = float(np.exp(epsilon))
    learn.lines(
        x,
        [Series(say("with / without"), told.ratio.tolist(), "global", at=-1)],
        (axis, say("Ratio of the chances (logarithmic)")),
        say(
            "The ratio of the chances never leaves the band from {low} to {high}.",
            low=number(1 / limit),
            high=number(limit),
        ),
        key,
        [
            Mark(limit, say("e^ε = {x}", x=number(limit)), "ptr", level=True),
            Mark(1 / limit, say("e^−ε = {x}", x=number(1 / limit)), "ptr", level=True),
        ],
        yaxis_type="log",
        yaxis_range=[-1.4, 1.4],
        xaxis_tickformat=",",
    )


lesson(
    "lesson_3_laplace",
    {
        "scales": Step(
            Phrase("The noise"),
            Phrase(
                "Laplace noise falls by the same factor with every step away from 0. Its scale is "
                "b = (what one person can move) / ε, and nothing else."
            ),
            Phrase("Halve ε, then double what a person moves: the same curve? Why?"),
            scales_controls,
            scales,
        ),
        "count": Step(
            Phrase("Counting people"),
            Phrase(
                "How many people of the census are 40 or older? One person moves a count by 1, so "
                "the noise is the same for 10 people and for 10,000: large counts hardly feel it."
            ),
            Phrase("Ask for 85 and older at ε = 0.05. When is an answer worth its budget?"),
            count_controls,
            count,
        ),
        "ratio": Step(
            Phrase("Two neighbours"),
            Phrase(
                "The same question on two datasets that differ by one person. Every answer is at "
                "most e^ε times likelier on one than on the other. That is ε-differential privacy."
            ),
            Phrase("Show the ratio and move ε: it touches both limits and never passes them."),
            ratio_controls,
            ratio,
        ),
    },
)
