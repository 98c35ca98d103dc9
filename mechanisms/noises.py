"""Noises: what a mechanism draws and what becomes of it, in the words of a card."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.budget.phrase import Phrase

OPENDP = Phrase("noise of the OpenDP library, exact to its finest step")
EXACT = Phrase("an exact sampler of this program: secret bits, refined until the answer is decided")
CHOICE = Phrase("a choice with exact chances, drawn from secret bits by this program")
GRID = Phrase("an exact sampler of this program: whole numbers of a fine grid, from secret bits")
COINS = Phrase("one secret coin of 62 bits for each report")


@dataclass(frozen=True)
class Noise:
    """A kind of randomness: what it is called, and who draws it, how exactly."""

    name: Phrase
    source: Phrase


LAPLACE = Noise(Phrase("Laplace noise"), OPENDP)
GAUSSIAN = Noise(Phrase("Gaussian noise"), OPENDP)
GEOMETRIC = Noise(Phrase("two-sided geometric noise"), OPENDP)
TESTED = Noise(Phrase("Laplace noise, and a test whose chances are exact"), OPENDP)
CORE_TAIL = Noise(Phrase("core-tail noise"), EXACT)
STEPPED = Noise(Phrase("staircase noise"), GRID)
STUDENT = Noise(Phrase("Student noise"), EXACT)
EXPONENTIAL = Noise(Phrase("the exponential mechanism"), CHOICE)
PERMUTED = Noise(Phrase("permute-and-flip"), CHOICE)
FLIPPED = Noise(Phrase("randomized response"), COINS)

# what happens to an answer once it is protected
CLIPPED = Phrase(
    "Answers outside of what the statistic can be, by its declared bounds, move to the nearest "
    "possible number, which draws answers near an end to it."
)
AS_DRAWN = Phrase("None: the choice is shown as it was drawn.")
