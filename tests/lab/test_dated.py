"""Dated: the answer about a column of dates is a date, and what is counted stays a number."""

from __future__ import annotations

from datetime import date, timedelta

import pyarrow as pa
import pytest

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.mechanisms.selection import MOST_COMMON
from discreet.queries import registry as statistics
from discreet.queries.column import Bins
from discreet.report.tables import releases_csv
from discreet.report.words import parts, place_names, written
from discreet.rows import Category, Filter, LocalSource, Number, OpenData, Schema
from discreet.rows.columns.date import Date
from discreet.ui.ask.form import fitting, of_families, topics

SCHEMA = Schema(
    {
        "day": Date("2020-01-01", "2020-12-31", order="day-month-year", origin="the year of the survey"),
        "town": Category(("a", "b")),
        "pay": Number(0, 9),
    }
)
DAYS = [date(2020, 3, 1) + timedelta(days=at % 61) for at in range(3000)]  # 1 March to 30 April
ROWS = {"day": [f"{day:%d.%m.%Y}" for day in DAYS], "town": ["a"] * 1500 + ["b"] * 1500, "pay": ["1"] * 3000}


def curator() -> Curator:
    """Return a curator of two months of days."""
    data = OpenData(LocalSource(pa.table(ROWS)), SCHEMA)
    return Curator(data, SessionLedger(Cost.of(50)), SimulationNoise(1))


def laplace(name: str, epsilon: float = 1.0, **more: object) -> object:
    """Return a statistic with Laplace noise."""
    return registry["laplace"](query=statistics[name](**more), epsilon=epsilon)


def test_a_middle_day_is_a_date_and_a_spread_a_number_of_days() -> None:
    """Answers, intervals and sheets; the true median is 31 March."""
    median = registry["quantile-exponential"](epsilon=1.0)
    release = curator().ask(Request(median, ("day",)))
    assert written(release.request, SCHEMA, release.answer) == "2020-03-31"
    (_, line) = releases_csv([release], SCHEMA).splitlines()
    assert "2020-03-31" in line and "in days since the first" in line
    spread = curator().ask(Request(laplace("standard-deviation", 5.0), ("day",)))  # type: ignore[arg-type]
    assert written(spread.request, SCHEMA, spread.answer) == spread.answer
    assert place_names(spread.request, SCHEMA) is None and place_names(release.request, SCHEMA) is not None


def test_a_mean_day_has_an_interval_of_dates_and_groups_have_theirs() -> None:
    """Every end is a date of the declared year."""
    grouped = curator().ask(Request(laplace("quantile", 2.0, q=0.5), ("day",), by="town"))  # type: ignore[arg-type]
    for _, answer in written(grouped.request, SCHEMA, grouped.answer):
        date.fromisoformat(answer)
    ends = written(grouped.request, SCHEMA, (1.0, (-3.0, 400.0)))
    assert ends == ("2020-01-02", ("2019-12-29", "2021-02-04"))


def test_bins_of_days_are_named_by_dates() -> None:
    """Counts and choices alike; a filter leaves April."""
    bins = Bins((0.0, 31.0, 60.0, 91.0, 121.0, 366.0))
    counts = registry["counts-geometric"](epsilon=2.0, bins=bins)
    release = curator().ask(Request(counts, ("day",), (Filter("day", ">=", "2020-04-01"),)))
    names = parts(release.request, SCHEMA)
    assert names[:2] == ("2020-01-01 to 2020-02-01", "2020-02-01 to 2020-03-01") and len(names) == 5
    assert release.answer[3] > 1000 > 30 > abs(release.answer[2])  # type: ignore[index]
    choice = curator().ask(Request(registry["exponential-mechanism"](epsilon=5.0, bins=bins), ("day",)))
    assert written(choice.request, SCHEMA, choice.answer) == "2020-03-01 to 2020-04-01"


@pytest.mark.parametrize("name", ["sum", "variance", "gini", "slope", "several", "upper-bound", "both-bounds"])
def test_what_says_nothing_of_days_is_not_offered(name: str) -> None:
    """A sum of dates is none; a median, a spread, a count and a most common one are."""
    only = Schema({"day": SCHEMA.columns["day"], "end": SCHEMA.columns["day"]})
    families = [kind.family for kind in registry.values()]
    offered = {topic.name for topic in topics(families, only)}
    assert name not in offered and name in {topic.name for kind in of_families(families) for topic in kind.topics()}
    assert offered >= {"mean", "median", "quantile", "smallest", "standard-deviation", "count", "counts"}
    assert fitting(SCHEMA, MOST_COMMON) == ["town", "day", "pay"]


def test_numbers_are_written_as_they_are() -> None:
    """Nothing is called otherwise where 0 is nothing."""
    release = curator().ask(Request(laplace("mean"), ("pay",)))  # type: ignore[arg-type]
    assert written(release.request, SCHEMA, (release.answer, release.interval)) == (release.answer, release.interval)
