"""The app in a real browser: every mechanism's whole way, one charge for one answer, no leaks."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.axe import stands
from support.soak import SOAKS, some
from support.visitor import Visitor

from discreet.rows import Category, Number, Schema
from discreet.ui.frame.tour import STOPS

Visit = Callable[..., Visitor]
PAGES = {
    "global-sensitivity": "global",
    "propose-test-release": "ptr",
    "smooth-sensitivity": "smooth",
    "sample-and-aggregate": "blocks",
    "exponential-mechanism": "selection",
}
TOURED = {"", *STOPS}  # the first stop is the page that opens at no address
CANARY = "91827364"
ROWS = 41573  # no part of an identifier has five digits
OWN = "age,note,pay\n" + "".join(f"{i % 90},x{CANARY},{CANARY}\n" for i in range(ROWS))
DECLARED = Schema({"age": Number(0, 120, integer=True)}).to_json()


def spent(page: Page, text: str) -> None:
    """Wait until the strip says what is spent, and its ledger all of it."""
    whole, _, part = text.partition(",")[0].removeprefix("ε = ").partition(".")
    legend = page.locator(".discreet-legend")
    expect(legend.get_by_text(f"{whole}.{part:0<2} spent", exact=True)).to_be_visible()
    page.locator(".st-key-ledger button").first.click()
    expect(page.get_by_text(re.compile(rf"^spent\s+{re.escape(text)}\s"))).to_be_visible()
    page.keyboard.press("Escape")


@pytest.mark.soak_alone
@pytest.mark.parametrize("path", PAGES)
def test_the_whole_way_on_a_mechanism_page(visit: Visit, path: str) -> None:
    """Ask, release, see the card and the budget move; see how it works; check the guarantee.

    In `make test` every page goes this way in test_pages.py; the tests below and test_first_answer.py press and spend.
    """
    visitor = visit()
    page = visitor.open(path)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    visitor.spend()
    assert visitor.cards() == 1
    spent(page, "ε = 0.5" + (", δ = 1e-6" if path == "propose-test-release" else ""))
    page.get_by_role("button", name="Export").click()
    for label in ("JSON", "CSV", "Python script for this query"):
        expect(page.get_by_role("button", name=label, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_text("How it works", exact=True).click()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    page.get_by_text("Guarantee", exact=True).first.click()
    page.get_by_role("button", name="Run the check").click()
    expect(page.get_by_text(re.compile(r"\d+ pairs checked\. .* The claim holds\."))).to_be_visible()


@pytest.mark.soak_alone
def test_the_first_request_to_a_page_address_goes_through_the_shell(visit: Visit) -> None:
    """No address reaches a page around the shell: its menu is there.

    In `make test` test_server.py asks for the same address over a wire, of a server that nobody has visited.
    """
    page = visit().open("budget")
    expect(page.get_by_test_id("stSidebar").get_by_text("Budget").last).to_be_visible()
    expect(page.get_by_text("Nothing is spent yet")).to_be_visible()


def test_double_click_slider_second_tab_and_reload_keep_one_charge(visit: Visit) -> None:
    """One form is one charge and one stored answer, whatever a person does meanwhile."""
    visitor = visit()
    page = visitor.open("smooth-sensitivity")
    other = visitor.tab()
    other.goto(page.url)
    visitor.settle(other)
    page.get_by_role("button", name="Release result (").dblclick()
    other.get_by_role("button", name="Release result (").click()
    visitor.settle(other)
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    visitor.settle()
    expect(page.get_by_text(re.compile("ledger entry 1"))).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.reload()
    visitor.settle()
    expect(page.get_by_text(re.compile("ledger entry 1"))).to_be_visible()
    assert visitor.cards() == 1
    spent(page, "ε = 0.5")


@pytest.mark.soak_alone
def test_a_slider_moved_during_a_release_loses_no_answer(visit: Visit) -> None:
    """The release of a large protected file goes on while the screen is redrawn.

    In `make test` the test before moves a slider during a shorter release.
    """
    visitor = visit()
    page = visitor.open()
    visitor.upload("own.csv", OWN.replace("x9", "z9").encode())
    visitor.declare(DECLARED)
    visitor.open("smooth-sensitivity")
    page.get_by_role("button", name="Release result (").click(no_wait_after=True)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="running"]')  # else it is one message
    page.get_by_role("slider").first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    visitor.settle()
    expect(page.get_by_text(re.compile("ledger entry 1"))).to_be_visible()
    spent(page, "ε = 0.5")


@pytest.mark.soak_alone
def test_nothing_of_protected_rows_crosses_the_wire(visit: Visit) -> None:
    """A planted cell and the number of rows are in no page, frame, download or log.

    In `make test` all that is shown is looked at in test_pages.py (a protected upload) and all that is sent in
    tests/threats/test_leaks.py (L1, L3, L4, L6); what the office sends of registered rows in test_whole_way.py.
    """
    visitor = visit()
    page = visitor.open()
    visitor.upload("own.csv", OWN.encode())
    visitor.declare(DECLARED)
    expect(page.get_by_test_id("stMain").get_by_text(re.compile(r"\bprotected$")).first).to_be_visible()
    seen = page.content()
    for path in PAGES:
        visitor.go(path)
        if page.get_by_role("button", name="Release result (").count():
            visitor.spend()
        seen += page.content()
        page.get_by_text("How it works", exact=True).click()
        visitor.settle()
        seen += page.content()
    for path in ("compare", "budget", ""):
        visitor.go(path)
        seen += page.content()
    everything = seen + visitor.wire() + visitor.server.log_text()
    assert CANARY not in everything
    others = re.sub(r"based on about [\d,]+ rows", "", everything)  # a released number, with noise: it may be any
    assert not (it := re.search(rf"\b{ROWS}\b|{ROWS:,}", others)), others[it.start() - 200 : it.end() + 200]


@pytest.mark.soak_alone
def test_two_people_never_see_each_other(visit: Visit) -> None:
    """One file has one budget on a server, but answers and drafts are a browser's own.

    In `make test` two browsers share a budget and no answer in test_pages.py and tests/threats/test_leaks.py (L10),
    and test_gate.py holds that the cookie of a browser is what they differ in.
    """
    first, two = visit(), visit()
    for person in (first, two):
        person.open()
        person.upload("ours.csv", OWN.replace("x9", "y9").encode())
        person.declare(DECLARED)
    first.open("smooth-sensitivity")
    first.spend()
    two.open("smooth-sensitivity")
    spent(two.page, "ε = 0.5")
    assert two.cards() == 0
    expect(two.page.get_by_role("button", name="Release result (")).to_be_enabled()
    two.spend()
    assert two.cards() == 1
    third = visit()
    third.open()
    assert "ours.csv" not in third.page.content() and "ours.csv" not in third.wire()


@pytest.mark.soak_alone
def test_hostile_names_and_categories_are_shown_as_text(visit: Visit) -> None:
    """HTML, links, formulas, icons and Markdown in somebody's file stay what they are.

    In `make test` tests/threats/test_files.py (F6) holds the same of what the server sends.
    """
    names = ["<img src=x onerror=alert(1)>", "[link](http://evil.test)", "$x^2$", ":material/lock:"]
    levels = ("<b>bold</b>", "=1+1")
    head = ",".join(f'"{name}"' for name in names)
    rows = "".join(f'{i},{i},{i},"{levels[i % 2]}"\n' for i in range(60))
    columns = {name: Number(0, 100, integer=True) for name in names[:3]}
    declared = Schema({**columns, names[3]: Category(levels)}).to_json()
    visitor = visit()
    page = visitor.open()
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    visitor.upload("hostile.csv", f"{head}\n{rows}".encode())
    visitor.import_declaration(declared)
    expect(page.get_by_role("button", name="evil.test)")).to_be_visible()
    expect(page.get_by_role("button", name="material/lock:")).to_be_visible()
    assert page.locator("a[href*='evil']").count() == 0
    page.get_by_role("button", name="Use this dataset").click()
    expect(page.get_by_role("heading", name="Query", exact=True)).to_be_visible()
    for path in some(PAGES, 4):
        visitor.go(path)
        if page.get_by_role("button", name="Release result (").count():
            visitor.spend()
        visitor.unfold("Filter and group")
        assert page.locator("img[src='x']").count() == 0
        assert page.locator("a[href*='evil']").count() == 0
        assert page.locator("main b", has_text="bold").count() == 0
    assert not alerts


@pytest.mark.soak
def test_every_screen_stands_on_a_phone(visit: Visit) -> None:
    """No error box, a heading, and nothing wider than the screen; wide ones are in test_axe.py.

    In `make test` those to which the tour does not lead: test_tour.py looks at the others, on a phone as well.
    """
    visitor = visit(390)
    every = ("", *PAGES, "compare", "budget")
    first, *others = every if SOAKS else (path for path in every if path.replace("-", "_") not in TOURED)
    stands(visitor.open(first), first)
    for path in others:
        stands(visitor.go(path), path)


def test_the_keyboard_alone_is_enough(visit: Visit) -> None:
    """Tab reaches the slider and the button; arrows move, Enter spends."""
    visitor = visit()
    page = visitor.open("smooth-sensitivity")
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focus = page.evaluate("[document.activeElement.type, document.activeElement.innerText]")
        reached.append(focus)
        if focus[0] == "range":
            page.keyboard.press("ArrowRight")
            visitor.settle()
        if focus[1] and focus[1].startswith("Release result ("):
            break
    else:
        raise AssertionError(reached)
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^Done\\."))).to_be_visible()
    spent(page, "ε = 0.51")
