"""A plan of registered data on screens: sent once with its purpose, decided about on one page, answered as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from support.axe import in_both_themes, stands, violations
from support.office_browser import answer_all, choose_town, fill
from support.soak import SOAKS
from support.town import PURPOSE, Office, start, visitor
from support.visitor import Visitor

from discreet.office.desk import queue

NARROW, WIDE = {"width": 390, "height": 900}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with people and data."""
    town, stop = start(tmp_path_factory.mktemp("plans"))
    yield town
    stop()


def add(person: Visitor, page: Page, words: str, column: str, group: str = "") -> None:
    """Add a row by the form at the top of the page."""
    for label, choice in (("Statistics", words), ("Columns", column), ("Group by", group)):
        if choice:
            page.get_by_label(re.compile(f"^{re.escape(label)}")).get_by_text(choice, exact=True).click()
            person.settle()
    page.get_by_role("button", name=re.compile(r"^Add \d+ quer")).click()
    person.settle()


def looked_at(person: Visitor, page: Page, path: str) -> None:
    """Fail where a screen has an error or is cut, wide or narrow, or axe finds something (in soak, in both themes)."""
    stands(page, path)
    assert not (in_both_themes(person) if SOAKS else violations(page)), path
    page.set_viewport_size(NARROW)
    person.settle()
    stands(page, path)
    page.set_viewport_size(WIDE)


@pytest.mark.soak_alone
def test_what_was_changed_in_another_tab_is_not_sent(chromium: Browser, office: Office) -> None:
    """The button has named rows that are no more: nothing is reserved, and the page says so.

    In `make test` test_plan.py presses such a button, and tests/office/test_plan_requests.py sends such a seal.
    """
    abe = visitor(chromium, office, "abe")
    choose_town(abe)
    page = abe.open("plan")
    add(abe, page, "Mean", "age")
    fill(abe, **{"Purpose": PURPOSE})
    other = abe.tab()
    other.goto(page.url)
    other.get_by_role("button", name="Undo").click()
    abe.settle(other)
    page.get_by_role("button", name=re.compile("^Send request \\(reserves ")).click()
    expect(page.get_by_text("This page was out of date, so nothing was")).to_be_visible()
    assert not office.desk("abe").requests
    abe.leave()


@pytest.mark.soak_alone
def test_a_plan_is_sent_decided_and_answered_as_one(chromium: Browser, office: Office) -> None:
    """One request with its purpose; one page that shows every row; one approval; all answers for the analyst.

    In `make test` tests/office/test_plan_requests.py sends, approves and answers plans, test_plan.py their screen.
    """
    ann, olga = visitor(chromium, office, "ann"), visitor(chromium, office, "olga")
    choose_town(ann)
    page = ann.open("plan")
    add(ann, page, "Mean", "age", "group")
    expect(page.get_by_role("button", name=re.compile(r"^Send request \(reserves .*\)"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Send request \\(reserves ")).click()
    expect(page.get_by_text("Nothing was spent.")).to_be_visible()  # no purpose yet
    fill(ann, **{"Purpose": PURPOSE})
    stands(page, "plan")
    page.get_by_role("button", name=re.compile("^Send request \\(reserves ")).dblclick()
    expect(page.get_by_text("Request #1 is waiting for approval")).to_be_visible()
    (asked,) = queue.queue(office.house, office.people["olga"])
    assert len(asked.request.rows) == 1 and asked.purpose == PURPOSE

    review = olga.open("review")
    expect(review.get_by_text(re.compile("Plan with 1 query: .*age")).first).to_be_visible()
    expect(review.get_by_text("Query to show")).to_be_visible()
    expect(review.get_by_text(re.compile("Composition: "))).to_be_visible()
    looked_at(olga, review, "review")
    answer_all(olga)
    review.get_by_role("button", name=re.compile("^Approve and run #")).click()
    expect(review.get_by_text("No requests are waiting for a decision")).to_be_visible()

    page = ann.open("plan")
    expect(page.get_by_text(re.compile("^Done\\."))).to_be_visible()
    expect(page.get_by_role("heading", name="Results", exact=True)).to_be_visible()
    mine = ann.open("requests")
    expect(mine.get_by_text("Result released.", exact=True)).to_be_visible()
    looked_at(ann, mine, "requests")
    for person in (ann, olga):
        assert not person.wrong
        person.leave()
