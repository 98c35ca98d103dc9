"""Files: one file a format, from how it is recognised to how it is read and what sentences call it.

Every file of this folder is imported here, so a new format is one new file; named packages bring theirs. The process
that parses what comes from outside imports it, too: nothing heavier than Arrow may be loaded here.
"""

import io

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LARGEST_UPLOAD, LOOK, MIB
from discreet.rows.files.compressed import start_within
from discreet.rows.files.csv import Text
from discreet.rows.files.format import (
    COMMENTS,
    ENCODINGS,
    MOST_SKIPPED,
    SEPARATOR_NAMES,
    SEPARATORS,
    Format,
    Layout,
    accepted,
    every,
    formats,
    titles,
)

formats.fill(__name__, __path__)

__all__ = [
    "COMMENTS",
    "ENCODINGS",
    "MOST_SKIPPED",
    "SEPARATORS",
    "SEPARATOR_NAMES",
    "Format",
    "Layout",
    "accepted",
    "every",
    "formats",
    "likely",
    "proposed",
    "recognised",
    "suggest",
    "titles",
]


def recognised(start: bytes) -> Format:
    """Return the format of a file, by its first bytes; what nothing recognises is a text, or none."""
    return next((form for form in every() if form.recognises(start)), formats[Text.name])


def suggest(data: bytes) -> Layout:
    """Propose how to read an upload by its public beginning (or take that alone), or say why it is refused.

    Of what is packed no more than the start is unpacked here, and no row decides anything.
    """
    _check_size(data)
    return proposed(_unwrapped(data))


def proposed(start: bytes) -> Layout:
    """Propose how to read what begins like this."""
    return recognised(start[:LOOK]).layout(start[:LOOK])


def likely(data: bytes) -> Layout:
    """Say how an upload is meant to be read, as its rows look. Only the person who brings it may be told."""
    _check_size(data)
    data = _unwrapped(data)
    return recognised(data[:LOOK]).likely(data)


def _unwrapped(data: bytes) -> bytes:
    """Return the start of what is packed, or all of what is not."""
    within = start_within(io.BytesIO(data))
    return data if within is None else within


def _check_size(data: bytes) -> None:
    if not data:
        raise ParameterError("The file is empty. Choose a file with a header and rows.")
    if len(data) > LARGEST_UPLOAD:
        raise ParameterError(
            "The file is larger than {largest_upload} MiB. Use Parquet.", largest_upload=LARGEST_UPLOAD // MIB
        )
