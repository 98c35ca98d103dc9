"""Course: the lessons in the order of the textbook, with their time and where they lead."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.budget import Phrase


@dataclass(frozen=True)
class Lesson:
    """What tells a lesson apart: its page, what it is about, its minutes, where it leads.

    `minutes` is the time in a half-day workshop; `plan` says what a teacher does with it,
    `goals` what one can do afterwards.
    """

    page: str
    title: Phrase
    idea: Phrase
    minutes: int
    leads: tuple[tuple[str, Phrase], ...]
    plan: Phrase
    goals: tuple[Phrase, ...]

    @property
    def number(self) -> int:
        """Its place in the course, from 1."""
        return LESSONS.index(self) + 1

    @property
    def key(self) -> str:
        """What the keys of all its widgets begin with."""
        return f"lesson{self.number}"


SMOOTH = ("smooth_sensitivity", Phrase("Smooth sensitivity"))
TEST = ("propose_test_release", Phrase("Propose-test-release"))
BLOCKS = ("sample_and_aggregate", Phrase("Sample and aggregate"))
GLOBAL = ("global_sensitivity", Phrase("Global sensitivity"))
SELECTION = ("exponential_selection", Phrase("Exponential selection"))
BUDGET = ("budget", Phrase("Budget"))
COMPARE = ("compare", Phrase("Compare"))

# minutes of rest after a lesson, in half a day
BREAKS = {3: 15, 6: 15}

LESSONS = (
    Lesson(
        "lesson_1_deidentification",
        Phrase("Names removed, people found"),
        Phrase("A table without names still points at people: a few harmless columns are enough."),
        20,
        (("data", Phrase("Data")),),
        Phrase("Join the two tables together with the class; let everybody find a k of 5 that loses least."),
        (
            Phrase("say which harmless columns together name a person"),
            Phrase("read k off a table, and say what a larger one costs"),
        ),
    ),
    Lesson(
        "lesson_2_differencing",
        Phrase("Two harmless questions"),
        Phrase("Exact answers to large questions give away one person. Noise stops it, a budget keeps it stopped."),
        25,
        (GLOBAL, BUDGET),
        Phrase("Ask the two questions aloud first. Then noise, then the ledger: who gets the best average?"),
        (
            Phrase("show how two harmless counts give one person away"),
            Phrase("say what noise prevents, and what the budget prevents"),
        ),
    ),
    Lesson(
        "lesson_3_laplace",
        Phrase("The Laplace mechanism"),
        Phrase("Noise as wide as one person's influence, divided by ε: neighbours become hard to tell apart."),
        20,
        (GLOBAL,),
        Phrase("Move ε before naming it. End on the ratio of the two histograms: it is the definition."),
        (
            Phrase("choose the noise for an ε, and say how far off the answer is"),
            Phrase("check an ε on the chances of two neighbours"),
        ),
    ),
    Lesson(
        "lesson_4_sensitivity",
        Phrase("Sensitivity and bounds"),
        Phrase("How far can one person move the answer? Bounds decide, and bounds have a price."),
        25,
        (GLOBAL, COMPARE),
        Phrase("Let the class propose bounds for incomes before they look. Then show what looking tells."),
        (
            Phrase("say how far one person moves a count, a sum and a mean"),
            Phrase("choose bounds, and say what each way to them costs"),
        ),
    ),
    Lesson(
        "lesson_5_composition",
        Phrase("What many answers cost"),
        Phrase("Privacy losses add up. Better accounts add up less."),
        20,
        (BUDGET, GLOBAL),
        Phrase("Everybody guesses what 100 answers of ε = 0.1 cost, then reads it off under each account."),
        (
            Phrase("add up what answers cost, of the same people and of separate groups"),
            Phrase("say what δ means, and when a better account pays"),
        ),
    ),
    Lesson(
        "lesson_6_local_sensitivity",
        Phrase("Local sensitivity"),
        Phrase("These data often need far less noise than the worst ones, but the noise itself must not tell so."),
        35,
        (TEST, SMOOTH, BLOCKS),
        Phrase("The heart of the day: recover n from the noise, then open all three mechanism pages."),
        (
            Phrase("define local sensitivity, and tell it from global sensitivity"),
            Phrase("say how noise that follows it gives the data away"),
            Phrase("name three safe ways to use it, and what each of them needs"),
        ),
    ),
    Lesson(
        "lesson_7_election",
        Phrase("Choosing without counting aloud"),
        Phrase("Where noise on the answer makes no sense, make good answers likelier."),
        25,
        (SELECTION,),
        Phrase("Hold the election in the room with the real votes of the class, at three values of ε."),
        (
            Phrase("choose among a few places at an ε, without counting aloud"),
            Phrase("say where noise on the answer makes no sense"),
        ),
    ),
    Lesson(
        "lesson_8_streams",
        Phrase("Streams, and nobody to trust"),
        Phrase("Pay for the few answers that matter, or add the noise before anybody collects."),
        20,
        (SELECTION, COMPARE),
        Phrase("Two short stories; with little time show the curve of error against people only."),
        (
            Phrase("follow a stream for the price of one answer"),
            Phrase("correct a share that was asked through coins, and say what trust is worth"),
        ),
    ),
    Lesson(
        "lesson_9_mistakes",
        Phrase("What the textbook gets wrong"),
        Phrase("Printed guarantees can be tested, and some of them fail."),
        20,
        (COMPARE, TEST),
        Phrase("Attack a printed guarantee live, then run the corrected form through the same test."),
        (Phrase("test a printed guarantee on two neighbours"), Phrase("say what has to change for it to hold")),
    ),
)
