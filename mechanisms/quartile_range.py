"""The interquartile range from the quartiles of one tree: no sensitivity of a difference is needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, Cost
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import Mechanism, of_statistics
from discreet.mechanisms.base.view import OneColumn, View
from discreet.mechanisms.base.vocabulary import (
    EXPONENTIAL,
    SELECTION,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
)
from discreet.mechanisms.laws.law import Answer, Law
from discreet.mechanisms.laws.ranks import RankTree
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.noise.protocol import NoiseSource
from discreet.queries import Column, Relation
from discreet.queries.bounds import FloatArray
from discreet.queries.interquartile import InterquartileRange


@dataclass(frozen=True, eq=False)
class LastLessFirst(Law):
    """The distance between the last of several ascending draws and the first."""

    tree: RankTree = field(repr=False)

    @cached_property
    def seen(self) -> FloatArray:
        """Answers spread evenly over the law, ascending."""
        return np.sort(self.tree.seen[-1] - self.tree.seen[0])

    @property
    def everything(self) -> Law:
        """All draws: only their distance is shown, but it is computed from them."""
        return self.tree

    @property
    def draws(self) -> int:
        """The draws of the tree."""
        return self.tree.draws

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y), estimated from evenly spread answers."""
        return np.asarray(np.searchsorted(self.seen, np.asarray(y), side="right") / self.seen.size)

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile, estimated from evenly spread answers."""
        return np.asarray(np.quantile(self.seen, p, method="inverted_cdf"))

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one answer per column of uniforms."""
        answers = self.tree.simulate(uniforms)
        return np.asarray(answers[-1] - answers[0])

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw all, and return the distance."""
        answers = self.tree.draw(noise)
        assert isinstance(answers, tuple)
        return float(answers[-1] - answers[0])


@dataclass(frozen=True)
class QuartileRange(Mechanism):
    """Draw the quartiles together, as quantile-tree does, and release the upper one less the lower one.

    What moves the ranks of both cuts alike, the error of the median between them, mostly cancels.

    Guarantee: epsilon-DP, no delta.
    Proof: the distance is post-processing of three quartiles that are epsilon-DP together (quantile-tree).
    Reference: Kaplan, Schnapp and Stemmer 2022 for the tree; McSherry and Talwar 2007 for its draws.
    Complexity: three times that of one quantile.
    Corner cases: with no rows the quartiles, and so their difference, are random; equal rows give 0; it is a
    number of whole steps, never negative.
    """

    slug: ClassVar[str] = "quartile-range"
    title: ClassVar[str] = "Interquartile range from jointly drawn quartiles"
    family: ClassVar[Family] = SELECTION
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(InterquartileRange.name)
    noise: ClassVar[Noise] = EXPONENTIAL
    after: ClassVar[Phrase] = Phrase("The result is the distance between two quartiles, which are not shown.")

    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    @property
    def quartiles(self) -> QuantileTree:
        """The mechanism that draws them."""
        return QuantileTree(epsilon=self.epsilon, relation=self.relation)

    @property
    def view(self) -> View:
        """The column of the statistic."""
        return OneColumn(InterquartileRange(self.relation), self.public_rows)

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return the account of the quartiles."""
        return self.quartiles.account()

    def no_interval(self) -> Phrase:
        """Return why an answer has no interval."""
        return Phrase("the distance between values around the quartiles stays private.")

    def law(self, data: Column) -> Law:
        """Return the law of the distance."""
        tree = self.quartiles.law(data)
        assert isinstance(tree, RankTree)
        return LastLessFirst(tree)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but by how many rows the quartiles may be off."""
        rows = self.quartiles.rank_error(public, confidence)
        if rows is None:
            return Forecast(None, "The bounds of the column determine how many rows the result may be off.")
        return Forecast(
            None,
            Phrase(
                "With {sure:.4g}% confidence, each quartile is at most this many rows from its true rank: {rows}.",
                sure=100 * confidence,
                rows=max(rows[0], rows[2]),
            ),
        )
