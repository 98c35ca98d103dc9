"""Families: what mechanisms of one kind have in common, in the words of cards and answers."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.budget.phrase import Phrase

SECRET = Phrase("the size of the noise depends on the data and stays private.")
CHOICE = Phrase("it is a choice, and how good the others are stays private.")


@dataclass(frozen=True)
class Family:
    """A kind of mechanism: a mechanism names one, and every screen takes its words from there.

    `key` is what policies and addresses write. `follows` says what of an answer depends on the
    data, `no_interval` why an answer may stand without one, `why` when such a mechanism is best;
    `sure` that how far an answer may be off is known whatever the data are, `rigid` why an answer
    cannot be refined.
    """

    key: str
    name: Phrase
    follows: Phrase
    no_interval: Phrase
    why: Phrase | None = None
    sure: bool = False
    rigid: Phrase = Phrase("it has no noise that holds a smaller one inside.")


GLOBAL = Family(
    "global",
    Phrase("Global sensitivity"),
    Phrase("Only the value of the statistic. How much noise there is, is public."),
    Phrase("how far the noise moves the answer depends on how many rows there are."),
    Phrase("one person can move this statistic only a little, whatever the data, and the noise scale is public"),
    sure=True,
)
CLIPPED_AT = Family(
    "clipped",
    Phrase("Clipping at a private bound"),
    Phrase(
        "How many rows lie above each point of a public grid, and two noisy numbers of the rows as they are once "
        "clipped at the point that was chosen."
    ),
    Phrase("how far the rows beyond the chosen bound would move the mean stays private."),
    Phrase("nearly all rows lie far below the declared upper bound, and the noise follows a bound near them"),
)
PTR = Family(
    "ptr",
    Phrase("Propose-test-release"),
    Phrase(
        "The value, and how far the data are from breaking the proposed bound. That distance gets "
        "noise of its own; only whether the test was passed can be seen."
    ),
    SECRET,
    Phrase("the proposed bound holds with a wide margin here, so its noise is small; near a jump it would refuse"),
    rigid=Phrase("its test would have to be passed anew."),
)
SMOOTH = Family(
    "smooth",
    Phrase("Smooth sensitivity"),
    Phrase(
        "The value, and the size of the noise: it follows a smooth bound of the local sensitivity, "
        "which one person changes by a public factor only. Of the size nothing is shown but the "
        "interval, where one is paid for."
    ),
    SECRET,
    Phrase(
        "one person moves this statistic much less on these data than on the worst ones, and the noise follows the data"
    ),
    rigid=Phrase("the step to less noise would show how much noise there is, and that depends on the data."),
)
BLOCKS = Family(
    "blocks",
    Phrase("Sample and aggregate"),
    Phrase(
        "The estimate of every block. Who is in which block is drawn secretly for each release, "
        "and one person is in one block only."
    ),
    Phrase("how far the blocks are from all rows together depends on the data and stays private."),
    Phrase("the estimates of the blocks agree, so that their middle needs little noise"),
    rigid=Phrase("who is in which block is drawn anew for every answer."),
)
SELECTION = Family(
    "selection",
    Phrase("Exponential selection"),
    Phrase("How well each candidate fits. Only the choice is shown, no score."),
    CHOICE,
    Phrase("many people stand near the answer, so its neighbours are much less likely; whole numbers come out exact"),
    sure=True,
)
SPARSE = Family(
    "sparse",
    Phrase("Sparse vector and private bounds"),
    Phrase("The counts. Only what stands out is shown, no count."),
    CHOICE,
)
LOCAL = Family(
    "local",
    Phrase("Randomized response"),
    Phrase("Every report, which is flipped by chance before it is counted."),
    Phrase("the share is of reports that were flipped by chance."),
    rigid=Phrase("every report was flipped by itself."),
)
