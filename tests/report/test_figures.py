"""Figures of results: each in the form that fits its query, with its numbers, its unit and a description."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.publications import HOSTILE, LEVELS, PLAN, SCHEMA, curator, release

from discreet.curator import Request
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.queries.column import Bins
from discreet.queries.count import Count
from discreet.report.html import FIGURES, apart, axis, crowded, english, figure, html_report, marked, thinned
from discreet.report.publication import Chapter, chapter, dated, ordered, publication
from discreet.rows import Category, Number, Schema

TOWN, CROSSED = PLAN.rows[3], PLAN.rows[2]


def asked(mechanism: Any, column: str = "age", **more: Any) -> Chapter:
    """Return the result of a query in the words of a table."""
    return chapter(curator().ask(Request(mechanism, (column,), **more)), SCHEMA)


def drawn(told: Chapter) -> str:
    """Return its figure."""
    found = figure(told, english)
    assert found is not None
    return found


FORMS = {
    "rows": [Request(TwoCounts(epsilon=0.2), ("age",)), Request(QuantileTree(epsilon=0.2), ("age",), by="town")],
    "sorted": [Request(TwoCounts(epsilon=0.2), ("age",), by="town"), Request(CountsGeometric(epsilon=0.2), ("town",))],
    "bars": [Request(CountsGeometric(epsilon=0.2, bins=Bins((0.0, 30.0, 60.0, 90.0))), ("age",))],
    "line": [Request(CountsGeometric(epsilon=0.2, bins=Bins((0.0, 91.0, 182.0, 274.0, 365.0))), ("day",))],
    "map": [Request(Geometric(Count(), epsilon=0.2), ("age",), by=(HOSTILE, "town"))],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_result_with_a_number_is_drawn_in_its_form(form: str) -> None:
    """A dot for a number, bars for bins, sorted dots for a group, a map for two, a line for dates."""
    for request in FORMS[form]:
        told = chapter(curator().ask(request), SCHEMA)
        text = drawn(told)
        assert told.form == form
        assert 'aria-label="' in text and ('role="img"' in text) == (form != "map")
        kind = {"bars": "bar", "line": "area", "map": "heat6"}.get(form, "dot")
        assert len(re.findall(rf'class="[^"]*\b{kind}\b', text)) >= 1
        title = "rows" if told.counts else "years"
        assert f">{title}</figcaption>" in text or f"({title})</figcaption>" in text or form == "map"


def test_a_choice_and_a_refusal_are_not_drawn() -> None:
    """They have no place on an axis."""
    assert figure(asked(PermuteAndFlip(epsilon=0.2), HOSTILE), english) is None
    assert figure(chapter(release(TwoCounts(), None, None), SCHEMA), english) is None


def test_a_number_stands_with_both_ends_of_its_interval() -> None:
    """As printed, beside the band."""
    told = asked(TwoCounts(epsilon=0.2))
    (datum,) = told.data
    assert datum.ends is not None
    assert f"{datum.text}<small>{datum.ends[0]} – {datum.ends[1]}</small>" in drawn(told)


def test_numbers_of_one_line_stand_below_each_other_where_they_are_long() -> None:
    """Three dates do, three ages do not."""
    assert drawn(asked(QuantileTree(epsilon=0.2), "day")).count('class="each"') == 3
    assert 'class="each"' not in drawn(asked(QuantileTree(epsilon=0.2)))


def test_the_largest_group_is_first_and_bands_are_where_the_intervals_are() -> None:
    """Places in percent of the axis."""
    given = (("north", 30.0), ("south", 40.0))
    spans = (("north", (28.0, 32.0)), ("south", (35.0, 45.0)))
    text = drawn(chapter(release(TwoCounts(), given, spans, by="town"), SCHEMA))
    assert re.findall(r'class="name">(\w+)<', text) == ["south", "north"]
    scale = axis([28, 45], zero=False)
    assert scale is not None
    found = [tuple(map(float, pair)) for pair in re.findall(r'"band" style="left:([\d.]+)%;width:([\d.]+)%', text)]
    wanted = [(scale.at(low), scale.at(high) - scale.at(low)) for low, high in ((35, 45), (28, 32))]
    for pair, exact in zip(found, wanted, strict=True):
        assert pair == pytest.approx([100 * each for each in exact], abs=0.01)


def test_bars_begin_at_zero_and_are_as_high_as_their_counts() -> None:
    """Interval marks are around their ends, and edges stand between bars."""
    mechanism = CountsGeometric(bins=Bins((0.0, 30.0, 60.0, 90.0)))
    spans = ((92.0, 112.0), (190.0, 210.0), (140.0, 160.0))
    text = drawn(chapter(release(mechanism, (102, 200, 150), spans), SCHEMA))
    heights = list(map(float, re.findall(r'class="bar"[^>]*height:([\d.]+)%', text)))
    assert [heights[1] / each for each in heights] == pytest.approx([200 / 102, 1, 200 / 150], rel=1e-3)
    reach = re.findall(r'class="reach"[^>]*bottom:([\d.]+)%;height:([\d.]+)%', text)
    assert [float(low) + float(high) / 2 for low, high in reach] == pytest.approx(heights, abs=0.02)
    below = text[text.index('class="ticks"') :]
    assert re.findall(r'class="tick[^"]*" style="left:([\d.]+)%">(\d+)<', below) == [
        ("0.00", "0"),
        ("33.33", "30"),
        ("66.67", "60"),
        ("100.00", "90"),
    ]


def test_a_value_that_is_not_shown_interrupts_a_line() -> None:
    """It is not joined over."""
    schema = Schema({"age": Number(0, 90, integer=True), "year": Category(("2020", "2021", "2022", "2023"))})
    given = tuple(zip(("2020", "2021", "2022", "2023"), (30.0, 31.0, None, 33.0), strict=True))
    spans = (("2020", (29.0, 31.0)), ("2021", (30.0, 32.0)), ("2023", (32.0, 34.0)))
    told = chapter(release(TwoCounts(), given, spans, by="year"), schema)
    assert told.form == "line" and drawn(told).count('class="line"') == 2 and drawn(told).count('class="area"') == 2


def test_names_decide_whether_a_line_or_an_order_fits() -> None:
    """Dates at even distances in their order; names with ascending numbers."""
    assert dated(["2019", "2020", "2021"]) and dated(["2023-11", "2023-12", "2024-01"])
    assert not dated(["2019", "2020"]) and not dated(["2019", "2020", "2024"]) and not dated(["2021", "2020", "2019"])
    assert not dated(["north", "south", "west"])
    assert ordered(["under 18", "18–24", "65+"]) and not ordered(["Care", "Trade"]) and not ordered(["9", "1"])


def test_the_group_with_more_levels_goes_down_in_a_map() -> None:
    """So the table is narrow; every number is in the cell of its two levels."""
    schema = Schema(
        {"age": Number(0, 90, integer=True), "sex": Category(("f", "m")), "town": Category(("a", "b", "c"))}
    )
    names = schema.crossed(("sex", "town"))
    mechanism = GlobalLaplace(query=Count())
    given = tuple(zip(names, (10.0, 20.0, 30.0, 40.0, 50.0, 60.0), strict=True))
    spans = tuple((name, (value - 1, value + 1)) for name, value in given)
    text = drawn(chapter(release(mechanism, given, spans, by=("sex", "town")), schema))
    rows = [re.findall(r'scope="row">(\w)<|heat\d">(\d+)<', row) for row in text.split("<tr>")[2:]]
    assert [["".join(cell) for cell in row] for row in rows] == [
        ["a", "10", "40"],
        ["b", "20", "50"],
        ["c", "30", "60"],
    ]
    assert re.findall(r'scope="col" class="figures">(\w)<', text) == ["f", "m"]


def test_labels_that_have_no_room_are_left_out_on_a_phone_only() -> None:
    """Every second, every third; numbers on bars from a width on."""
    assert apart(["0", "10", "20"], 300) == 1 and apart(["100,000"] * 6, 150) == 3
    assert thinned(["100,000"] * 6, 150, 300) == (4, 2)
    assert thinned(["0", "10,000", "20,000", "30,000", "40,000"], 150, 300, least=3) == (2, 2)  # not 0 and 30,000
    assert thinned(["10,000"] * 4, 150, 300, least=3) == (2, 1) and thinned(["0", "10"], 1, 1, least=3) == (1, 1)
    assert [crowded(["9"] * 3), crowded(["9,999"] * 6), crowded(["9,999"] * 12), crowded(["9,999"] * 40)] == [
        "",
        "over30",
        "over44",
        None,
    ]
    assert ".over30" in FIGURES and ".over44" in FIGURES


def test_marks_tell_the_error_beside_the_value() -> None:
    """Half the interval in percent of the value: up to 5 a, up to 15 b, more in brackets; without interval none."""
    for half, text in ((1.0, "20 a"), (1.1, "20.0 b"), (3.0, "20 b"), (3.1, "(20.0)")):
        told = chapter(release(TwoCounts(), 20.0, (20.0 - half, 20.0 + half)), SCHEMA)
        assert marked(told.data[0], english, (0.05, 0.15)) == text
    bare = chapter(release(TwoCounts(), 20.0, None), SCHEMA)
    assert marked(bare.data[0], english, (0.05, 0.15)) == bare.data[0].text


def test_hostile_names_stay_text_in_every_form() -> None:
    """Of a line, of a map, of a bar."""
    for request in (CROSSED, TOWN, Request(CountsGeometric(epsilon=0.2), (HOSTILE,))):
        text = drawn(chapter(curator().ask(request), SCHEMA))
        assert "<script" not in text and "<b>" not in text
    assert "&lt;b&gt;x&lt;/b&gt;" in drawn(chapter(curator().ask(CROSSED), SCHEMA)) and LEVELS[0] == "<b>x</b>"


def test_the_report_has_the_same_figure() -> None:
    """With its style, once; a map of counts has sums there."""
    given = curator().ask(TOWN)
    page = html_report(publication([(given, SCHEMA)]))
    assert drawn(chapter(given, SCHEMA)) in page and page.count(".fig figcaption") == 1
    page = html_report(publication([(curator().ask(CROSSED), SCHEMA)]))
    assert page.count("<tfoot>") >= 1 and page.count("heat") > 8 and "<figure" not in page
