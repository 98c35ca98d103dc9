"""Workbook: a publication as an Excel file: each table as it is printed, then all numbers as a long table, then about.

A sheet shows what the report prints of a query, or of several queries of the same groups: its digits, intervals and
sums. The long table has every number to the last digit. No cell is a formula.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import xlsxwriter

from discreet.budget import Phrase
from discreet.report.html import (
    Say,
    about_sums,
    conditions,
    english,
    label_name,
    level_names,
    marks_of,
    number,
    part_name,
    question,
    rule_words,
)
from discreet.report.numbers import Datum, value_of
from discreet.report.publication import WARNINGS, Block, Chapter, Publication, blocks
from discreet.report.tables import GROUPING, MEANING, RELEASE, TOO_FEW, grouping, lines_of

DATA = Phrase("Data")
ABOUT = Phrase("About")
EXACT = 2**53  # beyond it a cell would round an integer
LONGEST = 32_000  # characters of a cell
LONGEST_NAME = 31  # UTF-16 units of a sheet's name
WIDTH = {"statistic": 24, "columns": 20, "where": 24, "mechanism": 26, "as read": 40, "at": 24}
A4 = 9
EACH = 3  # columns of a number: itself, and the two ends of its interval; one more for the mark of its quality
QUALITY = Phrase("Quality")
DOUBTED = 'General" ({why})"'  # a number that the screen does not show, with the reason in its cell
NO_LOOKS: Mapping[int, Any] = MappingProxyType({})


def workbook(publication: Publication, say: Say = english) -> bytes:
    """Return an Excel file; equal answers give equal bytes."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        cover = publication.cover
        created = publication.released[1].replace(tzinfo=None)
        book.set_properties({"created": created, "title": cover.title, "author": cover.office})
        pages = Pages(book, publication, say)
        for block in blocks(publication.chapters):
            pages.table(block)
        pages.data()
        pages.about()
    return sink.getvalue()


def sheet_name(number: int, words: str) -> str:
    """Return a name that says what a sheet holds; the number in front makes it unlike all others."""
    plain = "".join(each if each.isprintable() else " " for each in re.sub(r"[\[\]:*?/\\']", " ", words))
    name = f"{number} {' '.join(plain.split())}"
    while len(name.encode("utf-16-le")) > 2 * LONGEST_NAME:
        name = name[:-1]
    return name.strip()


@dataclass(frozen=True)
class Grid:
    """The numbers of a query in lines and columns: the last group, or the parts, above; other groups on the left."""

    left: tuple[str, ...]
    above: tuple[str, ...]
    lines: dict[tuple[str, ...], dict[str, int]]  # by the names on the left: the place of each number in its chapter


def grid(chapter: Chapter, say: Say) -> Grid:
    """Arrange the numbers of a query as a cross table, or as a list if there is one axis only."""
    names = [(*level_names(each, say), *([part_name(each, say)] if each.part else [])) for each in chapter.data]
    axes = len(names[0]) if names else 0
    parted = any(each.part for each in chapter.data)
    left = (*chapter.groups, *([say("Part")] if parted else []))
    lines: dict[tuple[str, ...], dict[str, int]] = {}
    for at, name in enumerate(names):
        first, last = (name[:-1], name[-1]) if axes > 1 else (name or (say("All queried rows"),), "")
        lines.setdefault(first, {})[last] = at
    above = tuple(dict.fromkeys(name for line in lines.values() for name in line))
    return Grid(left[:-1] if axes > 1 else left or ("",), above, lines)


@dataclass
class Pages:
    """The sheets of a workbook, and the formats of their cells."""

    book: Any
    publication: Publication
    say: Say
    _formats: dict[tuple[tuple[str, Any], ...], Any] = field(default_factory=dict)

    @property
    def _each(self) -> int:
        """The number of columns of a number."""
        return EACH + (self.publication.rule is not None)

    def _style(self, **properties: Any) -> Any:
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            self._formats[key] = self.book.add_format(properties)
        return self._formats[key]

    def _sheet(self, name: str) -> Any:
        """Add a sheet that prints on A4, as wide as the page, with numbered pages."""
        sheet = self.book.add_worksheet(name)
        sheet.set_paper(A4)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        title = (self.publication.cover.title or self.say("Released statistics"))[:80].replace("&", "&&")
        sheet.set_footer(f"&L{title}&R&P / &N")
        return sheet

    def _head(self, sheet: Any, status: str) -> int:
        """Write the status, if results do not stand; return the next line."""
        if not status:
            return 0
        sheet.write_string(0, 0, self.say(WARNINGS[status]), self._style(bold=True, font_color="#b3261e"))
        return 1

    def table(self, block: Block) -> None:
        """Add the sheet of a table: its title, the numbers of its queries with intervals and sums, and notes."""
        say = self.say
        at = block.places[0] + 1
        title = say(block.title)
        sheet = self._sheet(sheet_name(at, title))
        grey = self._style(font_color="#56605c")
        statuses = [self.publication.statuses.get(each.release.id, "") for each in block.chapters]
        line = self._head(sheet, next(filter(None, statuses), ""))
        sheet.write_string(line, 0, f"{at}. {title}"[:LONGEST], self._style(bold=True, font_size=14))
        first = block.chapters[0]
        asked = conditions(first, say) if block.shared else question(first, say)
        sheet.write_string(line + 1, 0, asked[:LONGEST], grey)
        line = self._beside(sheet, line + 3, block) if block.shared else self._numbers(sheet, line + 3, first)
        notes = [note for each in block.chapters for note in self._notes(each)]
        for note in dict.fromkeys(notes):
            sheet.write_string(line, 0, note[:LONGEST], grey)
            line += 1

    def _notes(self, chapter: Chapter) -> list[str]:
        return [*about_sums(self.publication, chapter, self.say), *map(self.say, chapter.notes)]

    def _beside(self, sheet: Any, top: int, block: Block) -> int:
        """Write queries of the same groups side by side, a line for each group; return the line behind it."""
        head = self._style(bold=True, bottom=1, text_wrap=True)
        left = len(block.groups)
        for at, name in enumerate(block.groups):
            sheet.write_string(top, at, name[:LONGEST], head)
        for at, chapter in enumerate(block.chapters):
            self._heads(sheet, top, left + self._each * at, self.say(chapter.short), head)
        sheet.set_column(0, left - 1, 24)
        sheet.set_column(left, left + self._each * len(block.chapters), 16)
        for line, (names, places) in enumerate(block.lines.items(), top + 1):
            for at, name in enumerate(names):
                sheet.write_string(line, at, label_name(name, self.say)[:LONGEST])
            for at, (chapter, place) in enumerate(zip(block.chapters, places, strict=True)):
                if place is not None:
                    self._number(sheet, line, left + self._each * at, chapter, place)
        line = top + 1 + len(block.lines)
        for at, chapter in enumerate(block.chapters):
            if chapter.adds:
                sheet.write_string(line, 0, self.say("Sum"), self._style(bold=True, top=1))
                self._sum(sheet, line, left + self._each * at, chapter, range(len(chapter.data)), top=1)
        sheet.freeze_panes(top + 1, left)
        return line + 2

    def _heads(self, sheet: Any, line: int, column: int, name: str, style: Any) -> None:
        """Write the heads of a number, of the two ends of its interval and, if there is one, of its mark."""
        heads = (name, self.say("Low (95%)"), self.say("High (95%)"), self.say(QUALITY))
        for at, text in enumerate(heads[: self._each]):
            sheet.write_string(line, column + at, text[:LONGEST], style)

    def _numbers(self, sheet: Any, top: int, chapter: Chapter) -> int:
        """Write the table of a query, from a line on; return the line behind it."""
        say = self.say
        shape = grid(chapter, say)
        left = len(shape.left)
        head = self._style(bold=True, bottom=1, text_wrap=True)
        crossed = shape.above != ("",)
        adds = chapter.adds
        for at, name in enumerate(shape.left):
            sheet.write_string(top, at, name[:LONGEST], head)
        for at, name in enumerate(shape.above):
            self._heads(sheet, top, left + self._each * at, name if crossed else say("Result"), head)
        last = left + self._each * len(shape.above)
        if adds and crossed:
            sheet.write_string(top, last, say("Sum"), head)
        sheet.set_column(0, left - 1, 24)
        sheet.set_column(left, last, 16)
        line = top + 1
        for names, places in shape.lines.items():
            for at, name in enumerate(names):
                sheet.write_string(line, at, name[:LONGEST])
            for at, name in enumerate(shape.above):
                if name in places:
                    self._number(sheet, line, left + self._each * at, chapter, places[name])
            if adds and crossed:
                self._sum(sheet, line, last, chapter, list(places.values()))
            line += 1
        if adds:
            sheet.write_string(line, 0, say("Sum"), self._style(bold=True, top=1))
            for at, name in enumerate(shape.above):
                column = [places[name] for places in shape.lines.values() if name in places]
                self._sum(sheet, line, left + self._each * at, chapter, column, top=1)
            if crossed:
                self._sum(sheet, line, last, chapter, range(len(chapter.data)), top=1)
            line += 1
        sheet.freeze_panes(top + 1, left)
        return line + 1

    def _number(self, sheet: Any, line: int, column: int, chapter: Chapter, at: int) -> None:
        """Write a number with the digits that are printed, and the ends of its interval in the next cells."""
        datum: Datum = chapter.data[at]
        printed = chapter.printed[at]
        if printed is None:
            sheet.write_string(line, column, number(datum, self.say)[:LONGEST], self._style(align="right"))
        else:
            self._decimal(sheet, line, column, printed)
        for beside, end in enumerate(datum.ends or ("–", "–"), column + 1):
            value = value_of(end, chapter.signs)
            if value is None:
                sheet.write_string(line, beside, end[:LONGEST], self._style(font_color="#56605c", align="right"))
            else:
                self._decimal(sheet, line, beside, value, font_color="#56605c")
        mark = marks_of(chapter, self.publication.rule)[at]
        if mark:
            sheet.write_string(line, column + EACH, mark)

    def _sum(self, sheet: Any, line: int, column: int, chapter: Chapter, places: Sequence[int], **more: Any) -> None:
        printed = chapter.printed
        self._decimal(
            sheet, line, column, sum((printed[at] or Decimal() for at in places), Decimal()), bold=True, **more
        )

    def _decimal(self, sheet: Any, line: int, column: int, value: Decimal, **more: Any) -> None:
        exponent = value.as_tuple().exponent
        places = max(0, -exponent) if isinstance(exponent, int) else 0
        style = self._style(num_format="#,##0" + "." * bool(places) + "0" * places, **more)
        if abs(value) <= EXACT:
            sheet.write_number(line, column, float(value), style)
        else:
            sheet.write_string(line, column, str(value), style)

    def data(self) -> None:
        """Add the long table: every number to its last digit, with a column for each grouping variable."""
        publication = self.publication
        groups = list(grouping(publication.own).values())
        names = [name for name in RELEASE if name not in ("by", "group")]
        behind = names.index("columns") + 1
        names[behind:behind] = groups
        lines = list(lines_of(publication.own, publication.at_once, publication.statuses))
        sheet = self._sheet(self.say(DATA))
        doubted = self._style(num_format=DOUBTED.format(why=self.say(TOO_FEW).replace('"', "'")), font_color="#56605c")
        for at, name in enumerate(names):
            sheet.set_column(at, at, WIDTH.get(name, 18 if name in groups else 12))
            sheet.write_string(0, at, name[:LONGEST], self._style(bold=True))
        for at, line in enumerate(lines, 1):
            _line(sheet, at, [line[name] for name in names], {names.index("answer"): doubted} if line["note"] else {})
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, len(lines), len(names) - 1)

    def about(self) -> None:
        """Add who publishes the results, how they were made, what is guaranteed, and what the columns mean."""
        say, publication = self.say, self.publication
        cover = publication.cover
        sheet = self._sheet(say(ABOUT))
        sheet.set_column(0, 0, 20)
        sheet.set_column(1, 1, 110, self._style(text_wrap=True))
        line = self._head(sheet, cover.status)
        typed = {
            say("Title"): cover.title,
            say("Office"): cover.office,
            say("Contact"): cover.contact,
            say("Note"): cover.note,
        }
        face = [(name, text) for name, text in typed.items() if text]
        if publication.rule is not None:
            face.append((say(QUALITY), say(rule_words(publication.rule))))
        said = [("", say(each)) for each in (*publication.methods, *publication.promise)]
        columns = {name: MEANING.get(name, GROUPING) for name in (*MEANING, *grouping(publication.own).values())}
        for at, cells in enumerate([*face, ("", ""), *said, ("", ""), *columns.items()], line):
            _line(sheet, at, cells)


def _line(sheet: Any, number: int, line: Sequence[Any], looks: Mapping[int, Any] = NO_LOOKS) -> None:
    for at, cell in enumerate(line):
        if isinstance(cell, (int, float)) and not isinstance(cell, bool) and math.isfinite(cell) and abs(cell) <= EXACT:
            sheet.write_number(number, at, cell, looks.get(at))
        elif cell not in ("", None):
            sheet.write_string(number, at, str(cell)[:LONGEST], looks.get(at))
