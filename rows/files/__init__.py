"""Files: one file for each format: how it is recognised, read, and named in messages.

Every file of this folder is imported here, so a new format is one new file; named packages add theirs. The process that
parses untrusted files imports it, too: nothing heavier than Arrow may be imported here.
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
    """Return the format of a file by its first bytes; a file that no format recognises is taken as text."""
    return next((form for form in every() if form.recognises(start)), formats[Text.name])


def suggest(data: bytes) -> Layout:
    """Suggest how to read an upload, by its public beginning; raise ParameterError if it is refused.

    Of a compressed file only the beginning is decompressed here, and no row affects the result.
    """
    _check_size(data)
    return proposed(_unwrapped(data))


def proposed(start: bytes) -> Layout:
    """Suggest how to read a file with this beginning."""
    return recognised(start[:LOOK]).layout(start[:LOOK])


def likely(data: bytes) -> Layout:
    """Return the likely layout of an upload, judged by its rows. Only the person who uploads it may see this."""
    _check_size(data)
    data = _unwrapped(data)
    return recognised(data[:LOOK]).likely(data)


def _unwrapped(data: bytes) -> bytes:
    """Return the decompressed beginning of a compressed file, or the whole of any other file."""
    within = start_within(io.BytesIO(data))
    return data if within is None else within


def _check_size(data: bytes) -> None:
    if not data:
        raise ParameterError("The file is empty. Choose a file with a header and rows.")
    if len(data) > LARGEST_UPLOAD:
        raise ParameterError(
            "The file is larger than {largest_upload} MiB. Use Parquet.", largest_upload=LARGEST_UPLOAD // MIB
        )
