"""Returning: the file that a table was declared from, at a place where somebody said that it lies."""

from __future__ import annotations

import os
from pathlib import Path

from discreet.budget import ParameterError, Phrase
from discreet.rows.capacity import LARGEST_UPLOAD
from discreet.rows.digests import of_bytes

OTHER = Phrase("There is no file at this place, or it is not the one that was declared here, byte by byte.")


def content(path: str, digest: str) -> bytes:
    """Return the file at a place, if it is the one with this content; nothing is told of another one."""
    try:
        place = Path(path).expanduser()
        data = _read(place) if place.is_absolute() and place.is_file() else b""
    except (OSError, ValueError, RuntimeError):  # the last: a person whom this machine does not know
        data = b""
    if not data or of_bytes(data) != digest:
        raise ParameterError(OTHER)
    return data


def _read(place: Path) -> bytes:
    """Return as much as a file says that it holds: some of the system have no end."""
    with place.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return file.read(size) if size <= LARGEST_UPLOAD else b""
