"""Files: one file a format, from how it is recognised to how it is read and what sentences call it.

Every module of this folder is imported here, so a new format is one new file. The process that
parses what comes from outside imports it, too: nothing heavier than Arrow may be loaded here.
"""

import io
from importlib import import_module
from pkgutil import iter_modules

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LARGEST_UPLOAD, LOOK, MIB
from discreet.rows.files.compressed import start_within
from discreet.rows.files.format import (
    COMMENTS,
    ENCODINGS,
    MOST_SKIPPED,
    SEPARATORS,
    Format,
    Layout,
    accepted,
    every,
    formats,
    titles,
)
from discreet.rows.files.text import Text

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "COMMENTS",
    "ENCODINGS",
    "MOST_SKIPPED",
    "SEPARATORS",
    "Format",
    "Layout",
    "accepted",
    "every",
    "formats",
    "recognised",
    "suggest",
    "titles",
]


def recognised(start: bytes) -> Format:
    """Return the format of a file, by its first bytes; what nothing recognises is a text, or none."""
    return next((form for form in every() if form.recognises(start)), formats[Text.name])


def suggest(data: bytes, whole: bool = True) -> Layout:
    """Say how to read an upload (or the start of a file), or why it is refused.

    Of what is packed no more than the start is unpacked here, and of a text no more is parsed.
    """
    if not data:
        raise ParameterError("The file is empty. Choose a file with a header and rows.")
    if len(data) > LARGEST_UPLOAD:
        raise ParameterError(
            "The file is larger than {largest_upload} MiB. Use Parquet.", largest_upload=LARGEST_UPLOAD // MIB
        )
    within = start_within(io.BytesIO(data))
    if within is not None:
        data, whole = within, False
    return recognised(data[:LOOK]).layout(data, whole)
