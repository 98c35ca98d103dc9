"""Workbook: what a spreadsheet reads is what was released, and nothing in it is executed."""

from __future__ import annotations

import io
import math
import zipfile
from dataclasses import replace

import pytest
from python_calamine import CalamineWorkbook
from support.publications import HOSTILE, PLAN, SCHEMA, curator

from discreet.report.publication import Publication, publication
from discreet.report.tables import MEANING, RELEASE, lines_of, workbook


@pytest.fixture(scope="module")
def report() -> Publication:
    """Return answers of every shape."""
    return publication([(given, SCHEMA) for given in curator().run(PLAN).releases], PLAN.total)


def test_every_number_is_read_as_it_was_released(report: Publication) -> None:
    """Line by line the same as the table of numbers, to sixteen digits; texts with formulas stay texts."""
    data = workbook(report)
    answers, about = CalamineWorkbook.from_filelike(io.BytesIO(data)).sheet_names
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_name(answers).to_python()
    lines = list(lines_of(report.own, report.at_once))
    assert sheet[0] == RELEASE and len(sheet) == len(lines) + 1 > 10
    for cells, line in zip(sheet[1:], lines, strict=True):
        for cell, name in zip(cells, RELEASE, strict=True):
            expected = "" if line[name] is None else line[name]
            close = (
                isinstance(cell, float) and isinstance(expected, float) and math.isclose(cell, expected, rel_tol=1e-15)
            )
            assert close or cell == expected or str(cell) == str(expected), (name, cell, expected)
    assert any(HOSTILE in str(cell) for line_ in sheet for cell in line_)
    words = [
        str(cell)
        for line_ in CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_name(about).to_python()
        for cell in line_
    ]
    assert all(str(method) in words for method in report.methods) and all(name in words for name in MEANING)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert not any(b"<f>" in archive.read(name) for name in archive.namelist() if "sheet" in name)
    assert workbook(report) == data


@pytest.mark.parametrize("value", [math.inf, -math.inf, 2**60 + 1, "=cmd|' /C calc'!A0", "x" * 40_000, "a\x00b\x1f"])
def test_what_no_cell_holds_is_written_as_text(report: Publication, value: object) -> None:
    """Numbers beyond a cell, formulas, long texts and control signs: nothing fails, nothing is executed."""
    chapter = report.chapters[0]
    named = replace(chapter.release, id=str(value), answer=1.5)
    odd = replace(report, chapters=(replace(chapter, release=named),), alone=(named,))
    data = workbook(odd)
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python()
    assert isinstance(sheet[1][RELEASE.index("id")], str)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
