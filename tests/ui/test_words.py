"""Words: every sentence is in every catalogue, fits its template, and no screen leaks English."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from streamlit.proto.Heading_pb2 import Heading
from streamlit.testing.v1 import AppTest
from support import spoken
from support.soak import some
from support.visitor import Visitor
from support.wire import Wire
from support.words import ENGLISH, choices, choose, english

import discreet.ui.frame.words
import discreet.ui.session.state
from discreet.budget import Cost, ParameterError, Phrase
from discreet.lab import sweeps
from discreet.ui.frame.catalogue import CATALOGUES, said_in
from discreet.ui.frame.words import say

ROOT = Path(__file__).resolve().parents[2]
OFFICE = {
    "account",
    "evidence",
    "news",
    "people",
    "datasets",
    "requests",
    "review",
    "settings",
    "audit_log",
}  # see test_office_words.py
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem not in OFFICE)
COURSE = [page for page in PAGES if page.startswith("lesson_")]
WALKED = [page for page in PAGES if page not in COURSE] + some(COURSE, 3)  # lessons are made of the same parts
OTHERS = [code for code in discreet.ui.session.state.LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_holds_every_sentence_and_no_other(code: str) -> None:
    """Missing and dead sentences are both listed; so are those that were left in English."""
    catalogue, said = CATALOGUES[code], spoken.spoken()
    assert sorted(said - set(catalogue)) == []
    assert sorted(set(catalogue) - said) == []
    assert not [text for text, translation in catalogue.items() if not translation.strip()]


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_fills_in_the_same_values(code: str) -> None:
    """The same fields with the same formats, and the same pairs of Markdown marks."""
    for text, translation in CATALOGUES[code].items():
        if "{" in text:
            assert spoken.slots(text) == spoken.slots(translation), text
        assert text.count("**") == translation.count("**"), text
        assert text.count("`") == translation.count("`"), text
        assert not open_ended(translation), translation


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_keeps_the_numbers(code: str) -> None:
    """Decimals and thousands stand in it as they were: 7.01 in one language is not 7.77 in the other."""
    exact = re.compile(r"\d+(?:[.,]\d+)+")
    wrong = [
        text
        for text, translation in CATALOGUES[code].items()
        if sorted(exact.findall(text)) != sorted(exact.findall(translation))
    ]
    assert not wrong


def open_ended(text: str) -> bool:
    """Say whether emphasis ends on punctuation before a letter: for Markdown it never ends then."""
    parts = re.split(r"\*{1,2}", text)
    inner = [(parts[i], parts[i + 1]) for i in range(1, len(parts) - 1, 2)]
    return any(end[-1:] in set("，。：；）！？”") and go[:1].isalnum() for end, go in inner)


def test_the_catalogue_test_finds_what_is_missing() -> None:
    """A sentence in a new module would be found, in whichever way it is said."""
    source = 'say("One {n}", n=1)\nPhrase("Two")\nraise ParameterError("Three")\nForecast(1, "Four")'
    assert set(spoken.sentences(source)) == {"One {n}", "Two", "Three", "Four"}


def test_a_phrase_is_its_sentence_and_survives_a_process() -> None:
    """English in the core, any language on the screen, values and inner phrases included."""
    phrase = Phrase("{label} must be at least {low:.1f}.", label=Phrase("Epsilon"), low=2)
    assert phrase == "Epsilon must be at least 2.0."
    assert said_in("en", Phrase("{name} is silent."), name="A house") == "A house is silent."
    again = pickle.loads(pickle.dumps(phrase))
    assert again == phrase and again.values == phrase.values
    error = pickle.loads(pickle.dumps(ParameterError("Got {given!r}.", given="{x}")))
    assert str(error) == "Got '{x}'." and error.args[0].template == "Got {given!r}."


@pytest.mark.parametrize("code", OTHERS)
def test_an_error_of_the_core_is_said_in_the_language(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Template, inner label and values."""
    monkeypatch.setattr(discreet.ui.frame.words, "language", lambda: code)
    words = CATALOGUES[code]
    error = ParameterError(
        "{label} has no finite global sensitivity. Choose another mechanism.", label=Phrase("Median")
    )
    assert say(error) == words[error.args[0].template].format(label=words["Median"])
    assert say("a text that nobody translated") == "a text that nobody translated"


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Return the app in Chinese (labels are looked up outside a run, too, by the test's tool)."""
    discreet.ui.session.state.server().clear()
    monkeypatch.setattr(discreet.ui.frame.words, "language", lambda: "zh")
    for points in ("EPSILONS", "SIZES"):  # a curve of three points speaks as one of seven
        monkeypatch.setattr(sweeps, points, getattr(sweeps, points)[::3])
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60)
    app.query_params["lang"] = "zh"
    return app.run()


@pytest.mark.soak
@pytest.mark.parametrize("page", WALKED)
def test_no_part_of_a_screen_speaks_english_in_chinese(chinese: AppTest, page: str) -> None:
    """Every view or step of a page, before and after a guess; in `make test` every third, and of every third lesson.

    That each sentence is in the catalogue is asked of all sources at once, above.
    """
    app = chinese.switch_page(f"../pages/{page}.py").run()
    assert not app.exception and not english(app)
    for key, options in choices(app).items():
        for option in some(options, 3):
            choose(app, key, option)
            assert not app.exception and not english(app), option
            reveal(app)
            assert not app.exception and not english(app), option
            for inner in set(choices(app)) - {key}:
                for value in some(choices(app).get(inner, []), 2):
                    choose(app, inner, value)
                    assert not app.exception and not english(app), value


def test_the_tables_of_a_comparison_speak_the_language(chinese: AppTest) -> None:
    """The walk above sees no cells: names of mechanisms stand in three tables."""
    app = chinese.switch_page("../pages/compare.py").run()
    for statistic, view in (("mean", "errors"), ("mean", "intervals"), ("most-common", "errors")):
        app.session_state["compare:statistic"], app.session_state["compare-view"] = statistic, view
        app.run()
        cells = [str(cell) for table in (*app.dataframe, *app.table) for cell in table.value.to_numpy().ravel()]
        assert cells and not app.exception and not [cell for cell in cells if ENGLISH.search(cell)], (statistic, view)


def reveal(app: AppTest) -> None:
    """Have the figure of a lesson shown, where a guess is asked first."""
    for button in [button for button in app.button if str(button.key).endswith("-reveal")]:
        button.click().run()


def test_the_figure_of_accountings_speaks_the_language(chinese: AppTest) -> None:
    """Its bars are called as the words beside it call them."""
    space = discreet.ui.session.state.server().workspace(chinese.session_state["browser"])
    space.curator.ledger.charge("a question", Cost.of("0.5"))
    chinese.session_state["fold:accountings"] = True
    app = chinese.switch_page("../pages/budget.py").run()
    (figure,) = app.get("plotly_chart")
    spec = json.loads(figure.proto.spec)
    assert CATALOGUES["zh"]["Basic"] in spec["data"][0]["y"] and "Basic" not in spec["data"][0]["y"]


def test_the_walk_finds_english(chinese: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a catalogue the same walk reports the page."""
    app = chinese.switch_page("../pages/budget.py").run()
    monkeypatch.setattr(discreet.ui.frame.catalogue, "CATALOGUES", {})
    assert english(app.run())


def headed(line: Wire, page: str, code: str, query: str = "") -> bool:
    """Say whether a screen is headed in a language, by its name in English, and says so to the browser."""
    sent, title = line.run(query, page.lower()), str(Heading(body=said_in(code, page))).strip()
    return title in sent and re.findall(r'\\"language\\": ?\\"(\w+)\\"', sent) == [code]


def test_a_click_changes_the_language_of_the_screen_and_of_every_other_tab(visit: Callable[..., Visitor]) -> None:
    """English first; Chinese by a click, and the browser is told; after a reload and in a new tab; back by a link."""
    visitor = visit()
    page = visitor.open("budget")
    expect(page.get_by_role("heading", name="Budget")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    cookies = {str(cookie["name"]): str(cookie["value"]) for cookie in page.context.cookies()}
    with Wire(visitor.server.url, cookies) as tab:
        assert headed(tab, "Budget", "en")
        page.get_by_text("中文", exact=True).click()
        expect(page.get_by_role("heading", name=CATALOGUES["zh"]["Budget"])).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", "zh")
        assert headed(tab, "Compare", "zh")
    with Wire(visitor.server.url, cookies) as again:
        assert headed(again, "Budget", "zh") and headed(again, "Compare", "en", "lang=en")
    with Wire(visitor.server.url, cookies) as last:
        assert headed(last, "Budget", "en")


@pytest.mark.soak_alone
def test_the_switch_changes_the_language_for_good_and_tells_the_browser(visit: Callable[..., Visitor]) -> None:
    """English first; Chinese by a click, after a reload and in a second tab; back by a link.

    In `make test` the test above clicks in a browser, and loads again, opens a tab and follows a link on wires.
    """
    visitor = visit()
    page = visitor.open("budget")
    expect(page.get_by_role("heading", name="Budget")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_text("中文", exact=True).click()
    expect(page.get_by_role("heading", name=CATALOGUES["zh"]["Budget"])).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    page.reload()
    expect(page.get_by_role("heading", name=CATALOGUES["zh"]["Budget"])).to_be_visible()
    other = visitor.tab()
    other.goto(f"{visitor.server.url}/compare")
    expect(other.get_by_role("heading", name=CATALOGUES["zh"]["Compare"])).to_be_visible()
    visitor.open("compare?lang=en")
    expect(page.get_by_role("heading", name="Compare", exact=True)).to_be_visible()


def test_a_list_of_many_choices_says_in_our_words_what_to_do() -> None:
    """Streamlit's own words are English: every list that may stand empty has ours, and none offers to select all."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "ui").rglob("*.py"))}
    lists = [
        (path, call)
        for path, source in sources.items()
        if "multiselect" in source
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "multiselect"
    ]
    assert len(lists) > 5
    ours = {"placeholder", "select_all"}
    assert not [(path, call.lineno) for path, call in lists if not ours <= {word.arg for word in call.keywords}]
