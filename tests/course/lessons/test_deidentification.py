"""The numbers of lesson 1: against comparisons of all pairs, hand counts and definitions."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from discreet.course.lessons.deidentification import numbers as tables
from discreet.course.lessons.deidentification.numbers import PEOPLE
from discreet.lab.samples import census_table
from discreet.lab.simulation import SimulationNoise


def small_table(seed: int, rows: int, values: tuple[int, ...]) -> list[np.ndarray]:
    """Return columns of few values, negative ones too, with many ties."""
    u = SimulationNoise(seed).uniforms(len(values), rows)
    return [np.floor(n * u[i]).astype(np.int64) - 2 for i, n in enumerate(values)]


def agree(first: list[np.ndarray], i: int, second: list[np.ndarray], j: int) -> bool:
    """Say whether two rows agree in every column."""
    return all(a[i] == b[j] for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("values", [(), (3,), (2, 5), (4, 3, 6), (2, 2, 2, 2, 9)])
def test_group_sizes_are_those_of_a_comparison_of_all_pairs(values: tuple[int, ...]) -> None:
    """One sort against n squared, on small tables."""
    for seed in range(4):
        columns = small_table(seed, 60, values)
        brute = [sum(agree(columns, i, columns, j) for j in range(60)) for i in range(60)]
        assert tables.group_sizes(columns, 60).tolist() == brute


def test_codes_stay_apart_where_the_product_of_the_columns_is_too_large() -> None:
    """Columns of 2^40 values: a plain product would overflow, the groups are still right."""
    columns = [column * 2**40 for column in small_table(5, 60, (3, 3, 3, 2))]
    brute = [sum(agree(columns, i, columns, j) for j in range(60)) for i in range(60)]
    assert tables.group_sizes(columns, 60).tolist() == brute
    assert max(brute) > 1 == min(brute)


def test_a_join_is_that_of_all_pairs() -> None:
    """How many agree here and there, who it is, who is found, and nobody where nobody agrees."""
    first, second = small_table(1, 40, (4, 4, 3)), small_table(2, 50, (5, 4, 3))
    join = tables.join(first, second, (40, 50))
    matches = []
    for i in range(40):
        here = [j for j in range(40) if agree(first, i, first, j)]
        there = [j for j in range(50) if agree(first, i, second, j)]
        assert (join.here[i], join.there[i]) == (len(here), len(there))
        assert join.partner[i] == (there[0] if there else -1)
        matches += [i] if len(here) == len(there) == 1 else []
    assert join.recognised.tolist() == matches and 0 < len(matches) < 40
    assert -1 in join.partner


def test_whoever_is_found_is_the_right_person() -> None:
    """The hospital's secret: every recognised row carries the name that belongs to it."""
    attack = tables.attack(("sex", "age", "postcode"))
    register, persons = tables.register(), tables.hospital().persons
    people = zip(register.sex, register.age, register.postcode, strict=True)
    counts = Counter(people)
    alone = sum(counts[register.sex[p], register.age[p], register.postcode[p]] == 1 for p in persons)
    assert attack.recognised.size == alone == 729
    assert (attack.partner[attack.recognised] == persons[attack.recognised]).all()
    assert tables.attack(()).recognised.size == 0
    assert (tables.attack(()).there == PEOPLE).all()


def test_the_tables_are_what_the_lesson_says() -> None:
    """1,000 different patients of 2,000 people, nobody over 79, every postcode a known one."""
    register, hospital = tables.register(), tables.hospital()
    assert np.unique(hospital.persons).size == hospital.illness.size == tables.PATIENTS == 1000
    assert register.age.size == PEOPLE and register.age.min() >= 0
    assert register.age.max() == tables.OLDEST
    assert set(register.postcode) == set(tables.CODES) and set(register.sex) == {0, 1}
    assert set(hospital.illness) == set(range(len(tables.ILLNESS_SHARES)))


def test_people_are_counted_by_the_size_of_their_group() -> None:
    """The borders of the classes: 1, 2-4, 5-9, 10-19, 20 and more."""
    sizes = np.array([1, 1, 2, 4, 5, 9, 10, 19, 20, 21, 5000])
    assert tables.by_size(sizes).tolist() == [2, 2, 2, 2, 3]


@pytest.mark.parametrize("names", [("age",), ("age", "sex"), ("age", "sex", "occupation"), tables.CENSUS])
def test_k_of_the_census_is_that_of_a_plain_count_of_its_rows(names: tuple[str, ...]) -> None:
    """A counter of tuples over all 32,561 rows."""
    rows = list(zip(*(census_table()[name].to_pylist() for name in names), strict=True))
    counts = Counter(rows)
    sizes = tables.census_sizes(names)
    assert sizes.tolist() == [counts[row] for row in rows]


def test_information_lost_is_the_share_of_other_values_that_fit() -> None:
    """Listed value by value from the definition; 0 as it was, 1 where nothing is told."""
    ages = np.array([0, 41, 79, 97])
    for width in tables.WIDTHS:
        fits = [sum(a // width == age // width for a in range(100)) - 1 for age in ages]
        assert tables.ages_lost(ages, width) == pytest.approx(sum(fits) / 4 / 99)
    codes = tables.CODES[[0, 17, 47]]
    for digits, left in ((5, 0), (4, 3), (3, 11), (2, 47)):
        assert tables.postcodes_lost(codes, digits) == pytest.approx(left / 47)
    assert tables.generalised(1, 5, True).lost == 0
    assert tables.generalised(1, 5, False).lost == pytest.approx(1 / 3)
    assert tables.generalised(100, 2, False) == tables.Published(1000, 0, 1.0)


@pytest.mark.parametrize(("width", "digits", "sex"), [(10, 3, True), (20, 4, False), (5, 2, True)])
def test_a_generalised_table_is_counted_right(width: int, digits: int, sex: bool) -> None:
    """k and the people below 5 from the published rows, written out as text."""
    register, persons = tables.register(), tables.hospital().persons
    rows = [(register.age[p] // width, str(register.postcode[p])[:digits], register.sex[p] * sex) for p in persons]
    counts = Counter(rows)
    table = tables.generalised(width, digits, sex)
    assert table.k == min(counts.values())
    assert table.below == sum(count for count in counts.values() if count < 5)


def test_coarser_tables_have_no_smaller_groups_and_lose_more() -> None:
    """One step coarser (1, 5, 10, 20 years; a digit; the sex): k does not fall, the loss rises."""
    chain = (1, 5, 10, 20, 100)
    for finer, coarser in itertools.pairwise(chain):
        for digits in (3, 4, 5):
            for sex in (True, False):
                table = tables.generalised(finer, digits, sex)
                for two in (tables.generalised(coarser, digits, sex), tables.generalised(finer, digits - 1, sex)):
                    assert two.k >= table.k and two.below <= table.below and two.lost > table.lost


def test_the_best_answer_of_the_lesson_keeps_the_sex() -> None:
    """Of all 56 settings with k of at least 5, groups of 20 years and districts lose least."""
    ways = itertools.product(tables.WIDTHS, (2, 3, 4, 5), (True, False))
    safe = [way for way in ways if tables.generalised(*way).k >= tables.SAFE]
    assert min(safe, key=lambda way: tables.generalised(*way).lost) == (20, 3, True)


def test_an_outlier_holds_k_at_1_until_ages_are_gone() -> None:
    """97 years: alone at every width but the last; 79 years, an open end or nobody: no harm."""
    crowd = tables.outlier(97, False)
    assert crowd.within[:-1] == (1,) * 6
    assert crowd.within[-1] == crowd.without[-1] + 1
    assert tables.Crowd.needed(crowd.within) == 100
    assert tables.Crowd.needed(crowd.without) == 5
    assert tables.outlier(80, False).within == crowd.within
    for harmless in (tables.outlier(79, False), tables.outlier(97, True)):
        assert harmless.without == crowd.without
        assert all(w in (k, k + 1) for w, k in zip(*vars(harmless).values(), strict=True))
    register, persons = tables.register(), tables.hospital().persons
    for width, k in zip(tables.WIDTHS, crowd.without, strict=True):
        pairs = Counter((register.age[p] // width, register.sex[p]) for p in persons)
        assert k == min(pairs.values())
