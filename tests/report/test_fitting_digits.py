"""Fitting digits: no more digits than the error allows, and no interval that is narrower in print."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from discreet.curator import Release, Request
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries.mean import Mean
from discreet.report.html import axis
from discreet.report.numbers import data, fitted, in_steps, outward, unsure
from discreet.rows import Number, Schema

RANDOM = np.random.default_rng(20260726)
CASES = [
    (float(value), float(error))
    for value, error in zip(
        RANDOM.normal(size=400) * 10.0 ** RANDOM.integers(-8, 14, 400), 10.0 ** RANDOM.uniform(-9, 12, 400), strict=True
    )
]


def read(text: str) -> Fraction:
    """Read a printed number back exactly."""
    return Fraction(Decimal(text.replace(",", "")))


def last_digit(text: str) -> Decimal:
    """Return what one step of the last printed digit is worth; of whole numbers that of the unit."""
    return Decimal(1).scaleb(int(Decimal(text.replace(",", "")).as_tuple().exponent))


def test_the_last_digit_is_worth_at_least_a_hundredth_of_the_error() -> None:
    """And no printed number is off by more than half of that digit: nothing that could be said is lost."""
    for value, error in CASES:
        text = fitted(value, error)
        if "." in text:
            assert float(last_digit(text)) >= error / 100
        assert abs(read(text) - Fraction(value)) <= Fraction(error) / 10 + Fraction(abs(value)) / 10**13, (value, error)


def test_zeros_stand_where_an_error_of_hundreds_leaves_nothing_to_say() -> None:
    """Two digits of the error, whatever its size; an exact answer keeps its own."""
    assert [fitted(34567.8, error) for error in (0.41, 4.1, 41, 410, 4100)] == [
        "34,567.80",
        "34,567.8",
        "34,568",
        "34,570",
        "34,600",
    ]
    assert fitted(38.6116, 0) == "38.6116" and fitted(-0.004, 0.4) == "0.00" and fitted(1e300, 1e290).count("E") == 1


def test_a_printed_interval_holds_the_released_one() -> None:
    """Its ends move outwards only, and by less than a tenth of its half width each."""
    for value, error in CASES:
        low, high = value - error, value + error
        if low == high:  # what a double cannot tell apart has no ends to round
            continue
        ends = [read(end) for end in outward(low, high)]
        assert ends[0] <= Fraction(low) and Fraction(high) <= ends[1], (low, high)
        slack = Fraction(error) / 10 + Fraction(abs(value) + error) / 10**13
        assert Fraction(low) - ends[0] <= slack and ends[1] - Fraction(high) <= slack
    assert outward(40.0, 40.0) == ("40", "40")


def test_whole_numbers_have_no_zeros_after_the_point() -> None:
    """A median of years from 36 to 37 is not one of 36.00; an end that is no year keeps its digits for both."""
    assert outward(36.0, 37.0) == ("36", "37") and fitted(36.0, 0.5) == "36"
    assert outward(36.0, 37.25) == ("36.00", "37.25") and fitted(36.0, 0.7) == "36.00"


def test_a_released_number_is_printed_with_the_decimals_of_its_interval() -> None:
    """Each of both knows the other."""
    request = Request(GlobalLaplace(query=Mean()), ("age",))
    schema = Schema({"age": Number(0, 100, integer=True)})
    for answer, ends, printed in (
        (40.0, (39.5, 40.5), ("40.00", ("39.50", "40.50"))),
        (39.5, (39.0, 40.0), ("39.50", ("39.00", "40.00"))),
        (40.0, (39.0, 41.0), ("40", ("39", "41"))),
    ):
        release = Release("one", request, answer, request.cost(), 0, ends, at=datetime(2026, 1, 1, tzinfo=UTC))
        (datum,) = data(release, schema)
        assert (datum.text, datum.ends) == printed


@pytest.mark.parametrize("answer", [40.0, 39.5, 40.001])
@pytest.mark.parametrize("ends", [(39.0, 41.0), (39.5, 40.5), (39.967, 40.033), (39.0, 40.5), (39.9999, 40.0001)])
def test_a_number_has_the_decimals_of_its_interval(answer: float, ends: tuple[float, float]) -> None:
    """Those of all three are the same, wherever the number lies: 40.000 beside 39.967 to 40.033."""
    printed = [fitted(answer, (ends[1] - ends[0]) / 2, ends=ends), *outward(*ends, beside=answer)]
    assert len({len(text.partition(".")[2]) for text in printed}) == 1, printed
    assert (printed[0] == "40") == (answer == 40 and ends == (39.0, 41.0))


@pytest.mark.parametrize(
    ("value", "text"), [(37.0, "37"), (37.00000000032, "37.00"), (51270.83, "51,271"), (0.00123456, "0.001235")]
)
def test_a_number_without_an_error_has_four_digits(value: float, text: str) -> None:
    """A whole one has all of its digits, a large one no decimals."""
    assert unsure(value) == text


def test_an_axis_has_few_round_places_and_holds_all_numbers() -> None:
    """1, 2 and 5 of a power of ten; 0 lies on it where bars begin there; one number alone has room."""
    for values in ([3.0, 41.0], [0.001, 0.0042], [-7e6, 9e6], [40.0], [0.0], [1e9, 1e9 + 3]):
        for zero in (False, True):
            scale = axis(values, zero)
            assert scale is not None and 2 <= len(scale.places) <= 8
            assert all(0 <= scale.at(value) <= 1 for value in values)
            assert scale.low <= min(values) and max(values) <= scale.high and (not zero or scale.low <= 0 <= scale.high)
            texts = [in_steps(place, scale.step) for place in scale.places]
            assert len(set(texts)) == len(texts) and all(re.fullmatch(r"-?[\d,.]+", text) for text in texts)
    assert axis([], zero=False) is None and axis([], zero=True) is None and axis([math.inf], zero=True) is None
