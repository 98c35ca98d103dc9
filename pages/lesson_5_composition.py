"""Lesson 5: what many answers cost, by adding up and by better accounts."""

from __future__ import annotations

import math

import numpy as np

from discreet.budget import Phrase
from discreet.lab.lessons import composition, laplace
from discreet.lab.lessons.composition import COUNTS, GAUSSIAN, LAPLACE, MANY, MOST, PEOPLE
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers

DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
EPSILONS = (0.05, 0.1, 0.2, 0.5, 1.0)
ROUNDING = 1e-12  # what doubles cannot tell from 0
NOISES = {LAPLACE: Phrase("Laplace"), GAUSSIAN: Phrase("Gaussian")}
AROUND = np.linspace(PEOPLE - 10.5, PEOPLE + 9.5, 241)
LEGEND = {"orientation": "h", "y": -0.28, "yanchor": "top"}

WAYS = {"sum": Phrase("Many answers"), "after": Phrase("Rounded afterwards")}


def sequential_controls(by: Controls) -> tuple[str, float, int]:
    """Choose many answers or one that is rounded, epsilon, and how many or how roughly."""
    way = by.choose("show", say("Show"), WAYS)
    epsilon = by.pick("epsilon", say("ε of each answer"), EPSILONS, 0.1)
    if way == "sum":
        return way, epsilon, by.whole("answers", say("Answers k"), 1, 50, 10)
    return way, epsilon, int(by.pick("unit", say("Round to multiples of"), (1, 2, 5, 10, 20), 10))


def sequential(settings: tuple[str, float, int], key: str) -> None:
    """Draw what was charged beside the exact loss, or a rounded answer of two neighbours."""
    way, epsilon, size = settings
    (added if way == "sum" else rounded)(epsilon, size, key)


def added(epsilon: float, answers: int, key: str) -> None:
    """Draw what k answers cost if everybody is in all of them, or in one only."""
    all_, one = composition.everybody(answers, epsilon), composition.groups(answers, epsilon)
    numbers({say("Same people"): f"ε = {number(all_.charged)}", say("Separate groups"): f"ε = {number(one.charged)}"})
    learn.bars(
        [say("same people"), say("separate groups")],
        [
            Series(say("charged"), [all_.charged, one.charged], "quiet"),
            Series(say("exact loss"), [all_.exact, one.exact], "global"),
        ],
        ("", say("ε in all")),
        say(
            "{k} answers about the same people cost {all_}, one for each of {k} separate groups "
            "{one}; the exact losses are the same.",
            k=answers,
            all_=number(all_.charged),
            one=number(one.charged),
        ),
        key,
        text=".3~g",
        yaxis_rangemode="tozero",
    )


def rounded(epsilon: float, unit: int, key: str) -> None:
    """Draw the chances of a rounded count on two neighbours."""
    told = composition.afterwards(epsilon, unit)
    numbers(
        {
            say("Loss of the answer"): number(told.loss_before),
            say("Loss when rounded"): number(told.loss_after),
            say("δ at ε/2"): number(told.delta_before, 3),
            say("δ at ε/2, rounded"): number(told.delta_after, 3),
        }
    )
    learn.bars(
        told.answers.tolist(),
        [
            Series(say("with the person"), told.with_.tolist(), "global"),
            Series(say("without"), told.without.tolist(), "ptr"),
        ],
        (say("Rounded noisy count"), say("Chance")),
        say(
            "Chances of a count rounded to multiples of {unit}, with and without a person: the loss is {loss}.",
            unit=unit,
            loss=number(told.loss_after),
        ),
        key,
        yaxis_tickformat=".0%",
        xaxis_range=[PEOPLE - 45, PEOPLE + 45],
    )


PICTURES = {"densities": Phrase("Two densities"), "loss": Phrase("Privacy loss")}


def divergences_controls(by: Controls) -> tuple[str, str, float, float]:
    """Choose the picture, the noise, its scale, and the epsilon that is claimed."""
    return (
        by.choose("show", say("Show"), PICTURES),
        by.choose("noise", say("Noise"), NOISES),
        by.pick("scale", say("Scale b or σ"), (0.5, 1.0, 2.0, 3.0, 5.0), 2.0),
        by.pick("epsilon", say("Claimed ε"), (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0), 0.3),
    )


def divergences(settings: tuple[str, str, float, float], key: str) -> None:
    """Draw two output distributions, or the loss of every answer, with three divergences."""
    shown, noise, scale, epsilon = settings
    pair = composition.pair(noise, scale)
    delta = pair.delta(epsilon)
    told = number(delta, 3) if delta > ROUNDING else "0"
    kl, most = number(pair.kl, 3), number(pair.most, 3) if math.isfinite(pair.most) else "∞"
    numbers({say("KL divergence"): kl, say("Max divergence"): most, say("δ at claimed ε"): told})
    if shown == "loss":
        words = say("The loss of every answer: on average {kl}, at most {most}.", kl=kl, most=most)
        losses(pair, words, key)
        return
    p, q = (laplace.density(law, AROUND).tolist() for law in (pair.with_, pair.without))
    above = pair.excess(AROUND, epsilon).tolist()
    learn.lines(
        AROUND.tolist(),
        [
            Series(say("P, with the person"), p, "global", at=-1),
            Series(say("Q, without"), q, "ptr", at=-1),
            Series(say("P above e^ε Q: area δ"), above, "smooth", at=-1, fill=True),
        ],
        (say("Noisy count"), say("Density")),
        say("Two densities; the part of the first above e^ε times the second has area {delta}.", delta=told),
        key,
        yaxis_rangemode="tozero",
        xaxis_tickformat=",",
        showlegend=True,
        legend=LEGEND,
    )


def losses(pair: composition.Pair, words: str, key: str) -> None:
    """Draw the loss of every answer, its average and its largest value."""
    told = pair.losses(AROUND)
    top = 1.25 * float(told.max())
    marks = [Mark(pair.kl, say("average: KL"), "smooth", level=True)]
    if math.isfinite(pair.most):
        marks.append(Mark(pair.most, say("largest: max divergence"), "ptr", level=True))
    learn.lines(
        AROUND.tolist(),
        [Series(say("loss"), told.tolist(), "global", at=-1)],
        (say("Noisy count"), say("Privacy loss of this answer")),
        words,
        key,
        marks,
        yaxis_range=[-top, top],
        xaxis_tickformat=",",
    )


ACCOUNTS = {
    "Basic": (Phrase("Plain sum"), "quiet", "solid"),
    "Advanced": (Phrase("Advanced"), "ptr", "dash"),
    "Rényi": (Phrase("Rényi"), "global", "solid"),
    "zCDP": (Phrase("zCDP"), "smooth", "dot"),
}


def accounts_controls(by: Controls) -> tuple[str, float, float, int]:
    """Choose the noise, epsilon, delta, and how many answers."""
    return (
        by.choose("noise", say("Noise"), NOISES),
        by.pick(
            "epsilon",
            say("ε of each answer"),
            EPSILONS,
            0.1,
            say("A Gaussian answer has a δ of its own: a thousandth of that in all."),
        ),
        by.pick("delta", say("δ in all"), DELTAS, 1e-6),
        by.whole(
            "answers",
            say("Answers k"),
            1,
            MOST,
            100,
            help=say("The better accounts hold for a plan that is fixed in advance."),
        ),
    )


def accounts(settings: tuple[str, float, float, int], key: str) -> None:
    """Draw epsilon in all against the number of answers, under four accounts."""
    noise, epsilon, delta, answers = settings
    told = composition.growth(noise, epsilon, delta)
    mine = composition.totals(noise, epsilon, delta, answers)
    numbers({say(name): number(mine[view], 3) for view, (name, *_) in ACCOUNTS.items()})
    start = composition.pays_from(noise, epsilon, delta)
    marks = [Mark(answers, "", "truth")]
    if 1 < start <= MOST:
        marks.append(Mark(start, say("zCDP pays from {k}", k=start), "smooth"))
    learn.lines(
        COUNTS,
        [Series(say(name), told[view], hue, dash, at=-1) for view, (name, hue, dash) in ACCOUNTS.items()],
        (say("Answers k"), say("ε in all, at this δ")),
        say(
            "{k} answers of {epsilon:g} cost {sum} by the plain sum and {best} by the best account.",
            k=answers,
            epsilon=epsilon,
            sum=number(mine["Basic"]),
            best=number(min(mine.values()), 3),
        ),
        key,
        marks,
        xaxis_range=[0, MOST],
        yaxis_range=[0, 1.08 * MOST * epsilon],
        showlegend=True,
        legend=LEGEND,
    )


TICKS = [2, 5, 10, 20, 50, 100, 200, 500]
CURVES = {"curve": Phrase("Rényi curve"), "proved": Phrase("ε it proves")}


def curves_controls(by: Controls) -> tuple[str, float, int, float]:
    """Choose the picture, epsilon, how many answers, and delta."""
    return (
        by.choose("show", say("Show"), CURVES),
        by.pick("epsilon", say("ε of each Laplace answer"), EPSILONS, 0.2),
        int(by.pick("answers", say("Answers k"), (1, 2, 5, 10, 20, 50, 100), 50)),
        by.pick("delta", say("δ in all"), DELTAS, 1e-6),
    )


def curves(settings: tuple[str, float, int, float], key: str) -> None:
    """Draw two Rényi curves, or what their every order proves at delta."""
    shown, epsilon, answers, delta = settings
    laplace, gaussian = composition.alike(epsilon, answers)
    proved = laplace.epsilon(delta), gaussian.epsilon(delta)
    most, curve = epsilon * answers, shown == "curve"
    numbers(
        {
            say("Laplace: ρ"): number(laplace.rho, 3),
            say("Laplace: ε at δ"): number(proved[0], 3),
            say("Gaussian: ρ"): number(gaussian.rho, 3),
            say("Gaussian: ε at δ"): number(proved[1], 3),
        }
    )
    told = [
        Series(say(name), (one.rdp() if curve else one.proved(delta)).tolist(), hue, at=-1)
        for one, name, hue in ((laplace, NOISES[LAPLACE], "global"), (gaussian, NOISES[GAUSSIAN], "smooth"))
    ]
    above = laplace.rho * composition.ORDERS
    line = Series(say("zCDP line ρα of Laplace"), above.tolist(), "quiet", "dash", at=-1)
    mark = Mark(most, say("kε = {x}", x=number(most)), "ptr", level=True)
    learn.lines(
        composition.ORDERS.tolist(),
        [*told, line] if curve else told,
        (say("Order α (logarithmic)"), say("Rényi divergence") if curve else say("ε it proves")),
        say(
            "Laplace bends towards {most}, Gaussian grows without end; at this δ they prove an ε "
            "of {laplace} and {gaussian}.",
            most=number(most),
            laplace=number(proved[0], 3),
            gaussian=number(proved[1], 3),
        ),
        key,
        [mark] if curve else [],
        xaxis_type="log",
        xaxis_tickvals=TICKS,
        yaxis_range=[0, 1.3 * most if curve else 3 * max(proved)],
        showlegend=True,
        legend=LEGEND,
    )


PLACES = {"every": Phrase("in every count"), "one": Phrase("in one count only")}


def noise_controls(by: Controls) -> tuple[str, float, float, int]:
    """Choose where a person counts, epsilon and delta in all, and how many counts."""
    return (
        by.choose("person", say("A person is"), PLACES),
        by.pick("epsilon", say("ε in all"), (0.1, 0.2, 0.5, 1.0, 2.0, 3.0), 1.0),
        by.pick("delta", say("δ in all (Gaussian only)"), DELTAS, 1e-6),
        by.whole("counts", say("Counts k"), 1, MANY, 30),
    )


def noise(settings: tuple[str, float, float, int], key: str) -> None:
    """Draw the error of each count against how many there are, under both kinds of noise."""
    place, epsilon, delta, counts = settings
    everywhere = place == "every"
    told = composition.widths(everywhere, epsilon, delta)
    mine = composition.at_once(counts, everywhere, epsilon, delta)
    numbers(
        {
            say("L1 sensitivity"): number(mine.l1, 3),
            say("L2 sensitivity"): number(mine.l2, 3),
            say("Laplace error"): f"± {number(mine.laplace, 3)}",
            say("Gaussian error"): f"± {number(mine.gaussian, 3)}",
        }
    )
    start = composition.narrower_from(told)
    marks = [Mark(counts, "", "truth")]
    if start is not None:
        marks.append(Mark(start, say("Gaussian from {k}", k=start), "smooth"))
    learn.lines(
        range(1, MANY + 1),
        [
            Series(say("Laplace"), [one.laplace for one in told], "global", at=85),
            Series(say("Gaussian"), [one.gaussian for one in told], "smooth", at=90),
        ],
        (say("Counts k"), say("Error of each, 19 in 20")),
        say(
            "With {k} counts, 19 in 20 errors stay within {laplace} under Laplace and {gaussian} under Gaussian noise.",
            k=counts,
            laplace=number(mine.laplace, 3),
            gaussian=number(mine.gaussian, 3),
        ),
        key,
        marks,
        xaxis_range=[0, MANY + 1],
        yaxis_rangemode="tozero",
    )


lesson(
    "lesson_5_composition",
    {
        "sequential": Step(
            Phrase("Adding up"),
            Phrase(
                "Answers about the same people add up. One answer for each of k separate groups "
                "costs what one costs: a person is in one group only. What is done to an answer "
                "afterwards is free."
            ),
            Phrase("Which k uses up ε = 3? Then round: which δ falls, and does the loss ever grow?"),
            sequential_controls,
            sequential,
        ),
        "divergences": Step(
            Phrase("Telling two apart"),
            Phrase(
                "The loss is ln(P/Q): at most the max divergence, on average KL. **(ε, δ)** lets P "
                "exceed e^ε Q by an area of δ."
            ),
            Phrase("Switch to Gaussian: has its loss a limit?"),
            divergences_controls,
            divergences,
        ),
        "accounts": Step(
            Phrase("Better accounts"),
            Phrase(
                "For a small ε and some δ, k answers cost more like √k than k. Only zCDP and Rényi "
                "can use the kind of noise."
            ),
            Phrase("Guess what 100 answers cost, then read."),
            accounts_controls,
            accounts,
        ),
        "curves": Step(
            Phrase("Rényi curves"),
            Phrase(
                "One divergence for each order α; curves add up. zCDP keeps the line ρα above. "
                "Both noises have the same spread."
            ),
            Phrase("Which order α proves the smallest ε?"),
            curves_controls,
            curves,
        ),
        "noise": Step(
            Phrase("Many counts at once"),
            Phrase(
                "k counts of everybody move by k (L1), but only by √k (L2). Laplace follows L1; "
                "Gaussian follows L2 and pays with δ."
            ),
            Phrase("Put each person in one count: who wins?"),
            noise_controls,
            noise,
        ),
    },
)
