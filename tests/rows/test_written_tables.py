"""Written tables: as people keep them, each with its truth: read as meant, or no row counts."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from discreet.queries.bounds import IntArray
from discreet.rows import Date, LocalSource, Number, Schema
from discreet.rows.counting import Task
from discreet.rows.files import Layout
from discreet.rows.kernel import Kernel

PEOPLE = 400


def _money(cents: int, decimal: str, thousands: str) -> str:
    whole = f"{cents // 100:,}".replace(",", thousands)
    return f"{whole}{decimal}{cents % 100:02}"


def _pay(decimal: str = ".", thousands: str = "", *affixes: str) -> Number:
    return Number(0, 90_000, step=0.01, decimal=decimal, thousands=thousands, affixes=affixes)


COUNTRIES: dict[str, tuple[str, str, Callable[[int], str], Number]] = {
    "germany": (";", "cp1252", lambda c: _money(c, ",", ".") + " €", _pay(",", ".", "€")),
    "france": (";", "utf-8", lambda c: _money(c, ",", "\u202f") + "\u00a0€", _pay(",", " ", "€")),
    "switzerland": (";", "latin-1", lambda c: "Fr. " + _money(c, ".", "'"), _pay(".", "'", "Fr.")),
    "america": ("\t", "utf-8", lambda c: "$" + _money(c, ".", ","), _pay(".", ",", "$")),
    "programs": (",", "utf-8", lambda c: repr(c / 100), _pay()),
}


@pytest.mark.parametrize("country", COUNTRIES)
def test_money_is_what_was_paid(country: str) -> None:
    """The mean of the rows as read is the mean of what was written, in every way to write it."""
    separator, encoding, written, declared = COUNTRIES[country]
    cents = [random.Random(at).randrange(0, 8_000_000) for at in range(PEOPLE)]
    lines = [f"Zoë{separator}{written(c)}" for c in cents]
    data = "\r\n".join([f"name{separator}pay", *lines]).encode(encoding)
    layout = Layout("text", encoding, separator)
    assert np.allclose(read(data, declared, layout), [c / 100 for c in cents], atol=0.006)


def test_undeclared_ways_count_no_row_instead_of_a_wrong_one() -> None:
    """Read as programs write them, German prices are no numbers: none is taken for another one."""
    data = "name;pay\n" + "\n".join(f"x;{_money(c, ',', '.')} €" for c in range(0, 9_000_000, 100_001))
    assert read(data.encode(), Number(0, 9e4)).size == 0


def test_days_are_those_that_were_meant() -> None:
    """German days in a text: the middle one is the middle one."""
    days = np.datetime64("2019-12-01") + np.arange(PEOPLE)
    lines = [f"{day.item():%d.%m.%Y}" for day in days]
    ticks = read("\n".join(["day", *lines]).encode(), Date("2019-01-01", "2021-12-31", order="day-month-year"))
    assert ticks.tolist() == (days - np.datetime64("2019-01-01")).astype(int).tolist()


def read(data: bytes, declared: Number | Date, layout: Layout | None = None) -> np.ndarray:
    """Return the values of the rows that count."""
    source = LocalSource(data, layout)
    name = source.names[-1]
    task = Task.of(Schema({name: declared}), (name,))
    kernel = Kernel(task)
    parts: list[IntArray] = source.map(lambda batch: [kernel.places(batch)], task.reads, [])
    return np.asarray(declared.bounds.value(np.concatenate(parts)))
