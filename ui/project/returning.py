"""Returning: the file that a table was declared from, at a place where somebody said that it lies."""

from __future__ import annotations

from pathlib import Path

from discreet.budget import ParameterError, Phrase
from discreet.rows.capacity import LARGEST_UPLOAD
from discreet.rows.digests import of_bytes

OTHER = Phrase("There is no file at this place, or it is not the one that was declared here, byte by byte.")


def content(path: str, digest: str) -> bytes:
    """Return the file at a place, if it is the one with this content; nothing is told of another one."""
    place = Path(path).expanduser()
    try:
        fits = place.is_absolute() and place.is_file() and place.stat().st_size <= LARGEST_UPLOAD
        data = place.read_bytes() if fits else b""
    except (OSError, ValueError):
        data = b""
    if not data or of_bytes(data) != digest:
        raise ParameterError(OTHER)
    return data
