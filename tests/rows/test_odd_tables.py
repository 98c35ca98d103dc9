"""Odd tables are read as they are meant, or refused, or somebody is told: none answers wrongly without a word."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pytest
from support.odd_tables import AGE, AGES, Odd, refused, tables

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.curator import Curator
from discreet.lab import reading_check
from discreet.rows import Dataset, LocalSource, Schema
from discreet.rows.columns import Date, Factor, Kind, Quantity, YesNo
from discreet.rows.files import Layout, suggest

TABLES, REFUSED = tables(), refused()


def opened(odd: Odd) -> LocalSource:
    """Open a file as it is suggested, or as somebody corrects it."""
    layout = suggest(odd.data)
    corrected = {name: getattr(layout, name) for name in Layout.__dataclass_fields__} | odd.layout
    return LocalSource(odd.data, Layout(**corrected))


def meanings(source: LocalSource, column: str, kind: Kind) -> list[Any]:
    """Return what the cells of a column are read as."""
    cells = source.head([column], 10**6).column(0)
    if isinstance(kind, Factor):
        return [kind.labels[code] if code >= 0 else None for code in kind.codes(cells)]
    assert isinstance(kind, Quantity)
    ticks, there = kind.ticks(cells)
    values = kind.bounds.value(ticks)
    return [value if has else None for value, has in zip(values.tolist(), there.tolist(), strict=True)]


def as_meant(kind: Kind, meant: Sequence[Any]) -> list[Any]:
    """Return the truth in the form in which cells are read."""
    if isinstance(kind, Date):
        return [(day - date.fromisoformat(kind.first)).days for day in meant]
    if isinstance(kind, YesNo):
        return ["yes" if truth else "no" for truth in meant]
    return list(meant)


@pytest.mark.parametrize("name", TABLES)
def test_an_odd_table_is_read_as_it_is_meant(name: str) -> None:
    """Cell by cell, by the declaration of somebody who knows what is in it."""
    odd = TABLES[name]()
    read, meant = meanings(opened(odd), odd.column, odd.careful), as_meant(odd.careful, odd.meant)
    if isinstance(meant[0], str):
        assert read == meant
    else:
        assert None not in read and np.allclose(read, meant, atol=0.006)


@pytest.mark.parametrize("name", [name for name, make in TABLES.items() if make().careless is not None])
def test_whoever_declares_it_without_care_is_told(name: str) -> None:
    """The check of what could be read names the column, and blames no other."""
    odd = TABLES[name]()
    source = opened(odd)
    (other,) = (column for column in source.names if column != odd.column)
    assert odd.careless is not None
    schema = Schema({odd.column: odd.careless, other: AGE})
    curator = Curator(Dataset(source, schema), SessionLedger(Cost.of(3, 0)), tick=0)
    asked = reading_check.requests(schema, 2.0)
    lines = reading_check.readings(schema, {column: curator.ask(request) for column, request in asked.items()})
    assert {line.column: line.good for line in lines} == {odd.column: False, other: True}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_table_is_refused_in_a_sentence(name: str) -> None:
    """It says what to do, and quotes no cell."""
    with pytest.raises(ParameterError) as wrong:
        LocalSource(REFUSED[name], suggest(REFUSED[name])).head(["age"], 1)
    sentence = str(wrong.value)
    assert sentence.endswith(".") and len(sentence) > 20 and str(AGES[:2]) not in sentence


def test_there_are_at_least_forty_of_them() -> None:
    """As people have them."""
    assert len(TABLES) + len(REFUSED) >= 60
