"""First look: what a page that asks for something shows before anyone scrolls: few words, and nothing that moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from support.visitor import Visitor, at_rest

from discreet.rows import Number, Schema

WORDS = 60  # of sentences in sight, those behind the question mark of a label in sight included
MOST = dict.fromkeys(("dataset", "query", "plan", "results", "budget", "compare"), WORDS)
EXPLAINING = 90  # a page about a mechanism also says what it is, and what its noise means
MOST |= dict.fromkeys(("global-sensitivity", "propose-test-release", "smooth-sensitivity"), EXPLAINING)
MOST |= dict.fromkeys(("sample-and-aggregate", "exponential-mechanism"), EXPLAINING)
SENTENCES = """() => {
  const apart = `[data-testid=stAlert], [data-testid=stPlotlyChart], [data-testid=stMetric], [data-testid=stTable],
    [data-testid=stWidgetLabel], table, button, label, h1, h2, h3, h4`;
  const inSight = element => {
    const {width, height, top, bottom} = element.getBoundingClientRect();
    return width && height && bottom > 0 && top < innerHeight && element.checkVisibility({visibilityProperty: true});
  };
  const all = [...document.querySelectorAll('[data-testid=stMain] :is(p, li)')];
  return {
    said: all.filter(each => !each.closest(apart) && inSight(each)).map(each => each.innerText),
    labels: all.filter(each => each.closest('[data-testid=stWidgetLabel]') && inSight(each)).map(e => e.innerText),
  };
}"""
SHIFTS = """window.shifts = 0;
new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifts += entry.value; }))
  .observe({type: 'layout-shift', buffered: true});"""
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
HEIGHTS = """window.heights = [];
const measure = () => {
  const strip = document.querySelector('.st-key-budget');
  if (strip) window.heights.push(strip.getBoundingClientRect().height);
  requestAnimationFrame(measure);
};
measure();"""
SHIFT = 0.1  # the sum of all shifts of a page that opens: what browsers' makers call good


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph; a few words, or a number with its unit, are none."""
    for sentence in re.findall(r"[^.?!]+[.?!](?=\s|$)", text):
        if len(sentence.split()) >= 4 and not {"=", "±"} & set(sentence):
            yield sentence


def helps(frames: list[str | bytes]) -> dict[str, str]:
    """Return what stands behind the question mark of each label that was sent."""
    found = {}
    for frame in frames:
        if isinstance(frame, bytes):
            element = ForwardMsg.FromString(frame).delta.new_element
            kind = element.WhichOneof("type")
            shown = getattr(element, kind) if kind else None
            if getattr(shown, "help", "") and getattr(shown, "label", ""):
                found[shown.label] = shown.help
    return found


def words_in_sight(visitor: Visitor) -> int:
    """Count the words of the sentences that a page shows at its top."""
    seen = visitor.page.evaluate(SENTENCES)
    behind = helps(visitor.frames)
    said = [*seen["said"], *(behind.get(label, "") for label in seen["labels"])]
    return sum(len(sentence.split()) for text in said for sentence in sentences(text))


@pytest.fixture
def newcomer(visit: Callable[..., Visitor]) -> Visitor:
    """Open a window of 1280 by 800."""
    visitor = visit()
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    return visitor


def test_a_page_that_asks_has_few_words_in_sight(newcomer: Visitor) -> None:
    """Sentences only: labels, cells, results and warnings are as many as they have to be."""
    found = {}
    for path in MOST:
        newcomer.open(path)
        found[path] = words_in_sight(newcomer)
    assert not {path: words for path, words in found.items() if words > MOST[path]}
    newcomer.open("results")  # where there is room below
    before = words_in_sight(newcomer)
    long = "What is hidden counts. " * 10
    newcomer.page.evaluate("text => document.querySelector('[data-testid=stMain] p').innerText += text", long)
    assert words_in_sight(newcomer) >= before + 30


def test_nothing_moves_while_a_page_opens(newcomer: Visitor) -> None:
    """The style is there with the page, and the strip and the menu have their places before they arrive."""
    newcomer.alter(SHIFTS)
    for path in ("plan", "smooth-sensitivity", "dataset"):
        newcomer.load(path)
        assert newcomer.page.evaluate("window.shifts") < SHIFT, path
    newcomer.page.set_viewport_size({"width": 390, "height": 844})
    newcomer.alter(HEIGHTS)
    newcomer.load("plan")
    assert newcomer.page.evaluate("Math.max(...window.heights) - window.heights.at(-1)") < 1  # of the strip


def test_the_button_below_many_cards_is_in_sight_and_leads_to_the_top(newcomer: Visitor) -> None:
    """However many cards are open; what follows is then shown from its title."""
    page = newcomer.open("dataset")
    names = [f"column_{number}" for number in range(12)]
    newcomer.upload("many.csv", f"{','.join(names)}\n{','.join('1' for _ in names)}\n".encode())
    button = page.get_by_role("button", name="Use this dataset")
    expect(button).to_be_in_viewport(ratio=1)
    newcomer.import_declaration(Schema({"column_0": Number(0, 9)}).to_json())
    page.get_by_text("No, one row per person").click()
    newcomer.settle()
    assert page.evaluate(SCROLLED) > 0
    button.click()
    expect(page.get_by_role("heading", name="Query", exact=True)).to_be_attached()
    newcomer.settle()
    assert page.evaluate(SCROLLED) == 0


def test_the_buttons_of_a_table_cover_no_sentence(newcomer: Visitor) -> None:
    """They stand on its own header while the table is pointed at."""
    page = newcomer.load("dataset")
    table = page.get_by_test_id("stDataFrame").first
    table.hover()
    bar = table.locator(".stElementToolbar")
    expect(bar).to_have_css("opacity", "1")
    around = at_rest(table)
    assert at_rest(bar)["y"] >= around["y"]
