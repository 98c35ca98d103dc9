"""Workbook: what a spreadsheet reads is what is printed and what was released, and nothing in it is executed."""

from __future__ import annotations

import io
import math
import re
import zipfile
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from python_calamine import CalamineWorkbook
from support.publications import HOSTILE, PLAN, SCHEMA, curator, release

from discreet.mechanisms.counts_gaussian import CountsGaussian
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.report.export import plain_answer
from discreet.report.html import html_report
from discreet.report.numbers import value_of
from discreet.report.programs import results_notebook
from discreet.report.publication import CORRECTED, WITHDRAWN, Cover, Publication, blocks, publication
from discreet.report.tables import MEANING, RELEASE, grouping, lines_of
from discreet.report.workbook import LONGEST_NAME, sheet_name, workbook
from discreet.rows import Bands, Category, Date, Number, Person, Recode, Schema
from discreet.rows.columns.grouping import source_of
from discreet.ui.frame.catalogue import said_in

PLAIN = Schema({"age": Number(0, 90, integer=True), "sex": Category(("f", "m")), "town": Category(("north", "south"))})


@pytest.fixture(scope="module")
def report() -> Publication:
    """Return answers of every shape."""
    return publication([(given, SCHEMA) for given in curator().run(PLAN).releases], PLAN.total)


def sheets(data: bytes) -> dict[str, list[list[object]]]:
    """Read every sheet of a workbook by its name."""
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    return {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}


def formulas(data: bytes) -> bool:
    """Return whether any cell is executed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return any(b"<f>" in archive.read(name) for name in archive.namelist() if "sheet" in name)


def test_every_number_is_read_as_it_was_released(report: Publication) -> None:
    """Line by line the same as the table of numbers, to sixteen digits; texts with formulas stay texts."""
    data = workbook(report)
    read = sheets(data)
    head, *cells_of = read["Data"]
    lines = list(lines_of(report.own, report.at_once))
    assert len(cells_of) == len(lines) > 10
    assert set(head) == {*RELEASE, *grouping(report.own).values()} - {"by", "group"}
    for cells, line in zip(cells_of, lines, strict=True):
        for cell, name in zip(cells, head, strict=True):
            expected = "" if line[str(name)] is None else line[str(name)]
            close = (
                isinstance(cell, float) and isinstance(expected, float) and math.isclose(cell, expected, rel_tol=1e-15)
            )
            assert close or cell == expected or str(cell) == str(expected), (name, cell, expected)
    assert any(HOSTILE in str(cell) for line_ in cells_of for cell in line_)
    words = [str(cell) for line_ in read["About"] for cell in line_]
    assert all(str(method) in words for method in report.methods) and all(name in words for name in MEANING)
    assert not formulas(data) and workbook(report) == data


def test_a_number_that_the_screen_hides_says_so_in_its_own_cell() -> None:
    """Of the long table: the number stays a number, and what is shown of it ends with the reason; others are plain."""
    answers = (("north", 30.0), ("south", 38.0))
    ends = (("north", (29.0, 31.0)), ("south", (0.0, 90.0)))
    data = workbook(publication([(release(TwoCounts(), answers, ends, by="town"), SCHEMA)]))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        styles = archive.read("xl/styles.xml").decode()
        cells = archive.read("xl/worksheets/sheet2.xml").decode()
    (code,) = re.findall(r'numFmtId="(\d+)" formatCode="General&quot; \(not shown \(too noisy\)\)&quot;"', styles)
    looks = re.findall(r'<xf numFmtId="(\d+)"', styles.split("<cellXfs")[1])
    of = {
        float(value): looks[int(style or 0)]
        for style, value in re.findall(r'<c r="\w+"(?: s="(\d+)")?><v>([\d.]+)', cells)
    }
    assert of[38.0] == code and of[30.0] != code and of[90.0] != code


def test_each_query_has_a_sheet_as_it_is_printed(report: Publication) -> None:
    """In order, named by what is asked; with the digits that the report prints, and each interval beside."""
    read = sheets(workbook(report))
    names = list(read)
    assert len(names) == len(report.chapters) + 2 and names[-2:] == ["Data", "About"]
    assert names[0] == "1 Mean of age (years)" and names[3] == "4 Number of rows by town"
    for name, chapter in zip(names, report.chapters, strict=False):
        cells = {str(cell) for line in read[name] for cell in line}
        for datum, printed in zip(chapter.data, chapter.printed, strict=True):
            assert printed is None or str(float(printed)) in cells
            for end in datum.ends or ():
                number = value_of(end, "en")
                assert (end if number is None else str(float(number))) in cells


def test_a_cross_table_has_its_sums_and_says_what_they_are() -> None:
    """They are of the printed cells, in both directions; the total is named where it is a result of its own."""
    spans = tuple((name, (0.0, 40.0)) for name in PLAIN.crossed(("sex", "town")))
    drawn = tuple(zip(PLAIN.crossed(("sex", "town")), (11.26, 12.74, 3.5, 4.51), strict=True))
    crossed = release(GlobalLaplace(query=Count(), epsilon=0.2), drawn, spans, by=("sex", "town"))
    alone = replace(release(GlobalLaplace(query=Count(), epsilon=0.3), 33.1, (13.0, 53.0)), id="b" * 64)
    one = publication([(crossed, PLAIN)])
    (name, *_), read = sheets(workbook(one)), sheets(workbook(one))
    head = next(line for line in read[name] if "Sum" in line)
    at = read[name].index(head)
    assert head == ["sex", "north", "Low (95%)", "High (95%)", "south", "Low (95%)", "High (95%)", "Sum"]
    assert read[name][at + 1] == ["f", 11.0, 0.0, 40.0, 13.0, 0.0, 40.0, 24.0]  # ends are numbers
    assert [line[-1] for line in read[name][at + 1 : at + 4]] == [24.0, 9.0, 33.0]
    assert read[name][at + 3][:5] == ["Sum", 15.0, "", "", 18.0]
    assert sum(1 for line in read[name] if "not released results" in str(line[0])) == 1
    both = sheets(workbook(publication([(crossed, PLAIN), (alone, PLAIN)])))
    assert any("may differ: query 2" in str(line[0]) for line in both[name])


def test_bands_head_their_rows_and_other_bands_of_the_column_have_a_table_of_their_own() -> None:
    """In the sheet, the report and the list of all values; the title names the bands, in the reader's language."""
    schema = Schema({**PLAIN.columns, "pay": Number(0, 9000)})
    tens, halves = Bands("age", (18, 65)), Bands("age", every=50)
    given = []
    for at, (by, column) in enumerate(((tens, "age"), (tens, "pay"), (halves, "pay"))):
        names = schema.category(by).labels
        drawn, spans = [tuple((name, value) for name in names) for value in (11.4, (8.2, 14.6))]
        one = release(GlobalLaplace(query=Count(), epsilon=0.2), drawn, spans, by=by)
        given.append((replace(one, id=f"{at}" * 64, request=replace(one.request, columns=(column,))), schema))
    every = publication(given)
    assert [block.places for block in blocks(every.chapters)] == [(0, 1), (2,)]
    assert [chapter.form for chapter in every.chapters] == ["rows"] * 3
    assert str(every.chapters[2].title) == "Number of rows with a value of pay by age (bands of 50)"
    assert said_in("zh", every.chapters[2].title).endswith("（按 age（每 50 一段））")
    first, second, data, _ = sheets(workbook(every)).values()
    assert [line[0] for line in first[3:]][:4] == ["age", "0–17", "18–64", "65–90"]
    assert any("18–64" in str(cell) for line in data for cell in line) and "age" in data[0]
    assert any(line and line[0] == "0–49" for line in second)
    page = html_report(every)
    assert "Number of rows with a value of pay by age (bands from 18, 65)</h2>" in page and "65–90" in page


DATED = Schema({"age": Number(0, 5), "day": Date("2024-01-01", "2024-12-31"), "g": Category(("Monday",), other=True)})
SPOKEN: list[tuple[Any, str, str]] = [
    (Bands("day", every="weekday"), "Monday", "星期一"),
    (Bands("age", (0.5, 2)), "0.5 to under 2", "0.5 至 2 以下"),
    (Bands("age", (0.5, 2)), "2 to 5", "2 至 5"),
    (Bands("day", ("2024-07-01",)), "2024-07-01 to 2024-12-31", "2024-07-01 至 2024-12-31"),
    (Recode("g", (("Monday", "free"),)), "other", "其他"),
    ("g", "other", "其他"),
    ("g", "Monday", "Monday"),
]


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize(("by", "name", "spoken"), SPOKEN)
def test_names_of_bands_are_in_the_readers_language_and_stored_in_one(
    by: Any, name: str, spoken: str, crossed: bool
) -> None:
    """Weekdays, ends and the level other; a declared level stays as it is, also one that is called Monday."""
    other = "g" if source_of(by) != "g" else Bands("day", every="quarter")
    groups = (by, other) if crossed else (by,)
    names = DATED.crossed(groups)
    assert all(type(each) is str for each in names) and any(name in each for each in names)
    drawn, spans = [tuple((each, value) for each in names) for value in (11.4, (8.2, 14.6))]
    one = release(GlobalLaplace(query=Count(), epsilon=0.2), drawn, spans, by=groups)
    every, say = publication([(one, DATED)] * 2), partial(said_in, "zh")
    assert f">{spoken}<" in html_report(every, say, "zh") and f"'{spoken}'" in str(sheets(workbook(every, say)))
    assert name in html_report(every) and name in str(sheets(workbook(every))) and plain_answer(one.answer)
    data_sheet = str(list(sheets(workbook(every, say)).values())[-2])
    assert name in data_sheet and (name == spoken or spoken not in data_sheet), "numbers are exported as stored"


def test_queries_of_the_same_groups_stand_in_one_table_under_a_title_that_can_be_printed() -> None:
    """On one sheet and in one table of the report: whole counts beside means, each with the ends of its interval."""
    schema = Schema({**PLAIN.columns, "pay": Number(0, 9000, unit="€"), "id": Person(rows=1)})
    spans = (("f", (8.2, 14.6)), ("m", (5.2, 11.5)))
    count = release(GlobalLaplace(query=Count(), epsilon=0.2), (("f", 11.4), ("m", 8.3)), spans, by="sex")
    ends = (("f", (2000.0, 2100.0)), ("m", (1900.0, 2200.0)))
    mean = release(GlobalLaplace(query=Mean(), epsilon=0.2), (("f", 2050.5), ("m", 2050.5)), ends, by="sex")
    mean = replace(mean, id="c" * 64, request=replace(mean.request, columns=("pay",)))
    alone = replace(release(GlobalLaplace(query=Count(), epsilon=0.3), 19.7, (13.0, 33.0)), id="b" * 64)
    every = publication([(count, schema), (mean, schema), (alone, schema)])
    assert str(every.chapters[1].title) == "Mean of pay (€) by sex"
    assert said_in("zh", every.chapters[1].title) == "pay（€）的均值（按 sex）"
    assert [block.places for block in blocks(every.chapters)] == [(0, 1), (2,)]
    (first, second, data, _) = sheets(workbook(every)).values()
    what = "Number of people with a value of age"
    assert str(first[0][0]) == f"1. {what}, Mean of pay (€) by sex"
    assert first[3] == ["sex", what, "Low (95%)", "High (95%)", "Mean of pay (€)", "Low (95%)", "High (95%)"]
    assert first[4] == ["f", 11.0, 8.0, 15.0, 2050.0, 2000.0, 2100.0]
    assert str(second[0][0]) == f"3. {what}" and second[4][1] == 20.0
    exact = [line[data[0].index("answer")] for line in data[1:]]
    assert exact == [11.4, 8.3, 2050.5, 2050.5, 19.7] and {line[data[0].index("unit")] for line in data[1:]} == {
        "people",
        "€",
    }
    page = html_report(every)
    assert page.count(f"{what}, Mean of pay (€) by sex</h2>") == 1 and "11.4" not in page
    assert page.index(f'scope="col" class="figures">{what}</th>') < page.index("1. Number")


def test_nothing_is_added_up_where_a_cell_is_missing() -> None:
    """A sum without it would be read as the sum of all."""
    spans = (("f", (0.0, 40.0)),)
    given = release(GlobalLaplace(query=Count(), epsilon=0.2), (("f", 11.0), ("m", None)), spans, by="sex")
    (first, *_) = sheets(workbook(publication([(given, PLAIN)]))).values()
    assert not any("Sum" in line for line in first) and any("no result" in line for line in first)


def test_names_of_sheets_are_never_equal_and_always_allowed() -> None:
    """Names that are equal once they are cut, formulas, pictures, and signs that no sheet may have."""
    long = "the same very long name of a column with something else at its end "
    odd = [f"{long}1", f"{long}2", "=cmd|' /C calc'!A0", "[a]:*?/\\'b'", "", "\x00\x1f", "history", "Data", "About"]
    odd.append("\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}" * 20)
    names = [sheet_name(number, name) for number, name in enumerate(odd, 1)]
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert 0 < len(name.encode("utf-16-le")) <= 2 * LONGEST_NAME and not set(name) & set("[]:*?/\\'\x00\x1f")
    given = release(CountsGaussian(), (3.0, 41.0), ((0.0, 9.0), (36.0, 47.0)), "x")
    every = [
        (
            replace(given, id=str(at), request=replace(given.request, columns=(name,))),
            Schema({name: Category(("=1+1", "@b"))}),
        )
        for at, name in enumerate(name for name in odd if name and name.isprintable())
    ]
    data = workbook(publication(every))
    assert len(sheets(data)) == len(every) + 2 and not formulas(data)


def test_what_does_not_stand_says_so_on_every_sheet(report: Publication) -> None:
    """In the first cell of each query, in a column of the data, and on the last sheet."""
    given = report.covered(Cover("=Title", "Office", status=WITHDRAWN))
    *queries, data, about = sheets(workbook(given)).values()
    assert all(str(sheet[0][0]).startswith("Withdrawn") for sheet in [*queries, about])
    assert {line[data[0].index("status")] for line in data[1:]} == {"withdrawn"}
    assert ["Title", "=Title"] in about and not formulas(workbook(given))
    fresh = sheets(workbook(report.covered(Cover(status=CORRECTED))))
    assert str(fresh["About"][0][0]).startswith("Corrected")


@pytest.mark.parametrize("value", [math.inf, -math.inf, 2**60 + 1, "=cmd|' /C calc'!A0", "x" * 40_000, "a\x00b\x1f"])
def test_what_no_cell_holds_is_written_as_text(report: Publication, value: object) -> None:
    """Numbers beyond a cell, formulas, long texts and control signs: nothing fails, nothing is executed."""
    chapter = report.chapters[0]
    named = replace(chapter.release, id=str(value), answer=1.5)
    odd = replace(report, chapters=(replace(chapter, release=named),), alone=(named,))
    data = workbook(odd)
    head, line = sheets(data)["Data"]
    assert isinstance(line[head.index("id")], str) and not formulas(data)


def test_marks_of_quality_stand_beside_the_numbers_if_a_rule_was_chosen() -> None:
    """In the tables of a workbook, and in the table of a notebook; what they mean is said once in each."""
    spans = (("f", (98.0, 102.0)), ("m", (90.0, 110.0)))
    count = release(GlobalLaplace(query=Count(), epsilon=0.2), (("f", 100.0), ("m", 100.0)), spans, by="sex")
    poor = replace(release(GlobalLaplace(query=Count(), epsilon=0.3), 10.0, (0.0, 20.0)), id="b" * 64)
    plain = publication([(count, PLAIN), (poor, PLAIN)])
    chosen = replace(plain, rule=(0.05, 0.15))
    first, second, _, about = sheets(workbook(chosen)).values()
    (at,) = [at for at, line in enumerate(first) if "Quality" in line]
    assert [line[4] for line in first[at : at + 3]] == ["Quality", "a", "b"] and [
        line[4] for line in second if "( )" in line
    ] == ["( )"]
    assert ["Quality", "a: up to 5%, b: up to 15%, in brackets: more"] in [line[:2] for line in about]
    assert "Quality" not in str(sheets(workbook(plain)))
    book = results_notebook(chosen)
    assert book.count("'quality': 'a'") == book.count("'quality': 'b'") == book.count("'quality': '( )'") == 1
    assert "a: up to 5%, b: up to 15%" in book and "a: up to" not in results_notebook(plain)
