"""Numerals: a number is read as its column is declared to be written, and never otherwise."""

from __future__ import annotations

import decimal
from itertools import product

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget.errors import ParameterError
from discreet.rows import Number, Schema
from discreet.rows.numerals import BRACKETS, EXAMPLES, MINUS, PLAIN, Numerals

WAYS = [
    Numerals(",", "."),
    Numerals(",", " ", ("€",)),
    Numerals(".", ",", ("$", "()")),
    Numerals(".", "'"),
    Numerals(",", "", ("%",)),
    Numerals(".", "", ("$", "%", "()")),
]
SIGNS = "10.,-+e$%() '"
SAME = {"'": "'\u2019", " ": " \u00a0\u2009\u202f", ",": ",", ".": ".", "": ""}
BLANKS = " \u00a0\u2009\u202f"


def number(cell: str, way: Numerals) -> str | None:
    """Read an unsigned number in plain Python, character by character."""
    head, e, tail = cell.lower().partition("e")
    if e:
        body = tail[1:] if tail[:1] in ("+", "-") else tail
        point = [c for c in head if c in (".", way.decimal)]
        digits = "".join(c for c in head if c not in (".", way.decimal))
        good = len(point) < 2 and digits and set(digits) <= set("0123456789")
        return cell.lower().replace(",", ".") if good and 1 <= len(body) <= 4 and body.isdigit() else None
    whole, _, fraction = cell.partition(way.decimal)
    if fraction and not set(fraction) <= set("0123456789"):
        return None
    if not whole:
        return f".{fraction}" if fraction else None
    groups = [""]
    for c in whole:
        if way.thousands and c in SAME[way.thousands]:
            groups.append("")
        elif c in "0123456789":
            groups[-1] += c
        else:
            return None
    if len(groups) > 1:
        first, *others = groups
        if not 1 <= len(first) <= 3 or first[0] == "0" or any(len(group) != 3 for group in others):
            return None
    elif not groups[0]:
        return None
    return "".join(groups) + (f".{fraction}" if way.decimal in cell else "")


def bare(cell: str, way: Numerals) -> tuple[str, str | None]:
    """Take one affix before and one behind off; return what is before the number's own sign, and the number."""
    affixes = [affix for affix in way.affixes if affix != BRACKETS]
    starts = ["", *(affix for affix in affixes if cell.startswith(affix))]
    for start in starts:
        ends = ["", *(affix for affix in affixes if cell[len(start) :].endswith(affix))]
        for end in ends:
            inner = cell[len(start) : len(cell) - len(end)].strip(BLANKS)
            numeral = number(inner, way)
            if numeral is not None:
                return start, numeral
    return "", None


def twin(cell: str, way: Numerals) -> float | None:
    """Read a cell in plain Python: a sign before the affix or behind it, or brackets where they are declared."""
    cell = cell.strip()
    candidates = [(1.0, cell)]
    for sign, factor in (("-", -1.0), ("+", 1.0), (MINUS, -1.0)):
        if cell.startswith(sign):
            candidates.append((factor, cell[1:]))
        for affix in {*way.affixes} - {BRACKETS}:
            rest = cell.removeprefix(affix).lstrip(BLANKS)
            if cell.startswith(affix) and rest.startswith(sign):
                candidates.append((factor, f"{rest[1:]}" if rest[1:2].isdigit() or rest[1:2] in ".," else "x"))
    for factor, rest in candidates:
        _, numeral = bare(rest, way)
        if numeral is not None:
            return factor * float(numeral)
    if BRACKETS in way.affixes:
        for start in ["", *({*way.affixes} - {BRACKETS})]:
            for end in ["", *({*way.affixes} - {BRACKETS})]:
                inner = cell.removeprefix(start).removesuffix(end).strip(BLANKS)
                fits = cell.startswith(start) and cell.endswith(end) and len(cell) >= len(start) + len(end)
                if fits and inner.startswith("(") and inner.endswith(")"):
                    _, numeral = bare(inner[1:-1].strip(BLANKS) if inner[1:2] not in BLANKS else "x", way)
                    if numeral is not None:
                        return -float(numeral)
    return None


def read(cells: list[str], way: Numerals) -> list[float | None]:
    """Read cells by the house, all at once."""
    return [None if text is None else float(text) for text in way.plain(pa.array(cells, pa.large_string())).to_pylist()]


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_every_short_text_is_read_as_a_plain_twin_reads_it(way: Numerals) -> None:
    """All texts of up to three signs, of five among a few, and all that hold groups of three and two signs more."""
    cells = ["".join(signs) for n in range(1, 4) for signs in product(SIGNS, repeat=n)]
    cells += ["".join(signs) for signs in product("1.,-$", repeat=5)]
    cells += [f"{a}{b}{c}" for a, c in product(["", *SIGNS, "-1", "$-", "(1"], repeat=2) for b in ("1.000", "1,000")]
    cells += [
        f"{a}1{b}234{c}567{d}" for a, d in product(["", "0", "-", "$"], repeat=2) for b, c in product(SIGNS, repeat=2)
    ]
    values = read(cells, way)
    wrong = [(cell, a, b) for cell, a in zip(cells, values, strict=True) if a != (b := twin(cell, way))]
    assert not wrong[:9]
    assert sum(value is not None for value in values) > 100


@pytest.mark.parametrize(
    ("way", "cell", "value"),
    [
        (Numerals(",", "."), "1.234,56", 1234.56),
        (Numerals(",", "."), "171,4", 171.4),
        (Numerals(",", " ", ("€", "EUR")), "\u00a012\u202f345,5\u00a0EUR ", 12345.5),
        (Numerals(",", " ", ("kr.",)), "kr. 1 000", 1000),
        (Numerals(".", "'", ("Fr.", "CHF")), "CHF 1\u2019234.50", 1234.5),
        (Numerals(".", ",", ("$", "()")), "$52,300.00", 52300),
        (Numerals(".", ",", ("$", "()")), "($52,300.00)", -52300),
        (Numerals(".", ",", ("$", "()")), "$(5)", -5),
        (Numerals(".", ",", ("$",)), "-$5", -5),
        (Numerals(".", ",", ("$",)), "$ -5", -5),
        (Numerals(".", ",", ("$",)), "$ \u22125", -5),
        (Numerals(".", "", ("%",)), "12.5%", 12.5),
        (Numerals(".", "", ("%",)), "12.5 %", 12.5),
        (Numerals(",", "."), "1.5E0", 1.5),
        (Numerals(",", "."), "1,5e3", 1500),
        (Numerals(",", "."), "-inf", None),
        (Numerals(".", ","), "1,23", None),
        (Numerals(".", ","), "0,123", None),
        (Numerals(".", ","), "1,2345", None),
        (Numerals(".", ","), "1,234,56", None),
        (Numerals(",", "."), "1.5", None),
        (Numerals(",", ""), "1.5", None),
        (Numerals(".", "", ("%",)), "12.5 %%", None),
        (Numerals(".", "", ("%",)), "12.5 €", None),
        (Numerals(".", ",", ("$",)), "(5)", None),
        (Numerals(".", ",", ("$", "()")), "(-5)", None),
        (Numerals(".", ",", ("$", "()")), "--5", None),
    ],
)
def test_a_number_is_what_its_writer_meant(way: Numerals, cell: str, value: float | None) -> None:
    """Money, percentages and groups of three as people write them; everything else is missing."""
    assert read([cell], way) == [value]


@given(st.lists(st.text(alphabet=SIGNS + "234", max_size=9), max_size=9), st.sampled_from(WAYS))
def test_no_cell_changes_how_another_one_is_read(cells: list[str], way: Numerals) -> None:
    """A column read at once is its cells read alone, each as the twin reads it."""
    assert read(cells, way) == [twin(cell, way) for cell in cells]


def test_typed_cells_are_what_they_are() -> None:
    """How text is written says nothing of a column that holds numbers already."""
    german = Number(0, 2000, step=0.5, decimal=",", thousands=".")
    for cells in (pa.array([1.5]), pa.array([decimal.Decimal("1.500")])):
        assert german.bounds.value(german.ticks(cells)[0]).tolist() == [1.5]
    whole = Number(0, 2000, integer=True, decimal=",", thousands=".")
    assert whole.bounds.value(whole.ticks(pa.array([decimal.Decimal("1.500")]))[0]).tolist() == [1]
    assert whole.bounds.value(whole.ticks(pa.array(["1.500"]))[0]).tolist() == [1500]


def test_a_declaration_without_a_way_of_writing_keeps_its_hash() -> None:
    """What was registered before there was a choice is the same declaration, and a new one survives its file."""
    old = Schema({"pay": Number(0, 1)})
    assert old.digest == "a6c51ed5f4556ebb592a2837a44e2bdb3eea60aeeeda90b163a3e73ea2f433a9"
    new = Schema({"pay": Number(0, 1, decimal=",", thousands=".", affixes=("€", "()"))})
    assert Schema.from_json(new.to_json()) == new and new.digest != old.digest


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"decimal": ";"}, "a point or a comma"),
        ({"thousands": "_"}, "The thousands separator must be empty, a"),
        ({"decimal": ",", "thousands": ","}, "The thousands separator and the decimal"),
        ({"affixes": ("1",)}, "without digits"),
        ({"affixes": ("-",)}, "without digits"),
        ({"affixes": (" €",)}, "without digits"),
        ({"affixes": (".",)}, "without digits"),
        ({"affixes": ("",)}, "without digits"),
        ({"affixes": (3,)}, "without digits"),
    ],
)
def test_what_would_make_two_numbers_of_one_text_is_refused(wrong: dict[str, object], says: str) -> None:
    """A sign means one thing."""
    with pytest.raises(ParameterError, match=says):
        Number(0, 1, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("example", [PLAIN, *EXAMPLES])
def test_a_way_is_named_by_an_example_and_reads_groups_or_none(example: str) -> None:
    """1,234.5 and 1234.5 are one number; a cell that is written otherwise is none, and never another number."""
    way = Numerals.like(example)
    assert way.signs == example
    assert way.number(example) == way.number(example.replace(way.thousands or "x", "")) == 1234.5
    other = {".": "1,23", ",": "12.34"}[way.decimal]
    assert way.number(other) is None
    for value in (0.0, 20_000.0, 0.1, 2.125, -0.5, 1e20, 1.5e20, 2.5e-7, -1_234_567.0):
        written = way.written(value)
        assert {Numerals.like(each).number(written) for each in (PLAIN, *EXAMPLES)} <= {value, None}
        assert way.number(written) == value


@pytest.mark.parametrize("blank", BLANKS)
def test_every_blank_stands_between_thousands(blank: str) -> None:
    """An ordinary one, and those that are fixed or thin."""
    assert Numerals.like("1 234,5").number(f"12{blank}345,5") == 12_345.5


def test_exactly_three_digits_behind_one_sign_may_mean_either() -> None:
    """Whatever is declared, and whatever stands around; a zero begins no group, and two groups mean one thing."""
    cells = [
        "1.234",
        "-12,345",
        "€ 123.456",
        "0.123",
        "1234.567",
        "1.234.567",
        "1.23",
        "1.2345",
        "1 234",
        "",
        None,
        "x",
    ]
    array = pa.array(cells, pa.large_string())
    for way in (Numerals(affixes=("€",)), Numerals(",", ".", ("€",))):
        for sign, meant in ((".", ["1.234", "€ 123.456"]), (",", ["-12,345"])):
            assert [cell for cell, odd in zip(cells, way.three(array, sign).to_pylist(), strict=True) if odd] == meant
