"""The sample: deterministic, plausible, and declared from public knowledge."""

from __future__ import annotations

import numpy as np

from discreet.lab.samples import CENSUS_PEOPLE, census, census_schema, census_table
from discreet.lab.simulation import SimulationNoise
from discreet.rows.persons import DrawnLots


def test_the_sample_is_the_same_people_every_time() -> None:
    """Two generations agree cell by cell."""
    first = census_table()
    census_table.cache_clear()
    assert census_table().equals(first) and first.num_rows == CENSUS_PEOPLE


def test_every_column_is_declared_and_every_value_lies_in_its_declaration() -> None:
    """No cell of the sample is clipped or missing."""
    table, schema = census_table(), census_schema()
    assert list(schema.columns) == table.column_names
    for name in ("age", "education_years", "hours", "capital_gain"):
        values, bounds = table[name].to_numpy(), schema.columns[name].bounds
        assert values.min() >= bounds.lower and values.max() <= bounds.upper
    for name in ("sex", "occupation", "marital_status", "income"):
        assert set(table[name].to_pylist()) == set(schema.columns[name].levels)


def test_the_shapes_are_those_of_a_census() -> None:
    """Adults, a spike at 40 hours, few and heavy-tailed gains, a quarter well paid."""
    table = census_table()
    ages, hours, gains = (table[n].to_numpy() for n in ("age", "hours", "capital_gain"))
    assert 35 < np.median(ages) < 40 and ages.min() == 17
    assert 0.45 < np.mean(hours == 40) < 0.55
    assert np.mean(gains > 0) < 0.1 and gains.max() > 15 * np.median(gains[gains > 0])
    assert 0.15 < np.mean(np.array(table["income"].to_pylist()) == "over 50K") < 0.35


def test_the_sample_answers_questions() -> None:
    """A column of it has all the people."""
    assert census().column("age", (), DrawnLots(SimulationNoise(0))).n == CENSUS_PEOPLE
