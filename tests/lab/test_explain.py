"""Figures' numbers: they are the mechanisms' own, and protected data are refused everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.soak import some

from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.evidence.certificate import certificate
from discreet.lab import explain, textbook
from discreet.lab.contest import Ground, Scenario
from discreet.lab.samples import census, census_schema, census_table, election, visits
from discreet.lab.textbook import printed_numbers
from discreet.mechanisms import registry
from discreet.mechanisms.base.vocabulary import LOCAL
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import Laplace, Law, Noisy
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.mechanisms.smooth import SmoothCoreTail, smooth_bound
from discreet.queries import Bounds, Column, Relation
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, OpenData, Person, Schema

GROUND = Ground.of(Scenario(Bounds(0, 100, integer=True), 300))


@pytest.mark.parametrize("test", ["pure", "best"])
def test_the_distance_is_where_the_ladder_passes_the_bound(test: str) -> None:
    """A(D) is above b, all rungs before are not; the chance is the law's own."""
    mechanism = ProposeTestRelease(Mean(), 1.0, 1e-6, b=0.5, test=test)
    proposal = explain.proposed(mechanism, GROUND.column)
    rungs = Mean().ladder(GROUND.column, np.arange(proposal.distance + 1))
    assert rungs[-1] > 0.5 >= rungs[:-1].max()
    assert 1 - proposal.chance == pytest.approx(mechanism.law(GROUND.column).refusal)
    assert (np.diff(proposal.chances) >= 0).all() and proposal.chances[0] <= 1e-6


def test_the_smooth_bound_is_the_top_of_the_drawn_curve() -> None:
    """S of the figure is S of the mechanism."""
    mechanism = SmoothCoreTail(Median(), 1.0, 6)
    curve = explain.smoothed(Median(), GROUND.column, mechanism.beta, explain.smooth_window(mechanism))
    assert curve.bound == smooth_bound(Median(), GROUND.column, mechanism.beta)
    assert curve.weighted.max() == pytest.approx(curve.bound)


def test_a_split_shows_the_mechanisms_own_blocks() -> None:
    """k estimates, their bias against the truth, and the noise of the law."""
    mechanism = BlocksMean(estimator="mean", k=20, lower=0.0, upper=100.0, epsilon=1.0)
    truth = Mean().value(GROUND.column)
    split = explain.split(mechanism, truth, GROUND, 1)
    assert split.estimates.size == 20 and split.rows_per_block == 15
    assert split.noise == pytest.approx(mechanism.scale * np.log(20), rel=1e-6)
    assert abs(split.bias) < 5


def test_clipping_loses_less_and_noise_grows_as_the_bound_rises() -> None:
    """The two errors of a sum cross somewhere; at the top nothing is lost."""
    clipping = explain.clipping(GROUND.column, 0.5)
    assert (np.diff(clipping.bias) <= 0).all() and (np.diff(clipping.noise) > 0).all()
    assert clipping.bias[-1] == 0


def test_chances_are_exact_and_sum_to_one() -> None:
    """The class election at small epsilon is nearly even, at large epsilon nearly sure."""
    scores = explain.counts(election(), "outing")
    low, high = (explain.chances(ExponentialMechanism(epsilon=e), scores) for e in (0.01, 3.0))
    assert low.probabilities.sum() == pytest.approx(1) == high.probabilities.sum()
    assert low.probabilities.max() < 0.27 and high.probabilities.max() > 0.95
    assert high.labels[int(high.probabilities.argmax())] == "Zoo"


def protected() -> Dataset:
    """Return the census as if it were somebody's own."""
    return Dataset(LocalSource(census_table()), census_schema())


def test_every_way_to_the_rows_refuses_protected_data() -> None:
    """Rows, counts, grounds, laws: none of them exists for protected data."""
    data: Any = protected()
    assert not hasattr(data, "head") and not hasattr(data, "opened")
    request = Request(GlobalLaplace(Mean(), 0.5), ("age",))
    for look in (
        lambda: explain.rows(data),
        lambda: explain.counts(data, "age"),
        lambda: explain.counts(data, "sex"),
        lambda: explain.ground(data, "age"),
        lambda: explain.laws(data, request),
        lambda: explain.views(data, request),
        lambda: explain.truth(data, request, None),
    ):
        with pytest.raises(ParameterError, match=r"never shown|public datasets"):
            look()


def test_open_data_show_their_truth() -> None:
    """Mean, quantile and estimator of the sample are the exact ones."""
    data = census()
    ages = np.array(census_table()["age"])
    mean = Request(SmoothCoreTail(Mean(), 0.5, 16), ("age",))
    ((_, view),) = explain.views(data, mean)
    assert explain.truth(data, mean, view) == pytest.approx(ages.mean())
    median = Request(QuantileExponential(q=0.5, epsilon=0.5), ("age",))
    assert explain.truth(data, median, view) == np.quantile(ages, 0.5, method="inverted_cdf")
    blocks = Request(BlocksMedian(estimator="median", k=50, upper=100.0, epsilon=1.0), ("age",))
    ((_, view),) = explain.views(data, blocks)
    assert explain.truth(data, blocks, view) == np.median(ages)
    groups = explain.laws(data, replace(mean, by="sex"))
    assert set(groups) == {"Male", "Female"}


def test_views_of_open_data_are_made_once_whatever_epsilon_is() -> None:
    """A slider moves the noise and not the rows; another filter, column, cap or block does."""
    wide = Relation(rows=2)
    people_ = Schema({"pay": Number(0, 100), "who": Person(rows=2), "sex": Category(("a", "b"))})
    table = pa.table({"pay": list(range(60)), "who": [i % 7 for i in range(60)], "sex": ["a"] * 60})
    data = OpenData(LocalSource(table), people_)

    def seen(query: Any = Mean, epsilon: float = 1.0, **more: Any) -> Any:
        request = Request(GlobalLaplace(query(wide), epsilon), ("pay",), **more)
        return explain.views(data, request)

    def blocks(k: int) -> Any:
        kind = BlocksMedian(k=k, lower=0.0, upper=100.0, relation=wide)
        return explain.views(data, Request(kind, ("pay",)))

    assert seen() is seen(epsilon=0.3)
    assert seen(where=(Filter("pay", "<", 30.0),)) is not seen()
    assert seen(by="sex") is seen(by="sex") is not seen()
    assert blocks(5) is blocks(5) is not blocks(6)
    sized = Request(GlobalLaplace(Mean(Relation(rows=2, size=9)), 1.0), ("pay",))
    assert explain.views(data, sized)[0][1].n == 9 and seen()[0][1].n == 14


def test_samples_are_open_and_the_same_every_time() -> None:
    """Clinics have patients with several rows; the election has 25 votes."""
    assert visits().schema.rows_per_person == 3 and not visits().protected
    assert explain.counts(election(), "outing").n == 25
    assert explain.rows(visits(), 5).num_rows == 5


EVERY = [slug for slug, kind in registry.items() if not kind.open_only and kind.family != LOCAL]


@pytest.mark.soak
@pytest.mark.parametrize("slug", some(EVERY, 3))
def test_the_live_certificate_holds_for_every_mechanism(slug: str) -> None:
    """What the page computes on a click holds for all that the pages offer.

    In `make test` of every third: tests/evidence/test_divergence.py compares the laws of each on more pairs.
    """
    kind = registry[slug]
    mechanism = kind(k=3) if "k" in kind.parameters() else kind()
    evidence = certificate(mechanism)
    assert evidence.pairs > 50 and evidence.worst.holds


class HalfNoise(GlobalLaplace):
    """Laplace noise at half its scale: what the certificate must catch."""

    def law(self, data: Column) -> Law:
        """Return the law with too little noise."""
        right = super().law(data)
        assert isinstance(right, Noisy)
        return Noisy(right.centre, right.scale / 2, Laplace(), right.low, right.high)


def test_the_live_certificate_fails_for_a_broken_twin() -> None:
    """Half the noise is twice the epsilon, and the page would say so."""
    assert not certificate(HalfNoise(Mean(), 1.0)).worst.holds


def test_the_textbooks_comparisons_say_what_the_page_says() -> None:
    """Two soft counts beat the printed global mean; more blocks need less noise; S needs k = 0."""
    stand = explain.ground(census(), "age")
    (global_, _), (counts, _) = textbook.global_against_ptr(stand, 1)
    assert counts.result.summary()["rmse"] < global_.result.summary()["rmse"]
    pairs = [textbook.blocks_against_global(stand, 1, k)[1] for k in textbook.BLOCKS if k != 1000]
    blocks = [pair[1].result.summary()["rmse"] for pair in pairs]
    assert blocks == sorted(blocks, reverse=True) and pairs[-1][0].result.summary()["rmse"] < blocks[-1]
    mean, median = textbook.smooth_bounds(stand)
    assert mean.printed < mean.looked <= mean.smoothed.bound <= mean.looked * (1 + 1e-8)
    assert median.smoothed.bound >= median.printed * (1 - 1e-9)
    assert (median.looked, median.smoothed.peak) == (0.0, 444) and not median.smoothed.rungs[:444].any()


@pytest.mark.parametrize("people", [1000, 32_561])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("delta", [None, 1e-12, 1e-3])
def test_the_smooth_bound_is_drawn_at_all_settings_of_its_sliders(
    people: int, epsilon: float, delta: float | None
) -> None:
    """The figure reaches beyond 200 and beyond the largest product, which is S, unless S is its least value."""
    ages = explain.census_ground("age").resized(people)
    for line in textbook.smooth_bounds(ages, epsilon, delta):
        drawn = line.smoothed
        assert drawn.k[-1] > max(textbook.RUNGS, drawn.peak)
        assert drawn.floored or drawn.weighted[drawn.k == drawn.peak] == pytest.approx(drawn.bound)
        assert not drawn.floored or drawn.bound < 1e-9


def test_the_printed_numbers_come_from_the_printed_formulas() -> None:
    """10.737, 12,562, 0.006142 and 55 are what the chapter's own formulas give for n = 32,561 and u = 100."""
    lines = {line.printed: line for line in printed_numbers(explain.census_ground("age"))}
    again = {printed: round(lines[printed].again, 6) for printed in ("10.737", "12,562.5", "0.006142", "55")}
    assert again.pop("10.737") == pytest.approx(10.737, abs=5e-4)
    assert again == {"12,562.5": 12562, "0.006142": 0.006142, "55": 55}
    assert lines["0.006142"].here < lines["0.006142"].again and lines["12,562.5"].here > lines["12,562.5"].again


def test_the_mean_ages_of_the_chapter_stand_beside_draws_of_their_own_noise() -> None:
    """Each is a mean of these people with the noise that is named, and the mean is said."""
    ground = explain.census_ground("age")
    lines = {line.printed: line for line in printed_numbers(ground)}
    mean = Mean().value(ground.column)
    for printed, scale in (("38.569", 0.005), ("38.592", 0.02), ("38.747", 0.1)):
        for drawn in (lines[printed].again, lines[printed].here):
            assert 0 < abs(drawn - mean) < 12 * scale, printed
    assert f"{mean:.3f}" in lines["38.569"].why
    again = {line.printed: line for line in printed_numbers(ground, textbook.SEED + 1)}
    moved = {printed for printed, line in again.items() if line.again != lines[printed].again}
    assert moved == {"38.569", "38.592", "38.747"}  # another seed is other noise, and moves nothing else
