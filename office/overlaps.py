"""Overlaps: rows of one wave that turn up in another, where each wave is a budget of its own.

Rows that two waves hold would be paid for twice by the same people, and each wave would promise what only
both together keep. They are compared by the marks that are kept of every version (`imprinting`); where an officer
lets none be kept, nobody notices them, and whoever brings a wave says why it holds none.
"""

from __future__ import annotations

from collections.abc import Iterator

from discreet.budget import ParameterError, Phrase
from discreet.office import per_wave
from discreet.office.house import House
from discreet.office.registry import Registered, row_of
from discreet.office.versions import contents
from discreet.rows.imprints import Imprints

NOTICED = 0.02  # the part of the rows of the smaller table that two waves share
FEWEST = 10  # characters that say why rows that are the same are of another wave
UNSEEN = Phrase(
    "No marks of these rows are kept, so nobody notices rows of another wave. Say in at least {fewest} characters why "
    "this file holds none."
)
LOST = Phrase("What the rows of wave {wave} are compared by is lost, so nobody can tell whether these are others.")


class Repeating(ParameterError):
    """Rows of another wave are in a file, and nobody said yet why they are of this one, too."""

    def __init__(self, waves: str, tenths: int) -> None:
        """Name the waves, about how much of them is the same, and what to do."""
        words = Phrase(
            "About {tenths} in 10 rows are those of wave {waves}. Bring a file that holds the rows of its own wave "
            "only, or say in at least {fewest} characters why they are of this wave.",
            waves=waves,
            tenths=tenths,
            fewest=FEWEST,
        )
        super().__init__("{wrong}", wrong=words)


def wave_of(data: Registered, correction: bool) -> int | None:
    """Return the wave that new rows belong to: the newest one, or the next; None where waves are no unit."""
    if not per_wave.applies(data.registration):
        if correction:
            raise ParameterError("Only where each wave is a budget of its own is it said what a version corrects.")
        return None
    return data.versions[-1].wave + (not correction)


def check(house: House, data: Registered, rows: Imprints | None, wave: int, own: str) -> str:
    """Refuse rows of other waves until somebody says why they are of this one; return what was said for it."""
    if not data.registration.compared:
        if len(own.strip()) < FEWEST:
            raise ParameterError(UNSEEN.template, fewest=FEWEST)
        return own
    assert rows is not None
    shared = {at: part for at, earlier in _others(house, data, wave) if (part := rows.repeated(earlier)) >= NOTICED}
    if shared and len(own.strip()) < FEWEST:
        raise Repeating(", ".join(map(str, sorted(shared))), max(1, round(10 * min(1.0, max(shared.values())))))
    return own if shared else ""


def _others(house: House, data: Registered, wave: int) -> Iterator[tuple[int, Imprints]]:
    """Yield the marks of every version that belongs to another wave; refuse where they are gone."""
    for version, place in zip(data.versions, contents(row_of(house, data.id)), strict=True):
        if version.wave != wave:
            yield version.wave, _marks(house, place, version.wave)


def _marks(house: House, place: str, wave: int) -> Imprints:
    try:
        content = house.vault.imprints(place)
    except ParameterError:
        content = None
    if content is None:
        raise ParameterError(LOST.template, wave=wave)
    return Imprints.from_bytes(content)
