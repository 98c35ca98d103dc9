"""Workbook: a publication as an Excel file: every number in a line, and beside it what the columns mean.

Texts are written as texts, so that none is executed, and numbers as numbers (to sixteen digits, as such files hold
them), so that one can go on with them.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Any

import xlsxwriter

from discreet.budget import Phrase
from discreet.lab.report.html_report import english
from discreet.lab.report.publication import Publication
from discreet.lab.report.sheets import RELEASE, lines_of
from discreet.lab.report.svg_figures import Say
from discreet.lab.report.table_metadata import MEANING

ANSWERS, ABOUT = Phrase("Answers"), Phrase("About")
EXACT = 2**53  # beyond it a cell would round a whole number
LONGEST = 32_000  # signs of a cell
WIDE = {"statistic": 24, "columns": 20, "group": 18, "where": 24, "mechanism": 26, "as read": 40, "at": 24}


def workbook(publication: Publication, say: Say = english) -> bytes:
    """Return an Excel file; the same answers are the same bytes."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        book.set_properties({"created": publication.released[1].replace(tzinfo=None)})
        bold = book.add_format({"bold": True})
        answers = book.add_worksheet(say(ANSWERS))
        lines = lines_of(publication.own, publication.at_once)
        _table(answers, [[line[name] for name in RELEASE] for line in lines], bold)
        about = book.add_worksheet(say(ABOUT))
        about.set_column(0, 0, 20)
        about.set_column(1, 1, 110, book.add_format({"text_wrap": True}))
        said = [("", say(each)) for each in (*publication.methods, *publication.promise)]
        for at, line in enumerate([*said, ("", ""), *MEANING.items()]):
            _line(about, at, line)
    return sink.getvalue()


def _table(sheet: Any, lines: Sequence[Sequence[Any]], bold: Any) -> None:
    """Write head and lines, with the head in sight and a filter for each column."""
    for at, name in enumerate(RELEASE):
        sheet.set_column(at, at, WIDE.get(name, 12))
        sheet.write_string(0, at, name, bold)
    for number, line in enumerate(lines, 1):
        _line(sheet, number, line)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(lines), len(RELEASE) - 1)


def _line(sheet: Any, number: int, line: Sequence[Any]) -> None:
    for at, cell in enumerate(line):
        if isinstance(cell, (int, float)) and not isinstance(cell, bool) and math.isfinite(cell) and abs(cell) <= EXACT:
            sheet.write_number(number, at, cell)
        elif cell not in ("", None):
            sheet.write_string(number, at, str(cell)[:LONGEST])
