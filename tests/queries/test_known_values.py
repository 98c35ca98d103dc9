"""Ladders, smooth sensitivities and distances that were computed once by brute force and kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute.cases import BOUNDED, GRIDS, every_case

from discreet.queries import ADD_REMOVE, Relation, registry
from discreet.queries.mean import Mean
from discreet.queries.variance import Variance

KNOWN = json.loads((Path(__file__).parent / "data" / "ladders.json").read_text("utf-8"))
GRID = GRIDS["whole"]


def ladder(entry: dict[str, Any], relation: Relation, rungs: int) -> np.ndarray:
    """A(0..rungs-1) of an entry's rows."""
    query, _ = every_case(GRID, relation)[entry["query"]]
    return query.ladder(GRID.column(tuple(entry["rows"])), np.arange(rungs))


@pytest.mark.parametrize("entry", KNOWN["add_remove"], ids=lambda e: f"{e['query']} {e['rows']}")
def test_add_remove(entry: dict[str, Any]) -> None:
    """Every kept A(k) and every S(beta) is reproduced, with k = 0 in the maximum."""
    expected = np.array(entry["ladder"])
    np.testing.assert_allclose(ladder(entry, ADD_REMOVE, expected.size), expected, atol=1e-11)
    rungs, k = ladder(entry, ADD_REMOVE, 500), np.arange(500)
    for beta, smooth in entry["smooth"].items():
        assert np.max(np.exp(-float(beta) * k) * rungs) == pytest.approx(smooth, rel=1e-12)


@pytest.mark.parametrize("entry", KNOWN["change_one"], ids=lambda e: f"{e['query']} {e['rows']}")
def test_change_one(entry: dict[str, Any]) -> None:
    """Every kept A(k) is reproduced where the number of rows is public."""
    expected = np.array(entry["ladder"])
    rungs = ladder(entry, Relation(size=len(entry["rows"])), expected.size)
    np.testing.assert_allclose(rungs, expected, atol=1e-11)


@pytest.mark.parametrize("entry", KNOWN["distance of the mean"], ids=lambda e: str(e["rows"]))
def test_distance_of_the_mean(entry: dict[str, Any]) -> None:
    """The least k with A(k) above b is the kept distance; none where b is the sensitivity."""
    rungs = Mean().ladder(GRID.column(tuple(entry["rows"])), np.arange(20))
    for bound, distance in entry["least k with A(k) above"].items():
        above = np.flatnonzero(rungs > float(bound) * (1 + 1e-12))
        assert (int(above[0]) if above.size else None) == distance


@pytest.mark.parametrize("entry", KNOWN["variance"], ids=lambda e: str(e["rows"]))
def test_variance(entry: dict[str, Any]) -> None:
    """A(0) is the kept local sensitivity and the higher rungs are the kept bound."""
    rungs = Variance().ladder(GRID.column(tuple(entry["rows"])), np.arange(4))
    assert rungs[0] == pytest.approx(entry["local"])
    assert rungs[0] <= entry["bound"][0] + 1e-9
    np.testing.assert_allclose(rungs[1:], entry["bound"][1:], rtol=1e-9)


def test_every_statistic_has_a_plain_twin() -> None:
    """Whatever registers is computed in plain Python as well; the next one says here that it is missing."""
    grid = GRIDS["whole"]
    queries = [query for relation in (Relation(), Relation(3)) for query, _ in every_case(grid, relation).values()]
    queries += [case.make(Relation()) for case in BOUNDED.values()]
    assert {query.name for query in queries} == set(registry)
