"""Push-down: PostgreSQL brings equal rows together, and nothing is counted otherwise than where rows are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st
from support.bases import Base
from support.moods import ODD, drawn, moods
from support.postgres import Postgres
from support.soak import SOAKS, times

from discreet.rows import Bands, Category, Difference, Either, Filter, Meets, Number, Person, Ratio, Recode, Schema
from discreet.rows.columns.grouping import source_of
from discreet.rows.counting import Task
from discreet.rows.engines import connection, database
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.source import Batched

TYPES = {
    "age": sa.Integer,
    "pay": sa.Float(53),
    "short": sa.REAL,
    "town": sa.Text,
    "member": sa.Boolean,
    "level": sa.SmallInteger,
}
DECLARED = {
    "age": Number(0, 100, integer=True),
    "pay": Number(-500, 5000, step=250.0),
    "short": Number(0, 100, step=0.5, missing=3.0),
    "town": Category(("north", "south"), other=True),
    "member": Number(0, 1, integer=True),
    "level": Category(("1", "2", "3")),
}
SCHEMA = Schema(DECLARED)


@pytest.fixture(scope="module")
def base(postgres: Postgres) -> Iterator[Base]:
    """Return a database with a table of people, some of their cells missing or not a number."""
    base = Base(postgres.database())
    rows = [
        {
            **{name: row[name] for name in ("age", "pay", "town", "member")},
            "short": None if row["age"] is None else row["age"] / 7,
            "level": None if row["age"] is None else row["age"] % 5,
        }
        for row in drawn(times(1000, 4000))
    ]
    base.table(rows, TYPES)
    base.run("INSERT INTO people (pay) VALUES ('NaN'), ('Infinity'), ('-Infinity'), (-0.0), (5e-324)")
    yield base


def source(base: Base) -> TableSource:
    """Return the table."""
    return TableSource(DatabaseSource(base.url, "people"))


def same(table: TableSource, task: Task) -> None:
    """Fail if rows that are brought together count otherwise than rows that are read."""
    there, here = table.counts(task), Batched.counts(table, task)
    assert there.places.tolist() == here.places.tolist() and there.rows.tolist() == here.rows.tolist()


def asked(base: Base, task: Task) -> Any:
    """Return how lots are asked for; None where rows are streamed."""
    table = source(base)
    with database.moment(table._engine) as db:
        return table._lots(db, task)[0]


NUMBERS = [name for name, kind in DECLARED.items() if isinstance(kind, Number)]
LEVELS = [name for name in DECLARED if name not in NUMBERS]
DERIVED = [
    Bands("age", every=10),
    Bands("age", (18, 65)),
    Bands("pay", (0, 250, 1000)),
    Bands("short", every=10),
    Bands("member", every=1),
    Recode("town", (("south", "here"),)),
    Recode("level", (("1", "low"), ("2", "low"), ("3", "high"))),
]
COMPARISONS = st.one_of(
    st.builds(
        Filter,
        st.sampled_from(NUMBERS),
        st.sampled_from(("=", "!=", "<", "<=", ">", ">=")),
        st.sampled_from([-1e300, -500.0, 0.0, 0.25, 1.0, 3.0, 50.0, 250.0, 4999.9, 5000.0, 1e300]),
    ),
    st.builds(Filter, st.just("town"), st.sampled_from(("=", "!=")), st.sampled_from(("north", "other"))),
    st.builds(Filter, st.just("level"), st.sampled_from(("in", "not in")), st.sampled_from([("1",), ("2", "3")])),
)
CONDITIONS = st.one_of(COMPARISONS, st.builds(Either, st.lists(COMPARISONS, min_size=1, max_size=3)))


@settings(max_examples=times(15, 25))
@given(
    columns=st.lists(st.sampled_from(NUMBERS), max_size=2, unique=True),
    by=st.lists(st.sampled_from([*LEVELS, *DERIVED]), max_size=2, unique_by=source_of),
    where=st.lists(CONDITIONS, max_size=3),
)
def test_rows_that_are_brought_together_count_as_they_are(base: Base, columns: Any, by: Any, where: Any) -> None:
    """Declarations, filters and groups of every kind, with the kernel as the oracle."""
    same(source(base), Task.of(SCHEMA, columns, by, where))


@pytest.mark.parametrize("operator", ["=", "!=", "<", "<=", ">", ">="])
def test_floats_that_are_filtered_alone_are_divided_where_the_kernel_divides_them(
    operator: str, postgres: Postgres
) -> None:
    """Cells around and on each tick, where nothing else keeps rows of neighbouring ticks apart."""
    base = Base(postgres.database())
    cells = ", ".join(f"({quarter / 4})" for quarter in range(-3, 47))
    base.run("CREATE TABLE people (x double precision)", f"INSERT INTO people VALUES {cells}, ('NaN'), (NULL)")
    for declared in (Number(0, 10, step=0.5), Number(0, 10, integer=True)):
        for number in (0.0, 3.0, 3.2, 10.0):
            task = Task.of(Schema({"x": declared}), (), (), (Filter("x", operator, number),))
            assert asked(base, task) is not None
            same(source(base), task)


def test_merged_levels_are_grouped_in_the_database(postgres: Postgres) -> None:
    """Equal cells come back once, however many rows have them; their new level is found here, as for any row."""
    base = Base(postgres.database())
    cells = ", ".join(f"('{cell}')" for cell in (*"abcz", "other", "") for _ in range(50))
    base.run("CREATE TABLE people (town text)", f"INSERT INTO people VALUES {cells}, (NULL), (' a')")
    for other in (False, True):
        schema = Schema({"town": Category(("a", "b", "c"), other=other)})
        for into in ((("a", "n"), ("b", "n")), (("a", "b"), ("b", "a"), ("c", "a"))):
            task = Task.of(schema, (), (Recode("town", into),), ())
            assert asked(base, task) is not None
            same(source(base), task)


def test_bands_are_found_in_the_database_however_fine_the_grid_is(postgres: Postgres) -> None:
    """Cells on, around and beyond each edge; only bands come back, of a million steps as of a hundred."""
    base = Base(postgres.database())
    cells = [-(2**40), -1, 0, 999_999, 10**6, 2**40, *(edge + by for edge in (10**5, 5 * 10**5) for by in (-1, 0, 1))]
    rows = ", ".join(f"({cell}, {cell + by / 8})" for cell in cells for by in (-1, 0, 1))
    base.run("CREATE TABLE people (n bigint, x double precision)", f"INSERT INTO people VALUES {rows}, (NULL, 'NaN')")
    for name, integer, step in (("n", True, None), ("n", True, 4), ("x", True, 4), ("x", False, None)):
        for constant in ("drop", 5):
            schema = Schema({name: Number(0, 10**6, step, integer, missing=constant)})
            for bands in (Bands(name, every=10**5), Bands(name, (10**5, 5 * 10**5))):
                for where in ((), (Filter(name, ">", 10**5),)):
                    task = Task.of(schema, (), (bands,), where)
                    same(source(base), task)
                    assert asked(base, task) is not None or (where and name == "n"), (name, bands)


@pytest.mark.soak
def test_cells_of_every_type_are_brought_together_or_streamed(postgres: Postgres) -> None:
    """Whatever type a column has and as whatever it is declared; in `make test` as levels or one number, in turns."""
    base = Base(postgres.database())
    moods(base)
    kinds = [Number(0, 10), Number(0, 10, step=1.0), Number(0, 10, integer=True), Category(("5", "true"), other=True)]
    rows = [", ".join(f"({cell})" for cell in (*cells, "NULL")) for cells in ODD.values()]
    base.run(*(f"CREATE TABLE t{at} (x {kind})" for at, kind in enumerate(ODD)))
    base.run(*(f"INSERT INTO t{at} VALUES {values}" for at, values in enumerate(rows)))
    for at in range(len(ODD)):
        for declared in kinds if SOAKS else (kinds[at // 2 % 3] if at % 2 else kinds[3],):
            schema = Schema({"x": declared})
            columns, by = (("x",), ()) if "x" in schema.numbers else ((), ("x",))
            same(TableSource(DatabaseSource(base.url, f"t{at}")), Task.of(schema, columns, by))


def test_texts_are_compared_byte_by_byte(postgres: Postgres) -> None:
    """Whatever a column's own collation calls equal: as many lots as there are texts."""
    base = Base(postgres.database())
    base.run(
        "CREATE TABLE people (town text)",
        "INSERT INTO people VALUES ('north'), ('NORTH'), ('nórth'), ('north '), (U&'no\\0301rth'), ('North')",
    )
    task = Task.of(Schema({"town": Category(("north",), other=True)}), (), ("town",))
    same(source(base), task)
    assert source(base).counts(task).rows.tolist() == [2, 4]
    assert 'COLLATE "C"' in str(asked(base, task).compile(dialect=database.PLAIN))


def test_no_value_stands_in_a_question(base: Base) -> None:
    """Neither bounds nor what a filter compares with: statements are logged."""
    task = Task.of(SCHEMA, ("age",), ("town",), (Filter("pay", ">", 4711.0), Filter("level", "=", "2")))
    statements: list[str] = []
    table = source(base)
    sa.event.listen(table._engine, "before_cursor_execute", lambda *event: statements.append(event[2]))
    table.counts(task)
    question = statements[-1]
    assert "GROUP BY" in question
    assert not any(value in question for value in ("4711", "4750", "5000", "250", "100", "north", "'2'"))


@pytest.mark.parametrize(
    ("declared", "brought"),
    [
        (Number(0, 100, integer=True), True),
        (Number(0, 2**30, integer=True), False),
        (Number(0, 5000, step=1.0), True),
        (Number(0, 5000), False),
    ],
)
def test_what_is_declared_says_whether_rows_are_streamed(base: Base, declared: Number, brought: bool) -> None:
    """And nothing that lies in the table."""
    column = "age" if declared.integer else "pay"
    task = Task.of(Schema({column: declared}), (column,))
    before = asked(base, task)
    assert (before is not None) == brought
    same(source(base), task)


def test_persons_and_other_databases_are_streamed(base: Base, tmp_path: Any) -> None:
    """No database knows when two identifiers are one person."""
    schema = Schema({"age": DECLARED["age"], "town": Person(rows=1)})
    assert asked(base, Task.of(schema, ("age",))) is None
    other = Base(f"sqlite:///{tmp_path / 'rows.db'}")
    other.table([{"age": 5}, {"age": None}], {"age": sa.Integer})
    task = Task.of(Schema({"age": DECLARED["age"]}), ("age",))
    assert asked(other, task) is None
    assert source(other).counts(task).rows.tolist() == [1]


def test_a_count_of_all_rows_needs_no_column(base: Base) -> None:
    """Where nothing is read, rows are streamed."""
    assert connection.question(Task.of(SCHEMA), ("public", "people"), {}) is None


def test_a_quotient_that_is_too_small_ends_no_question(postgres: Postgres) -> None:
    """PostgreSQL fails where a quotient is no double any more: that would tell of one row."""
    base = Base(postgres.database())
    base.run(
        "CREATE TABLE people (pay double precision)", "INSERT INTO people VALUES (5e-324), (1e-310), (-5e-324), (3)"
    )
    task = Task.of(Schema({"pay": Number(0, 1e6, step=1e4)}), ("pay",))
    assert asked(base, task) is not None
    assert source(base).counts(task).rows.tolist() == [4]
    assert pa.float64() in connection.FLOATS


OF_TWO = Schema(
    {
        **DECLARED,
        "gap": Difference("age", "member", 0, 50),
        "odd": Ratio("short", "age", 0, 10, 0.5),
        "rich": Meets("pay", ">", 1000),
        "northern": Meets("town", "=", "north"),
    }
)


@pytest.mark.parametrize(
    ("columns", "by", "where"),
    [
        (("gap",), (), ()),
        (("gap",), ("town",), (Filter("age", ">", 30),)),
        (("odd",), (), ()),
        (("rich",), ("town",), ()),
        (("northern",), (), (Filter("gap", "<=", 20),)),
        (("age",), (Bands("rich", every=1),), ()),
        ((), (Bands("gap", (10, 30)),), ()),
        (("pay",), (Bands("pay", (1000,)),), (Filter("rich", "=", 1),)),
    ],
)
def test_columns_that_others_are_derived_from_keep_every_tick(base: Base, columns: Any, by: Any, where: Any) -> None:
    """Rows are grouped by the values that are read, never by what they make together."""
    task = Task.of(OF_TWO, columns, by, where)
    assert asked(base, task) is not None or task.columns == ("odd",)  # too many pairs of ticks are streamed
    same(source(base), task)


def test_a_database_that_forgets_what_a_column_is_derived_from_is_caught(
    base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A twin in which cells of such a column form one group, whatever their ticks are."""
    monkeypatch.setattr(Task, "on_ticks", property(lambda task: set(task.columns)))
    with pytest.raises(AssertionError):
        same(source(base), Task.of(OF_TWO, (), (Bands("rich", every=1),)))
