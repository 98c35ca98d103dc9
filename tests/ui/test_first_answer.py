"""From a clean start to the first answer on one's own table: few clicks, little typing, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect
from soak import SOAKS
from test_axe import in_both_themes, violations
from visitor import Visitor

from discreet.rows import Category, Number, Schema

Visit = Callable[..., Visitor]
NAMES = ("customer_id", "Age", "Sex", "Height (cm)", "Weight kg", "Hours per week", "Month", "income")
LINE = "c{i},{age},{sex},{height},{weight},{hours},{month},{income}"
MOST_CLICKS, MOST_SIGNS = 8, 40


def table(rows: int = 3000) -> bytes:
    """Return eight columns with names that everybody knows, but for one."""
    lines = (
        LINE.format(
            i=i,
            age=18 + i % 70,
            sex=("Female", "Male")[i % 2],
            height=150 + i % 50,
            weight=50 + i % 60,
            hours=i % 60,
            month=1 + i % 12,
            income=900 + 7 * i,
        )
        for i in range(rows)
    )
    return "\n".join([",".join(NAMES), *lines, ""]).encode()


class Counted:
    """A person whose clicks and typed signs are counted."""

    def __init__(self, one: Visitor) -> None:
        """Begin with none."""
        self.one, self.clicks, self.signs = one, 0, 0

    def click(self, what: Locator) -> None:
        """Click once, and wait until the screen stands."""
        what.click()
        self.clicks += 1
        self.one.settle()


def test_eight_columns_take_at_most_eight_clicks(visit: Visit) -> None:
    """Upload, choose the file, declare the one column that no name tells, say one thing, use, ask, spend."""
    one = visit()
    page, person = one.open(), Counted(one)
    with page.expect_file_chooser() as chooser:
        person.click(page.get_by_test_id("stFileUploaderDropzone").locator("button").first)
    chooser.value.set_files({"name": "people.csv", "mimeType": "text/csv", "buffer": table()})
    person.clicks += 1  # the file in the dialog
    expect(page.get_by_text("Proposed by names")).to_be_visible()
    one.settle()
    one.fill_cells(8, 280, "0", "50000")  # from the lower bound in the last line on
    person.clicks += 1
    person.signs += len("0") + len("50000")
    one.settle()
    expect(page.get_by_text("income: number, 0 to 50000")).to_be_visible()
    person.click(page.get_by_text("No, each row is another person"))
    person.click(page.get_by_role("button", name="Use these data"))
    expect(page.get_by_text("Was it read as it was meant?")).to_be_visible()
    person.click(page.get_by_role("link", name="Ask a question"))
    person.click(page.get_by_role("button", name=re.compile("^Spend .* and release$")))
    expect(page.get_by_text(re.compile("^Answered"))).to_be_visible()
    assert one.cards() == 1 and not one.wrong
    assert person.clicks <= MOST_CLICKS and person.signs <= MOST_SIGNS, (person.clicks, person.signs)


@pytest.mark.soak
def test_a_table_becomes_a_report_in_at_most_fifteen_clicks(visit: Visit) -> None:
    """Twelve statistics in three groups each: choose, add, spend, take the report along."""
    one = visit()
    page, names = one.open(), ("age", "height", "weight", "hours")
    lines = [f"{20 + i % 60},{150 + i % 50},{50 + i % 60},{i % 60},{'abc'[i % 3]}" for i in range(3000)]
    one.upload("people.csv", "\n".join([",".join((*names, "school")), *lines, ""]).encode())
    numbers = {name: Number(0, 250, integer=True) for name in names}
    one.declare(Schema({**numbers, "school": Category(("a", "b", "c"))}).to_json())
    person = Counted(one)
    person.click(page.get_by_role("link", name="Plan a publication"))
    for label, choices in (
        ("What do you want to know?", ("Mean", "Median", "Sum")),
        ("Of which columns?", names),
        ("For each of (several are crossed)", ("school",)),
    ):
        person.click(page.get_by_role("combobox", name=label))
        one.take(choices)
        person.clicks += len(choices)
    person.click(page.get_by_role("button", name="Add 12 rows to the plan"))
    person.click(page.get_by_role("button", name=re.compile("^Spend .* and answer 12 rows$")))
    with page.expect_download() as report:
        person.click(page.get_by_role("button", name="Report (HTML)"))
    text = report.value.path().read_text(encoding="utf-8")
    assert text.count("<svg") == 12 and text.count("<tbody") == 12 and text.count("<tr") >= 12 * (3 + 1)
    assert person.clicks <= 15 and not one.wrong, person.clicks
    themes = in_both_themes(one) if SOAKS else violations(page)
    assert not themes, "the plan with what was chosen, its price and its report"
