"""Files as programs write them: pairs that differ in the lines of one person, and each repair taken back."""

from __future__ import annotations

import pytest
from support.evidence.files import PARTS, SORTS, Tally, check, drawn
from support.evidence.files_back import BACK, Back
from support.evidence.writers import PROGRAMS, TEXT_ENCODINGS
from support.soak import times

pytestmark = pytest.mark.long

MOST = 1000  # cases that are drawn for a repair that is taken back; from its own first one on it takes some ten


@pytest.mark.soak
def test_nothing_that_one_person_writes_decides_how_others_are_read() -> None:
    """A few cases of every writer, in every encoding; `make fuzz FILES=1` draws for an hour."""
    tally = Tally()
    for seed in range(times(60, 4000)):
        check(drawn(seed), tally)
    if times(0, 1):
        assert set(SORTS) | {"plain"} <= set(tally.of["kind of the changed cell"])
        assert set(TEXT_ENCODINGS) | {"arrow", "xlsx"} <= set(tally.of["encoding"])
    assert all(tally.of[part] for part in PARTS) and len(tally.of["writer"]) >= len(set(PROGRAMS))


@pytest.mark.parametrize("back", BACK, ids=lambda back: back.patch.__name__)
def test_a_repair_that_is_taken_back_is_found_again(back: Back) -> None:
    """The same cases find it, and without it none of them finds anything."""
    seen = back.found(MOST)
    assert seen is not None
    check(drawn(seen[1].case.seed, back.programs))
