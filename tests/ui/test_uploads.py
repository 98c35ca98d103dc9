"""Uploads: every format opens, every bad file gets its sentence, and a draft stays."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest
from support.pages import press
from support.seats import SHELL
from support.small_files import BAD, GOOD, NAMES, bad
from support.visitor import Visitor
from threats import screens

Visit = Callable[..., Visitor]
OTHER_NAMES = {"gb18030.csv": ["城市", "名字"], "latin-1.csv": ["größe", "straße"]}


def names_shown(visitor: Visitor) -> list[str]:
    """Return the column names in the table that declares them (its accessible form)."""
    visitor.page.get_by_text("As a spreadsheet", exact=True).click()
    visitor.settle()
    expect(visitor.page.get_by_test_id("stDataFrame")).to_have_count(1)  # what was before is gone
    cells = visitor.page.locator("canvas tbody tr td:first-child")
    expect(cells.first).to_be_attached()
    return cells.all_inner_texts()


def test_every_format_is_declared_by_its_own_columns() -> None:
    """Encoding, separator and format are found by content; the columns are named right."""
    app = screens.visit()
    for name, data in GOOD.items():
        screens.upload(app, name, data, {})
        if app.error:  # what no mark says is said by a person: a file in another encoding is offered as its rows look
            assert "Choose another encoding" in app.error[0].value, name
            (as_it_looks,) = (button for button in app.button if button.label.startswith("Read as "))
            as_it_looks.click().run()
            screens.spreadsheet(app)
        assert not app.exception and not app.error, name
        (table,) = app.dataframe
        assert list(table.value["column"]) == OTHER_NAMES.get(name, NAMES), name
        press(app, "Discard this file")
        assert screens.space(app).draft is None


@pytest.mark.soak_alone
def test_every_format_opens_with_its_own_columns(visit: Visit) -> None:
    """Encoding, separator and format are found by content; the columns are named right.

    In `make test` the test above opens all of them without a browser; test_first_answer.py uploads a CSV in one.
    """
    visitor = visit()
    visitor.open()
    for name, data in GOOD.items():
        visitor.upload(name, data, "application/octet-stream")
        if name in OTHER_NAMES:  # no mark says so: the person who uploads it does
            visitor.page.get_by_role("button", name=re.compile("^Read as ")).click()
        expect(visitor.page.get_by_text("Declare the columns")).to_be_visible()
        assert names_shown(visitor) == OTHER_NAMES.get(name, NAMES), name
        visitor.page.get_by_role("button", name="Discard this file").click()
        visitor.settle()


@pytest.mark.soak_alone
def test_every_bad_file_gets_its_sentence(visit: Visit) -> None:
    """The page survives, the sentence says what is wrong, and nothing of the file is shown.

    In `make test` test_pages.py gives all of them to the page.
    """
    visitor = visit()
    page = visitor.open()
    assert len(BAD) >= 20
    for name, (data, words) in ((name, bad(name)) for name in BAD):
        visitor.upload(name, data)
        alert = page.get_by_test_id("stAlert").filter(has_text=re.compile(re.escape(words)))
        expect(alert.first, name).to_be_visible()
        assert page.get_by_text("Something went wrong").count() == 0, name
        discard = page.get_by_role("button", name="Discard this file")
        if discard.count():
            discard.click()
            visitor.settle()


@pytest.mark.soak_alone
def test_a_wrong_encoding_and_separator_can_be_corrected(visit: Visit) -> None:
    """What was guessed is shown and can be changed; the table follows.

    In `make test` test_pages.py corrects how a file is read on the same page.
    """
    visitor = visit()
    page = visitor.open()
    visitor.upload("one.csv", b"a b;c\n1;2\n")
    assert names_shown(visitor) == ["a b", "c"]
    visitor.unfold("File format")
    page.get_by_role("combobox", name="Separator").click()
    visitor.take(("comma",))
    expect(page.get_by_text("Declare the columns")).to_be_visible()
    assert names_shown(visitor) == ["a b;c"]
    page.get_by_role("combobox", name="Encoding").click()
    visitor.take(("utf-16",))
    assert page.get_by_test_id("stAlert").count() >= 1


def test_a_draft_is_there_on_coming_back_and_in_another_tab() -> None:
    """What was put into the table stands after another screen, and where the page is loaded anew."""
    app = screens.visit()
    screens.upload(app, "mine.csv", b"name,pay\nx,1\ny,2\n", {1: {"lower": 0.0, "upper": 120.0}})
    assert declared(app)
    screens.at(app, "budget")
    assert not declared(app) and declared(screens.at(app, "dataset"))
    again, stranger = (AppTest.from_file(str(SHELL), default_timeout=60) for _ in range(2))
    again.session_state["browser"] = app.session_state["browser"]
    assert declared(screens.at(again.run(), "dataset")) and not declared(screens.at(stranger.run(), "dataset"))


def declared(app: AppTest) -> bool:
    """Say whether a screen shows what was put into the table."""
    return any("0 to 120, with decimals" in text.value for text in (*app.markdown, *app.text, *app.caption))


@pytest.mark.soak_alone
def test_a_draft_survives_leaving_the_page_and_a_reload(visit: Visit) -> None:
    """What was typed into the table is still there on coming back.

    In `make test` the test above does the same without a browser; test_first_answer.py types into the table in one,
    and test_browser.py loads a page anew.
    """
    visitor = visit()
    page = visitor.open()
    visitor.upload("mine.csv", b"name,pay\nx,1\ny,2\n")
    visitor.spreadsheet()
    type_bounds(visitor, row=1, bounds=("0", "120"))
    expect(page.get_by_text(re.compile("0 to 120, with decimals"))).to_be_visible()
    page.get_by_role("link", name="Budget").click()
    visitor.settle()
    page.get_by_role("link", name="Dataset", exact=True).click()
    visitor.settle()
    expect(page.get_by_text(re.compile("0 to 120, with decimals"))).to_be_visible()
    page.reload()
    visitor.settle()
    expect(page.get_by_text(re.compile("0 to 120, with decimals"))).to_be_visible()


def type_bounds(visitor: Visitor, row: int, bounds: tuple[str, str]) -> int:
    """Type lower and upper into the table, by keyboard after one click; return the clicks."""
    assert names_shown(visitor)
    visitor.fill_cells(row + 1, 131 + 152 + 45, *bounds)
    visitor.settle()
    return 1
