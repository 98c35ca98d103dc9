"""Layer 1: exhaustive certificates over every neighbour pair of small lattices, no randomness."""

from __future__ import annotations

import numpy as np
import pytest
from support.evidence.worlds import World, every_query, title_of, world
from support.soak import SOAKS, some, times

from discreet.evidence.worlds import book, bounds_of, distance_faults, distances_of, ladder_faults, smooth_faults
from discreet.queries import ADD_REMOVE, Bounds, Query, Relation
from discreet.queries.column import Bins

FIVE = Bounds(-4, 8, step=3, integer=True)  # five ticks, a negative lower bound, whole numbers
FOUR = Bounds(-0.5, 1.5, step=0.5)
BETAS = (0.1, 0.5, 2.0)
SIZES = (1, 2, 4, 5) if SOAKS else (1, 4)
CASES: list[tuple[Query, Bounds, World]] = [
    *((query, FIVE, world(5, 0, times(4, 7), ADD_REMOVE)) for query in every_query(ADD_REMOVE)),
    *((query, FOUR, world(4, 0, 5, Relation(rows=2))) for query in every_query(Relation(rows=2))),
    *((query, FIVE, world(5, n, n, Relation(n))) for n in SIZES for query in every_query(Relation(n))),
    *((query, FOUR, world(4, 4, 4, Relation(4, 2))) for query in every_query(Relation(4, 2))),
]


def test_the_lattice_holds_every_neighbour_pair_of_up_to_seven_rows() -> None:
    """462 datasets of at most six rows, five ways to add one: 2310 pairs, none forgotten."""
    small = world(5, 0, 7, ADD_REMOVE)
    assert len(small.datasets) == 792 and len(small.first) == 2310


@pytest.mark.soak
@pytest.mark.parametrize(("query", "bounds", "small"), CASES, ids=[title_of(q) for q, _, _ in CASES])
def test_every_neighbour_pair_holds_the_certificates(query: Query, bounds: Bounds, small: World) -> None:
    """The ladder's recursion, the distance's and the smooth bound's promises: no violation.

    In `make test` of up to four rows, with the smooth bounds that fall slowest and fastest, and fewer proposals: of
    more rows and of other public numbers of them, ladders are compared with brute force in tests/queries.
    """
    b, columns = book(query, bounds, small)
    faults = ladder_faults(b)
    for proposed in np.unique(b.ladders[b.ladders < b.most])[:: times(21, 7)]:
        faults.update(distance_faults(b, distances_of(b, proposed), proposed))
        assert not any(faults.values()), (faults, proposed)
    for beta in some(BETAS, 2) if b.most > 0 else ():
        faults.update(smooth_faults(b, bounds_of(query, columns, beta), beta))
        assert not any(faults.values()), (faults, beta)
    assert not any(faults.values()), faults


def test_one_row_moves_one_count_by_one_and_never_two_in_opposite_directions() -> None:
    """Scores of declared bins: what lets selection spend the whole epsilon on one vote."""
    small = world(5, 0, 6, ADD_REMOVE)
    bins = Bins((-4.0, -1.0, 3.0, 6.0, 8.0))
    counts = np.stack([bins.scores(column).counts for column in small.columns(FIVE)])
    moves = counts[np.array(small.second)] - counts[np.array(small.first)]
    assert np.all(moves.sum(axis=1) == 1) and np.all(moves >= 0)
    assert np.all(np.abs(moves).max(axis=1) == 1)
