"""Reading: every honest file is read, every other one gets a sentence that quotes no cell."""

from __future__ import annotations

import copy
import gzip
import io
import pickle
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from discreet.budget.errors import ParameterError
from discreet.rows import LocalSource
from discreet.rows.capacity import LARGEST_UPLOAD
from discreet.rows.files import ENCODINGS, SEPARATORS, Layout, likely, suggest
from discreet.rows.intake.opening import read

CANARY = "secret-4711"
ROWS = [["name", "pay"], ["Zoë\nBlå", "1"], ["b,;|\tb", "2"], ["c", "3"]]


def text(separator: str, rows: list[list[str]] = ROWS) -> str:
    """Return rows as quoted text."""
    quoted = [separator.join(f'"{cell}"' for cell in row) for row in rows]
    return "\r\n".join(quoted) + "\r\n"


def workbook(rows: list[list[object]]) -> bytes:
    """Return an Excel file with one sheet."""
    data = io.BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for i, row in enumerate(rows):
            sheet.write_row(i, 0, row)
    return data.getvalue()


def packed(table: pa.Table, kind: str) -> bytes:
    """Return a table as Parquet or Feather."""
    sink = io.BytesIO()
    if kind == "parquet":
        pq.write_table(table, sink)
    else:
        feather.write_feather(table, sink)
    return sink.getvalue()


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("encoding", [*ENCODINGS, "utf-8-sig"])
def test_every_encoding_and_separator_is_read_with_quoted_newlines(encoding: str, separator: str) -> None:
    """All cells arrive as they were written, in every combination that is offered."""
    data = text(separator).encode(encoding)
    layout = Layout("text", encoding.removesuffix("-sig"), separator)
    table = read(data, layout)
    assert [table.column_names, *map(list, zip(*table.to_pydict().values(), strict=True))] == ROWS
    assert suggest(data).separator == separator


def test_the_encoding_is_suggested_by_content() -> None:
    """Only a mark says another one than UTF-8; what the bytes look like is told to whoever brings them."""
    for encoding in ("utf-8", "utf-16", "gb18030"):
        assert likely("名字,数\n张,1\n".encode(encoding)).encoding == encoding
        assert suggest("名字,数\n张,1\n".encode(encoding)).encoding == {"utf-16": "utf-16"}.get(encoding, "utf-8")
    assert likely("naïve,x\né,1\n".encode("latin-1")).encoding == "latin-1"
    assert likely("naïve,x\né,1 €\n".encode("cp1252")).encoding == "cp1252"
    assert likely("naïve,x\né,1\x81\n".encode("latin-1")).encoding == "latin-1"


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_typed_files_keep_their_columns(kind: str) -> None:
    """Parquet and Feather are known by their content."""
    table = pa.table({"a": [1, None], "b": ["x", "y"]})
    data = packed(table, kind)
    assert suggest(data).format == kind
    assert read(data, suggest(data)).equals(table)


def test_columns_that_may_grow_are_written_out_and_nested_ones_are_missing() -> None:
    """A cell of an upload takes its own memory, however its file told it (F2)."""
    texts = pa.array(["x", "y", "y"])
    table = pa.table(
        {
            "told by number": texts.dictionary_encode(),
            "runs": pc.run_end_encode(texts),
            "views": texts.cast(pa.string_view()),
            "flags": pa.array([1, 0, 1], pa.bool8()),
            "nested": [[1], [2], [3]],
        }
    )
    data = packed(table, "feather")
    upload = read(data, suggest(data))
    assert upload.to_pydict() == table.drop(["nested"]).to_pydict() | {"flags": [1, 0, 1], "nested": [None] * 3}
    assert not any(map(pa.types.is_dictionary, upload.schema.types))


def test_a_file_on_disk_means_what_its_upload_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeated texts, read by number and in light batches, are the same cells."""
    names = [f"town {i % 7}" if i % 3 else None for i in range(5_000)]
    table = pa.table({"a": names, "b": [f"person {i}" for i in range(5_000)], "c": range(5_000)})
    data = packed(table, "parquet")
    path = tmp_path / "people.parquet"
    path.write_bytes(data)
    monkeypatch.setattr("discreet.rows.files.typed.HEAVIEST", 4_000)
    monkeypatch.setattr("discreet.rows.kernel.HEAVIEST", 4_000)
    source = LocalSource(path)
    sizes = source.map(lambda batch: [batch.num_rows], ["a"], [])
    assert len(sizes) > 10 and sum(sizes) == 5_000
    assert source.map(_cells, "abc", []) == LocalSource(data).map(_cells, "abc", [])
    assert source.head(["a"], 9).equals(table.select(["a"]).slice(0, 9))


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_a_damaged_file_on_disk_gets_its_sentence(kind: str, tmp_path: Path) -> None:
    """What is torn is refused as it is in an upload."""
    path = tmp_path / "torn"
    path.write_bytes(packed(pa.table({"a": [1]}), kind)[:-9])
    with pytest.raises(ParameterError, match="damaged"):
        LocalSource(path)


def test_a_workbook_with_two_cells_far_apart_is_refused() -> None:
    """The cells between them would take half a terabyte (F2)."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "v")
        sheet.write(2**20 - 1, 2**14 - 1, "w")
    with pytest.raises(ParameterError, match="far from the table"):
        LocalSource(sink.getvalue())


def test_rows_that_take_no_memory_are_counted() -> None:
    """Half a billion missing cells are no bytes, and too many (F2)."""
    data = packed(pa.table({"v": pa.nulls(500_000_000)}), "feather")
    with pytest.raises(ParameterError, match="when unpacked"):
        LocalSource(data)


def test_a_workbook_is_read_as_text() -> None:
    """Whole numbers of a workbook are whole, texts stay texts."""
    data = workbook([["a", "b"], [5.0, "x"], [2.5, "007"]])
    assert suggest(data).format == "excel"
    assert read(data, suggest(data)).to_pydict() == {"a": ["5", "2.5E0"], "b": ["x", "007"]}


def test_ragged_rows_never_shift_a_column() -> None:
    """A short row lacks its last cells; a long one cannot be read, unless its surplus is empty."""
    table = read(b"a,b\n1\n2,3,\n\n5,6\n", Layout("text"))
    assert table.to_pydict() == {"a": ["1", "2", "5"], "b": ["", "3", "6"]}
    long = b"a,b\n1\n2,3,4\n\n5,6\n"
    with pytest.raises(ParameterError, match="Line 3 has more cells"):
        read(long, Layout("text"))
    for table in (read(long, Layout("text", lenient=True)), read(long, Layout("text"), again=True)):
        assert table.to_pydict() == {"a": ["1", None, "5"], "b": ["", None, "6"]}


def archive(names: dict[str, bytes]) -> bytes:
    """Return a zip archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in names.items():
            pack.writestr(name, content)
    return data.getvalue()


BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "header only": (b"a,b\n", "no rows"),
    "only blank lines": (b"\n\n\n", "no columns|no name"),
    "pickle": (pickle.dumps({"a": CANARY}), "pickle"),
    "gzip in gzip": (gzip.compress(gzip.compress(b"a,b\n1,2\n")), "compressed"),
    "zip of two": (archive({"a.csv": CANARY.encode(), "b.csv": b""}), "contains 2 files"),
    "zip in zip": (archive({"a.zip": archive({"a.csv": CANARY.encode()})}), "not a workbook"),
    "broken zip": (b"PK\x03\x04" + CANARY.encode(), "damaged"),
    "broken workbook": (archive({"xl/workbook.xml": CANARY.encode()}), "cannot be read"),
    "web page": (f"<!DOCTYPE html><p>{CANARY}".encode(), "web page"),
    "xml": (f"<?xml version='1.0'?><a>{CANARY}</a>".encode(), "an XML document"),
    "program": (b"\x7fELF" + bytes(100), "program"),
    "picture": (b"\x89PNG\r\n" + bytes(100), "picture"),
    "nul bytes": (b"a,b\n1,\x00\n", "not a text"),
    "unclosed quote": (b'a,b\n"' + CANARY.encode() * 200_000, "longer than 1,048,576"),
    "quote that swallows": (b'a,b\n1,"2\n' + b"3,4\n" * 9, "Line 2 cannot be read: a quote is not closed"),
    "quote within": (b'a,b\n1,2\n3,"4"5\n', "Line 3 cannot be read"),
    "too many columns": ((",".join(f"c{i}" for i in range(3000)) + "\n").encode(), "2000 columns"),
    "endless name": ((("x" * 5000) + ",b\n1,2\n").encode(), "1 to 200"),
    "control character": ("a\u202eb,c\n1,2\n".encode(), "control or direction"),
    "broken parquet": (b"PAR1" + CANARY.encode() + b"PAR1", "damaged"),
    "broken feather": (b"ARROW1" + CANARY.encode(), "damaged"),
    "empty workbook": (workbook([]), "sheet is empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_its_sentence_and_quotes_nothing(name: str) -> None:
    """Each refusal says what to do and holds nothing of the content."""
    data, says = BAD[name]
    with pytest.raises(ParameterError, match=says) as refused:
        read(data, suggest(data))
    assert CANARY not in str(refused.value) and refused.value.__cause__ is None
    assert str(refused.value).endswith(".")


def test_a_wrong_encoding_says_to_choose_another() -> None:
    """The person may correct the suggestion, and a wrong correction is no crash."""
    data = "a,b\n名,1\n".encode("gb18030")
    with pytest.raises(ParameterError, match="^Choose another encoding: line 2"):
        read(data, Layout("text", "utf-8"))
    with pytest.raises(ParameterError, match="Encoding must be one of"):
        Layout("text", "klingon")


def test_a_parquet_bomb_is_refused_by_its_footer() -> None:
    """A small file that unpacks into too many cells is never unpacked (F2)."""
    column = pa.nulls(2_000_000, pa.float64())
    sink = io.BytesIO()
    pq.write_table(pa.table({f"c{i}": column for i in range(220)}), sink)
    assert len(sink.getvalue()) < LARGEST_UPLOAD / 100
    with pytest.raises(ParameterError, match="when unpacked"):
        LocalSource(sink.getvalue())


def test_a_workbook_bomb_is_refused() -> None:
    """What an archive unpacks into is counted before it is, however often it lists the same bytes (F2)."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("xl/workbook.xml", b"<a/>")
        pack.writestr("xl/b0", b"0" * (60 * 2**20))
        for at in range(1, 10):
            pack.filelist.append(copy.copy(pack.getinfo("xl/b0")))
            pack.filelist[-1].filename = f"xl/b{at}"
    bomb = sink.getvalue()
    assert sum(item.file_size for item in zipfile.ZipFile(sink).infolist()) > 600 * 2**20
    with pytest.raises(ParameterError, match="when unpacked"):
        read(bomb, suggest(bomb))


def test_the_name_of_a_file_says_nothing(tmp_path: Path) -> None:
    """A pickle called csv is a pickle (F1)."""
    path = tmp_path / "people.csv"
    path.write_bytes(pickle.dumps([CANARY]))
    with pytest.raises(ParameterError, match="pickle"):
        LocalSource(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_large_text_file_is_read_out_of_core_and_means_the_same(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spooled batch by batch, a file gives the cells that it gives in memory."""
    rows = [["名字", "pay"], *([f"名{i}", str(i)] for i in range(30_000))]
    path = tmp_path / "people.csv"
    path.write_bytes(text(";", rows).encode(encoding))
    kernel, layout = _cells, likely(path.read_bytes())
    whole = LocalSource(path, layout).map(kernel, ["名字", "pay"], [])
    monkeypatch.setattr("discreet.rows.intake.opening.SPOOL", 1000)
    spooled = LocalSource(path, layout)
    assert spooled.map(kernel, ["名字", "pay"], []) == whole and len(whole) == 30_000
    path.write_bytes(b"a,b\n1,2\n" * 2000 + b"\xff\xfe\xfa\n")
    with pytest.raises(ParameterError, match="^Choose another encoding: line"):
        LocalSource(path, Layout("text", "utf-8"))


def _cells(batch: pa.RecordBatch) -> list[tuple[str, ...]]:
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def test_reading_tells_how_far_it_is_and_can_be_stopped() -> None:
    """The share rises to 1; what the listener raises ends the reading."""
    data = ("a,b\n" + "1,2\n" * 120_000).encode()
    seen: list[float] = []
    LocalSource(data, report=seen.append)
    assert len(seen) >= 3 and seen == sorted(seen) and seen[-1] == 1

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        LocalSource(data, report=stop)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("größe,straße\n1,2\n", "latin-1"),
        ("prénom,numéro,âge\nJosé,1,2\n", "latin-1"),
        ("城市,名字\n北京,小明\n", "gb18030"),
        ("VIP客户,A型\n1,2\n", "gb18030"),
    ],
)
def test_western_and_chinese_bytes_are_told_apart(text: str, encoding: str) -> None:
    """Accents stand inside words, Chinese characters stand together."""
    assert likely(text.encode(encoding)).encoding == encoding
