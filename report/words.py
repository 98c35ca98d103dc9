"""Words of a report: titles, what is protected, what an answer means, how it was made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Protocol

from discreet.budget import Phrase
from discreet.budget.composition import Proven
from discreet.budget.errors import commas, listed
from discreet.curator.plan import FixedPlan
from discreet.curator.request import Request, plain
from discreet.lab.program import program
from discreet.mechanisms.base.counts import COUNTS
from discreet.mechanisms.base.mechanism import CONFIDENCE, Mechanism
from discreet.queries.count import Count
from discreet.rows.columns import Person, Quantity
from discreet.rows.columns.bands import whole_names
from discreet.rows.columns.grouping import in_words, source_of
from discreet.rows.filters import Condition
from discreet.rows.schema import Schema

# --- Protected: what an answer protects, as cards and reports describe it ---

ROW = Phrase("one row")  # the unit if nothing states which rows belong to one person
PERSON = Phrase("a person")


def neighbours(request: Request, unit: Phrase) -> Phrase:
    """Return which two tables an answer cannot distinguish, up to the guaranteed probabilities."""
    if unit == ROW:
        return _of_row(request.mechanism.neighbours.size)
    relation = request.mechanism.neighbours
    rows = Phrase("at most {rows} of them are counted", rows=relation.rows)
    if request.mechanism.view.in_blocks:
        rows = Phrase("all of them are in one block")
    if relation.change_one:
        return Phrase(
            "Two datasets each have {size} counted rows and differ in the rows of {unit}; {rows}.",
            size=relation.size,
            unit=unit,
            rows=rows,
        )
    return Phrase("One dataset has the rows of {unit}, and the other does not; {rows}.", unit=unit, rows=rows)


def _of_row(size: int | None) -> Phrase:
    """Return the same for a protected row, where a person may have several rows."""
    tables = Phrase("One dataset has one row that the other does not have.")
    if size is not None:
        tables = Phrase("Two datasets each have {size} counted rows and differ in one row.", size=size)
    return Phrase("{tables} A row is protected, not a person: one person may have several rows.", tables=tables)


# --- Methods: how released numbers were made, as a paragraph for a publication ---

MENDED = Phrase(
    "Counts are also given as whole numbers that are at least 0. They are derived from the "
    "released values only and cost nothing. The released values are shown beside them."
)
ALONE = Phrase(
    "This cost is that of the queries of this report. Other releases of the same data, and checks of how they are "
    "read, add to it."
)
Asked = Sequence[tuple[Request, Schema]]


def methods(asked: Asked, total: Proven, together: int) -> tuple[Phrase, ...]:
    """Return sentences on the noise and its source, the guarantee, how costs add up, and what intervals cover."""
    return (_program(), *_mechanisms(asked), _guarantee(total), ALONE, *_neighbours(asked), *_intervals(together))


def of_others(packages: Sequence[Sequence[str]]) -> list[Phrase]:
    """Return which third-party packages answered which queries, given those of each query."""
    every = sorted({name for each in packages for name in each})
    return [
        Phrase(
            "Queries {numbers} used the package {package}, which is not part of Discreet.",
            numbers=", ".join(str(number) for number, each in enumerate(packages, 1) if name in each),
            package=name,
        )
        for name in every
    ]


def mended(added: Sequence[int], rounded: bool) -> list[Phrase]:
    """Return what was done to counts afterwards: jointly for some queries, and for each separately."""
    return ([_added(added)] if added else []) + ([MENDED] if rounded else [])


def _added(questions: Sequence[int]) -> Phrase:
    return Phrase(
        "Counts of queries {numbers} are also given as whole numbers that are at least 0 and add "
        "up. They are sums of the one table whose sums are closest to the released counts. Each "
        "difference is measured by its interval, as if all queries had counted the same rows. "
        "Rows without an allowed value belong to no group, so groups may add up to less than the "
        "total. These counts are derived from the released values only and cost nothing. "
        "Intervals are those of the released values.",
        numbers=", ".join(map(str, questions)),
    )


def _program() -> Phrase:
    return Phrase(
        "All values were released with differential privacy by Discreet, version {version}. "
        "Nothing else here was computed from the rows. Bounds and allowed values of columns were "
        "declared before any row was read.",
        version=program() or "?",
    )


def _mechanisms(asked: Asked) -> list[Phrase]:
    """Return one sentence for each mechanism, with the queries that it answered."""
    by_kind: dict[type, list[int]] = {}
    for number, (request, _) in enumerate(asked, 1):
        by_kind.setdefault(type(request.mechanism), []).append(number)
    kinds = {type(request.mechanism): request.mechanism for request, _ in asked}
    return [_drawn(kinds[kind], ", ".join(map(str, numbers))) for kind, numbers in by_kind.items()]


def _drawn(mechanism: Mechanism, numbers: str) -> Phrase:
    """Return which mechanism answered, its noise unless its title names it, and the source of the noise."""
    title = mechanism.title
    noise = mechanism.noise
    said = {"numbers": numbers, "title": Phrase(title), "source": noise.source}
    if str(noise.name).removeprefix("the ") in title:
        return Phrase("Queries {numbers}: {title} ({source}).", **said)
    return Phrase("Queries {numbers}: {title}, with {noise} ({source}).", noise=noise.name, **said)


def _guarantee(total: Proven) -> Phrase:
    return Phrase(
        "Together they satisfy differential privacy with {cost} (composition: {proof}). The plain "
        "sum of all queries is {plain}.",
        cost=str(total.cost),
        proof=Phrase(total.proof),
        plain=str(total.plain),
    )


def _neighbours(asked: Asked) -> list[Phrase]:
    """Return which tables the guarantee is about: one sentence for each, with its queries if there are several."""
    promises: dict[Phrase, list[int]] = {}
    for number, (request, schema) in enumerate(asked, 1):
        promises.setdefault(_tables(request, schema), []).append(number)
    if len(promises) == 1:
        return [
            Phrase("This guarantee applies to any two neighbouring datasets. {tables}", tables=next(iter(promises)))
        ]
    return [
        Phrase(
            "For queries {numbers}, this guarantee applies to any two neighbouring datasets. {tables}",
            numbers=", ".join(map(str, numbers)),
            tables=tables,
        )
        for tables, numbers in promises.items()
    ]


def _tables(request: Request, schema: Schema) -> Phrase:
    """Return which two tables cannot be distinguished, and that a row counts as a person if no column names persons."""
    tables = neighbours(request, PERSON)
    if schema.person is not None:
        return tables
    alone = Phrase("Every row is treated as {unit}, separate from all others.", unit=PERSON)
    return Phrase("{tables} {alone}", tables=tables, alone=alone)


def _intervals(together: int) -> tuple[Phrase, ...]:
    """Return what an interval covers, and how numbers are printed."""
    sure = f"{100 * CONFIDENCE:g}"
    each = Phrase("with {sure}% confidence, each interval separately covers", sure=sure)
    every = Phrase("with {sure}% confidence, all {number} intervals together cover", number=together, sure=sure)
    return (
        Phrase(
            "Intervals reflect the added noise only: {how} the value of the rows that were read, for "
            "any dataset. Sampling error is not included.",
            how=each if together == 1 else every,
        ),
        Phrase(
            "Values are rounded to the digits their interval supports, and interval ends are rounded "
            "outwards. A value with a margin of error of at least a quarter of its possible range is not "
            "shown."
        ),
    )


# --- Dates: the values of a column that is described by other words than numbers, such as its dates ---


def told_apart(request: Request, schema: Schema) -> Quantity | None:
    """Return the declaration of a column whose values are not plain numbers, or None."""
    declared = schema.numbers.get(request.columns[0])
    return None if declared is None or declared.zero else declared


def place_names(request: Request, schema: Schema) -> Callable[[float], str] | None:
    """Return the function that names the values among which an answer is, if they are not plain numbers."""
    declared = told_apart(request, schema)
    return None if declared is None or not request.mechanism.view.place else declared.shown


def written(request: Request, schema: Schema, answer: Any) -> Any:
    """Return an answer, or its interval, in the words of its column if it has some.

    A location among the values becomes a date, a bin becomes a range of dates; counts, and distances between values,
    stay numbers.
    """
    if isinstance(answer, str):
        return dict(zip(request.mechanism.view.labels(()), bins(request, schema), strict=False)).get(answer, answer)
    declared = told_apart(request, schema)
    if declared is None:
        return answer
    if isinstance(answer, (tuple, list)):
        return tuple(written(request, schema, part) for part in answer)
    number = isinstance(answer, (int, float)) and not isinstance(answer, bool)
    return declared.shown(answer) if number and request.mechanism.view.place else answer


def dates(request: Request, schema: Schema, answer: Any) -> Any:
    """Return an answer, or its interval, as its dates; None if it is not a date."""
    words = written(request, schema, answer)
    return None if words == answer or told_apart(request, schema) is None else words


def bins(request: Request, schema: Schema) -> tuple[str, ...]:
    """Return the names of a query's bins: of whole numbers those that are in it, of dates in the words of its column.

    Of other columns each bin is named as the query itself does; all but the last are without their upper edge.
    """
    declared = schema.numbers.get(request.columns[0])
    joined = () if declared is None else request.mechanism.view.joined(declared.bounds)
    if declared is None or not joined:
        return ()
    if not declared.zero:
        return tuple(f"{declared.shown(low)} to {declared.shown(high)}" for low, high in joined)
    if not declared.bounds.integer or any(edge != round(edge) for edges in joined for edge in edges):
        return tuple(f"{low:.15g} to {high:.15g}" for low, high in joined)
    last = max(high for _, high in joined)
    return whole_names([(int(low), int(high) - (high < last)) for low, high in joined])


# --- Meaning: which rows an answer is about, once they were read, and why it may have no interval ---


def no_interval(request: Request) -> Phrase:
    """Return why an answer has no interval."""
    return request.mechanism.no_interval()


def rank_error(request: Request, schema: Schema) -> Any:
    """Return by how many ranks an answer is off at most, with probability 95 %, on any rows; None if it has no rank."""
    return request.mechanism.rank_error(request.public(schema))


def off_by(request: Request, schema: Schema) -> Phrase | None:
    """Return the rank error as a sentence, or None."""
    rows = rank_error(request, schema)
    if rows is None:
        return None
    if isinstance(rows, tuple):
        return Phrase(
            "With 95% probability, each value is at most this many rows from its true rank, for any dataset: {rows}.",
            rows=", ".join(map(str, rows)),
        )
    return Phrase(
        "With 95% probability, the result is at most this many rows from the true rank, for any dataset: {rows:,}.",
        rows=rows,
    )


def no_answer(request: Request) -> Phrase:
    """Return what a refusal means, as far as it may be known."""
    return request.mechanism.refused()


def parts(request: Request, schema: Schema) -> tuple[str, ...]:
    """Return the public names of the numbers of an answer that has several; else an empty tuple."""
    return schema.crossed(request.groups) if request.groups else numbers_of(request, schema)


def numbers_of(request: Request, schema: Schema) -> tuple[str, ...]:
    """Return the public names of the numbers of one group, if it has several."""
    view = request.mechanism.view
    if view.every_kind:
        return view.labels(())
    declared = schema.categories.get(request.columns[0])
    levels = () if declared is None else declared.labels
    parts = request.mechanism.parts(levels)
    return parts and (bins(request, schema) or parts)


def as_read(request: Request, schema: Schema) -> tuple[Phrase, ...]:
    """Return which rows an answer is about, and how they count."""
    sentences = [] if schema.layout is None else schema.layout.as_read()
    sentences += _persons(request, schema)
    sentences += [Phrase("only where {condition}", condition=condition_words(each)) for each in request.where]
    for name in request.columns if not request.mechanism.view.every_kind else ():
        sentences += schema.columns[name].as_read(name)
    return (*sentences, *_shaped(request, schema))


def condition_words(condition: Condition, shown: Callable[[Any], str] | None = None) -> Phrase:
    """Return a condition in words, with its alternatives."""
    show = shown or _plain
    each = (
        Phrase("{column} {comparison} {value}", column=f.column, comparison=f.comparison, value=show(f.value))
        for f in condition.filters
    )
    words = reduce(lambda first, second: Phrase("{first} or {second}", first=first, second=second), each)
    return words if len(condition.filters) == 1 else Phrase("({words})", words=words)


def _plain(value: Any) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(plain(value))


def _persons(request: Request, schema: Schema) -> tuple[Phrase, ...]:
    """Return which rows of one person count."""
    blocks = request.mechanism.view.in_blocks
    if schema.person is None:
        return (Phrase("every row, assigned to one block at random") if blocks else Phrase("every row"),)
    name, person = schema.person
    nameless = Phrase("rows without {column} dropped", column=name)
    if blocks:
        return Phrase("all rows of a person, together in one block chosen at random"), nameless
    return _counting(request, schema, person), nameless


def _counting(request: Request, schema: Schema, person: Person) -> Phrase:
    number = request.columns[0] in schema.numbers and not request.mechanism.view.every_kind
    if person.reduce == "mean" and number and request.groups:
        return Phrase(
            "each person in the group of one row, picked at random, with the mean of their rows in that group"
        )
    if person.reduce == "mean" and number:
        return Phrase("one value per person, the mean of their rows")
    if person.reduce is not None:
        return Phrase("one row per person, picked at random")
    if person.rows == 1:
        return Phrase("at most one row per person, picked at random")
    return Phrase("at most {rows} rows per person, picked at random", rows=person.rows)


def _shaped(request: Request, schema: Schema) -> list[Phrase]:
    """Return how the rows are transformed: bins, a public number, groups."""
    view = request.mechanism.view
    sentences = view.shaped()
    if view.weighs:
        bounds = schema.bounds(request.columns[1])
        cap = bounds.value(bounds.top)
        sentences.append(Phrase("weights above {cap:.15g} count as {cap:.15g}", cap=cap))
        sentences.append(Phrase("rows without a weight above 0 dropped"))
    if request.mechanism.interval_of is not None:
        sentences.append(request.mechanism.interval_of)
    if request.groups:
        sentences.append(Phrase("each group of {column} separately", column=", ".join(request.group_names)))
    for name in request.groups:
        sentences += schema.category(name).as_read(source_of(name))
    if request.mechanism.over:
        cells = listed(in_words(request.cells))
        sentences.append(Phrase("each number is a sum of noisy counts by {groups}", groups=cells))
    return sentences


# --- Titles: a query as one line of English, for cards and files; screens translate it ---

SHOWN = 3  # queries of a plan that its title names


def statistic(request: Request) -> Phrase:
    """Return the statistic in the words of a table, independent of the mechanism."""
    mechanism = request.mechanism
    topics = () if mechanism.view.every_kind else type(mechanism).topics()
    asked = Phrase(topics[0].label) if len(topics) == 1 else mechanism.view.asks
    return asked or Phrase(mechanism.subject)


def people_or_rows(schema: Schema) -> Phrase:
    """Return what a count counts: people where each person counts with one row, else rows."""
    one = schema.person is not None and schema.rows_per_person == 1
    return Phrase("people") if one else Phrase("rows")


def size_label(schema: Schema) -> Phrase:
    """Return the label of a noisy number of people, or rows, that was released with a result."""
    return Phrase("People (approximate)") if people_or_rows(schema) == "people" else Phrase("Rows (approximate)")


def number_of(schema: Schema, column: str = "") -> Phrase:
    """Return what the count of a number column is: of everyone, or only of those who have a value."""
    unit = people_or_rows(schema)
    if column not in schema.columns or schema.columns[column].complete:
        return Phrase("Number of {unit}", unit=unit)
    return Phrase("Number of {unit} with a value of {column}", unit=unit, column=column)


def heading(request: Request, schema: Schema, groups: bool = True) -> Phrase:
    """Return the title of a table: what is released of which columns, in which unit, and by which groups."""
    what = _released(request, schema)
    by = in_words(request.groups) if groups else ()
    return Phrase("{what} by {groups}", what=what, groups=listed(by)) if by else what


def in_a_line(request: Request, schema: Schema) -> str:
    """Return a query in a line: with the level of a quantile, its groups and its filters."""
    where = " and ".join(str(condition_words(each)) for each in request.where)
    return " ".join(f"{heading(request, schema)}{' where ' * bool(where)}{where}".split())


class OfTwo(Protocol):
    """What the second of two columns is to the first."""

    @property
    def on(self) -> bool:
        """Whether it is regressed on the first."""

    @property
    def weighs(self) -> bool:
        """Whether it is the weight of the first."""


def columns_in_words(of: OfTwo, columns: Sequence[str]) -> str | Phrase:
    """Return columns in words: the second on the first, for a regression; the first with its weight."""
    if len(columns) == 2 and of.on:
        return Phrase("{second} on {first}", second=columns[1], first=columns[0])
    if len(columns) == 2 and of.weighs:
        return Phrase("{column} with weight {weight}", column=columns[0], weight=columns[1])
    return listed(columns)


def _released(request: Request, schema: Schema) -> Phrase:
    name = statistic(request)
    columns = columns_in_words(request.mechanism.view, request.columns)
    if name == Count.label and request.columns[0] in schema.numbers:
        return number_of(schema, request.columns[0])
    if name == COUNTS.label:
        return Phrase("Number of {unit} by {column}", unit=people_or_rows(schema), column=columns)
    declared = unit(request, schema)
    if not declared or counted(request) or f"({declared})" in request.columns[0]:
        return Phrase("{statistic} of {columns}", statistic=name, columns=columns)
    return Phrase("{statistic} of {columns} ({unit})", statistic=name, columns=columns, unit=Phrase(declared))


def counted(request: Request) -> bool:
    """Return whether the numbers of an answer are numbers of rows."""
    return bool(request.mechanism.view.unit("") == "rows")


def unit(request: Request, schema: Schema) -> str:
    """Return the unit of an answer's numbers, empty for dates; people where each person counts with one row."""
    view = request.mechanism.view
    if counted(request) and not view.in_blocks:
        return people_or_rows(schema)
    declared = schema.columns.get(request.columns[0])
    if told_apart(request, schema) is not None and view.place:
        return ""
    return view.unit("" if declared is None else declared.unit)


def titled(question: Request | FixedPlan) -> str:
    """Return a query in words, or a plan by its first queries."""
    if isinstance(question, FixedPlan):
        rows = [_titled(row) for row in question.rows[:SHOWN]]
        more = ["…"] if len(question.rows) > SHOWN else []
        many = "1 query" if len(question.rows) == 1 else f"{len(question.rows)} queries"
        return f"Plan with {many}: {'; '.join([*rows, *more])}"
    return _titled(question)


def _titled(request: Request) -> str:
    text = f"{request.mechanism.subject}: {', '.join(request.columns)}"
    for at, condition in enumerate(request.where):
        text += f"{' and' if at else ' where'} {condition_words(condition, lambda value: str(plain(value)))}"
    return text + (f" for each {commas(in_words(request.groups))}" if request.groups else "")
