"""Book parts: what a workbook states beside its cells, found by pattern in its parts without parsing them whole."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from posixpath import join, normpath
from typing import IO
from xml.etree import ElementTree

from discreet.rows.capacity import MIB

BOOK = "xl/workbook.xml"
LINKS = "xl/_rels/workbook.xml.rels"
STYLES = "xl/styles.xml"
OVERLAP = 1024  # bytes: no pattern that is searched for is longer
VALUE = re.compile(rb"<(?:\w+:)?(?:v|is)[ >]")
FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
RECOMPUTED = re.compile(rb"<(?:\w+:)?calcPr\b[^>]*\bfullCalcOnLoad=[\"'](?:1|true)[\"']")
PERCENT = {"9", "10"}  # numbers of the two built-in percentage formats
QUOTED = re.compile(r"\"[^\"]*\"|\\.")
WRONG = (KeyError, ElementTree.ParseError, zipfile.BadZipFile, NotImplementedError, UnicodeError)


class Sheets:
    """The parts of an archive whose unpacked size has been checked."""

    def __init__(self, book: IO[bytes]) -> None:
        """Open the archive, and find the parts of its sheets."""
        self._packed = zipfile.ZipFile(book)
        try:
            self._parts = dict(self._places())
        except WRONG:
            self._parts = {}

    def filled(self, sheet: str) -> bool:
        """Return whether a sheet contains a value; True if its part is not found."""
        return sheet not in self._parts or self._has(self._parts[sheet], VALUE)

    def uncomputed(self, sheet: str) -> bool:
        """Return whether a sheet has formulas that, according to the file, have not been computed yet.

        Libraries that do not compute write such files: beside such a formula there is no value, or a zero.
        """
        return sheet in self._parts and self._has(BOOK, RECOMPUTED) and self._has(self._parts[sheet], FORMULA)

    def percentages(self, sheet: str) -> bool:
        """Return whether a sheet has cells that are displayed as percentages: their values are a hundredth of that."""
        try:
            styles = self._percent_styles()
        except WRONG:
            return False
        used = re.compile(rb" s=\"(?:%s)\"" % "|".join(styles).encode())
        return bool(styles) and sheet in self._parts and self._has(self._parts[sheet], used)

    def _places(self) -> Iterator[tuple[str, str]]:
        """Yield each sheet's name and its part."""
        links = ElementTree.fromstring(self._packed.read(LINKS))
        targets = {link.get("Id"): link.get("Target", "") for link in links}
        for sheet in ElementTree.fromstring(self._packed.read(BOOK)).iter():
            link = next((value for name, value in sheet.items() if name.endswith("}id")), None)
            if sheet.tag.endswith("}sheet") and link in targets:
                part = normpath(join("/xl", targets[link])).lstrip("/")
                if part in self._packed.namelist():
                    yield sheet.get("name", ""), part

    def _percent_styles(self) -> list[str]:
        """Return the numbers of the styles that display percentages."""
        styles = ElementTree.fromstring(self._packed.read(STYLES))
        forms = {each.get("numFmtId"): each.get("formatCode", "") for each in styles.iter() if _is(each, "numFmt")}
        percent = PERCENT | {number for number, code in forms.items() if "%" in QUOTED.sub("", code)}
        cells = next((each for each in styles if _is(each, "cellXfs")), ())
        return [str(at) for at, style in enumerate(cells) if style.get("numFmtId") in percent]

    def _has(self, part: str, mark: re.Pattern[bytes]) -> bool:
        """Search for a pattern in a part, a piece at a time."""
        rest = b""
        try:
            with self._packed.open(part) as file:
                while piece := file.read(MIB):
                    if mark.search(rest + piece):
                        return True
                    rest = piece[-OVERLAP:]
        except WRONG:
            return True
        return False


def _is(element: ElementTree.Element, name: str) -> bool:
    return element.tag.rpartition("}")[2] == name
