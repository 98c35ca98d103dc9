"""The second sample has in it what it says was planted, and stays within its declaration."""

from __future__ import annotations

import numpy as np

from discreet.lab import samples
from discreet.lab.samples import earnings_schema, earnings_table


def test_every_value_lies_in_its_declaration_and_the_people_stay_the_same() -> None:
    """No cell is clipped; two generations agree."""
    table, schema = earnings_table(), earnings_schema()
    assert list(schema.columns) == table.column_names and table.num_rows == samples.EARNINGS_PEOPLE
    for name, bounds in ((name, schema.columns[name].bounds) for name in schema.numbers):
        values = table[name].to_numpy()
        assert values.min() >= bounds.lower and values.max() <= bounds.upper
    for name in ("sex", "job", "region", "district", "illness"):
        assert set(table[name].to_pylist()) == set(schema.columns[name].levels)
    earnings_table.cache_clear()
    assert earnings_table().equals(table)


def test_there_is_something_to_find() -> None:
    """School, hours and income go together; pay differs by sex and region; wealth has a tail; one district is ill."""
    table = earnings_table()
    age, school, hours, income, wealth = (
        table[name].to_numpy() for name in ("age", "school_years", "hours", "income", "wealth")
    )
    sex, job, region, district, illness = (
        np.array(table[name].to_pylist()) for name in ("sex", "job", "region", "district", "illness")
    )
    assert np.corrcoef(school, income)[0, 1] > 0.3 and np.corrcoef(hours, income)[0, 1] > 0.5
    paid = income[hours > 0] / (48 * hours[hours > 0])
    working = {name: values[hours > 0] for name, values in (("sex", sex), ("job", job), ("region", region))}
    office = working["job"] == "Office"
    women, men = (np.median(paid[office & (working["sex"] == level)]) for level in ("Female", "Male"))
    assert 0.82 < women / men < 0.94
    west, east = (np.median(paid[working["region"] == level]) for level in ("West", "East"))
    assert west > 1.2 * east
    assert np.median(income[(age > 40) & (age < 60)]) > 1.1 * np.median(income[age < 25])
    assert wealth.mean() > 1.5 * np.median(wealth) and wealth.max() > 50 * np.median(wealth)
    sick = {name: np.mean(illness[district == name] == "yes") for name in samples.DISTRICTS}
    usual = [share for name, share in sick.items() if name != samples.CLUSTER]
    assert sick[samples.CLUSTER] > 2 * max(usual)
