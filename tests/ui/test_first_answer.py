"""From a clean start to the first answer on one's own table, and to a report: few clicks, little typing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.testing.v1 import AppTest
from support.axe import in_both_themes, violations
from support.pages import space
from support.seats import SHELL, Seat
from support.visitor import Visitor

import discreet.ui.session.state
from discreet.rows import Category, Number, Person, Schema

Visit = Callable[..., Visitor]
NAMES = ("customer_id", "Age", "Sex", "Height (cm)", "Weight kg", "Hours per week", "Month", "income")
LINE = "c{i},{age},{sex},{height},{weight},{hours},{month},{income}"
MOST_CLICKS, MOST_SIGNS = 7, 40  # two of them for the column that no name tells
MEASURED = ("age", "height", "weight", "hours")
LIMITS = {name: Number(0, 250, integer=True) for name in MEASURED}
SCHOOLS = Schema({**LIMITS, "school": Category(("a", "b", "c"))}).to_json()
FIRST_CLICKS = 6
VIEW = 900  # pixels of the height of the browser
RESULT = (11, 110, 102)  # the colour of a result's dot
TABLE_CLICKS = 10
REPORT_CLICKS = 12


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

    def __init__(self, visitor: Visitor) -> None:
        """Begin with none."""
        self.visitor, self.clicks, self.signs = visitor, 0, 0

    def click(self, what: Locator) -> None:
        """Click once, and wait until the screen stands."""
        what.click()
        self.clicks += 1
        self.visitor.settle()


def planned(visitor: Visitor) -> list[tuple[str, list[str]]]:
    """Plan what is counted of two groups, have it answered, and return what axe finds on all of that."""
    page = visitor.go("plan")
    for label, choice in (("Statistics", "Histogram or counts"), ("Columns", "Sex")):
        page.get_by_label(label, exact=True).get_by_text(choice, exact=True).click()
        visitor.settle()
    page.get_by_role("button", name="Add 1 query").click()
    visitor.settle()
    page.get_by_role("button", name=re.compile(r"^Release 1 result \(spends .*\)$")).click()
    expect(page.get_by_role("button", name="Report (HTML)")).to_be_visible()
    visitor.settle()
    expect(page.locator(".stMain .fig")).to_have_count(1)
    return violations(page)


def test_eight_columns_take_at_most_seven_clicks(visit: Visit) -> None:
    """Upload, choose the file, declare the one column that no name tells, say one thing, use, spend.

    Then axe reads a plan of the same table, with what was chosen, its price and its report.
    """
    visitor = visit()
    page, person = visitor.open(), Counted(visitor)
    with page.expect_file_chooser() as chooser:
        person.click(page.get_by_test_id("stFileUploaderDropzone").locator("button").first)
    chooser.value.set_files({"name": "people.csv", "mimeType": "text/csv", "buffer": table()})
    person.clicks += 1  # the file in the dialog
    expect(page.get_by_text("Suggested from column names")).to_be_visible()
    visitor.settle()
    income = page.locator('[class*="st-key-card-"]').filter(has=page.get_by_role("button", name="income"))
    for label, bound in (("Lower", "0"), ("Upper", "50000")):
        person.click(income.get_by_role("textbox", name=label, exact=True))
        page.keyboard.type(bound)
        person.signs += len(bound)
    page.keyboard.press("Tab")
    visitor.settle()
    expect(income.get_by_text("0 to 50000")).to_be_visible()
    assert not page.get_by_text("Can one person have more than one row?").count(), "what the card asks is asked once"
    person.click(page.get_by_test_id("stButtonGroup").get_by_text("One row, picked at random"))
    person.click(page.get_by_role("button", name="Use this dataset"))
    expect(page.get_by_text("people.csv is in use.")).to_be_visible()
    page.get_by_role("link", name="Check how the data was read").click()
    visitor.settle()
    place = page.get_by_role("heading", name="Check how the data was read").bounding_box()
    assert place and place["y"] < VIEW - 200, "the link leads to the check, not to the top of its page"
    visitor.go("query")
    person.click(page.get_by_role("button", name=re.compile(r"^Release result \(spends .*\)$")))
    expect(page.get_by_text(re.compile("^Done\\."))).to_be_visible()
    assert visitor.cards() == 1 and not visitor.wrong
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save as picture").click()
    with Image.open(picture.value.path()) as drawn:
        colours = {colour for _, colour in drawn.convert("RGB").getcolors(drawn.width * drawn.height) or ()}
        assert drawn.format == "PNG" and drawn.width > 500 and RESULT in colours
    assert person.clicks <= MOST_CLICKS and person.signs <= MOST_SIGNS, (person.clicks, person.signs)
    assert not planned(visitor) and not visitor.wrong, "the plan with what was chosen, its price and its report"


def test_a_table_of_bands_and_sexes_takes_at_most_ten_clicks(visit: Visit) -> None:
    """Count, mean and SD of two columns in five bands of age and both sexes, from the press that uses the dataset."""
    visitor = visit()
    page, person = visitor.open(), Counted(visitor)
    visitor.upload("people.csv", table())
    page.get_by_test_id("stButtonGroup").get_by_text("One row, picked at random").click()
    visitor.settle()
    person.click(page.get_by_role("button", name="Use this dataset"))
    person.click(page.get_by_role("link", name="Plan a release"))
    for label, choices in (
        ("Statistics", ("Count, mean and SD",)),
        ("Columns", ("Height (cm)", "Hours per week")),
        ("Group by (several columns are cross-tabulated)", ("Age (bands)", "Sex")),
    ):
        for choice in choices:
            person.click(page.get_by_label(label, exact=True).get_by_text(choice, exact=True))
    bands = page.get_by_role("textbox", name=re.compile("^Bands of Age"))
    bands.click(click_count=3)
    person.clicks += 1
    page.keyboard.type("30, 45, 60, 75")
    page.keyboard.press("Tab")
    visitor.settle()
    person.click(page.get_by_role("button", name="Add 6 queries"))
    person.click(page.get_by_role("button", name=re.compile(r"^Release 6 results \(spends .*\)$")))
    expect(page.get_by_role("button", name="Report (HTML)")).to_be_visible()
    visitor.settle()
    with page.expect_download() as report:
        page.get_by_role("button", name="Report (HTML)").click()
    text = report.value.path().read_text(encoding="utf-8")
    for group in product(("0–29", "30–44", "45–59", "60–74", "75–120"), ("Female", "Male")):
        names = "".join(f'<th scope="row">{name}</th>' for name in group)
        line = re.search(rf"<tr>{names}(.*?)</tr>", text)
        assert line is not None and line.group(1).count("<td") == 6, group
    assert person.clicks <= TABLE_CLICKS and not visitor.wrong, person.clicks


def schools() -> bytes:
    """Return four measures and a school, of many."""
    lines = (f"{20 + i % 60},{150 + i % 50},{50 + i % 60},{i % 60},{'abc'[i % 3]}" for i in range(3000))
    return "\n".join([",".join((*MEASURED, "school")), *lines, ""]).encode()


def twelve(report: str) -> None:
    """Fail unless a report has twelve figures and tables, each of three groups."""
    assert report.count("<figure") == 12 and report.count("<tbody") == 12 + 1 and report.count("<tr") >= 12 * (3 + 1)


@dataclass
class Clicking(Seat):
    """Somebody at a screen whose clicks are counted."""

    files: dict[str, Callable[[], Any]] = field(default_factory=dict)  # what makes each that can be taken along
    clicks: int = 0

    def press(self, label: str) -> Clicking:
        """Press a button."""
        self.clicks += 1
        super().press(label)
        return self

    def follow(self, label: str) -> None:
        """Go where the only link with this label leads."""
        self.clicks += 1
        (link,) = [link for link in self.app.get("page_link") if link.proto.label == label]
        self.open(link.proto.page.replace("-", "_"))

    def choose(self, label: str, *choices: str) -> None:
        """Take choices that are in sight, each when the last one is drawn."""
        self.clicks += len(choices)
        for choice in choices:
            (box,) = [box for box in self.app.get("button_group") if box.label == label]
            box.set_value([*box.value, choice])
            self.run()

    def file(self, label: str) -> Any:
        """Take along what a button makes when it is pressed."""
        self.clicks += 1
        (button,) = [button for button in self.app.get("download_button") if button.proto.label == label]
        return self.files[button.proto.deferred_file_id]()


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Clicking:
    """Sit down at a clean start, where files that can be taken along are noted."""
    discreet.ui.session.state.server().clear()
    clicking, plain = (
        Clicking(AppTest.from_file(str(SHELL), default_timeout=60), lambda: None),
        MediaFileManager.add_deferred,
    )

    def noted(manager: MediaFileManager, file: Callable[[], Any], *given: Any, **names: Any) -> str:
        mark = plain(manager, file, *given, **names)
        clicking.files[mark] = file
        return mark

    monkeypatch.setattr(MediaFileManager, "add_deferred", noted)
    clicking.open("dataset")
    return clicking


def test_a_first_result_on_an_own_file_takes_at_most_six_clicks(person: Clicking) -> None:
    """From the start page; what is new leads to its query, a changed schema stays, and a page that led here is back."""
    person.open("home").press("Use my table")
    person.open("dataset")  # where the press leads a browser
    person.uploaded("Upload a dataset", "people.csv", b"Age\n31\n52\n")
    person.clicks += 2
    person.field("Can one person have more than one row?").set_value("no").run()
    person.clicks += 1
    person.press("Use this dataset")
    assert person.app.title[0].value == "Query" and [each.value for each in person.app.success] == [
        r"people\.csv is in use."
    ]
    person.open("query")
    person.press("Release result (spends")
    assert person.text().count("Done.") == 1 and person.clicks <= FIRST_CLICKS, person.clicks
    person.open("dataset").press("Change schema")
    person.press("Use this dataset")
    assert person.app.title[0].value == "Dataset" and not person.app.success
    person.open("dataset", back="plan").press("Change schema")
    person.press("Use this dataset")
    assert person.app.title[0].value == "Plan"


def test_an_identifier_that_is_left_out_is_named(person: Clicking) -> None:
    """Who answers that each person has one row loses the column that would have shown otherwise.

    Its card asks what counts of each person; only where it is ignored, the page asks whether one has several rows.
    """
    person.open("dataset")
    person.uploaded("Upload a dataset", "people.csv", b"Age,Person ID\n31,a\n52,a\n")
    question = "Can one person have more than one row?"
    assert question not in [radio.label for radio in person.app.radio] and not person.app.warning
    assert any(each.value.startswith("Choose above what counts of each person") for each in person.app.caption)
    person.field("Kind").set_value("ignored").run()
    person.field(question).set_value("no").run()
    (warning,) = person.app.warning
    assert warning.value.startswith("Person ID seems to identify people and is left out")
    person.field(question).set_value("yes").run()
    assert not person.app.warning


def test_what_counts_of_each_person_is_asked_once(person: Clicking) -> None:
    """On the card of the column that is named like an identifier; its answer is all that was missing."""
    person.open("dataset")
    person.uploaded("Upload a dataset", "people.csv", b"Age,Person ID\n31,a\n52,a\n")
    person.field("What counts of each person").set_value("average").run()
    assert not person.app.radio
    person.press("Use this dataset")
    assert space(person.app).dataset.schema.columns["Person ID"] == Person(1, "mean")


def test_the_schema_of_a_file_with_the_same_columns_is_offered_again(person: Clicking) -> None:
    """In one press, without a question; not for other columns, and never by what rows hold."""
    person.open("dataset")
    person.uploaded("Upload a dataset", "may.csv", b"Age,Person ID\n31,a\n52,a\n")
    assert not person.buttons("Use the schema of")
    person.field("What counts of each person").set_value("average").run()
    person.press("Use this dataset")
    before = space(person.app).dataset.schema
    person.open("dataset").uploaded("Upload a dataset", "june.csv", b"Age,Person ID\n77,z\n12,y\n9,x\n")
    person.press("Use the schema of may")
    assert not person.buttons("Use the schema of") and not person.app.radio
    person.press("Use this dataset")
    assert space(person.app).current == "june.csv" and space(person.app).dataset.schema.columns == before.columns
    for other in (b"Age,Sex\n31,a\n", b"Person ID,Age\na,31\n"):
        person.open("dataset").uploaded("Upload a dataset", "other.csv", other)
        assert not person.buttons("Use the schema of")
        person.press("Discard this file")


def test_twelve_statistics_become_a_report_in_at_most_twelve_clicks(person: Clicking) -> None:
    """Of three groups each: choose, add, spend, take the report along."""
    person.uploaded("Upload a dataset", "people.csv", schools())
    person.uploaded("Schema or codebook file", "d.json", SCHOOLS.encode()).run()
    person.press("Use this dataset")
    person.clicks = 0
    person.follow("Plan a release")
    person.choose("Statistics", "mean", "median", "sum")
    person.choose("Columns", *MEASURED)
    person.choose("Group by (several columns are cross-tabulated)", "school")
    person.press("Add 12 queries")
    (spend,) = person.buttons("Release")
    assert spend.label.startswith("Release 12 results (spends")
    person.press("Release")
    twelve(person.file("Report (HTML)"))
    assert person.clicks <= REPORT_CLICKS, person.clicks


@pytest.mark.soak_alone
def test_a_table_becomes_a_report_in_at_most_twelve_clicks(visit: Visit) -> None:
    """Twelve statistics in three groups each: choose, add, spend, take the report along.

    In `make test` the test above does the same without a browser; the first one uploads, chooses and looks in one.
    """
    visitor = visit()
    page = visitor.open()
    visitor.upload("people.csv", schools())
    visitor.declare(SCHOOLS)
    person = Counted(visitor)
    person.click(page.get_by_role("link", name="Plan a release"))
    for label, choices in (
        ("Statistics", ("Mean", "Median", "Sum")),
        ("Columns", MEASURED),
        ("Group by (several columns are cross-tabulated)", ("school",)),
    ):
        for choice in choices:
            person.click(page.get_by_label(label, exact=True).get_by_text(choice, exact=True))
    person.click(page.get_by_role("button", name="Add 12 queries"))
    person.click(page.get_by_role("button", name=re.compile(r"^Release 12 results \(spends .*\)$")))
    with page.expect_download() as report:
        person.click(page.get_by_role("button", name="Report (HTML)"))
    twelve(report.value.path().read_text(encoding="utf-8"))
    assert person.clicks <= REPORT_CLICKS and not visitor.wrong, person.clicks
    assert not in_both_themes(visitor), "the plan with what was chosen, its price and its report"
