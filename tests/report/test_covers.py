"""Covers: who publishes, in which signs numbers are written, what sums are, and whether results still stand."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from decimal import Decimal

import jsonschema  # type: ignore[import-untyped]
import pytest
from support.publications import PLAN, SCHEMA, curator, release

from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.report.export import ANSWERS_SCHEMA
from discreet.report.html import html_report
from discreet.report.numbers import SIGNS, spelled, value_of
from discreet.report.programs import results_notebook
from discreet.report.publication import WARNINGS, Cover, Publication, publication
from discreet.report.tables import RELEASE, files
from discreet.rows import Category, Number, Person, Schema

PLAIN = Schema(
    {"age": Number(0, 90, integer=True), "sex": Category(("f", "m")), "town": Category(("1,234.5", "south"))}
)
CELLS = PLAIN.crossed(("sex", "town"))


@pytest.fixture(scope="module")
def report() -> Publication:
    """Return answers of every shape."""
    return publication([(given, SCHEMA) for given in curator().run(PLAN).releases], PLAN.total)


def crossed(*answers: float | None) -> Publication:
    """Return a report of the counts of two crossed groups."""
    spans = tuple((name, (0.0, 4000.0)) for name, answer in zip(CELLS, answers, strict=True) if answer is not None)
    drawn = tuple(zip(CELLS, answers, strict=True))
    return publication([(release(GlobalLaplace(query=Count()), drawn, spans, by=("sex", "town")), PLAIN)])


@pytest.mark.parametrize(
    ("signs", "text"), [("en", "-1,234,567.5"), ("de", "-1.234.567,5"), ("fr", "-1\u202f234\u202f567,5")]
)
def test_a_number_is_written_in_the_signs_of_a_language_and_read_back(signs: str, text: str) -> None:
    """From any of them to any other; dates, names and words stay."""
    for before, (thousands, decimal) in SIGNS.items():
        other = f"-1{thousands}234{thousands}567{decimal}5"
        assert spelled(other, signs, before) == text
    assert value_of(text, signs) == Decimal("-1234567.5")
    for word in ("2024-05-01", "north, south", "1.2.2024 to 3.4.2024", "–", ""):
        assert spelled(word, signs) == word and value_of(word, signs) is None


@pytest.mark.parametrize("signs", SIGNS)
def test_a_page_writes_its_numbers_and_costs_so_and_leaves_names_alone(signs: str) -> None:
    """In cells, intervals, sums and axes; a level that looks like a number is a name."""
    page = html_report(crossed(1500.26, 1251.5, 120.7, 130.8).covered(Cover(signs=signs)))
    thousands, decimal = SIGNS[signs]
    assert f">1{thousands}500<" in page and f">2{thousands}800<" in page and f"ε = 1{decimal}5" not in page
    assert ">1,234.5<" in page and ("1,500" in page) == (signs == "en")
    named = publication([(release(PermuteAndFlip(), "1,234.5", None, "town"), PLAIN)]).covered(Cover(signs=signs))
    assert named.chapters[0].data[0].text == "1,234.5"
    mean = publication([(release(GlobalLaplace(query=Mean(), epsilon=0.25), 38.26, (37.1, 39.4)), PLAIN)])
    again = html_report(mean.covered(Cover(signs="de")).covered(Cover(signs=signs)))
    assert f"38{decimal}3" in again and f"ε = 0{decimal}25" in again


def test_sums_are_of_what_is_printed_and_say_so() -> None:
    """To the right and below; of counts only, and of none of them if one is missing."""
    page = html_report(crossed(1500.26, 1251.5, 120.7, 130.8))
    cells = [
        int(text.replace(",", "")) for text in re.findall(r'figures(?: heat\d)?">([\d,]+)<', page.split("<details")[0])
    ]
    a, b, first, c, d, second, left, right, every = cells
    assert (a + b, c + d, a + c, b + d, first + second) == (first, second, left, right, every) and every == 3000
    assert "They are not released results and have no interval." in page
    for other in (
        crossed(1500.26, None, 120.7, 130.8),
        publication([(release(GlobalLaplace(query=Mean()), (("f", 30.0), ("m", 40.0)), None, by="sex"), PLAIN)]),
    ):
        assert "<tfoot" not in html_report(other) and "not released results" not in html_report(other)


def test_people_are_counted_where_each_person_has_one_row() -> None:
    """Rows of persons with several, and values in a unit of their own, keep their names."""
    given = release(GlobalLaplace(query=Count()), 30.0, (20.0, 40.0))
    for person, unit in ((Person(rows=1), "people"), (Person(rows=5), "rows"), (None, "rows")):
        columns = PLAIN.columns if person is None else {"who": person, **PLAIN.columns}
        (chapter,) = publication([(given, Schema(columns))]).chapters
        assert chapter.unit == unit


def test_a_cover_is_on_the_page_and_never_runs(report: Publication) -> None:
    """Title, office, contact and each line of the note; signs of HTML and of CSS are only text."""
    odd = '"}</style><script>alert(1)</script>\\22 @import url(x)'
    page = html_report(report.covered(Cover(odd, odd, odd, f"one\n\n{odd}")))
    style = page.split("<style>")[1].split("</style>")[0]
    assert "<script" not in page and "@import" not in style and page.count("</style>") == 1
    title = page.split("<title>")[1].split("</title>")[0]
    assert title.startswith("&quot;}&lt;/style&gt;") and page.count("alert(1)") == 5 and "<p>one</p>" in page
    plain = html_report(report)
    assert "Released statistics" in plain and 'class="status"' not in plain


def formats(given: Publication) -> dict[str, str]:
    """Return every format that is text."""
    return {**files(given), "notebook": results_notebook(given)}


@pytest.mark.parametrize("status", ["corrected", "withdrawn"])
def test_what_was_corrected_or_withdrawn_says_so_in_every_format(report: Publication, status: str) -> None:
    """On top of the page and of the notebook, beside each number of the tables; nothing says so before."""
    held, before = formats(report.covered(Cover(status=status))), formats(report)
    words = str(WARNINGS[status])
    assert held["report.html"].index(words) < held["report.html"].index("<h1") and f"**{words}**" in held["notebook"]
    lines = list(csv.DictReader(io.StringIO(held["data.csv"])))
    assert {line["status"] for line in lines} == {status}
    records = json.loads(held["answers.json"])
    jsonschema.validate(records, ANSWERS_SCHEMA)
    assert {record["status"] for record in records["releases"]} == {status}
    assert not any(words in text for text in before.values())
    assert {line["status"] for line in csv.DictReader(io.StringIO(before["data.csv"]))} == {""}


def test_a_result_that_a_more_precise_one_replaced_says_so() -> None:
    """The earlier one, not the later one; whether both are in the files or only the earlier one."""
    early = release(GlobalLaplace(query=Mean()), 38.0, (30.0, 46.0))
    late = replace(early, id="b" * 64, answer=37.0, refines=early.id)
    both = publication([(early, PLAIN), (late, PLAIN)])
    alone = publication([(early, PLAIN)], replaced={early.id})
    assert both.statuses == alone.statuses == {early.id: "replaced"}
    assert (
        html_report(both).count(str(WARNINGS["replaced"])) == html_report(alone).count(str(WARNINGS["replaced"])) == 1
    )
    lines = csv.DictReader(io.StringIO(files(both)["data.csv"]))
    assert [line["status"] for line in lines] == ["replaced", ""]


def test_each_grouping_variable_has_a_column_of_its_own() -> None:
    """In CSV and JSON; the old columns stay in their places, and a name that is taken gets another one."""
    schema = Schema({"age": Number(0, 90), "size": Category(("=1", "b")), "group": Category(("x", "y"))})
    by = ("size", "group")
    drawn = tuple((name, 30.0) for name in schema.crossed(by))
    held = files(publication([(release(GlobalLaplace(query=Mean()), drawn, None, by=by), schema)]))
    head, first, *_ = csv.reader(io.StringIO(held["data.csv"]))
    assert head == [*RELEASE, "size (group)", "group (group)"] and first[-2:] == ["'=1", "x"]
    assert first[head.index("group")] == "'=1 · x" and first[head.index("by")] == "size, group"
    (record,) = json.loads(held["answers.json"])["releases"]
    assert [value["groups"] for value in record["values"]][:2] == [
        {"size": "=1", "group": "x"},
        {"size": "=1", "group": "y"},
    ]
