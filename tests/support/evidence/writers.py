"""Writers: tables as programs and people write them, byte for byte, with the public layout of each file.

A writer is generated once with all of its options and then writes several tables. It states what must be read of each
row: its cells as they were meant, no readable cell at all, no row, or (if the writer itself broke the row) at most so
many rows, which may be anything.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import xlsxwriter

from discreet.rows.files import Layout

TEXT_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "latin-1", "cp1252", "gb18030")
NAMED = {"utf-8-sig": "utf-8", "utf-16-be": "utf-16"}  # the names in a declaration
UNFIT = {"utf-8": b"\xff", "utf-8-sig": b"\xe4\xb8", "utf-16": b"\x00\xd8", "utf-16-be": b"\xd8\x00"}
UNFIT |= {"cp1252": b"\x81", "gb18030": b"\xff"}  # in Latin-1 every byte is a letter
SEPARATORS = (",", ";", "\t", "|")
BROKEN, ABSENT = "broken", "absent"  # a row without any readable cell; no row at all
RETURN = "return"  # a program has left a line end in an unquoted cell


class Cell(NamedTuple):
    """A cell as text or typed value, every correct reading of it, and its sort."""

    text: str
    means: tuple[Any, ...]
    sort: str = "plain"
    value: Any = None  # typed; None if there is none


class Row(NamedTuple):
    """The cells of a row, whether it belongs to the one person who changes, its index in the table, and its slip."""

    cells: tuple[Cell, ...]
    mine: bool
    place: int
    slip: str = ""
    at: int = 0  # the index of the cell with the slip


Expected = str | int | Sequence[str | None]  # broken, absent, at most so many rows, or these texts


@dataclass(frozen=True)
class Writer:
    """A program with its options: how it writes a table, and what must be read of a row."""

    name: str
    encoding: str
    layout: Layout
    write: Callable[[Sequence[str], Sequence[Row]], bytes]
    expected: Callable[[Row], Expected]
    texts: bool = True  # whether cells are read as written: False if formats have types
    first: int = 1  # the index of the first column, which names it if there is no header
    half: bool = False  # whether half a character can be written
    slips: tuple[str, ...] = ("",)  # the possible slips in a row

    def alone(self, row: Row) -> bool:
        """Whether a row is at most one row when read: not if each of its lines is one."""
        expected = self.expected(row)
        return not isinstance(expected, int) or expected < 2

    def names(self, name: str) -> bool:
        """Whether a column can have a name without being broken by its writer."""
        lines = "\n" in name and self.name in ("csv", "pandas", "parquet", "feather", "excel")
        torn = self.name == "r" and any(sign in name for sign in ('"', "\n", *SEPARATORS))
        return not lines and not torn and (not self.texts or encodable(name, self.encoding))

    def holds(self, cell: Cell) -> bool:
        """Whether a cell can be in such a file at all."""
        if not self.texts and self.name != "json":
            no_text = "\0" in cell.text or any("\ud800" <= sign <= "\udfff" for sign in cell.text)
            return not no_text and not (self.name == "excel" and (cell.sort in UNKEPT or len(cell.text) > 30_000))
        if self.name in ("postgresql", "sqlite") and "\0" in cell.text:
            return False
        return self.half or encodable(cell.text, self.encoding)


UNKEPT = ("return", "line end", "breaks", "blanks", "endless", "backslash")  # XML writes these differently


def encodable(text: str, encoding: str) -> bool:
    """Whether all characters of a text are in an encoding."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def written(encoding: str, lines: Sequence[str | bytes]) -> bytes:
    """Encode the lines of a file, with a byte order mark if the encoding has one; bytes are unchanged."""
    mark = {"utf-8-sig": b"\xef\xbb\xbf", "utf-16": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    plain = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}.get(encoding, encoding)
    return mark + b"".join(line if isinstance(line, bytes) else line.encode(plain) for line in lines)


def text_layout(encoding: str, separator: str, **more: Any) -> Layout:
    """Declare the layout of a text file."""
    return Layout("text", NAMED.get(encoding, encoding), separator, **more)


def _texts(row: Row) -> list[str]:
    return [cell.text for cell in row.cells]


def _ends(row: Row) -> int:
    """Count the lines of a row if every line end in it were one."""
    return 1 + sum(cell.text.count("\n") + cell.text.count("\r") for cell in row.cells)


def judged(layout: Layout, faithful: bool = True, torn: Callable[[Row], Any] = lambda row: False) -> Any:
    """Return what must be read of the rows of a text, given what its writer itself gets wrong (`torn`)."""

    def expected(row: Row) -> Expected:
        texts = _texts(row)
        if layout.comment and texts[0].startswith(layout.comment) and not layout.row_names:
            return 1 if _ends(row) == 1 else _ends(row)  # a program that does not know comments writes one
        if torn(row) == RETURN and not texts[-1].endswith("\r"):  # refused at the upload; "\r\n" ends any line
            return _ends(row) if layout.lenient else texts
        if torn(row):
            return _ends(row)
        if any("\0" in text for text in texts):
            return BROKEN if _ends(row) == 1 else _ends(row)
        return _ends(row) if layout.lenient and _ends(row) > 1 else texts

    return expected


def _headed(draw: random.Random) -> bool:
    return draw.random() < 0.85


def csv_module(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """Python's csv.writer, in its modes, with every kind of line end."""
    encoding, separator = draw.choice(TEXT_ENCODINGS), draw.choice(SEPARATORS)
    quoting, end, header = (
        draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
        draw.choice(("\n", "\r\n", "\r")),
        _headed(draw),
    )
    columns = 0 if header else len(fields)
    layout = text_layout(encoding, separator, header=header, columns=columns, lenient=lenient)

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end)
        writer.writerows([names] if header else [])
        writer.writerows(map(_texts, rows))
        return written(encoding, [out.getvalue()])

    def torn(row: Row) -> str:  # it only quotes the characters of its own line end
        others = {"\n": "\r", "\r": "\n", "\r\n": ""}[end]
        left = quoting == csv.QUOTE_MINIMAL and any(others and others in text for text in _texts(row))
        return RETURN if left else ""

    return Writer("csv", encoding, layout, write, judged(layout, torn=torn))


def pandas(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """DataFrame.to_csv, with an index or without; missing values are empty or written as configured."""
    encoding = draw.choice([each for each in TEXT_ENCODINGS if each != "utf-16-be"])
    separator, index, missing = draw.choice(SEPARATORS), draw.random() < 0.4, draw.choice(("", "", "NA", "nan"))
    quoting, end = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC)), draw.choice(("\n", "\r\n"))
    layout = text_layout(encoding, separator, lenient=lenient)

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        cells = [[cell.text or None for cell in row.cells] for row in rows]
        frame = pd.DataFrame(cells, columns=list(names), index=[row.place for row in rows], dtype=object)
        text = frame.to_csv(sep=separator, index=index, quoting=quoting, na_rep=missing, lineterminator=end)
        return written(encoding, [text])

    def torn(row: Row) -> str:
        left = quoting == csv.QUOTE_MINIMAL and end == "\n" and any("\r" in text for text in _texts(row))
        return RETURN if left else ""

    def expected(row: Row) -> Expected:
        texts = judged(layout, torn=torn)(row)
        if isinstance(texts, (int, str)):
            return texts
        return [str(row.place)] * index + [text or missing for text in texts]

    return Writer("pandas", encoding, layout, write, expected)


def r(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """R's write.csv, write.csv2 and write.table, with or without row names and quotes."""
    encoding, function = (
        draw.choice(("utf-8", "latin-1", "cp1252", "gb18030")),
        draw.choice(("csv", "csv2", "table", "table")),
    )
    quote, named = draw.random() < 0.6, draw.random() < 0.6
    separator = {"csv": ",", "csv2": ";"}.get(function) or draw.choice(SEPARATORS)
    short = named and function == "table"  # its header has no name for the row names
    layout = text_layout(encoding, separator, row_names=short, lenient=lenient)
    escape = '\\"' if function == "table" else '""'

    def quoted(text: str) -> str:
        return f'"{text.replace(chr(34), escape)}"' if quote else text

    def cell(each: Cell, number: bool) -> str:
        if not each.text:
            return "NA"
        return each.text if number and each.sort == "plain" else quoted(each.text)

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        head = [quoted("")] * (named and not short) + [quoted(name) for name in names]
        lines = [separator.join(head) + "\n"]
        for row in rows:
            cells = [cell(each, field.numeric) for each, field in zip(row.cells, fields, strict=True)]
            lines.append(separator.join([quoted(str(row.place))] * named + cells) + "\n")
        return written(encoding, lines)

    def torn(row: Row) -> bool:
        texts = _texts(row)
        if quote:
            return escape != '""' and any('"' in text for text in texts)
        return any(sign in text for text in texts for sign in (separator, '"', "\n", "\r"))

    def expected(row: Row) -> Expected:
        texts = judged(layout, torn=torn)(row)
        if isinstance(texts, (int, str)):
            return texts
        return [str(row.place)] * named + [text or "NA" for text in texts]

    return Writer("r", encoding, layout, write, expected)


def spreadsheet(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """Excel and LibreOffice: sep= in the first line, empty columns at the end, rows without their last cells."""
    encoding = draw.choice(("cp1252", "utf-8-sig", "utf-16", "utf-8"))
    separator = "\t" if encoding == "utf-16" else draw.choice((",", ";"))
    said, more, short = draw.random() < 0.3, draw.choice((0, 0, 1, 3)), draw.random() < 0.3
    layout = text_layout(encoding, separator, skip=int(said), lenient=lenient)

    def quoted(text: str) -> str:
        needed = any(sign in text for sign in (separator, '"', "\n", "\r"))
        return f'"{text.replace(chr(34), chr(34) * 2)}"' if needed else text

    def line(cells: Sequence[str], cut: bool) -> str:
        whole = separator.join([*map(quoted, cells), *[""] * more])
        return (whole.rstrip(separator) if cut else whole) + "\r\n"

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        first = [f"sep={separator}\r\n"] if said else []
        return written(encoding, [*first, line(names, False), *(line(_texts(row), short) for row in rows)])

    def expected(row: Row) -> Expected:
        if short and not any(_texts(row)):
            return ABSENT  # a blank line
        texts = judged(layout)(row)
        return texts if isinstance(texts, (int, str)) else [*texts, *[""] * more]

    return Writer("spreadsheet", encoding, layout, write, expected)


def postgresql(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """COPY ... WITH (FORMAT csv, HEADER): null is unquoted, an empty text is quoted."""
    encoding, separator = draw.choice(("utf-8", "latin-1", "gb18030")), draw.choice(SEPARATORS)
    force = draw.random() < 0.3
    layout = text_layout(encoding, separator, lenient=lenient)

    def quoted(text: str, null: bool) -> str:
        if null:
            return ""
        needed = force or text in ("", "\\.") or any(sign in text for sign in (separator, '"', "\n", "\r"))
        return f'"{text.replace(chr(34), chr(34) * 2)}"' if needed else text

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        lines = [separator.join(quoted(name, False) for name in names)]
        for row in rows:
            cells = zip(row.cells, fields, strict=True)
            lines.append(separator.join(quoted(cell.text, field.numeric and not cell.text) for cell, field in cells))
        return written(encoding, [line + "\n" for line in lines])

    return Writer("postgresql", encoding, layout, write, judged(layout))


SAFE = frozenset("!#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~")


def sqlite(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """The shell of SQLite in .mode csv: everything but plain characters is quoted."""
    separator, end = draw.choice(SEPARATORS), draw.choice(("\r\n", "\n"))
    layout = text_layout("utf-8", separator, lenient=lenient)

    def quoted(text: str, null: bool = False) -> str:
        if null:
            return ""
        safe = text and separator not in text and SAFE.issuperset(text)
        return text if safe else f'"{text.replace(chr(34), chr(34) * 2)}"'

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        lines = [separator.join(map(quoted, names)) + end]
        for row in rows:
            cells = zip(row.cells, fields, strict=True)
            lines.append(separator.join(quoted(cell.text, field.numeric and not cell.text) for cell, field in cells))
            lines.append(end)
        return written("utf-8", lines)

    return Writer("sqlite", "utf-8", layout, write, judged(layout))


SLIPS = ("", "", "", "", "", "unclosed", "behind", "inner", "ditto", "short", "wide", "empty", "byte", "nul", "blank")
SLIPS += ("comment", "mixed", "lines", "long")
INCHES = ("", "unclosed", "inner", "inner")  # inch and ditto marks among plain cells
ENDS = ("\n", "\r\n", "\r")


def by_hand(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """A person with an editor, or a quick script, with everything that can go wrong in a line."""
    encoding, separator, end = draw.choice(TEXT_ENCODINGS), draw.choice(SEPARATORS), draw.choice(ENDS)
    above = draw.choice(([], [], ["# by hand"], ["People of the town", ""], ["# a", "# b"]))
    header = bool(above) or _headed(draw)
    comment = "#" if above and above[0].startswith("#") else ""
    columns = 0 if header else len(fields)
    layout = text_layout(
        *(encoding, separator), header=header, skip=len(above), comment=comment, columns=columns, lenient=lenient
    )

    def quoted(text: str) -> str:
        needed = any(sign in text for sign in (separator, '"', "\n", "\r")) or (comment and text.startswith(comment))
        return f'"{text.replace(chr(34), chr(34) * 2)}"' if needed else text

    def slipped(row: Row) -> list[str | bytes]:
        cells = [quoted(text) for text in _texts(row)]
        at, own = row.at % len(cells), end
        match row.slip:
            case "unclosed":
                cells[at] = '"' + row.cells[at].text.replace('"', "").replace("\n", "").replace("\r", "")
            case "behind":
                cells[at] = '"some"thing'
            case "inner":
                cells[at] = "5'2\""
            case "ditto":
                cells[at] = '"'
            case "short":
                cells = cells[: at + 1]
            case "wide":
                cells.append("more")
            case "empty":
                cells += ["", ""]
            case "nul":
                cells[at] = "x\0"
            case "mixed":
                own = ENDS[(ENDS.index(end) + 1 + row.at % 2) % 3]
            case "lines":
                cells[at] = '"one\ntwo, three\n4"'
            case "long":
                cells[at] = "y" * 5000
        line: list[str | bytes] = [separator.join(cells) + own]
        if row.slip == "byte" and encoding in UNFIT:
            before, behind = separator.join([*cells[:at], "z"]), separator.join(["", *cells[at + 1 :]])
            line = [before, UNFIT[encoding], behind + own]
        if row.slip == "blank":
            line = [own, *line]
        return [f"{comment} note, or none" + own, *line] if row.slip == "comment" and comment else line

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        lines: list[str | bytes] = [line + end for line in above]
        lines += [separator.join(map(quoted, names)) + end] if header else []
        for row in rows:
            lines += slipped(row)
        return written(encoding, lines)

    plain = judged(replace(layout, comment=""))

    def expected(row: Row) -> Expected:
        texts, at = _texts(row), row.at % len(row.cells)
        kept = [cell._replace(text="") if place == at else cell for place, cell in enumerate(row.cells)]
        rest = row._replace(cells=tuple(kept))  # the cell itself is replaced
        if row.slip == "lines" and lenient:
            return _ends(rest) + 2
        if row.slip in ("unclosed", "behind", "ditto", "wide", "nul"):
            alone = _ends(row) == 1 and not any('"' in quoted(text) for text in _texts(rest))
            return BROKEN if alone else _ends(row)
        own = {"inner": "5'2\"", "long": "y" * 5000, "lines": "one\ntwo, three\n4", "byte": None}
        if row.slip in own and (row.slip != "byte" or encoding in UNFIT):
            judgement = plain(rest)
            return judgement if isinstance(judgement, (int, str)) else [*texts[:at], own[row.slip], *texts[at + 1 :]]
        if row.slip == "short":  # cells that are cut off are absent
            cells = (cell if place <= at else cell._replace(text="") for place, cell in enumerate(row.cells))
            return plain(row._replace(cells=tuple(cells))) if at or texts[0] else ABSENT
        return plain(row)

    return Writer("hand", encoding, layout, write, expected, slips=draw.choice((SLIPS, SLIPS, INCHES)))


def typed(cell: Cell) -> Any:
    """Return a cell as a format with types stores it: a number, a day, a boolean, a text or None."""
    return cell.value if cell.value is not None else cell.text or None


def json_(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """json.dumps: a list, an indented list, or lines; missing values are null or absent; keys in any order."""
    encoding, form = draw.choice(("utf-8", "utf-8-sig")), draw.choice(("lines", "list", "indented"))
    ascii_, left_out, turned, types = (draw.random() < 0.5 for _ in range(4))

    def plain(cell: Cell) -> Any:
        missing = cell.sort in ("empty", "na")  # programs that write JSON know missing values
        value = None if missing else typed(cell) if types else cell.text or None
        return value.isoformat() if isinstance(value, date) else value

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        objects = []
        for row in rows:
            cells = [(name, plain(cell)) for name, cell in zip(names, row.cells, strict=True)]
            kept = [(name, cell) for name, cell in cells if not (left_out and cell is None)]
            objects.append(dict(reversed(kept) if turned and row.place % 2 else kept))
        if form == "lines":
            text = "".join(json.dumps(each, ensure_ascii=ascii_) + "\n" for each in objects)
        else:
            text = json.dumps(objects, ensure_ascii=ascii_, indent=1 if form == "indented" else None)
        return written(encoding, [text.encode("utf-8", "surrogatepass")]) if ascii_ else written(encoding, [text])

    return Writer("json", encoding, Layout("json"), write, _texts, texts=False, half=ascii_)


def excel(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """A workbook: typed cells or texts, a table that begins anywhere, blank rows within it, a stray cell beside it."""
    types, header, across, skip = draw.random() < 0.6, _headed(draw), draw.choice((0, 0, 1)), draw.choice((0, 0, 2))
    layout = Layout("excel", header=header, skip=skip, sheet=draw.choice(("", "People")))
    layout = layout if header else replace(layout, skip=0, columns=across + len(fields))

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        out = io.BytesIO()
        book = xlsxwriter.Workbook(out, {"in_memory": True, "nan_inf_to_errors": True})
        sheet, day = book.add_worksheet("People"), book.add_format({"num_format": "yyyy-mm-dd"})
        at = layout.skip
        for above in range(layout.skip):
            sheet.write_string(above, 0, "People of the town")
        if header:
            for place, name in enumerate(names, across):
                sheet.write_string(at, place, name)
            at += 1
        for row in rows:
            at += 3 if row.slip == "blank" else 0
            for place, cell in enumerate(row.cells, across):
                _excel_cell(sheet, at, place, typed(cell) if types else cell.text or None, day)
            if row.slip == "wide" and header:
                sheet.write_string(at, across + len(row.cells) + 1, "more")
            if row.slip == "stray" and across:
                sheet.write_string(at, 0, "more")
            at += 1
        book.close()
        return out.getvalue()

    def expected(row: Row) -> Expected:
        return _texts(row) if any(typed(cell) is not None for cell in row.cells) else 1

    return Writer(
        "excel",
        "xlsx",
        layout,
        write,
        expected,
        texts=False,
        first=1 + across,
        slips=("", "", "blank", "wide", "stray"),
    )


def _excel_cell(sheet: Any, at: int, place: int, value: Any, day: Any) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(at, place, value)
    elif isinstance(value, (int, float)):
        sheet.write_number(at, place, value)
    elif isinstance(value, date):
        sheet.write_datetime(at, place, datetime(value.year, value.month, value.day), day)
    elif value is not None:
        sheet.write_string(at, place, value)


def columnar(draw: random.Random, fields: Sequence[Any], lenient: bool) -> Writer:
    """Parquet and Feather by Arrow: texts, dictionaries, or types; in groups of rows of any size."""
    name, types, repeated, size = (
        draw.choice(("parquet", "feather")),
        draw.random() < 0.6,
        draw.random() < 0.5,
        draw.choice((1, 3, 100)),
    )

    def array(cells: Sequence[Cell], field: Any) -> pa.Array:
        if not types or not field.type:
            texts = pa.array([cell.text or None for cell in cells], pa.string())
            return texts.dictionary_encode() if repeated else texts
        return pa.array([cell.value for cell in cells], field.type)

    def write(names: Sequence[str], rows: Sequence[Row]) -> bytes:
        arrays = [array([row.cells[at] for row in rows], field) for at, field in enumerate(fields)]
        table, out = pa.table(arrays, list(names)), io.BytesIO()
        if name == "parquet":
            pq.write_table(table, out, row_group_size=size)
        else:
            feather.write_feather(table, out, chunksize=size, compression="uncompressed")
        return out.getvalue()

    def expected(row: Row) -> Expected:
        cells = zip(row.cells, fields, strict=True)
        return [None if types and field.type and cell.value is None else cell.text for cell, field in cells]

    return Writer(name, "arrow", Layout(name), write, expected, texts=False)


PROGRAMS: tuple[Callable[..., Writer], ...] = (
    *(csv_module, csv_module, pandas, pandas, r, r, spreadsheet, spreadsheet, postgresql, sqlite),
    *(by_hand, by_hand, by_hand, json_, json_, columnar, columnar, excel),
)
