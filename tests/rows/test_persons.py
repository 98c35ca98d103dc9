"""Persons: one number for each that is their mean, one level that is theirs, one name."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.curator import Curator, Request
from discreet.lab.simulation import SimulationNoise as Noise
from discreet.mechanisms.base.vocabulary import Topic
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.queries import Bounds
from discreet.queries.mean import Mean
from discreet.queries.quantile import Quantile
from discreet.queries.sum import Sum
from discreet.rows import Category, Dataset, LocalSource, Number, OpenData, Person, Schema
from discreet.rows.columns.person import Means
from discreet.rows.persons import DrawnLots, MeanOfEach, Rows
from discreet.ui.ask import form
from discreet.ui.data import table as declare

MEAN = Person(reduce="mean")
ANSWER = Number(0, 1, integer=True)


def mean_of_each(means: Means, persons: Any, words: Any, ticks: Any, cells: Any = 0) -> list[tuple[int, int]]:
    """Return cell and tick of the mean of each person, in the order of their words."""
    size, grid = means.declared.top + 1, means.bounds.top + 1
    mean = MeanOfEach((means,))
    rows = Rows(np.asarray(persons, np.uint64), words, (cells * size + np.asarray(ticks),))
    places = mean.places(mean.pruned(mean.start(rows)))
    return [divmod(place, grid) for place in places.tolist()]


def dataset(table: dict[str, Any], **columns: Any) -> Dataset:
    """Return open data of a small table."""
    source = LocalSource(pa.table({name: list(map(str, cells)) for name, cells in table.items()}))
    return OpenData(source, Schema(columns))


@pytest.mark.parametrize("query", [Mean(), Sum(), Quantile(q=0.3)], ids=lambda query: query.name)
def test_the_mean_of_a_person_is_not_cut_to_a_tick(query: Any) -> None:
    """Yes or no, five rows each: half of the answers are yes, and so the statistics say."""
    table = {"who": [i // 5 for i in range(1000)], "yes": [i % 5 < 2 + i % 2 for i in range(1000)]}
    rows = {"who": table["who"], "yes": [int(cell) for cell in table["yes"]]}
    column = dataset(rows, who=MEAN, yes=ANSWER).column("yes", (), DrawnLots(Noise(1)))
    means = np.array(rows["yes"]).reshape(-1, 5).mean(axis=1)
    wanted = {"mean": means.mean(), "sum": means.sum(), "quantile": np.sort(means)[59]}[query.name]
    assert query.value(column) == pytest.approx(wanted, rel=1e-5)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**31 - 1)), min_size=1, max_size=30),
    st.sampled_from(
        [
            Bounds(0, 1, integer=True),
            Bounds(-7, 90, 3, integer=True),
            Bounds(0, 1.5, 0.5),
            Bounds(-1, 1),
            Bounds(0, 2**31 - 1, integer=True),
            Bounds(-(2**61), 2**61, 2**40, True),
        ]
    ),
)
def test_a_mean_moves_to_the_nearest_part_of_a_step(rows: Any, bounds: Bounds) -> None:
    """Whatever the grid: within a millionth of the range of the exact mean, and never off it."""
    persons = np.array([p for p, _ in rows])
    ticks = np.array([t for _, t in rows]) % (bounds.top + 1)
    means = Means(bounds)
    assert means.bounds.top >= 2**20 - 1 and means.bounds.resolution <= bounds.resolution
    words = DrawnLots(Noise(0)).rows(persons.size)
    nearest = np.array([tick for _, tick in mean_of_each(means, persons, words, ticks)])
    assert nearest.min() >= 0 and nearest.max() <= means.bounds.top
    exact = [Fraction(int(ticks[persons == p].sum()), int((persons == p).sum())) for p in np.unique(persons)]
    wanted = [float(bounds.value(0)) + float(bounds.resolution) * float(mean) for mean in exact]
    near = (float(bounds.upper) - float(bounds.lower)) * 2**-20
    assert np.abs(means.bounds.value(nearest) - np.array(wanted)).max() <= near


def test_a_person_with_ten_thousand_rows_at_the_far_end_overflows_nothing() -> None:
    """Sums are whole numbers of 64 bits, and there is room."""
    bounds = Bounds(0, 2**31 - 1, integer=True)
    ticks = np.full(10_000, bounds.top)
    words = DrawnLots(Noise(0)).rows(10_000)
    ((_, tick),) = mean_of_each(Means(bounds), np.zeros(10_000), words, ticks)
    assert float(Means(bounds).bounds.value(tick)) == pytest.approx(2**31 - 1, rel=1e-9)


def test_a_whole_numbered_sum_of_means_is_refused_before_a_charge() -> None:
    """The means of whole numbers have fractions; the sentence names the way out."""
    data = dataset({"who": [1, 1, 2], "yes": [0, 1, 1]}, who=MEAN, yes=ANSWER)
    curator = Curator(data, SessionLedger(Cost.of(50)))
    with pytest.raises(ParameterError, match="Use Laplace noise"):
        curator.ask(Request(Geometric(query=Sum()), ("yes",)))
    assert curator.ledger.spent == Cost.zero()
    released = curator.ask(Request(GlobalLaplace(query=Sum(), epsilon=50), ("yes",)))
    assert released.answer == pytest.approx(1.5, abs=0.5)


def test_a_level_is_never_the_mean_of_two_others() -> None:
    """Three hundred persons with one row A and one row C: nobody is B."""
    table = {"who": [i // 2 for i in range(600)], "town": ["A", "C"] * 300}
    scores = dataset(table, who=MEAN, town=Category(("A", "B", "C"))).scores("town", (), DrawnLots(Noise(2)))
    a, b, c = scores.counts.tolist()
    assert b == 0 and a + c == 300 and min(a, c) > 100


def test_in_groups_a_person_has_the_mean_of_their_rows_in_one_group() -> None:
    """A person with rows in two groups is in one of them, with the number they have there."""
    table = {"who": [i // 4 for i in range(400)], "town": ["A", "C", "A", "C"] * 100, "yes": [0, 5, 1, 6] * 100}
    data = dataset(table, who=MEAN, town=Category(("A", "B", "C")), yes=Number(0, 9, integer=True))
    groups = data.grouped("yes", ("town",), (), DrawnLots(Noise(3)))
    assert groups["B"].n == 0 and groups["A"].n + groups["C"].n == 100
    assert groups["A"].values() == pytest.approx([0.5] * groups["A"].n, abs=1e-4)
    assert groups["C"].values() == pytest.approx([5.5] * groups["C"].n, abs=1e-4)


@example([(0, 0, 0), (0, 1, 9), (1, 1, 4)], 0)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=25),
    st.integers(0, 10**6),
)
def test_one_person_more_or_less_changes_nobody_elses_mean(rows: list[tuple[int, int, int]], seed: int) -> None:
    """With the same secret words everybody else has the same group and the same number."""
    persons, codes, ticks = (np.array(part) for part in zip(*rows, strict=True))
    keys = DrawnLots(Noise(seed)).rows(persons.size)
    means = Means(Bounds(0, 9, integer=True))

    def averages(mask: Any) -> list[tuple[int, int]]:
        return mean_of_each(means, persons[mask], keys[mask], ticks[mask], codes[mask])

    everybody, person = averages(persons >= 0), int(persons[0])
    others = averages(persons != person)
    at = sorted(set(persons.tolist())).index(person)
    assert everybody[:at] + everybody[at + 1 :] == others


def test_candidates_are_counted_with_other() -> None:
    """One level and other are two candidates: a promise of no error would be false."""
    schema = Schema({"town": Category(("A",), other=True)})
    asked = Request(CountsGeometric(epsilon=0.5), ("town",))
    assert asked.public(schema).labels == 2
    assert replace(asked, columns=("town",)).public(schema).labels == 2


def test_the_form_begins_with_a_method_that_serves_the_column_as_it_is_read() -> None:
    """Whole noise is the first choice for sums of whole numbers, and not for sums of means."""
    asked = Topic("sum", "Sum")
    whole, means = Schema({"yes": ANSWER}), Schema({"yes": ANSWER, "who": MEAN})
    assert form.serves(Geometric, asked, whole, "yes")
    assert not form.serves(Geometric, asked, means, "yes")
    assert form.serves(GlobalLaplace, asked, means, "yes")


class Given(DrawnLots):
    """Lots that give each row the word that the row has in the whole table."""

    def __init__(self, words: Any) -> None:
        """Take the words of the rows; the key of persons is the same every time."""
        super().__init__(Noise(0))
        self._given = words

    def rows(self, size: int) -> Any:
        """Return the words of the rows."""
        return self._given


def sample(names: Any, keys: Any, person: Person) -> set[int]:
    """Return which rows count: every row has a value of its own."""
    table = pa.table({"who": list(names), "row": pa.array(np.flatnonzero(names != ""), pa.int64())})
    schema = Schema({"who": person, "row": Number(0, 99, integer=True)})
    data = OpenData(LocalSource(table), schema)
    column = data.column("row", (), Given(keys))
    return set(column.levels.tolist())


@example(["ab", "AB", "ab"], 3, 1)
@given(
    st.lists(st.sampled_from(["ab", "AB", " ab", "ab ", "\uff41\uff42", "b"]), min_size=1, max_size=20),
    st.integers(0, 10**6),
    st.integers(1, 3),
)
def test_taking_one_identifier_away_changes_nobody_elses_rows(names: list[str], seed: int, rows: int) -> None:
    """From the cells of a table: whoever is not that very text keeps the very same rows."""
    cells = np.array(names, dtype=object)
    keys = DrawnLots(Noise(seed)).rows(cells.size)
    owner = np.array([name.strip() for name in names])
    whole = sample(cells, keys, Person(rows))
    for identifier in set(owner):
        others = np.flatnonzero(owner != identifier)
        left = sample(cells[others], keys[others], Person(rows))
        assert {int(others[row]) for row in left} == {row for row in whole if owner[row] != identifier}
        assert sum(owner[row] == identifier for row in whole) <= rows


def test_spellings_are_joined_only_where_it_was_declared() -> None:
    """Two case-sensitive identifiers are two people; `fold` makes them one."""
    names = np.array(["ab", "AB", "\uff41\uff42", " ab "], dtype=object)
    keys = DrawnLots(Noise(1)).rows(4)
    assert len(sample(names, keys, Person())) == 3
    assert len(sample(names, keys, Person(fold=True))) == 1


def test_a_declaration_says_whether_spellings_are_joined() -> None:
    """It survives export and import; a file from before there was a choice means exact."""
    joined, exact = (Schema({"who": Person(3, fold=fold)}) for fold in (True, False))
    assert Schema.from_json(joined.to_json()) == joined
    assert Schema.from_json(exact.to_json()) == exact and "fold" not in exact.to_json()
    assert joined.digest != exact.digest
    with pytest.raises(ParameterError, match="true or false"):
        Person(fold="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("person", [Person(4), Person(2, fold=True), MEAN, Person(reduce="first", fold=True)])
def test_the_table_of_declarations_keeps_what_is_said_of_a_person(person: Person) -> None:
    """An imported declaration goes through the editor and comes out as it was."""
    schema = Schema({"who": person, "yes": ANSWER})
    lines = declare.lines_of(schema, ["who", "yes"])
    columns = {str(line["column"]): declare.declared(line) for line in lines.to_dict("records")}
    assert Schema(columns) == schema


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 99))
def test_the_words_of_rows_do_not_depend_on_batches(sizes: list[int], seed: int) -> None:
    """Two words are made of one draw; what is left over is the next row's. None is longer than it may be."""
    lots, whole = DrawnLots(Noise(seed)), DrawnLots(Noise(seed)).rows(sum(sizes)).tolist()
    assert [word for size in sizes for word in lots.rows(size).tolist()] == whole
    assert max(whole, default=0) < 2**30
