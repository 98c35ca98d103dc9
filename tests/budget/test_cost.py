"""A cost is exact, rounded up, and cannot be made from anything but an honest number."""

from __future__ import annotations

import decimal
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget import BudgetExceeded, Cost, ParameterError

RANGE = "ε must be between 0.000001 and 50."
costs = st.builds(Cost, st.integers(0, 10**12), st.integers(0, 10**15))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", " 1", "1 ", "1\n", "\t1", "1 000", "1,5", "1_0", "--1", "+", ".", "e5", "1e", "0"),
        *("nan", "NaN", "sNaN", "inf", "-inf", "Infinity", "0x10", "0b1", "1e999", "-1", "-0", "١"),
        *("0.5\u0660", "１", "½", "1e-300", "1e999999999999", "1e-999999999", "0.000000999", "1/2"),
        *("50.000000000000001", "9" * 5000, "0.5" + "0" * 5000, "<img onerror=1>", "ε", "1e+"),
    ],
)
def test_no_text_but_a_plain_decimal_in_range_is_an_epsilon(text: str) -> None:
    """Blanks, foreign digits, hexadecimal, NaN, infinities, zero and overflow name the range."""
    with pytest.raises(ParameterError, match=RANGE) as refused:
        Cost.of(text)
    assert len(str(refused.value)) < 150 and str(refused.value).removeprefix("ε").isascii()


@pytest.mark.parametrize(
    "value",
    [
        *(0, -1, 0.0, -0.0, float("nan"), float("inf"), -float("inf"), 1e-300, 1e308, 51, 10**4000),
        *(True, False, None, 1 + 0j, b"1", [1], Fraction(1, 2), object()),
        *(Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1e999999"), Decimal(-1)),
        *(np.float64("nan"), np.bool_(True), np.array([1.0]), np.int64(-1), 50.00000000000001),
    ],
)
def test_no_value_but_a_number_in_range_is_an_epsilon(value: object) -> None:
    """A number of any type that is not finite, not positive or too large names the range."""
    with pytest.raises(ParameterError, match=RANGE):
        Cost.of(value)  # type: ignore[arg-type]


def test_an_integer_of_thousands_of_digits_is_refused_like_any_other() -> None:
    """What Python itself refuses to print still names the range, in a fraction too."""
    for huge in (10**5000, -(10**5000), Fraction(10**5000), Fraction(1, 10**5000)):
        with pytest.raises(ParameterError, match=RANGE):
            Cost.of(huge)  # type: ignore[arg-type]


@pytest.mark.parametrize("delta", ["-1e-9", "nan", "1e-16", "1e-300", "0.5", "1", "1e999", " 0", "", None, True, "٠"])
def test_delta_is_zero_or_between_one_unit_and_a_half(delta: object) -> None:
    """A delta that is negative, not a number, below a unit or a half and more names the range."""
    with pytest.raises(ParameterError, match="δ must be 0, or between 1e-15 and 0.4999"):
        Cost.of(1, delta)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("epsilon", "nano"),
    [
        ("0.1", 10**8),
        (0.1, 10**8),
        (np.float64(0.1), 10**8),
        (np.float32(0.1), 10**8),
        (Decimal("0.1"), 10**8),
        (3, 3 * 10**9),
        (np.int64(3), 3 * 10**9),
        ("50", 50 * 10**9),
        ("1e-6", 1000),
        ("+.5", 5 * 10**8),
        ("5.", 5 * 10**9),
        ("0.1000000001", 10**8 + 1),
        ("0.10000000000000000000000000000000000000000001", 10**8 + 1),
        (0.1 + 0.2, 300_000_001),
    ],
)
def test_an_epsilon_is_read_exactly_and_rounded_up(epsilon: float, nano: int) -> None:
    """Every accepted form gives the next whole unit at or above the decimal that was meant."""
    assert Cost.of(epsilon).nano_epsilon == nano


def test_a_delta_is_read_exactly_and_rounded_up() -> None:
    """One unit of delta is 1e-15; zero in any spelling stays zero."""
    assert Cost.of(1, "1e-15").delta_units == 1
    assert Cost.of(1, "1.0000001e-15").delta_units == 2
    assert Cost.of(1, 1e-6).delta_units == 10**9
    assert Cost.of(1, "0.499999999999999").delta_units == 499_999_999_999_999
    assert [Cost.of(1, zero).delta_units for zero in (0, "0", 0.0, -0.0, "0e-9")] == [0] * 5


def test_the_threads_decimal_context_does_not_change_what_is_read() -> None:
    """Three digits of precision and rounding down elsewhere leave a cost as it was written."""
    with decimal.localcontext(decimal.Context(prec=3, rounding=decimal.ROUND_DOWN)):
        cost = Cost.of("1.23456789", "1.23456789e-7")
        assert cost == Cost(1_234_567_890, 123_456_789)
        assert str(cost) == "ε = 1.23456789, δ = 1.23456789e-7"


@given(st.decimals("0.000001", "50", places=9), st.decimals("0.000001", "50", places=9))
def test_sums_are_exact(first: Decimal, second: Decimal) -> None:
    """Sums of costs equal sums of decimals, digit by digit, where floats drift."""
    total = Cost.of(str(first)) + Cost.of(str(second))
    assert Decimal(total.nano_epsilon) == (first + second) * 10**9
    assert Cost.of("0.1") + Cost.of("0.2") == Cost.of("0.3")
    assert (0.1 + 0.2) != 0.3


@given(st.floats(1e-6, 50))
def test_a_float_is_never_counted_as_less(epsilon: float) -> None:
    """The units are the ceiling of the float's own shortest decimal text."""
    asked = Fraction(repr(epsilon)) * 10**9
    assert asked <= Cost.of(epsilon).nano_epsilon < asked + 1


@given(costs, costs)
def test_fitting_is_an_order_in_both_parts_and_subtraction_undoes_addition(a: Cost, b: Cost) -> None:
    """a fits in a + b, a + b less b is a, and a larger cost cannot be taken away."""
    assert a.fits_in(a + b) and a + b == b + a and (a + b) - b == a
    assert (a + b).fits_in(a) == (b == Cost.zero())
    if not b.fits_in(a):
        with pytest.raises(ParameterError, match="cannot be negative"):
            a - b


def test_neither_of_two_costs_need_fit_in_the_other() -> None:
    """More epsilon with less delta is not comparable, so `<` does not exist."""
    pure, other = Cost.of(1), Cost.of("0.5", "1e-6")
    assert not pure.fits_in(other) and not other.fits_in(pure)
    with pytest.raises(TypeError):
        pure < other  # type: ignore[operator]  # noqa: B015


@pytest.mark.parametrize("units", [-1, 1.0, True, np.int64(1), "1", None, float("nan")])
def test_a_cost_is_made_of_plain_whole_units(units: object) -> None:
    """Floats, booleans and machine integers that overflow are refused, in either part."""
    for parts in ((units, 0), (0, units)):
        with pytest.raises(ParameterError, match="whole numbers"):
            Cost(*parts)


@given(st.lists(costs, max_size=6))
def test_groups_in_parallel_cost_the_largest_of_each_part(groups: list[Cost]) -> None:
    """Every group fits in the cost of all, and nothing smaller would do."""
    together = Cost.parallel(groups)
    assert all(group.fits_in(together) for group in groups)
    assert together.nano_epsilon == max((g.nano_epsilon for g in groups), default=0)
    assert together.delta_units == max((g.delta_units for g in groups), default=0)


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (Cost.of("0.5", "1e-6"), "ε = 0.5, δ = 1e-6"),
        (Cost.of(1), "ε = 1"),
        (Cost.of(10, "0.01"), "ε = 10, δ = 0.01"),
        (Cost.of("1e-6", "1.5e-9"), "ε = 0.000001, δ = 1.5e-9"),
        (Cost.zero(), "ε = 0"),
    ],
)
def test_a_cost_is_written_with_all_its_digits_and_no_more(cost: Cost, text: str) -> None:
    """The text of a cost is exact, and equal costs are equal keys."""
    assert str(cost) == text
    assert hash(cost) == hash(Cost(cost.nano_epsilon, cost.delta_units))
    assert (cost.epsilon, cost.delta) == (cost.nano_epsilon / 1e9, cost.delta_units / 1e15)


def test_a_refusal_says_by_how_much_it_does_not_fit() -> None:
    """Both amounts and the difference are named, also after a trip between processes."""
    refusal = BudgetExceeded(Cost.of("0.95", "1e-6"), Cost.of("0.9", "1e-5"))
    for error in (refusal, pickle.loads(pickle.dumps(refusal))):
        assert (error.asked, error.left) == (Cost.of("0.95", "1e-6"), Cost.of("0.9", "1e-5"))
        assert "ε = 0.95, δ = 1e-6, but only ε = 0.9, δ = 1e-5" in str(error)
        assert "ε = 0.05 too little" in str(error)
