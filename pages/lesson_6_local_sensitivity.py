"""Lesson 6: local sensitivity, why noise must not follow it, and three ways that are safe."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.lab.lessons import local
from discreet.queries import registry as statistics
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers

EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
PEOPLE = (10, 20, 50, 100, 300, 1000, 3000, 10_000)
SIZES = (50, 100, 300, 1000, 3000, 10_000, 30_000)
LEAST = 1e-3
STATISTICS = {kind.name: Phrase(kind.label) for kind in (Median, Mean)}


def local_controls(by: Controls) -> tuple[int, float]:
    """Choose how many people there are, and how far their ages spread."""
    people = by.whole("people", say("People"), 5, 105, 21, 4)
    return people, by.slider("width", say("Their ages spread over"), 0.0, 100.0, 40.0, 5.0)


def here(settings: tuple[int, float], key: str) -> None:
    """Draw what one person can move on these data, beside what on the worst data."""
    told = local.sensitivities(*settings)
    labels = [say(statistics[name].label) for name in told]
    numbers(
        {
            say("{name}, these data", name=label): number(mine, 3)
            for label, (mine, _) in zip(labels, told.values(), strict=True)
        }
    )
    learn.bars(
        labels,
        [
            Series(say("on these data"), [mine for mine, _ in told.values()], "smooth"),
            Series(say("on the worst data"), [worst for _, worst in told.values()], "global"),
        ],
        ("", say("Years one person can move it")),
        say(
            "Local sensitivity of mean and median on these data: {mean} and {median}; on the worst data {worst}.",
            mean=number(told["mean"][0], 3),
            median=number(told["median"][0], 3),
            worst=number(told["median"][1], 3),
        ),
        key,
        text=".3g",
        yaxis_range=[0, 60],
    )


def leak_controls(by: Controls) -> tuple[int, float, int]:
    """Choose the secret number of people, epsilon and a draw."""
    people = by.pick("people", say("People n (the secret)"), PEOPLE, 300)
    return int(people), by.pick("epsilon", say("ε of each answer"), EPSILONS, 0.5), by.draw()


def leak(settings: tuple[int, float, int], key: str) -> None:
    """Draw how the size of the noise gives the number of people away."""
    people, epsilon, seed = settings
    told = local.recovered(people, epsilon, 1000, seed)
    places = local.places(1000)
    numbers(
        {
            say("True n"): number(people),
            say("Guess, 30 answers"): number(round(float(told[places.index(_at(places, 30))]))),
            say("Guess, 1,000 answers"): number(round(float(told[-1]))),
        }
    )
    learn.lines(
        places,
        [Series(say("guess of n"), told.tolist(), "exhibit", at=-1)],
        (say("Answers seen (logarithmic)"), say("Guess of n")),
        say("The guess of n from the size of the noise closes in on {n}.", n=people),
        key,
        [Mark(people, say("true n = {n}", n=number(people)), "truth", level=True)],
        xaxis_type="log",
        yaxis_range=[0, 2.5 * people],
    )


def _at(places: list[int], wish: int) -> int:
    return min(places, key=lambda place: abs(place - wish))


def jump_controls(by: Controls) -> tuple[int, int, float]:
    """Choose how far the data are from the jump of the median, and epsilon."""
    young = by.whole("young", say("People around 40"), 1, 12, 5)
    old = by.whole("old", say("People around 80"), 1, 12, 4)
    return young, old, by.pick("epsilon", say("ε"), EPSILONS, 1.0)


def jump(settings: tuple[int, int, float], key: str) -> None:
    """Draw the answers of two neighbours, each with noise of its own local size."""
    young, old, epsilon = settings
    told = local.jump(young, old, epsilon)
    numbers(
        {
            say("A(0) of these data"): number(told.sensitivities[0], 3),
            say("One more person"): number(told.sensitivities[1], 3),
            say("δ at this ε"): number(told.delta, 2) if told.delta > 1e-12 else "0",
        }
    )
    first, second = (np.maximum(one, 1e-6) for one in told.densities)
    learn.lines(
        told.x.tolist(),
        [
            Series(say("these data"), first.tolist(), "smooth", at=170),
            Series(say("one more around 40"), second.tolist(), "exhibit", "dash", at=int(second.argmax())),
        ],
        (say("Answer"), say("Density (logarithmic)")),
        say(
            "Densities of the noisy median with and without one person; delta at epsilon {epsilon} is {delta}.",
            epsilon=epsilon,
            delta=number(told.delta, 2),
        ),
        key,
        yaxis_type="log",
        yaxis_range=[-5, 1.2],
        yaxis_exponentformat="power",
    )


def ways_controls(by: Controls) -> tuple[str, int, float]:
    """Choose the statistic, the number of people and epsilon."""
    name = by.choose("statistic", say("Statistic"), STATISTICS)
    people = int(by.pick("people", say("People"), SIZES, 300))
    return name, people, by.pick("epsilon", say("ε"), EPSILONS, 1.0)


def ways(settings: tuple[str, int, float], key: str) -> None:
    """Draw the errors of the global way and of the three safe ways at one cost."""
    told = local.ways(*settings)
    titles = (say("Global"), say("Test"), say("Smooth"), say("Blocks"))
    hues = [one.kind.family.key for one in told]
    numbers(
        {
            title: say("refused") if one.refusals > 0.5 else f"± {number(one.error, 3)}"
            for title, one in zip(titles, told, strict=True)
        }
    )
    learn.cells(
        titles,
        [max(one.error, LEAST) for one in told],
        hues,
        ("", say("Error, 19 times in 20 (logarithmic)")),
        say(
            "Errors at equal cost: {told}.",
            told=", ".join(f"{say(one.kind.title)} {number(one.error, 3)}" for one in told),
        ),
        key,
        yaxis_type="log",
        yaxis_range=[-3, 2.2],
    )


lesson(
    "lesson_6_local_sensitivity",
    {
        "local": Step(
            Phrase("On these data"),
            Phrase(
                "Global sensitivity asks how far one person can move the answer on the **worst** "
                "data. Local sensitivity, A(0), asks it on **these** data. Ages count from 0 to "
                "100, and a person may come or go."
            ),
            Phrase("Let all ages be equal. What can one person still move, the mean or the median?"),
            local_controls,
            here,
        ),
        "leak": Step(
            Phrase("The noise leaks"),
            Phrase(
                "A textbook scales the noise of a mean to u/(n+1). Then the noise itself is a "
                "message: its size tells n, and n was secret. A spy sees the answers only."
            ),
            Phrase("Compare n = 100 with n = 300: after how many answers does the spy know?"),
            leak_controls,
            leak,
        ),
        "jump": Step(
            Phrase("The jump"),
            Phrase(
                "Five people around 40, four around 80: the median can jump, so A(0) is large. One "
                "more person around 40, and A(0) is tiny. An answer beside 40 tells which it was."
            ),
            Phrase("Find groups for which δ is small. One person away, is it still?"),
            jump_controls,
            jump,
        ),
        "ways": Step(
            Phrase("Three safe ways"),
            Phrase(
                "Test whether the data are far from any jump and refuse else; smooth the "
                "sensitivity so that it tells nothing; or answer on blocks and aggregate. All at "
                "the same ε and δ = 1e-6, ages of the census."
            ),
            Phrase("Which way wins for 50 people, which for 30,000? Open its page below."),
            ways_controls,
            ways,
        ),
    },
)
