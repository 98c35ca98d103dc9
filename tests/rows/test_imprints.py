"""Imprints: the same rows are noticed however a file is ordered, named, written or grown; strangers are not."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from discreet.rows.files import suggest
from discreet.rows.imprints import MOST, Imprints, Keyed, Lowest, imprints_of
from discreet.rows.source import LocalSource

KEY = b"k" * 32
N = 6000


def people(seed: int, size: int = N, start: int = 0) -> pd.DataFrame:
    """Return people with identifiers from a number on."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "id": [f"p{start + at:06d}" for at in range(size)],
            "age": rng.integers(0, 90, size),
            "pay": rng.normal(3000, 900, size).round(2),
            "town": rng.choice(["North", "south", ""], size),
            "day": rng.integers(0, 9999, size).astype("datetime64[D]").astype(str),
        }
    )


def csv(rows: pd.DataFrame) -> LocalSource:
    """Return rows as a file of text."""
    content = rows.to_csv(index=False).encode()
    return LocalSource(content, suggest(content))


def parquet(rows: pd.DataFrame) -> LocalSource:
    """Return rows with types, in batches of their own."""
    into = io.BytesIO()
    rows.assign(day=pd.to_datetime(rows.day), age=rows.age.astype(float)).to_parquet(into, row_group_size=1000)
    return LocalSource(into.getvalue(), suggest(into.getvalue()))


def taken(source: LocalSource, person: str | None = None, key: bytes = KEY) -> Imprints:
    """Return the imprints of a source."""
    imprints = imprints_of(source, key, person)
    assert imprints is not None
    return imprints


@pytest.fixture(scope="module")
def stored() -> Imprints:
    """Keep those of a file, as the vault does: written down and read back."""
    return Imprints.from_bytes(taken(csv(people(1)), "id").to_bytes())


SAME: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "as it is": lambda rows: rows,
    "in another order": lambda rows: rows.sample(frac=1, random_state=1),
    "other names": lambda rows: rows.rename(columns=str.upper),
    "other order of columns": lambda rows: rows[rows.columns[::-1]],
    "grown": lambda rows: pd.concat([rows, people(2, N, N)]),
    "a fifth of it": lambda rows: rows.sample(frac=0.2, random_state=1),
    "another column": lambda rows: rows.assign(new=np.arange(len(rows)) * 7.5),
    "without identifiers": lambda rows: rows.drop(columns="id"),
    "identifiers anew": lambda rows: rows.assign(id=[f"x{at}" for at in range(len(rows))]),
    "every row twice": lambda rows: pd.concat([rows, rows]),
    "capitals": lambda rows: rows.assign(town=rows.town.str.upper()),
}


@pytest.mark.parametrize("form", [csv, parquet])
@pytest.mark.parametrize("change", SAME)
def test_the_same_rows_are_noticed(stored: Imprints, change: str, form: Callable[[pd.DataFrame], LocalSource]) -> None:
    """By their cells alone, with at most one column on either side that the other lacks."""
    renamed = change == "other names" and form is parquet  # types are made by name
    rows = SAME[change](people(1))
    assert taken((csv if renamed else form)(rows)).same_rows(stored) > 0.95


def test_the_same_people_are_noticed_by_their_identifiers(stored: Imprints) -> None:
    """Whatever else is said of them, in whichever column, declared or not; years later most of them."""
    later = people(3).assign(pay=1.0, more=2, town="west")
    assert taken(csv(later), "id").same_people(stored) > 0.99 and taken(csv(later)).same_people(stored) > 0.99
    assert taken(csv(later)).same_rows(stored) == 0
    half = pd.concat([people(3)[N // 2 :], people(4, N // 2, N)])
    assert taken(csv(half), "id").same_people(stored) == pytest.approx(0.5, abs=0.06)
    visits = pd.concat([later] * 3)
    assert taken(csv(visits), "id").same_people(stored) > 0.99


def test_strangers_are_not_taken_for_the_same(stored: Imprints) -> None:
    """Others of the same towns; few values that every table has; the same file under another key."""
    others = taken(csv(people(5, N, N)), "id")
    assert others.same_people(stored) == 0 and others.same_rows(stored) == 0
    for names in (["age"], ["age", "town"], ["town"]):
        small, more = taken(csv(people(1)[names])), taken(csv(people(5, 4 * N)[names]))
        assert more.same_rows(small) <= 0 and small.same_rows(more) <= 0
    assert taken(csv(people(1)), "id", b"x" * 32).same_rows(stored) == 0
    assert taken(csv(people(1)[:15]), "id").same_people(stored) == 0  # of fewer than twenty nothing is said


@pytest.mark.parametrize("size", [300, 3000])
def test_strangers_who_share_some_rows_by_chance_are_no_news(size: int) -> None:
    """Two draws of one population, in which a tenth of the rows repeat: what is beyond chance is less than a tenth."""
    rng = np.random.default_rng(size)
    drawn = [pd.DataFrame({"a": rng.integers(0, 5 * size, size), "b": 1}) for _ in range(2)]
    sample, other = (taken(csv(rows)) for rows in drawn)
    assert other.same_rows(sample) < 0.1


def test_what_is_kept_is_small_and_says_nothing_without_its_key() -> None:
    """At most so many numbers of each form, spread evenly; what was written is what is read."""
    imprints = taken(csv(people(1)), "id")
    assert len(imprints.rows) == 6 and all(each.marks.size == MOST for each in imprints.rows)
    assert len(imprints.to_bytes()) < 8 * MOST * 8
    again = Imprints.from_bytes(imprints.to_bytes())
    assert again.people is not None and again.columns == () and len(again.rows) == 6
    assert imprints.people is not None and (again.people.marks == imprints.people.marks).all()
    assert imprints.people.size == pytest.approx(N, rel=0.15)
    spread = np.histogram(imprints.rows[0].marks / float(imprints.rows[0].end), 8, (0, 1))[0]
    assert ((spread - MOST / 8) ** 2 / (MOST / 8)).sum() < 30  # 7 degrees: beyond that once in ten thousand


def test_the_smallest_are_counted_in_full_however_they_come() -> None:
    """Batch by batch as all at once; a number that was let go is never wanted again."""
    marks = np.random.default_rng(1).integers(0, 4000, 20_000).astype(np.uint64)
    lowest = Lowest()
    for start in range(0, marks.size, 777):
        lowest.take(marks[start : start + 777])
    values, times = np.unique(marks, return_counts=True)
    assert (lowest.imprint.marks == values[:MOST]).all() and lowest.imprint.end == values[MOST - 1]
    assert lowest.imprint.alone == np.mean(times[:MOST] == 1)


def test_ways_to_write_a_cell_are_one_and_others_are_not() -> None:
    """As formats write one number, one truth, one day and nothing; a code with zeros before it is another one."""
    keyed = Keyed(KEY)

    def numbers(*cells: str | None) -> int:
        return len(set(keyed.cells(pa.array(cells)).tolist()))

    assert numbers("1", "1.0", " 1 ") == numbers("TRUE", "true") == numbers("", None, "  ") == 1
    assert (
        numbers("2030-01-02", "2030-01-02 00:00:00", "2030-01-02T00:00:00.000")
        == numbers("Öre", "öre", "o\u0308RE")
        == 1
    )
    assert numbers("1", "01", "1.5", "a", "") == 5
    assert keyed.cells(pa.array([1.0, 2.0])).tolist() == keyed.cells(pa.array([1, 2])).tolist()


def test_tables_that_hold_nothing_or_much_are_read_too() -> None:
    """No rows; one column; more columns than are left out one by one; lists in the place of cells."""
    assert taken(LocalSource(pa.table({"a": pa.array([], pa.string())}))).rows[0].marks.size == 0
    narrow = taken(csv(people(1)[["id"]]), "id")
    assert len(narrow.rows) == 1 and narrow.same_rows(narrow) == 1
    wide = pa.table({f"c{at}": np.arange(50) * at for at in range(40)})
    assert len(taken(LocalSource(wide)).rows) == 1 and taken(LocalSource(wide)).same_rows(taken(LocalSource(wide))) == 1
    nested = pa.table({"a": [[1], [2]], "b": [1, 2]})
    assert taken(LocalSource(nested)).rows[0].marks.size == 2
