"""Dates: a cell is the day or time that its writer meant, counted exactly, or it is missing."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from support.soak import times

from discreet.budget.errors import ParameterError
from discreet.rows import Filter, LocalSource, Schema
from discreet.rows.columns.date import Date

DAYS = Date("1900-01-01", "2100-12-31", origin="the register began in 1900")
SPANS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}


def read(cells: Any, declared: Date = DAYS) -> list[str | None]:
    """Return which date each cell stands for; None is missing."""
    ticks, there = declared.ticks(cells if isinstance(cells, pa.Array) else pa.array(cells))
    return [declared.shown(int(t)) if k else None for t, k in zip(ticks, there, strict=True)]


@pytest.mark.parametrize("order", ["year-month-day", "day-month-year", "month-day-year"])
def test_every_way_to_write_a_day_is_read_as_python_reads_it(order: str) -> None:
    """All days and months of two years, the last days of months among them, between three signs."""
    declared = Date("1900-01-01", "2100-12-31", order=order)
    for year, sign in product((2000, 2023), "-/."):
        numbers = list(product(range(14), range(33)))
        parts = [{"year": f"{year}", "month": str(m), "day": f"{d:02}"} for m, d in numbers]
        cells = [sign.join(part[name] for name in order.split("-")) for part in parts]
        assert read(cells, declared) == [_day(year, m, d) for m, d in numbers]


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


@pytest.mark.soak
@settings(max_examples=times(60, 300))
@given(st.datetimes(datetime(1901, 1, 1), datetime(2099, 12, 31)), st.sampled_from(sorted(SPANS)))
def test_ticks_are_whole_units_since_the_first(moment: datetime, grain: str) -> None:
    """Typed or written, in any precision, a time is in the unit in which it lies, counted from the first."""
    declared = Date("1990-01-01 00:00", "2050-01-01 00:00", grain)
    span = timedelta(seconds=SPANS[grain])
    tick = min(max((moment - datetime(1990, 1, 1)) // span, 0), declared.bounds.top)
    typed = [pa.array([moment], pa.timestamp(unit)) for unit in ("us", "ns")]
    typed += [pa.array([moment.replace(microsecond=0)], pa.timestamp(unit)) for unit in ("s", "ms")]
    written = pa.array([str(moment), moment.isoformat(), f"{moment:%Y%m%d %H:%M:%S}"])
    for cells in (*typed, written):
        ticks, there = declared.ticks(cells)
        assert (ticks.tolist(), there.tolist()) == ([tick] * len(cells), [True] * len(cells))


@pytest.mark.parametrize(("grain", "ends"), [("month", ("1960-01", "2030-12")), ("year", ("1960", "2030"))])
def test_the_last_moment_of_a_month_is_in_it(grain: str, ends: tuple[str, str]) -> None:
    """As text and typed, of every month of a leap year and before 1970; the moment after it is in the next."""
    declared = Date(*ends, grain)
    first = [datetime(year, month, 1) for year in (1963, 2024) for month in range(1, 13)]
    for moment in (each + span for each in first for span in (timedelta(0), timedelta(microseconds=-1))):
        there = read([str(moment)], declared) + read(pa.array([moment], pa.timestamp("us")), declared)
        assert there == [str(moment)[: 7 if grain == "month" else 4]] * 2, moment


@pytest.mark.soak
@settings(max_examples=times(40, 300))
@given(st.dates(date(1000, 1, 2), date(9999, 12, 30)))
def test_months_and_years_are_those_of_the_calendar(day: date) -> None:
    """February counts like March; cells outside of the bounds count as the nearest one."""
    months, years = Date("1980-03", "2020-03", "month"), Date("1980", "2020", "year")
    cells = pa.array([day])
    assert months.ticks(cells)[0] == [min(max((day.year - 1980) * 12 + day.month - 3, 0), 480)]
    assert years.ticks(cells)[0] == [min(max(day.year - 1980, 0), 40)]
    assert read([str(day.year)], years) == read(cells, years) == read(pa.array([day.year]), years)
    assert read([f"{day.year:04}-{day.month}"], months) == read(cells, months)


@pytest.mark.soak
@settings(max_examples=times(40, 300))
@given(st.datetimes(datetime(1971, 1, 1), datetime(2037, 1, 1)), st.sampled_from(["Europe/Berlin", "Asia/Kolkata"]))
def test_a_time_of_the_world_is_what_a_clock_on_the_wall_shows(moment: datetime, zone: str) -> None:
    """Typed with a zone, written with Z or with an offset: the same instant, in summer and in winter."""
    instant = moment.replace(microsecond=0, tzinfo=UTC)
    declared = Date("1970-01-01", "2038-01-01", "minute", zone=zone)
    wall = f"{instant.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"
    far = instant.astimezone(timezone(timedelta(hours=-5, minutes=-30)))
    cells = [instant.isoformat(), f"{moment:%Y-%m-%dT%H:%M:%SZ}", far.isoformat(), f"{far:%Y-%m-%d %H:%M:%S%z}"]
    assert read(cells, declared) == [wall] * 4
    assert read(pa.array([instant], pa.timestamp("us", "America/Lima")), declared) == [wall]
    assert read([f"{moment:%Y-%m-%d %H:%M}"], declared) == [f"{moment:%Y-%m-%d %H:%M}"], "no zone said: the wall's own"


@pytest.mark.parametrize(
    ("cell", "order", "meant"),
    [
        ("03.05.2020", "day-month-year", "2020-05-03"),
        (" 3/5/2020 ", "day-month-year", "2020-05-03"),
        ("3/5/2020", "month-day-year", "2020-03-05"),
        ("5/3/2020 12:05 AM", "month-day-year", "2020-05-03"),
        ("2020-05-03 00:00:00", "month-day-year", "2020-05-03"),
        ("20200503", "day-month-year", "2020-05-03"),
        ("2020-05-03T23:59:60Z", "year-month-day", "2020-05-03"),
        ("03.05.2020", "year-month-day", None),
        ("3/5/20", "day-month-year", None),
        ("31.04.2020", "day-month-year", None),
        ("3.5-2020", "day-month-year", None),
        ("2020-05", "year-month-day", None),
        ("2020", "year-month-day", None),
        ("43954", "year-month-day", None),
        ("0000-01-01", "year-month-day", None),
        ("2020-05-03 25:00", "year-month-day", None),
        ("5/3/2020 13:00 PM", "month-day-year", None),
        ("2020-05-03x", "year-month-day", None),
        ("", "year-month-day", None),
        (None, "year-month-day", None),
    ],
)
def test_what_is_not_written_as_declared_is_missing(cell: str | None, order: str, meant: str | None) -> None:
    """Nothing is guessed: a day of a month that has none, two digits of a year, a number of a spreadsheet."""
    assert read(pa.array([cell], pa.string()), Date("1900-01-01", "2100-12-31", order=order)) == [meant]


def test_half_days_are_read() -> None:
    """Noon is 12 PM, midnight 12 AM."""
    declared = Date("2020-01-01", "2021-01-01", "hour", order="month-day-year")
    cells = ["5/3/2020 12:00 AM", "5/3/2020 1:30 am", "5/3/2020 12:30 PM", "5/3/2020 11:00 p.m."]
    assert read(cells, declared) == [f"2020-05-03 {hour}:00" for hour in ("00", "01", "12", "23")]


@pytest.mark.parametrize("grain", ["second", "minute", "hour", "day", "month", "year"])
def test_typed_cells_are_total(grain: str) -> None:
    """The ends of every type are clipped, and nothing overflows, wraps or fails."""
    declared, far = Date("2000-01-01", "2020-01-01", grain, zone="Europe/Paris"), 2**63 - 1
    forms = [pa.timestamp(unit, zone) for unit in ("s", "ms", "us", "ns") for zone in (None, "UTC")]
    for form in [*forms, pa.date64()]:
        cells = pa.array([far, -far, None], pa.int64()).cast(form) if form != pa.date64() else _date64(far)
        ticks, there = declared.ticks(cells)
        assert there.tolist() == [True, True, False] and ticks[:2].tolist() == [declared.bounds.top, 0]
    ticks, _ = declared.ticks(pa.array([2**31 - 1, -(2**31)], pa.int32()).cast(pa.date32()))
    assert ticks.tolist() == [declared.bounds.top, 0]
    for cells in (pa.array([True]), pa.array([1.5]), pa.array([[1]]), pa.nulls(1), pa.array([1], pa.time64("us"))):
        assert read(cells, declared) == [None]


def _date64(far: int) -> pa.Array:
    days = np.array([far, -far, 0], dtype=np.int64)
    return pa.Array.from_buffers(pa.date64(), 3, [pa.py_buffer(b"\x03"), pa.py_buffer(days)])


@pytest.mark.soak
@settings(max_examples=times(40, 300))
@given(st.lists(st.one_of(st.none(), st.dates().map(str), st.text(alphabet="0123-/. :TZ", max_size=12)), max_size=9))
def test_no_cell_changes_what_another_date_means(cells: list[str | None]) -> None:
    """A column read at once is its cells read alone."""
    assert read(pa.array(cells, pa.string())) == [read(pa.array([cell], pa.string()))[0] for cell in cells]


def test_a_date_of_a_workbook_is_a_date_in_every_order() -> None:
    """A typed cell has no order."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True, "default_date_format": "dd.mm.yyyy"}) as book:
        book.add_worksheet().write_column(0, 0, ["day", date(2020, 5, 3), datetime(2021, 6, 4, 12, 30), "7.8.2022"])
    declared = Date("1900-01-01", "2100-12-31", order="day-month-year")
    days = LocalSource(sink.getvalue()).map(lambda batch: read(batch.column("day"), declared), ["day"], [])
    assert days == ["2020-05-03", "2021-06-04", "2022-08-07"]


@pytest.mark.parametrize(
    ("comparison", "value", "passing"),
    [
        ("<", "2020-05-03", [True, False, False, False]),
        ("<=", "2020-05-03", [True, True, False, False]),
        (">=", "2020-05-04", [False, False, True, False]),
        ("=", "2020-05-04", [False, False, True, False]),
        ("!=", "2020-05-04", [True, True, False, False]),
        ("<", "2200-01-01", [True, True, True, False]),
    ],
)
def test_a_filter_compares_with_a_written_date(comparison: str, value: str, passing: list[bool]) -> None:
    """A cell without a date passes none."""
    schema = Schema({"day": DAYS})
    batch = pa.record_batch({"day": ["2020-05-02", "2020-05-03", "2020-05-04", "x"]})
    condition = Filter("day", comparison, value)
    condition.check(schema)
    assert condition.mask(batch, schema).tolist() == passing
    for wrong in (3.0, "yesterday", ("2020-05-03",)):
        with pytest.raises(ParameterError, match="can be compared only with a date such as"):
            Filter("day", comparison, wrong).check(schema)


def test_a_declared_date_survives_its_file_and_says_how_it_is_read() -> None:
    """All that is declared, and between which days values are moved."""
    schema = Schema({"day": Date("2000-01-01", "2020-12-31", "hour", "day-month-year", "Asia/Tokyo", "a law")})
    assert Schema.from_json(schema.to_json()) == schema
    moved, missing = map(str, schema.columns["day"].as_read("day"))
    assert moved == "day clipped to 2000-01-01 to 2020-12-31, in hours since the first day" and "dropped" in missing


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"first": "01.02.2003"}, "Enter the first and last day as"),
        ({"first": 3}, "Enter the first and last day as"),
        ({"first": "2020-12-31"}, "later than"),
        ({"last": "1999-01-01"}, "later than"),
        ({"grain": "week"}, "unit of dates must be one of"),
        ({"order": "month-year-day"}, "order of a date"),
        ({"zone": "Europe/Nowhere"}, "Unknown time zone"),
        ({"zone": "../etc/passwd"}, "Unknown time zone"),
        ({"zone": ""}, "Unknown time zone"),
        ({"grain": "second", "last": "2999-01-01"}, "Step must"),
    ],
)
def test_what_no_calendar_says_is_refused(wrong: dict[str, Any], says: str) -> None:
    """Each refusal says what to write."""
    with pytest.raises(ParameterError, match=says):
        Date(**({"first": "2000-01-01", "last": "2020-12-31"} | wrong))


@pytest.mark.parametrize("order", ["year-month-day", "day-month-year", "month-day-year"])
def test_the_name_of_a_month_is_read_in_every_order(order: str) -> None:
    """In full, by three letters, with or without signs between; in Chinese; a time may follow."""
    declared = Date("1900-01-01", "2100-12-31", order=order)
    days, cells = [date(2024, 1, 1) + timedelta(days=at) for at in range(0, 366, 5)], list[tuple[str, str]]()
    for day in days:
        forms = ["%d %B %Y", "%d-%b-%Y", "%d%b%Y", "%B %d, %Y", "%b %d %Y", "%Y-%b-%d", "%Y年%m月%d日", "%d. %B %Y"]
        each = [day.strftime(form) for form in forms]
        each += [f"{day.year} 年 {day.month} 月 {day.day} 号", each[1].upper(), each[0].lower()]
        each += [day.strftime("%G-W%V-%u"), day.strftime("%GW%V%u"), day.strftime("%d %b %Y 18:30")]
        cells += [(cell, day.isoformat()) for cell in each]
    there = read([cell for cell, _ in cells], declared)
    assert list(zip([cell for cell, _ in cells], there, strict=True)) == cells


@pytest.mark.parametrize(
    "cell",
    [
        "31 April 2024",
        "5 Mär 2024",
        "March 2024",
        "2024年3月",
        "2024-W05",
        "2023-W53-1",
        "2024-W00-1",
        "05.03.24",
        "May 24",
    ],
)
def test_what_names_no_day_or_no_year_is_missing(cell: str) -> None:
    """A month, a week, a year of two digits and a day that is not there: they are left out, and the check says how."""
    assert read([cell], Date("1900-01-01", "2100-12-31", order="day-month-year")) == [None]
    monthly = Date("1900-01", "2100-12", "month", order="day-month-year")
    assert read([cell], monthly) == (["2024-03"] if "3月" in cell or "March" in cell else [None])


def test_the_last_week_of_a_long_year_is_read() -> None:
    """2020 had 53 weeks, and its last days are of them; the first week of 2025 begins in 2024."""
    assert read(["2020-W53-5", "2025-W01-1", "1stMay2024"]) == ["2021-01-01", "2024-12-30", "2024-05-01"]
