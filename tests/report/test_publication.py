"""Publication: released answers as a table says them, and as one HTML file; numbers are those of the releases."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from support.for_each import for_each
from support.publications import HOSTILE, LEVELS, PLAN, ROOT, SCHEMA, curator, release

from discreet.budget import Cost, ParameterError, Phrase
from discreet.budget.composition import sums
from discreet.curator import Request
from discreet.curator.plan import Answers
from discreet.mechanisms import registry
from discreet.mechanisms.counts_gaussian import CountsGaussian
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import VAGUE
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.queries.column import HowRead
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.report.adding_up import adding_up
from discreet.report.html import html_report
from discreet.report.numbers import numbers
from discreet.report.publication import Publication, publication
from discreet.report.tables import answers_csv
from discreet.report.words import as_read, methods, statistic
from discreet.rows import Number, Person, Schema


@pytest.fixture(scope="module")
def answers() -> Answers:
    """Answer a plan of every shape that an answer has."""
    return curator().run(PLAN)


@pytest.fixture(scope="module")
def report(answers: Answers) -> Publication:
    """Return it as a publication."""
    return publication([(release, SCHEMA) for release in answers.releases], PLAN.total)


class Page(HTMLParser):
    """Every tag, attribute and text of a page, as a browser reads them."""

    def __init__(self, text: str) -> None:
        """Read it."""
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember it."""
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        """Remember it."""
        self.texts.append(data)


def test_every_number_of_every_release_is_there_once_and_is_the_same(answers: Answers, report: Publication) -> None:
    """To the last bit, with its group, its part and its interval."""
    assert len(report.chapters) == len(answers.releases)
    for chapter, given in zip(report.chapters, answers.releases, strict=True):
        flat = []
        for _, answer, span in numbers(given):
            several = isinstance(answer, tuple)
            flat += list(zip(answer, span or [None] * len(answer), strict=True)) if several else [(answer, span)]
        assert [(datum.answer, datum.interval) for datum in chapter.data] == flat
    by_two, quantiles = report.chapters[2], report.chapters[4]
    assert [datum.levels for datum in by_two.data] == [(x, y) for x in LEVELS for y in ("north", "south")]
    assert [(*datum.levels, datum.part) for datum in quantiles.data] == [
        (town, level) for town in ("north", "south") for level in ("0.25", "0.5", "0.75")
    ]
    assert [datum.part for datum in report.chapters[3].data] == ["north", "south"]
    assert all(re.fullmatch(r"2024-\d\d-\d\d", datum.text) for datum in report.chapters[5].data)


@for_each([slug for slug, kind in registry.items() if not kind.open_only])
def test_whatever_any_mechanism_answers_can_be_published(slug: str) -> None:
    """By registration: each stands in the page with a statistic, and none is printed sharper than its interval."""
    mechanism = registry[slug]()
    asked = curator().ask(Request(mechanism, ("town" if mechanism.view.category else "age",) * mechanism.view.columns))
    report = publication([(asked, SCHEMA)])
    (chapter,) = report.chapters
    assert chapter.statistic and len(Page(html_report(report)).tags) > 20
    for datum in chapter.data:
        if datum.ends is not None:
            low, high = (float(end.replace(",", "")) for end in datum.ends)
            assert low <= datum.interval[0] and datum.interval[1] <= high  # type: ignore[index]


@pytest.mark.parametrize("column", ["age", "town", "day"])
def test_how_cells_are_read_can_be_published_beside_the_levels(column: str) -> None:
    """Named by what cells are, under its own title; it adds up with no count of levels, and says nothing left out."""
    road = curator()
    asked = [
        road.ask(Request(CountsGaussian(epsilon=0.5, bins=bins), (name,)))
        for name, bins in ((column, HowRead()), ("town", None))
    ]
    report = publication([(each, SCHEMA) for each in asked])
    first, second = report.chapters
    count = road.ask(Request(GlobalLaplace(query=Count(), epsilon=0.5), ("age",)))
    assert not adding_up([(each, SCHEMA) for each in (asked[0], count)])
    assert first.statistic == "How cells are read" != second.statistic
    assert tuple(datum.part for datum in first.data) == HowRead().labels
    assert len(Page(html_report(report)).tags) > 20
    assert not any("dropped" in sentence or "moved" in sentence for sentence in as_read(asked[0].request, SCHEMA))


@pytest.mark.parametrize(
    ("interval", "vague"), [((0.0, 90.0), True), ((20.0, 65.0), True), ((20.1, 65.0), False), ((37.0, 39.0), False)]
)
def test_too_few_to_tell_is_a_public_rule_of_interval_and_bounds(interval: Any, vague: bool) -> None:
    """A margin of a quarter of what a mean can be by its bounds, as a plan warns of; then its number is nowhere."""
    given = release(GlobalLaplace(query=Mean()), 38.6173, interval)
    report = publication([(given, SCHEMA)])
    (datum,) = report.chapters[0].data
    assert datum.vague == vague == ((interval[1] - interval[0]) / 2 >= VAGUE * 90)
    page = " ".join(Page(html_report(report)).texts)
    assert ("not shown (too noisy)" in page.split("Methods")[0]) == vague and (datum.text in page) != vague
    assert any("at least a quarter of its possible range" in sentence for sentence in report.methods)


def test_a_noisy_number_of_rows_is_printed_whole_and_not_below_0(report: Publication) -> None:
    """It is about how many there are; the files have it as it was drawn."""
    datum = report.chapters[0].data[0]
    assert [replace(datum, size=size).rows for size in (-16.5, 0.4, 27.6, None)] == [0, 0, 28, 0]


def test_a_noise_is_named_once_in_the_methods() -> None:
    """Not again behind a title that names it."""
    bare, named = GlobalLaplace(query=Mean()), CountsGaussian()
    sentences = [str(methods([(Request(each, ("age",)), SCHEMA)], sums([]), 0)[1]) for each in (bare, named)]
    for each, sentence in zip((bare, named), sentences, strict=True):
        assert sentence.count(str(each.noise.name)) == 1, sentence


def test_a_count_has_no_range_and_is_never_too_few(report: Publication) -> None:
    """It has no upper bound that is declared, so that its interval says something."""
    assert not any(datum.vague for datum in report.chapters[2].data)


def test_a_refusal_is_said_and_has_no_number() -> None:
    """Of a whole question, and of one group of it."""
    tested = ProposeTestRelease(Mean())
    report = publication([(release(tested, (("north", None), ("south", 38.0)), None, by="town"), SCHEMA)])
    page = html_report(report)
    assert [datum.refused for datum in report.chapters[0].data] == [True, False]
    assert "no result" in page and any(note.startswith("No result: ") for note in report.chapters[0].notes)
    alone = publication([(release(tested, None, None), SCHEMA)])
    assert "no result" in html_report(alone) and "<figure" not in html_report(alone)


def test_counts_are_mended_beside_what_was_drawn_and_never_instead() -> None:
    """Whole and not negative; said to be made afterwards, and only where it changes something."""
    given = release(CountsGaussian(), (-3.4, 41.7), ((-9.0, 2.0), (36.0, 47.0)), "town")
    report = publication([(given, SCHEMA)])
    assert [datum.whole for datum in report.chapters[0].data] == [0, 42]
    assert [datum.answer for datum in report.chapters[0].data] == [-3.4, 41.7]  # exact, in the table of all numbers
    assert [(datum.text, datum.ends) for datum in report.chapters[0].data] == [
        ("-3", ("-9", "2")),
        ("42", ("36", "47")),
    ]
    narrow = publication([(release(CountsGaussian(), (2.5, 41.7), ((2.1, 2.9), (41.2, 42.3)), "town"), SCHEMA)])
    assert [(datum.text, datum.ends) for datum in narrow.chapters[0].data] == [("2", ("2", "3")), ("42", ("41", "43"))]
    assert "2.5" not in html_report(narrow) and "2.5" in answers_csv(narrow.own)
    assert any("cost nothing" in sentence for sentence in report.methods)
    whole = publication([(release(CountsGeometric(), (3, 41), ((0.0, 9.0), (36.0, 47.0)), "town"), SCHEMA)])
    assert "not below 0" not in html_report(whole)
    assert [
        datum.whole for datum in publication([(release(TwoCounts(), 3.2, (3.0, 4.0)), SCHEMA)]).chapters[0].data
    ] == [None]


def test_what_it_costs_is_what_was_proven_or_the_plain_sum(answers: Answers, report: Publication) -> None:
    """A plan has its proof; single answers add up, and one that comes twice counts once."""
    assert report.total == PLAN.total and str(PLAN.total.cost) in html_report(report)
    pairs = [(release, SCHEMA) for release in answers.releases]
    plain = publication([*pairs, *pairs])
    assert len(plain.chapters) == len(pairs)
    assert plain.total.cost == sum((given.cost for given in answers.releases), Cost.zero())
    assert any(str(PLAN.total.proof) in sentence for sentence in report.methods)
    huge = replace(pairs[0][0], cost=Cost(900 * 10**9, 0))
    assert all(
        "may be right in more than 99 of 100" in sentence for sentence in publication([(huge, SCHEMA)]).promise[:2]
    )


def test_questions_that_promise_something_else_are_named() -> None:
    """One row a person and up to five are two promises; a report says which holds for which question."""
    five = Schema({"name": Person(rows=5), "age": Number(0, 90, integer=True)})
    row = [(release(TwoCounts(epsilon=0.2), 38.0, (37.0, 39.0)), SCHEMA)]
    for number, schema in enumerate((five, SCHEMA)):
        row.append((replace(row[0][0], id=str(number)), schema))
    sentences = " ".join(publication(row).methods)
    assert "For queries 1, 3, this" in sentences and "For queries 2, this" in sentences
    assert "Every row is treated as a person, separate from all others." in sentences


def test_nobodys_text_becomes_a_tag_an_attribute_or_a_style(report: Publication) -> None:
    """Column names and levels are hostile; each stands in the page as it is written, and nothing runs."""
    text = html_report(report)
    page = Page(text)
    assert "script" not in page.tags and "b" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href", "srcset")]
    said = "".join(page.texts)
    assert all(level in said for level in LEVELS) and HOSTILE in said
    assert not re.search(r"url\(|@import|https?:|//", text.replace("<!doctype", ""))
    assert "default-src 'none'" in dict(page.attributes).values() or "default-src" in text


def test_the_page_has_one_language_and_every_sentence_of_it_is_translated(report: Publication) -> None:
    """Whatever is said goes through the catalogue: a sentence that is missing there fails."""
    catalogue = json.loads((ROOT / "ui" / "catalogue" / "zh.json").read_text(encoding="utf-8"))
    missing: list[str] = []

    def say(text: str, **values: object) -> str:
        if isinstance(text, Phrase):
            values = {name: say(v) if isinstance(v, Phrase) else v for name, v in text.values.items()}
            text = text.template
        bare = re.sub(r"{[^}]*}", "", str(text))
        if str(text) not in catalogue and any(letter.isalpha() for letter in bare):
            missing.append(str(text))
        return catalogue.get(str(text), str(text)).format(**values) if values else catalogue.get(str(text), str(text))

    text = html_report(report, say, "zh")
    assert '<html lang="zh">' in text and '<html lang="en">' in html_report(report)
    assert set(missing) <= {"years"} and "所有数值均由 D" in text


def test_a_map_of_two_groups_is_not_said_again_below() -> None:
    """Unless a list has more: then every number stands in both."""
    by, names = (HOSTILE, "town"), SCHEMA.crossed((HOSTILE, "town"))
    for answer, tables in ((3, 1), (-3, 2), (2.5, 1)):
        spans = tuple((name, (0.0, 9.0)) for name in names)
        mechanism = registry["laplace"](query=Count())  # type: ignore[call-arg]
        given = release(mechanism, tuple((name, answer) for name in names), spans, by=by)
        text = html_report(publication([(given, SCHEMA)]))
        assert text.count("<table") == tables and len(re.findall(r"heat[0-6]\"", text)) == 8


def test_a_statistic_has_one_name_by_whatever_mechanism_it_is_answered() -> None:
    """A table says mean and median, and the level of any other quantile; no name of a mechanism."""
    names = {str(statistic(Request(kind(), ("age",)))): slug for slug, kind in registry.items() if not kind.open_only}
    assert not any("noise" in name or "mechanism" in name or "soft" in name for name in names)
    assert {"Mean", "Median", "Count", "Several quantiles"} <= set(names)
    for level, name in ((0.5, "Median"), (0.9, "Quantile 0.9")):
        by_rank, estimated = QuantileExponential(q=level), BlocksMean(estimator=f"quantile:{level}")
        assert str(statistic(Request(by_rank, ("age",)))) == name
        assert str(statistic(Request(estimated, ("age",)))) == f"Quantile {level}"


def test_without_answers_there_is_no_report() -> None:
    """And a sentence says so."""
    with pytest.raises(ParameterError, match="A report consists of results, and there are"):
        publication([])


def test_tables_have_headers_for_columns_and_rows(report: Publication) -> None:
    """Two crossed groups are a table of one by the other; others a figure with words."""
    text = html_report(report)
    again = sum(each.mended for each in report.chapters if each.form == "map")
    assert text.count("<table") == len(report.chapters) + again and text.count('scope="row"') >= 25
    assert text.count("<figure") == text.count('role="img"') == 5
    assert len(re.findall(r"heat[0-6]\"", text)) == 8
