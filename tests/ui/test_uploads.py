"""Uploads in a real browser: every format opens, every bad file gets its sentence."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from files import BAD, GOOD, bad
from playwright.sync_api import expect
from soak import some
from visitor import Visitor

Visit = Callable[..., Visitor]


def names_shown(one: Visitor) -> list[str]:
    """Return the column names in the table that declares them (its accessible form)."""
    expect(one.page.get_by_test_id("stDataFrame")).to_have_count(1)  # what was before is gone
    cells = one.page.locator("canvas tbody tr td:first-child")
    expect(cells.first).to_be_attached()
    return cells.all_inner_texts()


@pytest.mark.soak
def test_every_format_opens_with_its_own_columns(visit: Visit) -> None:
    """Encoding, separator and format are found by content; the columns are named right.

    `make test` carries every sixth through a browser: tests/rows reads all.
    """
    one = visit()
    one.open()
    for name, data in some(GOOD.items(), 6):
        one.upload(name, data, "application/octet-stream")
        expect(one.page.get_by_text("Declare the columns")).to_be_visible()
        wanted = {"gb18030.csv": ["城市", "名字"], "latin-1.csv": ["größe", "straße"]}
        assert names_shown(one) == wanted.get(name, ["größe", "城市"]), name
        one.page.get_by_role("button", name="Discard this file").click()
        one.settle()


@pytest.mark.soak
@pytest.mark.soak_alone
def test_every_bad_file_gets_its_sentence(visit: Visit) -> None:
    """The page survives, the sentence says what is wrong, and nothing of the file is shown.

    In `make test` test_pages.py gives all of them to the page.
    """
    one = visit()
    page = one.open()
    assert len(BAD) >= 20
    for name, (data, words) in ((name, bad(name)) for name in BAD):
        one.upload(name, data)
        told = page.get_by_test_id("stAlert").filter(has_text=re.compile(re.escape(words)))
        expect(told.first, name).to_be_visible()
        assert page.get_by_text("Something went wrong").count() == 0, name
        discard = page.get_by_role("button", name="Discard this file")
        if discard.count():
            discard.click()
            one.settle()


@pytest.mark.soak
@pytest.mark.soak_alone
def test_a_wrong_encoding_and_separator_can_be_corrected(visit: Visit) -> None:
    """What was guessed is shown and can be changed; the table follows.

    In `make test` test_pages.py corrects how a file is read on the same page.
    """
    one = visit()
    page = one.open()
    one.upload("one.csv", b"a b;c\n1;2\n")
    assert names_shown(one) == ["a b", "c"]
    one.unfold("How the file is read")
    page.get_by_role("combobox", name="Separator").click()
    one.take(("comma",))
    expect(page.get_by_text("Declare the columns")).to_be_visible()
    assert names_shown(one) == ["a b;c"]
    page.get_by_role("combobox", name="Encoding").click()
    one.take(("utf-16",))
    assert page.get_by_test_id("stAlert").count() >= 1


def test_a_draft_survives_leaving_the_page_and_a_reload(visit: Visit) -> None:
    """What was typed into the table is still there on coming back."""
    one = visit()
    page = one.open()
    one.upload("mine.csv", b"name,pay\nx,1\ny,2\n")
    type_bounds(one, row=1, bounds=("0", "120"))
    expect(page.get_by_text(re.compile("pay: number, 0 to 120"))).to_be_visible()
    page.get_by_role("link", name="Budget").click()
    one.settle()
    page.get_by_role("link", name="Data", exact=True).click()
    one.settle()
    expect(page.get_by_text(re.compile("pay: number, 0 to 120"))).to_be_visible()
    page.reload()
    one.settle()
    expect(page.get_by_text(re.compile("pay: number, 0 to 120"))).to_be_visible()


def type_bounds(one: Visitor, row: int, bounds: tuple[str, str]) -> int:
    """Type lower and upper into the table, by keyboard after one click; return the clicks."""
    assert names_shown(one)
    one.fill_cells(row + 1, 130 + 110 + 45, *bounds)
    one.settle()
    return 1
