"""Typed bounds: what is typed over a proposed bound is what counts, however fast it is typed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from support.soak import some
from support.visitor import Visitor

Visit = Callable[..., Visitor]
UPPER = 131 + 152 + 132 + 45  # from the left of the table: behind name, kind and lower bound


@pytest.mark.soak
@pytest.mark.parametrize("delay", some((40, 80), 2))
@pytest.mark.parametrize("time", some(range(3), 3))
def test_a_bound_typed_over_a_proposed_one_is_what_was_typed(visit: Visit, delay: int, time: int) -> None:
    """Straight after a click into the cell, without a key that opens it first."""
    visitor = visit()
    page = visitor.open()
    visitor.upload("people.csv", b"age\n20\n30\n")
    visitor.spreadsheet()
    expect(page.get_by_text(re.compile("age: whole number, 0 to 120"))).to_be_visible()
    visitor.click_table(1, UPPER)
    page.keyboard.type("75", delay=delay)  # while the editor of the cell is still on its way
    page.keyboard.press("Tab")
    visitor.settle()
    expect(page.get_by_text(re.compile(r"age: whole number, 0 to 75,"))).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("delay", some((80, 40), 2))
def test_a_bound_of_one_column_is_what_was_typed(visit: Visit, delay: int) -> None:
    """The same bound in a field of its own."""
    visitor = visit()
    page = visitor.open()
    visitor.upload("people.csv", b"age\n20\n30\n")
    field = page.get_by_role("textbox", name="Upper")
    expect(field).to_have_value("120")
    field.click(click_count=3)
    page.keyboard.type("75", delay=delay)
    page.keyboard.press("Tab")
    visitor.settle()
    expect(page.get_by_text(re.compile("0 to 75, step 1"))).to_be_visible()
