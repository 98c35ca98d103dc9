"""Versions on screens: a file like a registered one is asked about, and becomes a version under its budget."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from support.axe import stands, violations
from support.office_browser import fill, nothing_before, other_people
from support.town import TABLE, Office, start, visitor

from discreet.budget import Cost
from discreet.office import Policy, Registration
from discreet.office.datasets import registering, registry
from discreet.rows import Number, Person, Schema

GROWN = (TABLE + "33,a,z\n").encode()


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with people and data."""
    town, stop = start(tmp_path_factory.mktemp("versions"))
    yield town
    stop()


@pytest.mark.soak_alone
def test_a_file_that_has_grown_is_a_version_and_no_second_budget(chromium: Browser, office: Office) -> None:
    """The officer is asked, chooses, adds a note, and sees where the dataset stands.

    In `make test` test_versions_of_two.py adds versions on seats, tests/office/test_versions.py adds notes.
    """
    asked = office.ask(0.1)
    olga = visitor(chromium, office, "olga")
    page = olga.open("datasets?registered-view=new")
    olga.upload("grown.csv", GROWN)
    fill(olga, Source="A survey!")
    expect(page.get_by_text("This looks like town: the source is the same.")).to_be_visible()
    expect(page.get_by_text("Fill in “Legal basis for collection”.")).to_be_visible()
    expect(page.get_by_text("This dataset looks like town.")).to_be_visible()
    kind = page.get_by_role("combobox", name="What is this file?")
    kind.scroll_into_view_if_needed()  # a list that opens while the page moves closes again
    olga.settle()
    kind.click()
    olga.take(("A new version of town: the same people, one budget",))
    olga.settle()
    hold = page.get_by_role("radiogroup", name="Are the declared bounds still valid?")
    hold.get_by_text("Yes, all of them").click()
    olga.settle()
    page.get_by_role("button", name="Add version 2").click()
    expect(page.get_by_text("Describe what is new in 10 to 500 characters.")).to_be_visible()
    fill(olga, What_is_new="one more person than last year")
    page.get_by_role("button", name="Add version 2").click()
    expect(page.get_by_text("Verify ledger")).to_be_visible()
    olga.settle()
    data = registry.find(office.house, office.dataset)
    assert [version.why for version in data.versions] == ["", "one more person than last year"]
    assert office.desk().latest(asked.request) is not None and len(registry.everything(office.house)) == 1
    fill(olga, Note_on_the_registration="The survey is that of 2029.")
    page.get_by_role("button", name="Add note").click()
    expect(page.get_by_text("The survey is that of 2029.")).to_be_visible()
    page.get_by_text("Overview", exact=True).click()
    olga.settle()
    expect(page.get_by_text("By analyst")).to_be_visible()
    assert violations(page) == []
    stands(page, "datasets")
    olga.leave()


def cards(first: int, names: str = "card,years,height") -> bytes:
    """Return people with cards from a number on."""
    lines = (f"c{at:04d},{at * 7 % 90},{at * 37 % 1000}" for at in range(first, first + 300))
    return "\n".join([names, *lines, ""]).encode()


@pytest.mark.soak_alone
def test_the_same_people_in_a_renamed_file_are_noticed_when_it_is_registered(chromium: Browser, office: Office) -> None:
    """The core hears it from the rows, the screen asks why, and the reason is registered; marks are kept on a tick.

    In `make test` tests/office/test_likeness.py notices them, test_versions_of_two.py says so on a seat.
    """
    columns = Schema({"card": Person(), "years": Number(0, 120, integer=True, origin="law")})
    said = Registration("cards", columns, Cost.of("1"), "the register of cards", "a law", compared=True)
    registering.register(office.house, office.people["olga"], cards(0), said, Policy())
    olga = visitor(chromium, office, "olga")
    page = olga.open("datasets?registered-view=new")
    olga.upload("folk.csv", cards(150, "person,age now,length"))
    schema = Schema({"person": Person(), "age now": Number(0, 120, integer=True, origin="law")})
    olga.import_declaration(schema.to_json(), "Register")
    fill(olga, Name="folk", Source="Another office", Legal_basis_for_collection="a law")
    fill(olga, Or_the_reason_for_having_no_deletion_date="the law keeps them")
    nothing_before(olga, "Yes: a column identifies the person")
    box = page.get_by_role("checkbox", name="Keep row marks (to detect the same people)")
    expect(box).not_to_be_checked()
    page.get_by_text("Keep row marks (to detect the same people)").first.click()
    olga.settle()
    page.get_by_role("button", name=re.compile("^Register( · |$)")).click()
    expect(page.get_by_text("about 5 in 10 identifiers of the smaller table are also in the other one")).to_be_visible()
    expect(page.get_by_text("This dataset looks like cards.").first).to_be_visible()
    assert len(registry.everything(office.house)) == 2
    stands(page, "datasets")
    assert violations(page) == []
    other_people(olga)
    page.get_by_role("button", name=re.compile("^Register( · |$)")).click()
    expect(page.get_by_text("Verify ledger")).to_be_visible()
    (folk,) = [data for data in registry.everything(office.house) if data.name == "folk"]
    assert folk.registration.compared and folk.registration.apart == "They live in another town."
    olga.leave()
