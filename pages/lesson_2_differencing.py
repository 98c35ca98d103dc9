"""Lesson 2: two harmless questions, one pointed question, and one question asked too often."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.lab.lessons import differencing
from discreet.lab.lessons.people import town
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers
from discreet.ui.state import workspace

EPSILONS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
SHOWN = 25
ASKED = 1000


def two_controls(by: Controls) -> tuple[str, bool, float]:
    """Choose the person who is left out, and whether there is noise."""
    person = town().names[by.whole("person", say("Who is left out (number)"), 1, 40, 7) - 1]
    noisy = by.toggle("noise", say("Add noise to both answers"))
    return person, noisy, by.pick("epsilon", say("ε of each answer"), EPSILONS, 0.5)


def two(settings: tuple[str, bool, float], key: str) -> None:
    """Draw what the difference of the two answers can be."""
    person, noisy, epsilon = settings
    all_, others = differencing.exact(person)
    told = differencing.difference(epsilon)
    numbers(
        {
            say("Smokers among all"): f"{all_:,}" if not noisy else "?",
            say("Without {person}", person=person): f"{others:,}" if not noisy else "?",
            say("Best guess is right"): f"{told.right:.0%}" if noisy else "100%",
        }
    )
    kept = np.abs(told.answers) <= SHOWN
    without, within = (told.without, told.within) if noisy else _certain(told.answers)
    learn.bars(
        told.answers[kept].tolist(),
        [
            Series(say("does not smoke"), without[kept].tolist(), "blocks"),
            Series(say("smokes"), within[kept].tolist(), "ptr"),
        ],
        (say("First answer minus second"), say("Chance")),
        say(
            "Chances of the difference if {person} smokes and if not. The best guess is right "
            "with a chance of {right}.",
            person=person,
            right=f"{told.right:.0%}" if noisy else "100%",
        ),
        key,
        yaxis_tickformat=".0%",
    )


def _certain(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (answers == 0).astype(float), (answers == 1).astype(float)


def named_controls(by: Controls) -> float:
    """Choose how much one pointed question may tell."""
    return by.pick("epsilon", say("ε of the answer"), EPSILONS, 0.5)


def named(epsilon: float, key: str) -> None:
    """Draw the answers of a count of one person."""
    told = differencing.pointed(epsilon)
    most = float(np.exp(epsilon) / (1 + np.exp(epsilon)))
    numbers(
        {
            say("Exact answer"): say("0 or 1"),
            say("Best guess is right"): f"{told.right:.1%}",
            say("Never more than"): f"{most:.1%}",
        }
    )
    kept = np.abs(told.answers) <= SHOWN
    learn.bars(
        told.answers[kept].tolist(),
        [
            Series(say("does not smoke"), told.without[kept].tolist(), "blocks"),
            Series(say("smokes"), told.within[kept].tolist(), "ptr"),
        ],
        (say("Noisy count of one person"), say("Chance")),
        say(
            "Chances of the noisy count of one person who smokes or not; a guess is right with a chance of {right}.",
            right=f"{told.right:.1%}",
        ),
        key,
        yaxis_tickformat=".0%",
    )


def again_controls(by: Controls) -> tuple[float, float, int]:
    """Choose the price of an answer, the budget, and a draw."""
    epsilon = by.pick("epsilon", say("ε of each answer"), EPSILONS, 0.1)
    limit = by.pick("budget", say("Budget ε"), (0.5, 1.0, 2.0, 3.0), 1.0)
    return epsilon, max(limit, epsilon), by.draw()


def again(settings: tuple[float, float, int], key: str) -> None:
    """Draw the average of repeated answers, and where a real ledger stops it."""
    epsilon, limit, seed = settings
    asked = workspace().here.remember(("lesson", settings), lambda: differencing.until_refused(epsilon, limit))
    allowed = len(asked.answers)
    truth = differencing.exact(town().names[0])[0]
    x = np.arange(1, ASKED + 1)
    told = differencing.averages(epsilon, ASKED, seed)
    band = 1.96 * differencing.spread(epsilon) / np.sqrt(x)
    numbers(
        {
            say("Answers paid for"): str(allowed),
            say("Their average"): number(float(np.mean(asked.answers)), 5),
            say("Error left, 19 in 20"): f"± {number(float(band[allowed - 1]), 3)}",
        }
    )
    learn.lines(
        x.tolist(),
        [
            Series(say("average so far"), told.tolist(), "blocks", at=300),
            Series(say("19 in 20"), (truth + band).tolist(), "quiet", "dot", at=8),
            Series(say("19 in 20"), (truth - band).tolist(), "quiet", "dot", at=-1),
        ],
        (say("Answers averaged (logarithmic)"), say("Average")),
        say(
            "The average of repeated answers closes in on the truth {truth}; a budget of {limit:g} "
            "stops after {allowed}.",
            truth=truth,
            limit=limit,
            allowed=allowed,
        ),
        key,
        [
            Mark(truth, say("truth {x}", x=truth), "truth", level=True),
            Mark(allowed, say("the ledger stops here"), "ptr"),
        ],
        xaxis_type="log",
    )


lesson(
    "lesson_2_differencing",
    {
        "two": Step(
            Phrase("Two large questions"),
            Phrase(
                "*How many of 2,000 people smoke?* and *How many, without one of them?* Each is "
                "harmless. Their difference is that person's secret."
            ),
            Phrase("Look at several people, then add noise: at which ε does the guess become a coin?"),
            two_controls,
            two,
        ),
        "named": Step(
            Phrase("One pointed question"),
            Phrase(
                "*How many people with this name smoke?* is 0 or 1. The same noise that hides "
                "anybody in a large count hides them here: nobody has to forbid the question."
            ),
            Phrase("Find the ε at which a guess is right three times in four. Is it ln 3?"),
            named_controls,
            named,
        ),
        "again": Step(
            Phrase("Asked again and again"),
            Phrase(
                "Noise averages out: a thousand answers are almost exact. So every answer is "
                "charged to a ledger, and the ledger says no when the budget is spent."
            ),
            Phrase("Halve the ε of each answer: twice as many fit. Is their average better?"),
            again_controls,
            again,
        ),
    },
)
