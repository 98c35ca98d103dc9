"""Files: pairs of files that differ in the lines of one person, as programs write them, and properties of reading them.

For every random file, under one schema: the other rows are read equally whether one person is present, replaced or
absent (reading); proposals follow from the public beginning alone (proposal); what is read is what the writer meant, or
missing (truth); no row makes a file be refused that is read again or leniently, and a refusal at the upload quotes no
cell (refusals); and a result reveals no more than is charged (answer).
"""

from __future__ import annotations

import io
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pyarrow as pa

from discreet.budget import Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator, Request
from discreet.evidence.whole_road import leak
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries import Relation
from discreet.queries.sum import Sum
from discreet.rows import Category, Dataset, LocalSource, Number, Person, Schema
from discreet.rows.columns import Quantity
from discreet.rows.columns.date import Date
from discreet.rows.columns.kind import Kind
from discreet.rows.columns.person import person_words
from discreet.rows.columns.yes_no import YesNo
from discreet.rows.files import Layout, csv, excel, formats, json_lines, suggest
from discreet.rows.files.format import DAMAGED, Wrong
from discreet.rows.intake import opening, parser
from discreet.rows.intake.opening import Keeping
from discreet.rows.intake.sandbox import plain, plain_schema
from discreet.rows.sealing import Plain
from support.evidence.writers import ABSENT, BROKEN, PROGRAMS, Cell, Expected, Row, Writer

KEY = bytes(32)
ODD = ("unclosed", "ditto", "inner")  # slips that leave an odd number of quotes
MOST_MINE, MOST_ASKED = 3, 6
OPENED, ASKED = 20, 12  # only every n-th case is opened as the program does, and queried: that takes long
SCREAM = "Qx7"  # occurs in texts that no refusal may quote
TEXTS: tuple[tuple[str, str], ...] = (
    *(("quote", text) for text in ('say "hi"', '"', "6'2\"", '"quoted"', '""', 'x"', '"x', '","', '",\n"')),
    *(("separator", text) for text in ("a,b", "a;b", "a\tb", "a|b", ",", ";;")),
    *(("line end", text) for text in ("two\nlines", "x\r\ny", "\n", "5\n6\n7", "a,b\nc,d")),
    *(("return", text) for text in ("a\rb", "\r", "5\r6")),
    *(("blanks", text) for text in (" lead", "trail ", "  ", "\u00a0x")),
    ("empty", ""),
    *(("na", text) for text in ("NA", "NULL", "nan", "N/A", "-", "None")),
    *(("long", text) for text in ("x" * 3000, "é" * 700, "北" * 400 + '"', ("lines\n" * 300) + ",")),
    *(("accent", text) for text in ("Österreich", "São Paulo", "naïve", "Éire", "100 €")),
    *(("cjk", text) for text in ("北京", "張三", "上海、广州", "一,二")),
    *(("letters", text) for text in ("Łódź", "😀", "Ω", "שלום")),
    *(("formula", text) for text in ("=1+1", "+1", "@x", '=HYPERLINK("x")')),
    *(("hash", text) for text in ("#x", "# y", "% z", "// c", "#")),
    *(("huge", text) for text in ("1e999", "-1e400")),
    *(("endless", text) for text in ("inf", "-Infinity")),
    *(("nul", text) for text in ("a\0b", "\0")),
    *(("breaks", text) for text in ("a\u2028b", "a\x0bb", "a\x85b", "a\x0cb", "\x1c")),
    *(("backslash", text) for text in ("a\\", '\\"', "\\N", "\\.", 'a\\"')),
    *(("number-like", text) for text in ("0012", "1.0", "1,5", "2024-01-01", "1e5")),
    *(("half", text) for text in ("\ud83d", "a\udc00")),
    *(("secret", f"{SCREAM} {text}") for text in ('and "more"', "of, mine", "alone")),
)
SORTS = tuple(dict.fromkeys(sort for sort, _ in TEXTS))
ANYWAY = ("huge", "endless", "number-like", "formula")  # some of these are numbers or days
NO_NUMBER = tuple((sort, text) for sort, text in TEXTS if sort not in ANYWAY and text != "100 €")
PLAIN_NAMES = ("age", "größe", "x", "a b", "pay", "due", "2019", "town")
NAMES = ("age", "größe", "x", "a b", "Name, first", 'the "best"', "年龄", "pay", "due", "2019", "q\nr")


@dataclass(frozen=True)
class Field:
    """A column: its declared kind, how its cells are written, and with what type if a format has types."""

    name: str
    declared: Kind
    style: int = 0
    type: pa.DataType | None = None

    @property
    def numeric(self) -> bool:
        """Whether a program with types would take it for numbers."""
        return isinstance(self.declared, Number) and self.declared.numerals.usual

    @property
    def missing(self) -> tuple[Any, ...]:
        """The value that counts for a cell that cannot be read."""
        if isinstance(self.declared, Number) and self.declared.missing != "drop":
            return (self.tick(Fraction(self.declared.missing)),)
        return (len(self.declared.levels),) if isinstance(self.declared, Category) and self.declared.other else (None,)

    def tick(self, number: Fraction) -> int:
        """Return the tick of a number on the grid, clipped."""
        bounds = self.declared.bounds
        low, step = Fraction(bounds.lower), Fraction(bounds.resolution)
        return int(min(max((number - low) / step, 0), bounds.top))


STYLES = (  # decimal sign, thousands, affixes, and how 1234.5 is written
    (".", "", (), "{:.1f}"),
    (",", "", (), "{:.1f}"),
    (",", ".", ("€",), "{:,.1f} €"),
    (".", ",", ("$",), "${:,.1f}"),
    (",", " ", (), "{:,.1f}"),
    (".", "'", (), "{:,.1f}"),
)
ORDERS = (("year-month-day", "%Y-%m-%d"), ("day-month-year", "%d.%m.%Y"), ("month-day-year", "%m/%d/%Y"))
LEVELS = ("a", "Köln", "1", "京都")
FIRST = date(2000, 1, 1)
PEOPLE = ("p1", "p2", "Zoë", "张", "q, r", "s")


def amount(draw: random.Random, name: str) -> Field:
    """Generate a column of numbers in halves, in some style."""
    style = draw.randrange(len(STYLES))
    decimal, thousands, affixes, _ = STYLES[style]
    missing = draw.choice(("drop", "drop", 2.5))
    declared = Number(-100, 90_000, step=0.5, missing=missing, decimal=decimal, thousands=thousands, affixes=affixes)
    return Field(name, declared, style, pa.float64())


def count(draw: random.Random, name: str) -> Field:
    """Generate a column of whole numbers."""
    return Field(name, Number(0, 500, integer=True, missing=draw.choice(("drop", "drop", 3))), 0, pa.int64())


def day(draw: random.Random, name: str) -> Field:
    """Generate a column of days, in some order."""
    style = draw.randrange(len(ORDERS))
    return Field(name, Date("2000-01-01", "2030-12-31", order=ORDERS[style][0]), style, pa.date32())


def level(draw: random.Random, name: str) -> Field:
    """Generate a column of allowed values."""
    return Field(name, Category(LEVELS, other=draw.random() < 0.5), 0, None)


def answer(draw: random.Random, name: str) -> Field:
    """Generate a column of yes and no."""
    return Field(name, YesNo(), 0, pa.bool_())


def note(draw: random.Random, name: str) -> Field:
    """Generate a column of any texts."""
    return Field(name, Category(("ok",), other=True), 1, None)


COLUMNS = (amount, amount, count, day, level, answer, note, note)


def numeral(value: Fraction, style: int) -> str:
    """Format a number in a style."""
    decimal, thousands, _, form = STYLES[style]
    return form.format(float(value)).translate(str.maketrans({",": thousands, ".": decimal}))


def usual(draw: random.Random, column: Field) -> Cell:
    """Generate a cell that fits its declaration."""
    declared = column.declared
    if isinstance(declared, Person):
        name = draw.choice(PEOPLE)
        return Cell(name, (name,))
    if isinstance(declared, Date):
        moment = FIRST + timedelta(days=draw.randrange(10_000))
        return Cell(moment.strftime(ORDERS[column.style][1]), ((moment - FIRST).days,), value=moment)
    if isinstance(declared, YesNo):
        yes = draw.random() < 0.5
        return Cell(
            draw.choice(("yes", "JA", "1", "true", "是") if yes else ("no", "N", "0", "False")), (int(yes),), value=yes
        )
    if isinstance(declared, Category):
        label = draw.choice(declared.levels)
        return Cell(label, (declared.levels.index(label),))
    if declared.integer:
        number = draw.choice((draw.randrange(500), draw.randrange(10**6)))
        return Cell(str(number), (column.tick(Fraction(number)),), value=number)
    halves = Fraction(draw.choice((draw.randrange(-200, 2000), draw.randrange(200_000))), 2)
    return Cell(numeral(halves, column.style), (column.tick(halves),), value=float(halves))


def hostile(draw: random.Random, column: Field) -> Cell:
    """Generate a cell that does not fit, and what may be read of it."""
    sort, text = draw.choice(TEXTS)
    declared = column.declared
    if isinstance(declared, Person):
        name = text.strip() if sort in ("quote", "separator", "accent", "cjk", "line end", "formula", "hash") else "p9"
        return Cell(text if name != "p9" else "p9", (name or None,), sort if name != "p9" else "plain")
    if isinstance(declared, Category):
        return Cell(text, column.missing if text != "1.0" or "1" not in declared.levels else (LEVELS.index("1"),), sort)
    if isinstance(declared, Number) and sort in ("huge", "endless"):
        far = float("-inf" if text.startswith("-") else "inf") if not declared.integer else None
        return Cell(text, column.missing, sort, far)
    if isinstance(declared, Number) and sort == "blanks":
        cell = usual(draw, column)
        return cell._replace(text=f" {cell.text} ", sort=sort)
    sort, text = draw.choice(NO_NUMBER)
    return Cell(text, column.missing, sort)


@dataclass(frozen=True)
class Case:
    """A file of some rows, those of one person, and what that person might have contributed instead."""

    seed: int
    fields: tuple[Field, ...]
    writer: Writer
    rows: tuple[Row, ...]
    instead: tuple[Row, ...]
    small: bool  # pieces and longest rows are small, so that borders are everywhere
    step: int  # bytes per piece

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.fields]

    @property
    def schema(self) -> Schema:
        """The declared kind of each column under its name as read."""
        headless = not self.writer.layout.header
        names = [f"column {at}" if headless else called(name) for at, name in enumerate(self.names, self.writer.first)]
        return Schema({name: column.declared for name, column in zip(names, self.fields, strict=True)})

    def tables(self) -> dict[str, tuple[Row, ...]]:
        """Return the rows with the person, with the person replaced, and without."""
        others, new, changed = [row for row in self.rows if not row.mine], list(self.instead), list[Row]()
        for row in self.rows:
            if not row.mine:
                changed.append(row)
            elif new:
                changed.append(new.pop(0))
        return {"with": self.rows, "changed": (*changed, *new), "without": tuple(others)}

    def file(self, rows: Sequence[Row]) -> bytes:
        """Write rows as a file."""
        return self.writer.write(self.names, rows)


def called(name: str) -> str:
    """Return the name of a column as it is read."""
    return " ".join(name.split())


def drawn(seed: int, programs: Sequence[Callable[..., Writer]] = PROGRAMS) -> Case:
    """Generate a case by its number, for files written by some programs."""
    draw = random.Random(seed)
    makers = draw.sample(COLUMNS, draw.randint(2, 4))
    persons = draw.random() < 0.6
    names = draw.choice((PLAIN_NAMES, NAMES))
    name = iter(draw.sample(names, len(names)))
    made = [make(draw, next(name)) for make in makers]
    if persons:
        made.insert(draw.randrange(len(made) + 1), Field("who", Person(rows=draw.choice((1, 2)))))
    lenient = draw.random() < 0.5
    writer = draw.choice(programs)(draw, made, lenient)
    fields = tuple(
        column if writer.names(column.name) else replace(column, name=f"c{at}") for at, column in enumerate(made)
    )
    wild = draw.choice((0.0, 0.1, 0.4))  # for the other rows; at 0 only one person is unusual
    size = draw.choice((2, 3, 5, 8, 8, 30))
    mine = draw.randint(1, MOST_MINE) if persons else 1
    places = set(draw.sample(range(size), min(mine, size)))
    if draw.random() < 0.4:  # the first lines, or the last
        places = set(range(mine)) if draw.random() < 0.5 else set(range(size - mine, size))
    rows = [_row(draw, fields, writer, at, at in places, 0.6 if at in places else wild) for at in range(size)]
    instead = [_row(draw, fields, writer, size + at, True, 0.8) for at in range(draw.choice((mine, mine, 1)))]
    return Case(
        seed,
        fields,
        writer,
        apart(rows, lenient),
        apart(instead, lenient),
        draw.random() < 0.3,
        draw.choice((1, 3, 7, 0, 0)),
    )


def _row(draw: random.Random, fields: Sequence[Field], writer: Writer, place: int, mine: bool, wild: float) -> Row:
    """Generate a row of the one person or of another; `wild` is the share of unusual cells."""
    cells = []
    for column in fields:
        person = isinstance(column.declared, Person)
        cell = hostile(draw, column) if draw.random() < wild and not (person and mine) else usual(draw, column)
        if person and mine:
            cell = Cell("me", ("me",))
        cells.append(cell if writer.holds(cell) else Cell("", column.missing, "empty"))
    slip = draw.choice(writer.slips) if draw.random() < max(wild, 0.05) else ""
    others = [at for at, column in enumerate(fields) if not isinstance(column.declared, Person)]
    return Row(tuple(cells), mine, place, slip, draw.choice(others))


def apart(rows: Sequence[Row], lenient: bool) -> tuple[Row, ...]:
    """Keep at most one slip with an odd quote for the person, where cells may span lines.

    Two of them can be the ends of one cell, whoever wrote them: neither people nor programs can tell.
    """
    kept, one = list[Row](), False
    for row in rows:
        odd = row.mine and row.slip in ODD and not lenient
        kept.append(row._replace(slip="") if odd and one else row)
        one |= odd
    return tuple(kept)


def paired(case: Case, rows: Sequence[Row]) -> bool:
    """Whether two unmatched quotes in a file may be the ends of one cell."""
    return not case.writer.layout.lenient and sum(row.slip in ODD for row in rows) > 1


class Violation(AssertionError):
    """A violated property, with the case."""

    def __init__(self, rule: str, case: Case, *more: Any) -> None:
        """Show the files."""
        files = {name: case.file(rows)[:600] for name, rows in case.tables().items()}
        layout = {name: value for name, value in vars(case.writer.layout).items() if value}
        super().__init__(rule, f"seed {case.seed}", case.writer.name, layout, files, *more)
        self.rule, self.case = rule, case


class Slowly(io.BytesIO):
    """Bytes that arrive a few at a time, so that a piece ends within characters, quotes and line ends."""

    def __init__(self, data: bytes, step: int) -> None:
        """Set the number of bytes per read; 0: all."""
        super().__init__(data)
        self._step = step

    def read1(self, size: int | None = -1) -> bytes:
        """Read no more than that."""
        return self.read(self._step or size)


Seen = tuple[tuple[str | None, ...], tuple[Any, ...]]  # the texts of a row, and how the kernel reads it


def read(data: bytes, layout: Layout, schema: Schema, again: bool, step: int = 0) -> list[Seen]:
    """Read a file in this process, as the limited one does; return every row."""
    job, form = parser.job_of(len(data), layout, 1e9, again), formats[layout.format]
    if form.keyed:
        job |= {"keys": list(schema.columns)}
    columns, batches = form.read(Slowly(data, step), job)
    if not columns.names:
        raise Wrong(DAMAGED)
    shape, rows = plain_schema(columns), list[Seen]()
    for batch in batches:
        whole = pa.record_batch([plain(cells) for cells in batch.columns], schema=shape)
        rows += seen(whole if layout.format == "text" else whole.select(list(schema.columns)), schema)
    return rows


def seen(batch: pa.RecordBatch, schema: Schema) -> Iterator[Seen]:
    """Yield the texts of each row, and how the kernel would count it."""
    kernel = []
    for name, declared in schema.columns.items():
        cells = batch.column(name)
        if isinstance(declared, Quantity):
            ticks, there = declared.ticks(cells)
            kernel.append([int(tick) if has else None for tick, has in zip(ticks, there, strict=True)])
        elif isinstance(declared, Person):
            kernel.append([int(word) if has else None for word, has in zip(*person_words(cells, KEY), strict=True)])
        else:
            kernel.append([int(code) if code >= 0 else None for code in declared.codes(cells)])
    texts = ([None if cell is None else str(cell) for cell in column.to_pylist()] for column in batch.columns)
    return zip(zip(*texts, strict=True), zip(*kernel, strict=True), strict=True)


def word(name: str | None) -> int | None:
    """Return the secret word of a person by name, read alone."""
    return int(person_words(pa.array([name]), KEY)[0][0]) if name else None


def fits(row: Seen, meant: Row, texts: Sequence[str | None], case: Case) -> bool:
    """Whether a row is read with these texts and meanings."""
    if case.writer.texts and row[0] != tuple(texts):
        return False
    first = len(texts) - len(case.fields) if case.writer.name in ("r", "pandas") else 0
    for column, cell, said, has in zip(case.fields, meant.cells, texts[first:], row[1], strict=False):
        means = cell.means if said == cell.text else column.missing
        if isinstance(column.declared, Person):
            means = tuple(map(word, means if said == cell.text else (said and said.strip(),)))
        if has not in means:
            return False
    return True


def as_meant(rows: Sequence[Seen], meant: Sequence[Row], case: Case) -> bool:
    """Whether the rows are those that were meant, in order and exact, except those its writer broke."""
    ends = {0}
    for row in meant:
        expected: Expected = _within_limits(case, row, case.writer.expected(row))
        if expected == ABSENT:
            continue
        if isinstance(expected, int):
            ends = {end + more for end in ends for more in range(expected + 1) if end + more <= len(rows)}
            continue
        width = len(rows[0][0]) if rows else 0
        texts = [None] * width if expected == BROKEN else expected
        ends = {end + 1 for end in ends if end < len(rows) and fits(rows[end], row, texts, case)}
    return len(rows) in ends


def _within_limits(case: Case, row: Row, expected: Expected) -> Expected:
    """Return what must be read of a row if all cells of a row above the length limit are missing."""
    if not case.small or case.writer.layout.format != "text" or isinstance(expected, (int, str)):
        return expected
    if sum(len(each or "") for each in expected) > LONGEST_ROW - ABOUT:
        encoding = case.writer.layout.encoding
        signs = len(case.file([row]).decode(encoding, "replace")) - len(case.file([]).decode(encoding, "replace"))
        if signs > LONGEST_ROW - ABOUT:  # comments and blank lines around it belong to no row
            return BROKEN if signs > LONGEST_ROW + ABOUT else 1
    return expected


def within(fewer: Sequence[Seen], more: Sequence[Seen]) -> bool:
    """Whether some rows all occur among others, in their order."""
    rest = iter(more)
    return all(any(row == other for other in rest) for row in fewer)


@contextmanager
def borders(case: Case) -> Iterator[None]:
    """Make pieces, longest rows and longest cells small if a case asks for it."""
    with ExitStack() as patched:
        if case.small:
            for module, name, size in SMALL:
                patched.enter_context(patch.object(module, name, size))
        yield


LONGEST_ROW, ABOUT = 2500, 60
SMALL: tuple[tuple[Any, str, int], ...] = (
    *((csv, "PIECE_CELLS", 8), (csv, "PIECE_SIGNS", 60), (excel, "PIECE_CELLS", 8)),
    (csv, "LONGEST_ROW", LONGEST_ROW),
    *((json_lines, "PIECE_CELLS", 8), (json_lines, "PIECE_SIGNS", 5)),
)


@dataclass
class Tally:
    """The number of pairs by part and name."""

    pairs: int = 0
    of: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in PARTS})

    def take(self, part: str, name: str, pairs: int = 1) -> None:
        """Add pairs."""
        self.of[part][name] += pairs

    def __str__(self) -> str:
        """Write a line for each part."""
        lines = [f"{part}: " + ", ".join(f"{name} {n}" for name, n in sorted(self.of[part].items())) for part in PARTS]
        return "\n".join([f"{self.pairs} pairs", *lines])


def through(case: Case, data: bytes, again: bool, place: Path | None) -> LocalSource:
    """Open a file as the program does, in a process of its own; from a path on disk, as the vault does."""
    keeping = Keeping(list(case.schema.columns), again=again)
    if place is not None:
        place.write_bytes(data)
    try:
        return LocalSource(data if place is None else Plain(place), case.writer.layout, keeping=keeping)
    except ParameterError as refused:
        raise Violation("refusals: as the program opens it", case, refused) from None


def opened(case: Case, rows: dict[str, list[Seen]], files: dict[str, bytes], place: Path, tally: Tally) -> None:
    """Read files as the program does, in memory and out of core, and compare the rows."""
    for name, expected in rows.items():
        for where, spool in ((None, opening.SPOOL), (place, opening.SPOOL), (place, 0)):
            with patch.object(opening, "SPOOL", spool):
                source, found = through(case, files[name], True, where), list[Seen]()
                found += source.map(
                    lambda batch: list(seen(batch, case.schema)), list(case.schema.columns), list[Seen]()
                )
            if [row[1] for row in found] != [row[1] for row in expected]:
                raise Violation(f"reading: another way, {name}", case, where, spool, found, expected)
        tally.take("how", "as the program opens it")


def asked(case: Case, files: dict[str, bytes], tally: Tally) -> None:
    """Query pairs of files that differ in one person: a result reveals no more than the charge, which is exact."""
    request, sources = question(case.schema), {name: through(case, data, True, None) for name, data in files.items()}
    tables = {name: _table(source, list(case.schema.columns)) for name, source in sources.items()}
    read_by = {id(table): sources[name] for name, table in tables.items()}
    schema = replace(case.schema, layout=sources["without"].layout)
    request.check(schema)
    for name in {"with", "changed"} & set(tables):
        loss = leak(request, schema, tables[name], tables["without"], lambda table: read_by[id(table)])
        if not loss.holds:
            raise Violation(f"answer: {name}", case, request, loss)
        tally.take("how", "asked")
    curator = Curator(Dataset(sources["without"], schema), SessionLedger(Cost.of(40)), tick=0)
    curator.ask(request)
    if curator.ledger.spent != request.cost():
        raise Violation("charge", case, request)


def question(schema: Schema) -> Request:
    """Return a query for a category's values, or else for the sum of a number."""
    relation = Relation(rows=schema.rows_per_person)
    if schema.categories:
        return Request(CountsGeometric(epsilon=1.0, relation=relation), (next(iter(schema.categories)),))
    return Request(GlobalLaplace(Sum(relation), 1.0), (next(iter(schema.numbers)),))


def _table(source: LocalSource, declared: list[str]) -> pa.Table:
    """Return all rows of a source."""
    batches = source.map(lambda batch: [batch], declared, list[pa.RecordBatch]())
    return pa.Table.from_batches(batches, pa.schema([(name, source.types[name]) for name in declared]))


def few(rows: Sequence[Row]) -> bool:
    """Whether all random choices among some rows can be enumerated."""
    people = Counter(cell.text.strip() for row in rows for cell in row.cells if cell.means[0] in (*PEOPLE, "me"))
    return len(rows) <= MOST_ASKED and max(people.values(), default=0) <= MOST_MINE


PARTS = ("writer", "encoding", "kind of the changed cell", "slip of the changed line", "how", "column")


def check(case: Case, tally: Tally | None = None) -> None:
    """Check all properties of files on a case."""
    tally = tally or Tally()
    tables = case.tables()
    files = {name: case.file(rows) for name, rows in tables.items() if rows or case.writer.layout.header}
    if case.writer.name == "json":
        files = {name: data for name, data in files.items() if tables[name]}
    with borders(case):
        proposed(case, files)
        rows = {name: found for name, data in files.items() if (found := _read(case, name, data, tally)) is not None}
    for name, found in rows.items():
        if not paired(case, tables[name]) and not as_meant(found, tables[name], case):
            raise Violation(f"truth: {name}", case, found)
    if "without" in rows:
        for name in {"with", "changed"} & set(rows):
            if not within(rows["without"], rows[name]):
                raise Violation(f"reading: without, {name}", case, rows["without"], rows[name])
    pairs = len(rows) * (len(rows) - 1) // 2
    if case.seed % OPENED == 0 and not case.small:
        with TemporaryDirectory() as folder:
            opened(case, rows, files, Path(folder) / "file", tally)
    alone = all(case.writer.alone(row) for table in tables.values() for row in table)
    if case.seed % ASKED == 0 and alone and "without" in rows and all(few(tables[name]) for name in rows):
        asked(case, {name: files[name] for name in rows}, tally)
    _counted(case, tally, pairs)


def _counted(case: Case, tally: Tally, pairs: int) -> None:
    tally.pairs += pairs
    tally.take("writer", case.writer.name, pairs)
    tally.take("encoding", case.writer.encoding, pairs)
    for row in (*(row for row in case.rows if row.mine), *case.instead):
        tally.take("slip of the changed line", row.slip or "none", pairs)
        for cell, column in zip(row.cells, case.fields, strict=True):
            tally.take("kind of the changed cell", cell.sort, pairs)
            tally.take("column", column.declared.name, pairs)


def _read(case: Case, name: str, data: bytes, tally: Tally) -> list[Seen] | None:
    """Read a file; None if it is refused at the upload."""
    layout, schema = case.writer.layout, case.schema
    again = _never_refused(case, name, lambda: read(data, layout, schema, True))
    if layout.lenient:
        rows = _never_refused(case, name, lambda: read(data, layout, schema, False, case.step))
    else:
        try:
            rows = read(data, layout, schema, False, case.step)
        except Wrong as wrong:
            refused = str(formats[layout.format].refusal(wrong.reason, wrong.line))
            if SCREAM in refused:
                raise Violation("refusals: a cell is quoted", case, name, refused) from None
            tally.take("how", f"refused: {wrong.reason}")
            return None
    tally.take("how", "lenient" if layout.lenient else "brought")
    if again != rows:
        raise Violation(f"read again: {name}", case, rows, again)
    return rows


def _never_refused(case: Case, name: str, reading: Callable[[], list[Seen]]) -> list[Seen]:
    """Read a file whose rows may not cause a refusal."""
    try:
        return reading()
    except KeyError as gone:
        raise Violation("reading: a column is gone", case, name, gone) from None
    except (Wrong, UnicodeError, pa.ArrowException) as refused:
        raise Violation("refusals: by a row", case, name, repr(refused)) from None


def _begins(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows of a file without a header up to the first that is neither a comment, nor blank, nor broken."""
    for row in rows:
        yield row
        plain = not row.slip and any(cell.text for cell in row.cells)
        if plain and not row.cells[0].text.startswith(("#", "%", "//")):
            return


def proposed(case: Case, files: dict[str, bytes]) -> None:
    """Check that the layout proposed for each file depends on its public beginning only."""
    said: dict[str, set[str]] = {}
    for name, data in files.items():
        public = "" if case.writer.layout.header else str(list(_begins(case.tables()[name])))
        if b"\0" in data and case.writer.layout.encoding != "utf-16" and case.writer.texts:
            continue  # not text: refused at the upload
        said.setdefault(public, set()).add(str(_suggested(data)))
    if any(len(each) > 1 for each in said.values()):
        raise Violation("proposal", case, said)


def run(minutes: float, first: int = 0) -> Tally:
    """Check cases one after the other until the time is over."""
    tally, end, seed = Tally(), time.monotonic() + 60 * minutes, first
    while time.monotonic() < end:
        check(drawn(seed), tally)
        seed += 1
        if seed % 1000 == 0:
            print(f"case {seed}: {tally.pairs} pairs, no violation", flush=True)
    return tally


def _suggested(data: bytes) -> Layout | str:
    try:
        return suggest(data)
    except ParameterError as refused:
        return str(refused)
