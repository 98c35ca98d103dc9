"""Extending on screens: one officer declares more, another one confirms it, and analysts ask it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect
from support.axe import stands, violations
from support.office_browser import choose_town
from support.town import SCHEMA, TABLE, TOWN, Office, start, visitor
from support.visitor import Visitor

from discreet.office import Policy
from discreet.office.datasets import registering, registry
from discreet.office.house.roles import TERMINAL
from discreet.office.people import joining
from discreet.rows import Ignored, Schema

PAID = TABLE.replace("note", "pay").replace(",x", ",").encode()  # the same people, with a number more


@pytest.fixture
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with two officers and data of which one column is ignored."""
    site, stop = start(tmp_path_factory.mktemp("extending"))
    link = joining.invite(site.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    site.people["otto"] = joining.choose_password(site.house, link, "a long enough password")
    said = replace(
        TOWN, name="paid", apart="others than those of the town", schema=Schema({**SCHEMA.columns, "pay": Ignored()})
    )
    site.dataset = registering.register(site.house, site.people["olga"], PAID, said, Policy()).id
    yield site
    stop()


def columns(analyst: Visitor) -> list[str]:
    """Return which columns can be asked for a mean."""
    page = analyst.open("smooth-sensitivity")
    page.get_by_role("combobox", name=re.compile("Column")).first.click()
    names = page.get_by_role("option").all_text_contents()
    page.keyboard.press("Escape")
    return names


@pytest.mark.soak_alone
@pytest.mark.parametrize("width", [390, 1280])
def test_two_officers_declare_more_and_it_can_be_asked(chromium: Browser, office: Office, width: int) -> None:
    """A column on a narrow screen, a level on a wide one; nothing holds on one word.

    In `make test` two officers declare a level in test_office_screens.py, a column in tests/office/test_extension.py.
    """
    before = registry.find(office.house, office.dataset).registration.schema
    analyst = visitor(chromium, office, "ann")
    choose_town(analyst, "paid")
    assert columns(analyst) == ["age"]
    proposer = visitor(chromium, office, "olga", width)
    page = proposer.open(f"datasets?dataset={office.dataset}")
    page.get_by_role("button", name="Extend schema").click()
    expect(page.get_by_text("The schema has no additions yet")).to_be_visible()
    expect(page.get_by_role("button", name="Extend schema")).to_be_disabled()
    if width == 390:
        page.get_by_test_id("stButtonGroup").get_by_text("number", exact=True).click()
        proposer.settle()
        for name, value in {"Lower": "0", "Upper": "100000"}.items():
            page.get_by_role("textbox", name=name, exact=True).fill(value)
        page.keyboard.press("Tab")
        proposer.settle()
        expect(page.get_by_text("enter the public source of its bounds")).to_be_visible()
        page.get_by_role("textbox", name="Known from", exact=True).fill("a pay scale")
    else:
        page.get_by_role("button", name=re.compile("group$")).click()  # its card is closed: nothing is missing in it
        proposer.settle()
        page.get_by_role("textbox", name="Allowed values", exact=True).fill("b, a, c")
        page.keyboard.press("Tab")
        proposer.settle()
        expect(page.get_by_text("cannot be changed. You can only add allowed values")).to_be_visible()
        page.get_by_role("textbox", name="Allowed values", exact=True).fill("a, b, c")
    page.keyboard.press("Tab")
    proposer.settle()
    page.get_by_role("button", name="Extend schema").click()
    proposer.settle()
    expect(page.get_by_text("proposes to extend the schema as follows")).to_be_visible()
    assert registry.find(office.house, office.dataset).registration.schema == before
    proposer.leave()
    two = visitor(chromium, office, "otto", width)
    page = two.open(f"datasets?dataset={office.dataset}")
    stands(page, "datasets")
    assert violations(page) == []
    page.get_by_role("button", name="Confirm schema").click()
    two.settle()
    expect(page.get_by_text("extended by Otto").first).to_be_visible()
    two.leave()
    assert columns(analyst) == (["age", "pay"] if width == 390 else ["age"])  # in the stay that began before
    analyst.leave()
    assert registry.find(office.house, office.dataset).registration.schema != before
