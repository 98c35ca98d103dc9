"""F1 to F8: what a file can do to a server or to a reader. Each check also catches a naive twin."""

from __future__ import annotations

import csv
import ctypes
import gc
import gzip
import io
import json
import multiprocessing
import os
import pickle
import re
import resource
import sys
import tempfile
import time
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pads
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa
import xlsxwriter
from python_calamine import CalamineWorkbook
from streamlit.testing.v1 import AppTest
from support.pages import press
from support.soak import some
from threats.screens import MECHANISMS, PAGES, at, elements, space, upload, visit

import discreet.ui.session.state
from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.budget.durable import Store, open_budget
from discreet.budget.durable.backup import backup
from discreet.curator import Curator, ReleaseNoise, Request
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.mean import Mean
from discreet.report.export import releases_json
from discreet.report.tables import ledger_csv, releases_csv, safe_csv
from discreet.rows import Category, Dataset, LocalSource, Number, Schema
from discreet.rows.cells import text
from discreet.rows.intake.opening import Keeping

pytestmark = pytest.mark.long

Open = Callable[[bytes], Any]
MIB = 2**20
FORK = multiprocessing.get_context("fork")


def cells(source: LocalSource) -> dict[str, list[Any]]:
    """Return all cells of a source by column."""
    table = source.head(list(source.names), 1_000)
    return {name: table[name].to_pylist() for name in table.column_names}


# F1: files that run.

RAN: list[str] = []


def run_code() -> str:
    """Stand for what an attacker would run."""
    RAN.append("code")
    return "a table, honestly"


class Trap:
    """An object whose pickle runs code where it is opened."""

    def __reduce__(self) -> tuple[Callable[[], str], tuple[()]]:
        """Run."""
        return run_code, ()


def runs(open_file: Open, data: bytes) -> bool:
    """Say whether opening a file runs what is in it."""
    RAN.clear()
    with suppress(ParameterError):
        open_file(data)
    return bool(RAN)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_f1_no_file_runs_code_whatever_it_is_called(protocol: int, tmp_path: Path) -> None:
    """A pickle is refused or read as text, by upload and by path; a reader of pickles runs it."""
    trap = pickle.dumps(Trap(), protocol=protocol)
    path = tmp_path / "people.csv"
    path.write_bytes(trap)

    def naive_read(data: bytes) -> Any:
        return pd.read_pickle(io.BytesIO(data))

    assert not runs(LocalSource, trap)
    assert not runs(lambda _: LocalSource(path), trap)
    assert runs(naive_read, trap)
    path.with_suffix(".pkl").write_bytes(b"a,b\n1,2\n")
    assert cells(LocalSource(path.with_suffix(".pkl"))) == {"a": ["1"], "b": ["2"]}


# F2 and F3: files that grow.

SMALL = 32 * MIB  # the limit of these tests; the app's own is far above what a test may fill
MOST = 192 * MIB  # that limit here and in the process that unpacks, and what such a process is
LARGE = 240 * MIB
WORKBOOK = "xl/workbook.xml"  # who finds this in an archive takes it for a workbook


def _parquet(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", **options)
    return sink.getvalue()


def plain_parquet() -> bytes:
    """Return a quarter of a gigabyte of zeros."""
    return _parquet(pa.table({"v": np.zeros(LARGE // 8)}), use_dictionary=False)


def repeated_text() -> pa.Table:
    """Return one long text, many times."""
    many = pa.array(np.zeros(LARGE // 10_000, np.int32))
    return pa.table({"v": pa.DictionaryArray.from_arrays(many, pa.array(["x" * 10_000]))})


def repeated_parquet() -> bytes:
    """Return a repeated text: the footer counts it once."""
    return _parquet(repeated_text(), store_schema=False)


def prefixed_parquet() -> bytes:
    """Return texts of which each tells only how it differs from the one before."""
    encoding = {"v": "DELTA_BYTE_ARRAY"}
    table = repeated_text().cast(pa.schema([("v", pa.string())]))
    return _parquet(table, use_dictionary=False, column_encoding=encoding)


def _feather(table: pa.Table, rows: int = 65_536) -> bytes:
    sink = io.BytesIO()
    feather.write_feather(table, sink, compression="zstd", chunksize=rows)
    return sink.getvalue()


def packed_feather() -> bytes:
    """Return a quarter of a gigabyte of zeros as Feather."""
    return _feather(pa.table({"v": np.zeros(LARGE // 8)}))


def whole_feather() -> bytes:
    """Return the same in one batch."""
    return _feather(pa.table({"v": np.zeros(LARGE // 8)}), LARGE)


@cache
def archive() -> bytes:
    """Return an archive with more zeros in it than is allowed: packing them takes longer than refusing them."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as pack:
        pack.writestr(WORKBOOK, b"0" * (MOST + SMALL))
    return sink.getvalue()


def zipped(name: str) -> bytes:
    """Return it with another name in it, of the same length."""
    assert len(name) == len(WORKBOOK) and zipfile.ZipFile(io.BytesIO(archive())).namelist() == [WORKBOOK]
    return archive().replace(WORKBOOK.encode(), name.encode())


def far_workbook() -> bytes:
    """Return a workbook with two cells, far away from each other."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "v")
        sheet.write(1_000_000, 20, "w")
    return sink.getvalue()


def repeated_workbook() -> bytes:
    """Return a workbook that keeps a long text once and shows it in every cell."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_column(0, 0, ["v", *["x" * 32_000] * (LARGE // 32_000)])
    return sink.getvalue()


def naive_gzip(data: bytes) -> Any:
    """Read a compressed CSV."""
    return gzip.decompress(data)


def naive_zip(data: bytes) -> Any:
    """Read the first member of an archive."""
    pack = zipfile.ZipFile(io.BytesIO(data))
    return pack.read(pack.namelist()[0])


def naive_parquet(data: bytes) -> Any:
    """Read Parquet."""
    return pq.read_table(io.BytesIO(data))


def naive_feather(data: bytes) -> Any:
    """Read Feather."""
    return feather.read_table(io.BytesIO(data))


def naive_excel(data: bytes) -> Any:
    """Read the first sheet."""
    return CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0)


def _watched(peaks: dict[str, int]) -> None:
    """Note the most memory that each process below has taken, as long as it lives (on Linux)."""

    def below(pid: object) -> list[str]:
        with suppress(OSError):
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            return [*children, *(descendant for child in children for descendant in below(child))]
        return []

    while Path("/proc/self").exists():
        for pid in below(os.getpid()):
            with suppress(OSError):
                peak = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())
                peaks |= {pid: int(peak[1]) * 1024} if peak else {}
        time.sleep(0.002)


def _weighed(open_file: Open, data: bytes, pipe: Connection) -> None:
    unit = 1 if sys.platform == "darwin" else 1024
    peaks: dict[str, int] = {}
    Thread(target=_watched, args=(peaks,), daemon=True).start()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused = False
    try:
        open_file(data)
    except ParameterError:
        refused = True
    own = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit
    pipe.send((own + max(peaks.values(), default=0), refused))


def grows(open_file: Open, data: bytes) -> bool:
    """Say whether opening a small file takes more memory than is allowed, or kills its process."""
    return fate(open_file, data)[0]


def fate(open_file: Open, data: bytes) -> tuple[bool, bool]:
    """Say whether opening a small file takes more memory than is allowed or kills its process; whether it is refused.

    What earlier tests let go of is given back to the machine first: a copy of this process would fill it unseen.
    """
    assert len(data) < MIB
    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    out, into = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_weighed, args=(open_file, data, into))
    process.start()
    into.close()
    process.join()
    try:
        taken, refused = out.recv()
    except EOFError:
        return True, False
    return taken > MOST, refused


BOMBS: dict[str, tuple[Callable[[], bytes], Open]] = {
    "gzip": (lambda: gzip.compress(b"1,2\n" * MIB) * (LARGE // MIB // 4), naive_gzip),
    "zip": (lambda: zipped("some/people.csv"), naive_zip),
    "workbook": (lambda: zipped(WORKBOOK), naive_zip),
    "parquet": (plain_parquet, naive_parquet),
    "repeated parquet": (repeated_parquet, naive_parquet),
    "prefixed parquet": (prefixed_parquet, naive_parquet),
    "feather": (packed_feather, naive_feather),
    "whole feather": (whole_feather, naive_feather),
    "far workbook": (far_workbook, naive_excel),
    "repeated workbook": (repeated_workbook, naive_excel),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", BOMBS)
def test_f2_a_small_file_that_unpacks_to_a_large_one_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Less than a megabyte becomes hundreds in a naive reader, and few in ours.

    In `make test` a naive reader opens one of each library: unpacking takes it seconds.
    """
    make, naive_read = BOMBS[name]
    monkeypatch.setattr("discreet.rows.capacity.LARGEST_UNPACKED", SMALL)
    data = make()
    assert name not in some(BOMBS, 3) or grows(naive_read, data)
    assert fate(LocalSource, data) == (False, True)


def test_f2_a_file_on_disk_is_read_in_batches_that_stay_light(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeated texts are never written out all at once; a naive scan of the same file does."""
    monkeypatch.setattr("discreet.rows.files.typed.HEAVIEST", SMALL)
    monkeypatch.setattr("discreet.rows.kernel.HEAVIEST", SMALL)
    path = tmp_path / "people.parquet"
    path.write_bytes(repeated_parquet())

    def seen(_: bytes) -> None:
        def longest(batch: pa.RecordBatch) -> int:
            return len(pc.utf8_length(text(batch.column(0))))

        assert LocalSource(path).map(longest, ["v"], 0) == LARGE // 10_000

    def naive_scan(_: bytes) -> None:
        list(pads.dataset(path).to_batches(batch_size=2**19))

    assert grows(naive_scan, b"")
    assert not grows(seen, b"")


def test_f3_the_header_is_counted_before_anything_is_parsed() -> None:
    """Twenty thousand columns are refused before the first row is read."""
    data = (",".join(f"c{i}" for i in range(20_000)) + "\n" + "1," * 19_999 + "1\n").encode()

    def parsed(open_file: Open) -> bool:
        heard: list[float] = []
        try:
            open_file(data, heard.append)  # type: ignore[call-arg]
        except ParameterError as refused:
            assert "2000 columns" in str(refused)
        return bool(heard)

    def naive_read(data: bytes, report: Callable[[float], object]) -> Any:
        table = pd.read_csv(io.BytesIO(data))
        report(1.0)
        return table

    assert not parsed(lambda data, report: LocalSource(data, report=report))  # type: ignore[misc]
    assert parsed(naive_read)  # type: ignore[arg-type]


# F4: cells under the wrong name.

RAGGED = b"name,age,pay\nann,20,1\nbob,30,2,surplus\ncy,40\n"
MORE = b"name,age\nann,20,1\nbob,30,2\n"  # one more cell than names, in every row


def shifted(open_file: Callable[[bytes], dict[str, list[Any]]]) -> set[str]:
    """Return the ways in which a reader puts cells under another name than their own."""
    faults = set()
    for name, data, ages in (
        ("ragged", RAGGED, ["20", "30", "40"]),
        ("more", MORE, ["20", "30"]),
        ("mark", "\ufeffage,pay\n20,1\n".encode(), ["20"]),
    ):
        try:
            if [str(age) for age in open_file(data).get("age", [])] != ages:
                faults.add(name)
        except ParameterError:
            faults |= {name} & {"mark"}  # what has more cells than columns may be refused
        except ValueError:
            faults.add(name)
    for name, data in (
        ("nul", b"a,b\n1,\x002\n"),
        ("mixed", "a,b\nGrüße,1\n".encode() + "Grüße,2\n".encode("latin-1")),
    ):
        with suppress(ParameterError):
            if open_file(data).get("b") != ["1", "2"]:
                faults.add(name)
    return faults


def test_f4_no_cell_comes_under_another_name() -> None:
    """Ragged rows, NUL and byte-order marks: read as written, or refused."""

    def naive_read(data: bytes) -> dict[str, list[Any]]:
        table = pd.read_csv(io.BytesIO(data), on_bad_lines="skip", encoding_errors="replace")
        return {str(name): list(table[name]) for name in table.columns}

    assert not shifted(lambda data: cells(LocalSource(data)))
    assert {"ragged", "more", "nul"} <= shifted(naive_read)


# F5 and F6: names.

NAMES = ("../../evil.csv", "/etc/evil.csv", "x" * 5_000 + ".csv", "a\x1b[2J\r\nb.csv", "..")


def written(folder: Path) -> set[Path]:
    """Return all files below a folder."""
    return {path for path in folder.rglob("*") if path.is_file()}


def test_f5_the_name_of_a_file_is_no_path_and_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upload writes nothing, whatever it is called; the name on the screen is cut."""
    home = tmp_path / "server" / "uploads"
    home.mkdir(parents=True)
    monkeypatch.chdir(home)
    monkeypatch.setattr(tempfile, "tempdir", str(home))

    app = visit()

    def ours(name: str) -> None:
        upload(app, name, b"age\n20\n", {0: {"lower": 0.0, "upper": 9.0}})
        at(press(app, "Use this dataset"), "dataset")
        assert not app.exception and len(space(app).current) <= 90

    def naive_save(name: str) -> None:
        with suppress(OSError):
            (home / name).write_bytes(b"age\n20\n")

    for name in NAMES:
        ours(name)
    assert not written(tmp_path)
    for name in (name for name in NAMES if not name.startswith("/")):
        naive_save(name)
    assert tmp_path / "evil.csv" in written(tmp_path)


def test_f5_the_name_of_a_file_holds_no_control_or_direction_characters() -> None:
    """What turns text around or clears a terminal is not shown as a part of a name."""

    def deceives(name: str) -> bool:
        return any(unicodedata.category(c) in ("Cc", "Cf") for c in name)

    hostile = "a\u202evsc.exe\x1b[2J.csv"
    app = upload(visit(), hostile, b"age\n20\n", {0: {"lower": 0.0, "upper": 9.0}})
    press(app, "Use this dataset")
    naive_name = hostile
    assert deceives(naive_name)
    assert not deceives(space(app).current)


def test_f5_a_large_file_is_spooled_under_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written beside it has no name at all, and is sealed; a copy would have both."""
    monkeypatch.setattr("discreet.rows.intake.opening.SPOOL", 1)
    (tmp_path / "vault").mkdir()
    path = tmp_path / "a secret name.csv"
    path.write_bytes(b"age,name\n20,canary-4711\n30,b\n")
    keeping = Keeping(["name"], tmp_path / "vault")
    source = LocalSource(path, keeping=keeping)
    naive_copy = tmp_path / "vault" / path.name
    open_files = [Path(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")]
    (spool,) = [handle for handle in open_files if str(tmp_path / "vault") in handle.resolve().as_posix()]

    def exposed(file: Path) -> bool:
        return b"canary" in file.read_bytes()

    assert source.head(["name"], 9)["name"].to_pylist() == ["canary-4711", "b"]
    assert source.names == ["age", "name"]
    assert not written(tmp_path / "vault") and not exposed(spool)
    naive_copy.write_bytes(path.read_bytes())
    assert exposed(naive_copy)


HOSTILE = ("<img src=x onerror=alert(1)>", "[link](http://evil.test)", "$x^2$", ":material/skull:")
LEVELS = ("<b>bold</b>", "**strong**")


MARKDOWN = ("body", "label", "help", "title", "caption", "placeholder")


def rendered(proto: Any) -> Iterator[str]:
    """Yield every text of an element that a browser may take for Markdown, parts included."""
    if type(proto).__name__ == "Text":
        return
    for field, value in proto.ListFields():
        if isinstance(value, str):
            if field.name in MARKDOWN:
                yield value
        elif hasattr(value, "ListFields"):
            yield from rendered(value)
        elif not isinstance(value, bytes) and hasattr(value, "__iter__"):
            for part in value:
                if hasattr(part, "ListFields"):
                    yield from rendered(part)


def alive(app: AppTest) -> set[str]:
    """Return the names of somebody's file that would become a picture, link, formula or icon.

    A chart knows no Markdown, but some HTML.
    """
    texts = [text for proto in elements(app) for text in rendered(proto)]
    charts = [proto.spec for proto in elements(app) if hasattr(proto, "spec")]
    names = {name for name in HOSTILE + LEVELS if any(name in text for text in texts)}
    return names | {name for name in HOSTILE + LEVELS if "<" in name and name in "".join(charts)}


def naive_names() -> None:
    """Greet every column by its name, as everybody does."""
    import streamlit as st

    names = (
        "<img src=x onerror=alert(1)>",
        "[link](http://evil.test)",
        "$x^2$",
        ":material/skull:",
        "<b>bold</b>",
        "**strong**",
    )
    for name in names:
        st.markdown(f"Column {name}", unsafe_allow_html=True)


def test_f6_names_and_categories_are_shown_as_text() -> None:
    """No screen hands a column, a level or a file name to Markdown as it is; no HTML is allowed."""
    head = ",".join(f'"{name}"' for name in HOSTILE)
    rows = "".join(f"{i},{i},{i},{LEVELS[i % 2]}\n" for i in range(60))
    edits: dict[int, dict[str, Any]] = {i: {"lower": 0.0, "upper": 100.0} for i in range(3)}
    edits[3] = {"levels": ", ".join(LEVELS)}
    app = upload(visit(), "$x^2$ <b>bold</b>.csv", f"{head}\n{rows}".encode(), edits)
    assert any("evil" in text for proto in elements(app) for text in rendered(proto))
    assert not alive(app)
    press(app, "Use this dataset")
    for page in PAGES:
        at(app, page)
        if page in MECHANISMS:
            press(app, ":spend")
        assert not alive(app), page
        assert not any(getattr(proto, "allow_html", False) for proto in elements(app)), page
    twin = AppTest.from_function(naive_names).run()
    assert alive(twin) == {*HOSTILE, *LEVELS}
    assert any(getattr(proto, "allow_html", False) for proto in elements(twin))


def test_f6_a_column_name_that_turns_text_around_is_refused() -> None:
    """Direction and control characters cannot be in a name; a naive header takes them all."""

    def deceives(names: list[str]) -> bool:
        return any(unicodedata.category(c) in ("Cc", "Cf") for name in names for c in name)

    def ours(data: bytes) -> list[str]:
        try:
            return list(LocalSource(data).names)
        except ParameterError:
            return []

    def naive_names_of(data: bytes) -> list[str]:
        return list(pd.read_csv(io.BytesIO(data)).columns)

    for sign in "\u202e\u2066\u200f\x1b":
        data = f"age{sign},pay\n1,2\n".encode()
        assert not deceives(ours(data))
        assert deceives(naive_names_of(data))


# F7: exports.

FORMULAS = ("=1+1", "@SUM(A1)", "+1+cmd|' /C calc'!A0", "-2+3", "\t=1", "\r=1")


def executed(text: str) -> list[str]:
    """Return the cells of a CSV that a spreadsheet would execute."""
    fields = [cell for line in csv.reader(io.StringIO(text, newline="")) for cell in line]
    return [cell for cell in fields if cell.startswith(("=", "@", "+", "-", "\t", "\r")) and not _number(cell)]


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_f7_no_cell_of_an_export_is_a_formula() -> None:
    """Names and levels that begin like one get an apostrophe; JSON keeps them as they are."""
    schema = Schema({"=age": Number(-90, 90), "town": Category(("=1+1", "-2+3", "@SUM(A1)"))})
    data = "=age,town\n" + "".join(f"{-i},{'=1+1'}\n" for i in range(60))
    road = Curator(Dataset(LocalSource(data.encode()), schema), SessionLedger(Cost.of(10, "1e-3")), tick=0)
    road.ask(Request(SmoothCoreTail(query=Mean(), epsilon=0.5), ("=age",), by="town"))
    assert not executed(releases_csv(road.releases, schema) + ledger_csv(road.ledger.entries))
    assert not executed(safe_csv(FORMULAS, [FORMULAS]))
    assert "'=1+1" in releases_csv(road.releases, schema)
    release = json.loads(releases_json(road.releases, schema))["releases"][0]
    assert [level for level, _ in release["answer"]] == ["=1+1", "-2+3", "@SUM(A1)"]
    naive_csv = pd.DataFrame([FORMULAS], columns=list(FORMULAS)).to_csv(index=False)
    assert len(executed(naive_csv)) == 2 * len(FORMULAS)


# F8: disks, links and many at once.

AGES = Schema({"age": Number(0, 100, integer=True)})
MEAN = Request(SmoothCoreTail(query=Mean(), epsilon=0.1), ("age",))


def fill(connection: sa.Connection) -> None:
    """Leave no page free in a SQLite file."""
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


class Known(ReleaseNoise):
    """Release noise that draws what we know, to look for it."""

    def core_tail(self, centre: float, scale: float, m: int) -> float:
        """Draw 48.151623."""
        return 48.151623


REFUSES_ANSWERS = (
    "CREATE TRIGGER full_answers BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
)


def by_hand(store: Store, statement: str) -> None:
    """Do something to the database."""
    with store.engine.begin() as connection:
        connection.exec_driver_sql(statement)


def on_disk(store: Store) -> Curator:
    """Return who answers for a few people, with a ledger on a disk."""
    by_hand(store, "CREATE TABLE naive (name TEXT, answer TEXT)")
    data = Dataset(LocalSource(pa.table({"age": list(range(90))})), AGES)
    return Curator(data, open_budget(store, "b", Cost.of(20)), Known(), tick=0)


def naive_keep(store: Store, name: str, answer: float) -> None:
    """Write an answer down."""
    with sa.create_engine(store.engine.url).begin() as connection:
        fill(connection)
        row = {"name": name, "answer": str(answer) + " " * 5_000}
        connection.execute(sa.text("INSERT INTO naive VALUES (:name, :answer)"), row)


def first_lost(ask: Callable[[str], Any], stored: Callable[[str], bool]) -> str | None:
    """Ask until the disk is full; return what was shown and is not on the disk."""
    for turn in range(100):
        name = str(turn)
        try:
            ask(name)
        except sa.exc.DBAPIError as error:
            assert "full" in str(error)
            return None
        if not stored(name):
            return name
    raise AssertionError("The disk was not full.")


def test_f8_an_answer_that_cannot_be_written_is_not_shown(tmp_path: Path) -> None:
    """On a full disk nothing is released and every charge stays; with room it is answered once."""
    store = Store(f"sqlite:///{tmp_path / 'ledger.db'}").prepare()
    road = on_disk(store)
    asked: list[str] = []

    def ours(name: str) -> Any:
        asked.append(name)
        return road.ask(MEAN, name).answer

    def naive_ask(name: str) -> float:
        answer = ReleaseNoise().laplace(50.0, 1.0)
        with suppress(sa.exc.OperationalError):
            naive_keep(store, name, answer)
        return answer

    def naive_kept(name: str) -> bool:
        with store.engine.begin() as connection:
            statement = sa.text("SELECT COUNT(*) FROM naive WHERE name = :name")
            return bool(connection.execute(statement, {"name": name}).scalar_one())

    assert first_lost(naive_ask, naive_kept) is not None

    def stored(name: str) -> bool:
        return Curator(road._dataset, road.ledger).stored(MEAN, name) is not None

    by_hand(store, REFUSES_ANSWERS)
    assert first_lost(ours, stored) is None
    by_hand(store, "DROP TRIGGER full_answers")
    with store.engine.connect() as connection:
        fill(connection)
    assert first_lost(ours, stored) is None
    by_hand(store, "PRAGMA max_page_count=100000")
    ours(asked[-1])
    assert road.ledger.spent == sum([MEAN.cost()] * len(set(asked)), Cost.zero())


def test_f8_an_error_of_the_database_does_not_tell_the_answer(tmp_path: Path) -> None:
    """What was drawn and not kept is drawn anew: who reads the first draw in a message has two."""
    store = Store(f"sqlite:///{tmp_path / 'ledger.db'}").prepare()
    road = on_disk(store)
    by_hand(store, REFUSES_ANSWERS)
    by_hand(store, REFUSES_ANSWERS.replace("answers", "naive"))

    def message(act: Callable[[], Any]) -> str:
        with pytest.raises(sa.exc.DBAPIError) as refused:
            act()
        return str(refused.value)

    assert "48.151623" in message(lambda: naive_keep(store, "0", 48.151623))
    assert "48.151623" not in message(lambda: road.ask(MEAN))


def test_f8_files_that_are_uploaded_at_once_stay_apart() -> None:
    """Eight browsers, one name: each works on its own rows."""
    server, start = discreet.ui.session.state.Server(), Barrier(8)
    naive_place: dict[str, bytes] = {}

    def mixed(put: Callable[[str, bytes], Callable[[], bytes]]) -> bool:
        mismatches: list[bool] = []

        def visitor(number: int) -> None:
            data = f"age\n{number}\n".encode()
            get = put(f"browser {number}", data)
            start.wait()
            mismatches.append(get() != data)

        threads = [Thread(target=visitor, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return any(mismatches)

    def ours(browser: str, data: bytes) -> Callable[[], bytes]:
        here = server.workspace(browser)
        here.draft = discreet.ui.session.state.Draft("people.csv", data, None, LocalSource(data))  # type: ignore[arg-type]
        return lambda: server.workspace(browser).draft.data  # type: ignore[union-attr]

    def naive_put(browser: str, data: bytes) -> Callable[[], bytes]:
        naive_place["people.csv"] = data
        return lambda: naive_place["people.csv"]

    assert not mixed(ours)
    assert mixed(naive_put)


def test_f8_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    """A backup goes to a new file only: whoever planted a link there overwrites nothing."""
    store = Store(f"sqlite:///{tmp_path / 'ledger.db'}").prepare()
    victim, planted = tmp_path / "victim", tmp_path / "backup.jsonl"
    planted.symlink_to(victim)

    def follows(write: Callable[[], Any]) -> bool:
        victim.write_text("mine")
        with suppress(FileExistsError):
            write()
        return victim.read_text() != "mine"

    def naive_backup() -> None:
        planted.write_text("all budgets")

    assert not follows(lambda: backup(store, planted))
    assert follows(naive_backup)
