"""Grammar: random schemas, small tables, neighbours and requests for tests of the whole road."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
from hypothesis import assume
from hypothesis import strategies as st

from discreet.budget.errors import ParameterError
from discreet.curator import FixedPlan, Request
from discreet.curator.checks import in_some_group
from discreet.evidence.layers import coarse
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.base.counts import AllCounts
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.ptr_grid import ProposeGrid
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.quartile_range import QuartileRange
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.mechanisms.soft_pairs import Pairing
from discreet.mechanisms.soft_weights import Weighing
from discreet.queries import Relation
from discreet.queries.column import Bins, HowRead
from discreet.queries.count import Count
from discreet.rows import (
    Bands,
    Category,
    Difference,
    Either,
    Filter,
    LocalSource,
    Meets,
    Number,
    Person,
    Ratio,
    Recode,
    Schema,
)
from discreet.rows.columns.date import Date
from discreet.rows.columns.grouping import source_of
from discreet.rows.columns.yes_no import YesNo
from discreet.rows.filters import Condition
from discreet.rows.source import Source
from support.evidence.worlds import every_query

NUMBERS = (
    Number(0, 2, integer=True),
    Number(-1, 3, step=2, integer=True),
    Number(0, 1, step=0.5),
    Number(0, 2, integer=True, missing=1),
    Number(-0.5, 1, missing=0.25),
    Number(-1, 2, integer=True, decimal=",", thousands=".", affixes=("€", "()")),
    Date("2000", "2002", "year"),
)
LEVELS = (
    Category(("a", "b")),
    Category(("a",), other=True),
    Category(("a", "b"), other=True),
    Category(("1", "a"), names=("one", "A")),
    YesNo(),
)
PLACES = (Category(("u", "v")), Category(("u",), other=True), YesNo())
PERSONS = (None, Person(), Person(rows=2), Person(rows=3), Person(reduce="first"), Person(reduce="mean"))
CELLS = (
    "0",
    "1",
    "2",
    "-1",
    "0.5",
    "99",
    "-1e400",
    "inf",
    "NaN",
    "",
    " 1 ",
    "x",
    "2001",
    "(1)",
    "1,5 €",
    "1.234",
    None,
)
TOWNS = ("a", "b", " a", "z", "other", "1.0", "YES", "", None)
STREETS = ("u", "v", "w", "yes", "no", None)
NAMES = ("p", "q", "r", " p", "P", "", None)
EPSILONS = (0.01, 0.1, 1.0, 3.0)
DELTAS = (1e-9, 1e-3, 0.1)
SIZES = (1, 2, 3, 5)
BINS = (None, Bins((0.0, 1.0, 2.0)), Bins((-1.0, 0.0, 0.5, 7.0)))
MOST_ROWS, MOST_OF_ONE, MOST_TICKS = 6, 3, 4
RARELY = 30
TOGETHER = QuantileTree | QuartileRange  # all results of several draws together are enumerated
Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Case:
    """A schema, a query, a table and its neighbouring tables."""

    schema: Schema
    request: Request | FixedPlan
    rows: tuple[Row, ...]
    next_to: tuple[tuple[Row, ...], ...]
    format: str

    @property
    def slug(self) -> str:
        """The mechanism, and whether rows share its draw."""
        asked = self.request
        return asked.mechanism.slug if isinstance(asked, Request) else f"{asked.rows[0].mechanism.slug} shared"

    def table(self, rows: tuple[Row, ...]) -> pa.Table:
        """Return rows as a table of text."""
        names = ("x", "y", "g", "who", "h")
        columns = [pa.array([row[i] for row in rows], pa.large_string()) for i in range(len(names))]
        return pa.table(dict(zip(names, columns, strict=True)))

    def opened(self, table: pa.Table) -> Source:
        """Write a table in its format and open it; no reader accepts a file without rows."""
        return FORMATS[self.format if table.num_rows else "memory"](table)


def text(table: pa.Table, delimiter: str) -> LocalSource:
    """Write a table as text and read it back."""
    out = io.BytesIO()
    pc.write_csv(table, out, pc.WriteOptions(delimiter=delimiter))
    return LocalSource(out.getvalue())


def parquet(table: pa.Table) -> LocalSource:
    """Write a table as Parquet, in groups of two rows, and read it back."""
    out = io.BytesIO()
    pq.write_table(table, out, row_group_size=2)
    return LocalSource(out.getvalue())


def arrow(table: pa.Table) -> LocalSource:
    """Write a table as Feather, with dictionaries, and read it back."""
    out = io.BytesIO()
    names = table.column_names
    coded = pa.table([table.column(name).dictionary_encode() for name in names], names)
    feather.write_feather(coded, out)
    return LocalSource(out.getvalue())


FORMATS: dict[str, Callable[[pa.Table], Source]] = {
    "memory": LocalSource,
    "csv": lambda table: text(table, ","),
    "tsv": lambda table: text(table, "\t"),
    "parquet": parquet,
    "feather": arrow,
}
SLUGS = sorted(slug for slug, kind in registry.items() if not kind.open_only)
SHARED = sorted(slug for slug, kind in registry.items() if kind.joint)
PLANS = 4  # one case in so many is a plan whose rows share a draw


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """Generate a schema of two numbers, two categories and perhaps a person."""
    person = draw(st.sampled_from(PERSONS))
    columns: dict[str, Any] = {
        "x": draw(st.sampled_from(NUMBERS)),
        "y": draw(st.sampled_from(NUMBERS)),
        "g": draw(st.sampled_from(LEVELS)),
        "h": draw(st.sampled_from(PLACES)),
    }
    columns |= draw(st.sampled_from(({}, derived(columns))))
    return Schema(columns if person is None else columns | {"who": person})


def derived(columns: dict[str, Any]) -> dict[str, Any]:
    """Return columns that are derived from the two numbers, on grids of a few ticks, and a condition on one of them."""
    x, y = columns["x"], columns["y"]
    if x.amounts != y.amounts:
        return {}
    if x.name == Date.name:
        return {"d": Difference("x", "y", -1, 2), "m": Meets("d", ">", 0)}
    difference = Difference("x", "y", -1, 2, 1 if x.integer and y.integer else 0.5)
    return {"d": difference, "r": Ratio("x", "y", -1, 2, 1), "m": Meets("y", ">", 0.5)}


@st.composite
def relations(draw: st.DrawFn, schema: Schema) -> Relation:
    """Generate a neighbour relation: one person more or less, or one changed."""
    rows = schema.rows_per_person + draw(st.sampled_from((0, 0, 0, 1)))
    return Relation(draw(st.sampled_from((None, None, *SIZES))), rows)


@st.composite
def mechanisms(draw: st.DrawFn, relation: Relation) -> Mechanism:
    """Generate a registered mechanism with settings."""
    kind: type[Any] = registry[draw(st.sampled_from(SLUGS))]
    names = {f.name for f in fields(kind)}
    settings: dict[str, Any] = {"epsilon": draw(st.sampled_from(EPSILONS))}
    if "delta" in names:
        settings["delta"] = draw(st.sampled_from(DELTAS))
    settings |= draw(statistics(names, relation)) | draw(settings_of(kind, names))
    try:
        mechanism: Mechanism = kind(**settings)
    except ParameterError:
        assume(False)
        raise
    return mechanism


def sized(relation: Relation) -> list[Any]:
    """Return every statistic under a relation, including those that resize to a public number."""
    queries = list(every_query(relation))
    if not relation.change_one:
        queries += [
            query
            for size in SIZES
            for query in every_query(Relation(size, relation.rows))
            if getattr(query, "resize", None)
        ]
    return queries


@st.composite
def statistics(draw: st.DrawFn, names: set[str], relation: Relation) -> dict[str, Any]:
    """Generate the statistics: one, several, or none but the relation."""
    if "query" in names:
        return {"query": draw(st.sampled_from(sized(relation)))}
    if "queries" in names:
        several = draw(st.lists(st.sampled_from(sized(relation)), min_size=1, max_size=2))
        return {"queries": tuple(several) * draw(st.sampled_from((1, 1, 2)))}
    return {"relation": relation} if "relation" in names else {}


@st.composite
def settings_of(draw: st.DrawFn, kind: type[Any], names: set[str]) -> dict[str, Any]:
    """Generate the settings of a mechanism other than its budget."""
    settings: dict[str, Any] = {}
    if "b" in names:
        settings["b"] = draw(st.sampled_from((0.001, 0.3, 1.0, 5.0)))
    if "q" in names:
        settings["q"] = draw(st.sampled_from((0.0, 0.25, 0.5, 0.9, 1.0)))
    if "levels" in names:
        settings["levels"] = draw(st.sampled_from(((0.25, 0.75), (0.25, 0.5, 0.75), (0.0, 1.0))))
    if "share" in names:
        settings["share"] = draw(st.sampled_from((0.05, 0.3, 0.9)))
    for name, parameter in kind.parameters().items():
        if parameter.choices:
            settings[name] = draw(st.sampled_from(parameter.choices))
    if "bins" in names:
        settings["bins"] = draw(st.sampled_from((*BINS, HowRead()) if issubclass(kind, AllCounts) else BINS))
    if "threshold" in names:
        settings["threshold"] = draw(st.sampled_from((0.0, 1.0, 3.0)))
    if issubclass(kind, ProposeGrid):
        settings |= {"size": 2, "factor": 4.0}
    if issubclass(kind, Pairing):
        of_pairs = ("slope", "correlation", "prediction:1")
        able = [name for name in of_pairs if kind.can_answer(name.partition(":")[0])]
        settings["estimator"] = draw(st.sampled_from(able))
    if issubclass(kind, Weighing):
        settings["estimator"] = draw(st.sampled_from([topic.name for topic in kind.topics()]))
    if issubclass(kind, SampleAggregate):
        names_ = ("mean", "median", "standard-deviation", "correlation")
        settings |= {
            "k": draw(st.integers(1, 3)),
            "lower": 0.0,
            "upper": 2.0,
            "estimator": draw(st.sampled_from(names_)),
        }
    return settings


@st.composite
def filters(draw: st.DrawFn, schema: Schema) -> tuple[Condition, ...]:
    """Generate no filter or one, on any column."""
    labels = getattr(schema.columns["g"], "labels", ())
    dated = schema.columns["x"].name == Date.name
    return draw(
        st.sampled_from(
            (
                (),
                (),
                (Filter("g", "=", labels[0]),),
                (Filter("g", "!=", labels[-1]),),
                (Filter("x", ">", "2000" if dated else 0.5),),
                (Filter("y", "!=", 1), Filter("g", "in", labels[:1])),
                (Either((Filter("y", "!=", 1), Filter("g", "not in", labels[:1]))),),
            )
        )
    )


def halves(schema: Schema, name: str) -> Bands:
    """Return two bands of a number or date column, with an edge on its grid."""
    declared = schema.number(name)
    edge = declared.bounds.value((declared.bounds.top + 1) // 2)
    return Bands(name, (declared.shown(edge) if declared.name == Date.name else float(edge),))


def turned(schema: Schema, name: str) -> Recode:
    """Return new levels that are called as the old ones and are others: the first as the second, all others as it."""
    first, second = schema.category(name).labels[:2]
    return Recode(name, ((second, first), (first, second)))


@st.composite
def requests(draw: st.DrawFn, schema: Schema) -> Request:
    """Generate a query that the schema admits."""
    mechanism = draw(mechanisms(draw(relations(schema))))
    means = schema.person is not None and schema.person[1].reduce == "mean"
    assume(not (means and isinstance(mechanism, TOGETHER)))  # means have a fine grid, however coarse that of the column
    columns: tuple[str, ...] = ("x",)
    if mechanism.view.columns == 2:
        columns = ("x", "y")
    if mechanism.view.answers:
        assume(schema.answers)
        columns = (draw(st.sampled_from(schema.answers)), "y")
    if mechanism.view.category:
        columns = (draw(st.sampled_from(("g", "h"))),)
    if mechanism.view.every_kind:
        columns = (draw(st.sampled_from(("x", "g"))),)
    if columns == ("x",) and "d" in schema.columns and not isinstance(mechanism, TOGETHER):
        columns = (draw(st.sampled_from([name for name in ("x", "d", "r", "m") if name in schema.columns])),)
    together = isinstance(mechanism, TOGETHER)  # of four groups there are too many results
    bands = draw(st.sampled_from((halves(schema, "x"), halves(schema, "y"))))
    merged = draw(st.sampled_from((turned(schema, "g"), turned(schema, "h"))))
    ways: tuple[Any, ...] = (None, None, "g", "h", bands, merged)
    ways += () if together else (("g", "h"), ("h", "g"), ("g", bands), (bands, "h"), (bands, merged))
    ways += (Bands("m", every=1),) if "m" in schema.columns else ()
    by = draw(st.sampled_from(ways)) if mechanism.view.groups else None
    request = Request(mechanism, columns, draw(filters(schema)), by)
    try:
        request.check(schema)
    except ParameterError:
        assume(False)
    return request


@st.composite
def tables(draw: st.DrawFn, schema: Schema) -> list[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Generate the groups of a finest table and of coarser ones, each with the groups over which it is added up.

    Only groups that leave out no row can be added up over.
    """
    ways = ("g", "h", halves(schema, "x"), halves(schema, "y"), turned(schema, "g"), turned(schema, "h"))
    whole = [by for by in ways if in_some_group(by, ("x",), schema)]
    first = draw(st.sampled_from(whole))
    other = draw(st.sampled_from((None, *(by for by in ways if source_of(by) != source_of(first)))))
    finest = (first,) if other is None else draw(st.permutations((first, other)))
    parts = [part for part in subsets([by for by in finest if by in whole]) if part]
    added = draw(st.lists(st.sampled_from(parts), min_size=1, max_size=3))
    found = [(tuple(by for by in finest if by not in over), over) for over in added]
    return draw(st.permutations([(tuple(finest), ()), *found]))


def subsets(groups: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return all parts of some groups, the empty one first."""
    return [tuple(each) for size in range(len(groups) + 1) for each in combinations(groups, size)]


@st.composite
def plans(draw: st.DrawFn, schema: Schema) -> FixedPlan:
    """Generate rows that share a draw, and perhaps another query: sums of the cells of a table, or several statistics.

    Each row is a sum over `over`, of `cells` cells; statistics are of one column or of two, of all rows or by groups.
    """
    cells = [slug for slug in SHARED if registry[slug].over is not None]
    kind: type[Any] = registry[draw(st.sampled_from(draw(st.sampled_from((cells, SHARED)))))]
    relation = draw(relations(schema))
    assume(not relation.change_one)
    names = {f.name for f in fields(kind)}
    given: dict[str, Any] = {"epsilon": draw(st.sampled_from(EPSILONS))}
    delta = draw(st.sampled_from(DELTAS)) if "delta" in names else 0.0
    given |= {"delta": delta} if delta else {}
    where = draw(filters(schema))
    try:
        if kind.over is not None:
            query = Count(relation)
            rows = [
                Request(
                    kind(**given, query=query, over=over, cells=schema.cells(over) if over else 1), ("x",), where, by
                )
                for by, over in draw(tables(schema))
            ]
        else:
            topics = draw(st.lists(st.sampled_from([topic.name for topic in kind.topics()]), min_size=2, max_size=3))
            by = draw(st.sampled_from((None, "g", halves(schema, "y"))))
            rows = [Request(of_topic(kind, given, relation, name), columns_of(kind), where, by) for name in topics]
        if schema.person is None and draw(st.booleans()):  # of persons two draws would have too many choices of rows
            rows.append(Request(Geometric(Count(relation), 0.5), ("y",), where))
        plan = FixedPlan(tuple(rows), delta)
        plan.check(schema)
    except ParameterError:
        assume(False)
        raise
    return plan


def of_topic(kind: type[Any], given: dict[str, Any], relation: Relation, name: str) -> Any:
    """Return one statistic of a draw: of one column, or of two."""
    if issubclass(kind, Pairing | Weighing):
        return kind(**given, relation=relation, estimator="prediction:1" if name == "prediction" else name)
    (query,) = (each for each in every_query(relation) if each.name == name)
    return kind(**given, query=query)


def columns_of(kind: type[Any]) -> tuple[str, ...]:
    """Return the columns of a draw."""
    return ("x", "y") if issubclass(kind, Pairing | Weighing) else ("x",)


def rows_of(most: int, plain: bool = False) -> st.SearchStrategy[list[Row]]:
    """Generate rows of any person; plain ones can nearly all be read, so a person has several that count."""
    cells, towns, names, streets = (each[:3] if plain else each for each in (CELLS, TOWNS, NAMES, STREETS))
    cell, name = st.sampled_from(cells), st.sampled_from(names)
    return st.lists(st.tuples(cell, cell, st.sampled_from(towns), name, st.sampled_from(streets)), max_size=most)


@st.composite
def cases(draw: st.DrawFn, shared: bool = False) -> Case:
    """Generate a schema, a query or a plan, a table, and every table with one person less or changed.

    If `shared`, only plans whose rows share a draw.
    """
    schema = draw(schemas())
    request: Request | FixedPlan
    if shared or draw(st.integers(1, PLANS)) == PLANS:
        request = draw(plans(schema))
    else:
        request = draw(requests(schema))
        if isinstance(request.mechanism, TOGETHER) and schema.bounds("x").top > MOST_TICKS:
            request, schema = coarse(request, schema)
    mechanism = request.rows[0].mechanism
    most = 4 if mechanism.view.in_blocks else MOST_ROWS
    plain = isinstance(request, FixedPlan) and draw(st.booleans())
    rows = tuple(limited(schema, draw(rows_of(most, plain))))
    new = draw(rows_of(2))
    if mechanism.neighbours.change_one:
        others = tuple(changed(schema, rows, new))
    else:
        others = tuple(less for less, _ in removed(schema, rows))
    format_ = draw(st.sampled_from((*["memory"] * RARELY, "csv", "tsv")))
    if draw(st.integers(0, RARELY)) == RARELY:  # unpacked in a process of its own, which takes long
        format_ = draw(st.sampled_from(("parquet", "feather")))
    return Case(schema, request, rows, others, format_)


def owner(schema: Schema, row: Row) -> Any:
    """Return the owner of a row: a person by exact name, or None for the row itself."""
    name = row[3]
    return None if schema.person is None or name is None else name.strip()


def limited(schema: Schema, rows: list[Row]) -> Iterator[Row]:
    """Leave out rows of a person beyond three, because every order of them is enumerated."""
    seen: dict[Any, int] = {}
    for row in rows:
        mine = owner(schema, row)
        seen[mine] = seen.get(mine, 0) + 1
        if not mine or seen[mine] <= MOST_OF_ONE:
            yield row


def removed(schema: Schema, rows: tuple[Row, ...]) -> Iterator[tuple[tuple[Row, ...], Any]]:
    """Yield the tables without one of the persons, and whose rows are gone."""
    people = dict.fromkeys(mine for row in rows if (mine := owner(schema, row)))
    for person in people:
        yield tuple(row for row in rows if owner(schema, row) != person), person
    for at, row in enumerate(rows):
        if not owner(schema, row):  # without an owner: a person of one row
            yield rows[:at] + rows[at + 1 :], None


def changed(schema: Schema, rows: tuple[Row, ...], new: list[Row]) -> Iterator[tuple[tuple[Row, ...], ...]]:
    """Yield the tables in which one person's rows are replaced by other rows with that name."""
    for less, person in removed(schema, rows):
        mine = [(*row[:3], person, *row[4:]) for row in new] if schema.person else new[:1]
        if schema.person is not None or mine:
            yield (*less, *mine)
