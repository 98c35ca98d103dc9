"""Foreign: what is no table, told by its first bytes, and what to do instead."""

from __future__ import annotations

import re

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows.capacity import LOOK
from discreet.rows.files.format import accepted

NAMES = {
    b"\x80\x04": Phrase("a Python pickle"),
    b"\x80\x05": Phrase("a Python pickle"),
    b"\x1f\x8b": Phrase("a compressed file"),
    b"BZh": Phrase("a compressed file"),
    b"\xfd7zXZ": Phrase("a compressed file"),
    b"(\xb5/\xfd": Phrase("a compressed file"),
    b"7z\xbc\xaf": Phrase("a compressed file"),
    b"%PDF": Phrase("a PDF"),
    b"\x7fELF": Phrase("a program"),
    b"MZ": Phrase("a program"),
    b"\x89PNG": Phrase("a picture"),
    b"\xff\xd8\xff": Phrase("a picture"),
    b"\xd0\xcf\x11\xe0": Phrase("an old Office file"),
}
LISTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*[\[\]\"0-9-]")  # JSON, but no list of objects
PAGES = (b"<!doctype", b"<html", b"<?xml", b"<svg")


def refuse_foreign(data: bytes) -> None:
    """Refuse what somebody took for a table."""
    for magic, name in NAMES.items():
        if data.startswith(magic):
            raise ParameterError("This is {name}, not a table. {accepted}", name=name, accepted=accepted())
    if data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(PAGES):
        raise ParameterError("This is a web page, not a table. {accepted}", accepted=accepted())
    if LISTS.match(data):
        raise ParameterError("This JSON holds no rows. Write a list of objects, one for each row.")
    if b"\x00" in data[:LOOK] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ParameterError("This is not a text file. {accepted}", accepted=accepted())
