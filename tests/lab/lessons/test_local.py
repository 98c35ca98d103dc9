"""The numbers of lesson 6: against brute force, closed forms and the exact divergence."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.lab.lessons import local
from discreet.queries import Column
from discreet.queries import registry as statistics


@pytest.mark.parametrize("people, width", [(5, 0.0), (9, 40.0), (21, 100.0)])
@pytest.mark.parametrize("name", ["mean", "median"])
def test_local_sensitivity_is_what_one_person_can_move(people: int, width: float, name: str) -> None:
    """Every removal and every addition tried by hand."""
    query, column = statistics[name](), local.spread_out(people, width)
    rows = list(column.values())
    tries = [rows[:i] + rows[i + 1 :] for i in range(people)]
    tries += [[*rows, value] for value in np.arange(0, 100.5, 0.5)]
    moved = max(abs(query.value(Column.from_values(local.AGES, t)) - query.value(column)) for t in tries)
    assert local.sensitivities(people, width)[name][0] == pytest.approx(moved)


def test_the_size_of_the_noise_tells_n() -> None:
    """After 1,000 answers the guess is within a tenth, for few people and for many."""
    for people in (10, 300, 10_000):
        assert local.recovered(people, 0.5, 1000, 1)[-1] == pytest.approx(people, rel=0.1)
    assert len(local.places(1000)) == len(local.recovered(50, 1.0, 1000, 2))


def test_noise_of_local_size_fails_at_the_jump_and_only_there() -> None:
    """Five and four: delta near 1; one group much larger: the median cannot jump, delta is 0."""
    told = local.jump(5, 4, 1.0)
    assert told.sensitivities == (19.0, 0.25) and told.delta > 0.9
    assert local.jump(9, 2, 1.0).delta < 1e-9
    step = told.x[1] - told.x[0]
    assert told.densities[0].sum() * step == pytest.approx(1, abs=0.1)


def test_the_error_of_the_global_way_is_the_closed_form_and_blocks_need_people() -> None:
    """Laplace noise for the median: b ln 20, folded by the bounds; every way is at equal cost."""
    told = {way.kind.slug: way for way in local.ways("median", 300, 1.0)}
    assert told["laplace"].error <= 49.75 * math.log(20)
    assert told["smooth-core-tail"].error < told["propose-test-release"].error < 20
    many = {way.kind.slug: way for way in local.ways("median", 30_000, 1.0)}
    assert many["blocks-median"].error < 1 < told["blocks-median"].error
    assert all(way.refusals < 0.05 for way in many.values())
