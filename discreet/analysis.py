"""Analysis: a dataset with its privacy budget, for a notebook or a script.

Each statistic is a method. The mechanism is chosen as on the screens, the curator charges and draws, and the same query
again returns the stored result for nothing.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import pyarrow as pa

from discreet.asked import Asked, By, T_co
from discreet.budget import Cost, ParameterError, Phrase, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.mechanisms.base.counts import COUNTS
from discreet.plans import Plan, Planned, Wanted, planned
from discreet.plans.methods import GUESSED, SHAPE, plannable
from discreet.plans.planning import choice, everyone, misfit, no_mechanism, paid
from discreet.plans.profile import NOT_ASKED, profile
from discreet.queries.count import Count
from discreet.report.html import Markup, english, fragment, number, tag
from discreet.report.numbers import Datum, unsure
from discreet.report.publication import Chapter, chapter
from discreet.report.words import in_a_line, written
from discreet.rows.columns.grouping import grouping_of, sources
from discreet.rows.dataset import Dataset
from discreet.rows.engines.folder import Rows, source_of
from discreet.rows.filters import Where, conditions_of
from discreet.rows.proposals.catalogue import names_a_person
from discreet.rows.schema import Schema, schema_of
from discreet.rows.source import Source

if TYPE_CHECKING:
    from discreet.budget.durable.budget_file import FileLedger
    from discreet.plans import Sizes

SHARES = 10  # a query without its own ε costs the budget divided by this
BINS = 10  # of a histogram for which none are given
NO_ROWS = "Pass the data and its columns: discreet.open(frame, {'age': (0, 100)}, epsilon=1)."
Level = float | Sequence[float] | None


def open(
    data: Source | Rows | Dataset,
    schema: Schema | Mapping[str, Any] | None = None,
    epsilon: float | None = None,
    delta: float = 0,
    *,
    ledger: str | Path | SessionLedger | FileLedger | None = None,
    people: int = GUESSED,
    shape: str = SHAPE,
) -> Analysis:
    """Open a dataset under a privacy budget, to ask statistics of it.

    `data` is a frame (pandas, Polars, DuckDB, Arrow), a path, or a dataset that has its schema already. `schema` has
    what is publicly known about each column: bounds as a pair (0, 100), allowed values as a list of texts, first and
    last day as a pair of dates, `bool` for yes or no, or a kind such as `Number` or `Person`.

    `epsilon` and `delta` are the total budget. It is kept in memory, and ends with the process. With `ledger`, the path
    of a ledger file or an open ledger, it outlives the process, and several programs can share it. `people` and `shape`
    are public guesses, from which mechanisms are chosen; a wrong guess costs accuracy, not privacy.
    """
    dataset = _dataset(data, schema)
    budget = _ledger(ledger, None if epsilon is None else Cost.of(epsilon, delta))
    return Analysis(dataset, budget, people, shape)


def _dataset(data: Any, schema: Schema | Mapping[str, Any] | None) -> Dataset:
    """Return the rows behind their declaration, which says how a file is read."""
    if schema is None:
        if not hasattr(type(data), "under"):
            raise ParameterError(NO_ROWS)
        found: Dataset = data
        return found
    source = source_of(data)
    declared = schema_of(schema)
    _warn_of_identifiers(source.names, declared)
    layout = getattr(source, "layout", None)
    return Dataset(source, declared if declared.layout or not layout else replace(declared, layout=layout))


LEFT_OUT = (
    "{columns} seems to identify people and is not in the schema. If it has the same value in several rows, the person "
    "in these rows is not protected. Add it as Person(rows=10), or as Ignored() if each person has one row."
)


def _warn_of_identifiers(names: Iterable[str], declared: Schema) -> None:
    """Warn of columns that are named like an identifier and were left out, where nothing says who a person is."""
    left_out = [name for name in names if name not in declared.columns and names_a_person(name)]
    if left_out and declared.person is None:
        warnings.warn(LEFT_OUT.format(columns=", ".join(left_out)), stacklevel=4)


def _ledger(ledger: Any, limit: Cost | None) -> SessionLedger | FileLedger:
    """Return the budget: a new one in memory, that of a file, or an open one."""
    if isinstance(ledger, (str, Path)):
        from discreet.budget.durable import open_ledger  # a budget in memory loads no database

        return open_ledger(ledger, limit)
    if ledger is not None and not hasattr(ledger, "secret"):
        raise ParameterError("A ledger is the path of its file, or one that is open: open_ledger(...).")
    if ledger is not None:
        if limit is not None:
            raise ParameterError("An open ledger has its limit already. Leave out epsilon and delta.")
        opened: SessionLedger | FileLedger = ledger
        return opened
    if limit is None:
        raise ParameterError("A dataset needs a privacy budget. Set its total, such as epsilon=1.")
    return SessionLedger(limit)


class _Named(Asked[T_co]):
    """What names the statistics where there is no such one."""

    if not TYPE_CHECKING:  # a type checker knows all methods

        def __getattr__(self, name: str) -> Any:
            """Raise AttributeError."""
            if name.startswith("_"):  # notebooks look for what is not there
                raise AttributeError(name)
            names = ", ".join(each.replace("-", "_") for each in plannable())
            raise AttributeError(f"There is no {name!r} here. The statistics are {names}.", name=name)


class Analysis(_Named["Result"]):
    """A dataset and its privacy budget: each statistic is a method that is charged, and returns a result.

    A query costs its `epsilon`; without one, a tenth of the whole budget. Each result says what it cost and what is
    left. `plan` collects queries under one total, with their margins of error before anything is spent.
    """

    def __init__(
        self, dataset: Dataset, ledger: SessionLedger | FileLedger, people: int = GUESSED, shape: str = SHAPE
    ) -> None:
        """Take the rows, their budget, and public guesses of their number and shape."""
        self.schema = dataset.schema
        self.people = people
        self.shape = shape
        self.sizes: tuple[Sizes, ...] = ()  # groups are taken as equal
        self.ledger = ledger
        self._dataset = dataset
        self._curator = Curator(dataset, ledger)

    @property
    def left(self) -> Cost:
        """What of the budget is left."""
        return self.ledger.left

    @property
    def spent(self) -> Cost:
        """What of the budget is spent."""
        return self.ledger.spent

    def ask(
        self,
        statistic: str,
        column: str | None = None,
        by: By = None,
        where: Where = None,
        epsilon: float | None = None,
        level: Level = None,
        bins: int | None = None,
        *,
        second: str | None = None,
        delta: float | None = None,
        method: str | None = None,
        again: str = "",
    ) -> Result:
        """Release a statistic by its name, and charge it.

        `method` names a mechanism, in place of the one with the smallest error. `delta` is used by mechanisms that need
        it; without one, a tenth of the whole. Another word in `again` draws fresh noise, at full cost.
        """
        cost = self._cost(epsilon, delta)
        item = replace(wanted(self.schema, statistic, column, by, where, level, bins), method=method, second=second)
        request = self._request(item, cost)
        nonce = self._nonce(again)
        stored = self._curator.stored(request, nonce) is not None
        return Result(self._curator.ask(request, nonce), self.schema, self.left, stored)

    def plan(
        self, *items: Wanted, epsilon: float | None = None, delta: float | None = None, name: str = ""
    ) -> OpenPlan:
        """Return a plan to which queries are added, under one total: all that is left, unless `epsilon` is given."""
        left = self.left
        if epsilon is None and not left.nano_epsilon:
            raise ParameterError("The budget is spent: nothing is left for a plan. Open a new budget.")
        spendable = left.epsilon if epsilon is None else epsilon
        return OpenPlan(self, items, Cost.of(spendable, left.delta if delta is None else delta), name)

    def profile(self, epsilon: float | None = None, delta: float | None = None, name: str = "") -> OpenPlan:
        """Return a plan of all columns, each with what suits it; what would be mostly noise is coarser or left out.

        It is from the schema and the guess of `people` alone, and says what it left out. More queries can be added.
        """
        empty = self.plan(epsilon=epsilon, delta=delta, name=name)
        made = profile(self.schema, lambda items: Plan(items, empty.total, self.people, self.shape))
        notes = [str(Phrase(note.why, queries=", ".join(map(_briefly, note.usual)))) for note in made.notes]
        notes += [str(Phrase(NOT_ASKED, columns=", ".join(made.left)))] if made.left else []
        return replace(empty, items=made.plan.items, notes=tuple(notes))

    def _cost(self, epsilon: float | None, delta: float | None) -> Cost:
        """Return what a query may cost: a share of the whole, unless it is given."""
        limit = self.ledger.limit
        share = Cost(limit.nano_epsilon // SHARES, limit.delta_units // SHARES)
        payable = share.delta if share.delta_units <= self.left.delta_units else 0
        return Cost.of(share.epsilon if epsilon is None else epsilon, payable if delta is None else delta)

    def _request(self, item: Wanted, cost: Cost) -> Request:
        """Choose the mechanism as *Query* does: with an interval where one has it, on public ground."""
        checked(item, self)
        subject = replace(item.subject(self.schema, self.people, self.shape), coarse=False)
        for each in (replace(subject, interval=True), replace(subject, interval=False)):
            best = None if item.method else choice(each, cost.epsilon, cost.delta)
            found = (
                paid(each, item.method, cost.epsilon, cost.delta) if item.method else best and best.offers[best.best]
            )
            if found:
                return Request(found[0], item.columns, item.where, item.outer)
        raise no_mechanism(item)

    def _nonce(self, again: str) -> str:
        """Return the nonce: a ledger has results of other rows, and of other readings of these.

        Its secret is part of it, because an id is published and must not confirm a guess of the rows.
        """
        return ":".join((self.ledger.secret, self._dataset.digest, self.schema.digest, again))

    def __repr__(self) -> str:
        """Show the columns and the budget; nothing of the rows."""
        kept = "" if self.ledger.lasting else " The budget is kept in memory."
        columns = ", ".join(self.schema.columns)
        unit = "" if self.schema.person else " Each row is one person."
        return f"Analysis of {columns}.{unit} Left: {self.left} of {self.ledger.limit}.{kept}"


def _briefly(item: Wanted) -> str:
    by = f" by {item.groups[0]}" if item.groups else f" in {item.bins} bins" if item.bins else ""
    return f"{item.statistic} of {item.column}{by}"


def wanted(
    schema: Schema,
    statistic: str,
    column: str | None,
    by: By = None,
    where: Where = None,
    level: Level = None,
    bins: int | None = None,
) -> Wanted:
    """Return what is asked as a row of a plan; a count without a column counts everyone."""
    name = statistic.replace("_", "-")
    groups = tuple(map(grouping_of, by if isinstance(by, (list, tuple)) else [] if by is None else [by]))
    conditions = conditions_of(where)
    if column is None:
        counted = everyone(schema, (), groups) if name == Count.name else None
        if counted is None:
            raise ParameterError("Name the column. The schema has {columns}.", columns=", ".join(schema.askable))
        return replace(counted, where=conditions)
    cut = bins or (BINS if name == COUNTS.name and column in schema.numbers else None)
    levels = tuple(level) if isinstance(level, Iterable) else level
    return Wanted(name, column, groups or None, conditions, levels, bins=cut)


def checked(item: Wanted, of: Analysis) -> None:
    """Raise ParameterError for what no mechanism can answer, before anything is chosen or charged."""
    wrong = misfit(item, of, of.schema)
    if wrong is not None:
        raise wrong


# --- Plan: queries under one total, with their margins of error before anything is spent ---


@dataclass(frozen=True)
class OpenPlan(_Named["OpenPlan"]):
    """A plan that is not released yet: each statistic returns the plan with one more query.

    Mechanisms and shares are chosen from public information; nothing is read or spent before `release`. The `epsilon`
    of a query fixes its share, the others divide the rest.
    """

    of: Analysis
    items: tuple[Wanted, ...]
    total: Cost
    name: str = ""
    notes: tuple[str, ...] = ()  # what a profile asks coarser than usual, or not at all

    def ask(
        self,
        statistic: str,
        column: str | None = None,
        by: By = None,
        where: Where = None,
        epsilon: float | None = None,
        level: Level = None,
        bins: int | None = None,
        *,
        second: str | None = None,
        wish: float | None = None,
        weight: float = 1.0,
        method: str | None = None,
    ) -> OpenPlan:
        """Return the plan with one more query; `wish` is the margin of error to aim at, in the unit of the answer.

        Several levels of a quantile are as many queries, because one for all of them would have no intervals.
        """
        schema = self.of.schema
        levels = level if isinstance(level, Iterable) else [level]
        items = [wanted(schema, statistic, column, by, where, each, bins) for each in levels]
        settings: dict[str, Any] = {"held": epsilon, "wish": wish, "weight": weight, "method": method, "second": second}
        return replace(self, items=(*self.items, *(self._spanned(replace(item, **settings)) for item in items)))

    def _spanned(self, item: Wanted) -> Wanted:
        """Ask for an interval where a mechanism has one; raise ParameterError for what none can answer."""
        checked(item, self.of)
        spans = replace(item, interval=True)
        return item if misfit(spans, self.of, self.of.schema) else spans

    @cached_property
    def forecast(self) -> Planned:
        """Every query with its mechanism, its share and its margin of error, and the proven total."""
        return planned(Plan(self.items, self.total, self.of.people, self.of.shape, name=self.name), self.of.schema)

    def release(self, again: str = "") -> Results:
        """Release all results under one charge, or return the stored ones of this plan."""
        answers = self.of._curator.run(self.forecast.fixed, self.of._nonce(again))
        results = tuple(Result(each, self.of.schema, self.of.left) for each in answers.releases)
        return Results(results, answers.cost, self.of.left)

    @property
    def lines(self) -> list[list[str]]:
        """The queries as a table: what is asked, its margin of error, its mechanism and its cost."""
        head = ["", "query", "95% margin of error", "mechanism", "cost"]
        return [head, *(self._line(at) for at in range(len(self.items)))]

    def _line(self, at: int) -> list[str]:
        row = self.forecast.rows[at]
        vague = " (too noisy)" if row.vague else ""
        title = in_a_line(row.request, self.of.schema)
        return [str(at + 1), title, f"± {unsure(row.error)}{vague}", str(row.mechanism.title), str(row.request.cost())]

    @property
    def words(self) -> list[str]:
        """What it costs, and what is left of the budget."""
        if not self.items:
            return [f"No queries yet. Add one: plan.mean('age'). Total: {self.total}."]
        way = self.forecast
        shared = list(map(str, way.fixed.sharing))
        return [*self.notes, *shared, f"Not released yet. release() costs {way.total.cost}. Left: {self.of.left}."]

    def __repr__(self) -> str:
        """Show the forecast."""
        return "\n".join([*(_aligned(self.lines) if self.items else []), *self.words])

    def _repr_html_(self) -> str:
        return fragment([_table(self.lines)] if self.items else [], self.words)


# --- Results: released values, with their intervals, what they cost and what is left ---

TAKEN = ("query", "part", "value", "low", "high")


class _Tabular(ABC):
    """Values as a table."""

    @property
    @abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """One line for each value."""

    def to_arrow(self) -> pa.Table:
        """Return the values as an Arrow table."""
        return _arrow(self.records)

    def to_pandas(self) -> Any:
        """Return the values as a frame of pandas."""
        return self.to_arrow().to_pandas()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hand the table over to Polars, DuckDB and others."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


@dataclass(frozen=True)
class Result(_Tabular):
    """A released result. `left` is what was left of the budget afterwards; `stored`, that it was released before."""

    release: Release
    schema: Schema
    left: Cost
    stored: bool = False

    @cached_property
    def chapter(self) -> Chapter:
        """The result in the words of a report."""
        return chapter(self.release, self.schema)

    @property
    def value(self) -> Any:
        """The value; by groups, a mapping of each group to its value. None where no result was released."""
        return self._each(lambda datum: self._written(datum.answer))

    @property
    def interval(self) -> Any:
        """The 95% interval of the value, or of each group's; None where the mechanism has none."""
        return self._each(lambda datum: None if datum.interval is None else self._written(tuple(datum.interval)))

    @property
    def cost(self) -> Cost:
        """What the result cost, once."""
        return self.release.cost

    def _each(self, of: Callable[[Datum], Any]) -> Any:
        every = self.chapter.data
        keyed = [(tuple(filter(None, (*datum.levels, datum.part))), of(datum)) for datum in every]
        if not any(key for key, _ in keyed):
            return keyed[0][1]
        return {key[0] if len(key) == 1 else key: value for key, value in keyed}

    def _written(self, answer: Any) -> Any:
        return written(self.release.request, self.schema, answer)

    @property
    def records(self) -> list[dict[str, Any]]:
        """One line for each value: its groups, the value, and the ends of its interval."""
        names = [f"{name} (group)" if name in TAKEN else name for name in sources(self.chapter.by)]
        return [self._record(datum, names) for datum in self.chapter.data]

    def _record(self, datum: Datum, names: Sequence[str]) -> dict[str, Any]:
        groups = names or self.chapter.groups
        levels = datum.levels or ((datum.part,) if names else ())
        part = {"part": str(datum.part)} if datum.part and levels != (datum.part,) else {}
        low, high = (None, None) if datum.interval is None else self._written(tuple(datum.interval))
        values = {"value": self._written(datum.answer), "low": low, "high": high}
        return dict(zip(groups, map(str, levels), strict=False)) | part | values

    @property
    def lines(self) -> list[list[str]]:
        """The values as a table, printed with the digits that their intervals allow."""
        keys = [list(record)[:-3] for record in self.records]
        cells = [[record[key] for key in keys[0]] for record in self.records]
        printed = [[number(datum, english), " to ".join(datum.ends or ("–",))] for datum in self.chapter.data]
        head = [*keys[0], "value", "95% interval"]
        return [head, *([*cell, *words] for cell, words in zip(cells, printed, strict=True))]

    @property
    def words(self) -> list[str]:
        """Why something is missing, what the result cost, and what is left."""
        paid_for = f"Cost: {self.cost}, paid before." if self.stored else f"Cost: {self.cost}."
        mechanism = f"Mechanism: {self.release.request.mechanism.title}."
        return [*map(str, self.chapter.notes), f"{paid_for} Left: {self.left}. {mechanism}"]

    @property
    def title(self) -> str:
        """What was asked."""
        return in_a_line(self.release.request, self.schema)

    @property
    def text(self) -> list[str]:
        """The values in lines of text."""
        if len(self.lines) > 2 or len(self.lines[0]) > 2:
            return [self.title, *_aligned(self.lines)]
        value, interval = self.lines[1]
        return [f"{self.title}: {value} (95% interval {interval})" if interval != "–" else f"{self.title}: {value}"]

    def __repr__(self) -> str:
        """Show the values, what they cost, and what is left."""
        return "\n".join([*self.text, *self.words])

    def _repr_html_(self) -> str:
        return fragment([self.chapter], self.words)


@dataclass(frozen=True, repr=False)
class Results(_Tabular, Sequence[Result]):
    """The results of a plan, in its order, with the one charge for all of them."""

    results: tuple[Result, ...]
    cost: Cost
    left: Cost

    @overload
    def __getitem__(self, at: int) -> Result: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Result]: ...

    def __getitem__(self, at: int | slice) -> Result | Sequence[Result]:
        """Return the result of a query, by its place from 0."""
        return self.results[at]

    def __len__(self) -> int:
        """Return the number of queries."""
        return len(self.results)

    @property
    def records(self) -> list[dict[str, Any]]:
        """One line for each value of all results, with its query."""
        return [{"query": each.title, **record} for each in self.results for record in each.records]

    @property
    def words(self) -> list[str]:
        """What all results cost together, and what is left."""
        return [f"Cost of all: {self.cost}. Left: {self.left}."]

    def __repr__(self) -> str:
        """Show all values, what they cost together, and what is left."""
        return "\n".join([*(line for each in self.results for line in each.text), *self.words])

    def _repr_html_(self) -> str:
        return fragment([each.chapter for each in self.results], self.words)


def _aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table with its columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _table(lines: Sequence[Sequence[str]]) -> Markup:
    """Return the same table as HTML."""
    head, *body = lines
    rows = (tag("tr", *(tag("td", cell) for cell in line)) for line in body)
    return tag("table", tag("thead", tag("tr", *(tag("th", cell) for cell in head))), tag("tbody", *rows))


def _arrow(records: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return records as a table; a column with texts and numbers, such as dates and means, is text."""
    names = dict.fromkeys(name for record in records for name in record)
    return pa.table({name: _column([record.get(name) for record in records]) for name in names})


def _column(cells: Sequence[Any]) -> pa.Array:
    texts = any(isinstance(cell, str) for cell in cells)
    return pa.array([None if cell is None else str(cell) for cell in cells] if texts else cells)
