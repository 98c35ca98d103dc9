"""Help: every document opens within the app, in both languages, is found by its words, and leads to documents only."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest
from support.pages import at, shown
from support.visitor import Visitor
from support.words import choose

from discreet.budget import Cost
from discreet.course.lessons.laplace.numbers import DEPLOYMENTS
from discreet.report.risk import ALL, best_guess, of_100, together
from discreet.ui import help as documents
from discreet.ui.frame.results import OTHERS
from discreet.ui.session.state import LANGUAGES


def opened(app: AppTest, topic: str, words: str = "") -> str:
    """Return what the help shows of an address, and of words that are searched."""
    app.query_params.clear()
    at(app, "help")
    app.text_input(key="help:words").set_value(words).run()
    app.query_params["topic"] = topic
    app.run()
    assert not app.exception
    return shown(app)


def labels(app: AppTest) -> list[str]:
    """Return the labels of the links on the page."""
    return [str(link.proto.label) for link in app.main.get("page_link")]


def test_every_document_is_in_one_section_and_has_a_title() -> None:
    """Those of a user, translations at the place of their originals."""
    every = documents.documents()
    assert len(every) > 50 and {"how-to/set-a-budget", "guarantees", "zh/first-release"} <= every.keys()
    assert all(text.startswith("# ") for text in every.values())
    for code in LANGUAGES:
        here = [name for of in documents.SECTIONS for name in documents.listed(of, code)]
        assert len(here) == len(set(here)) == len([name for name in every if not name.startswith("zh/")])
    assert "zh/first-release" in documents.listed("tutorials", "zh")
    assert "tutorials/first-release" in documents.listed("tutorials", "en")


def test_a_link_leads_to_a_document_or_is_none() -> None:
    """None leads out of the help but to another server, and none to a document for maintainers."""
    every = documents.documents()
    for name in every:
        for target in re.findall(r"\]\(([^)\s]+)\)", documents.linked(name)):
            if not target.startswith(("http", "#")) and not re.search(r"\.\w+$", target):
                assert target.removeprefix("?topic=") in every, (name, target)
        assert not re.search(r"\]\((?!http)[^)]*\.md", documents.linked(name)), name


def test_words_are_found_where_all_of_them_stand_and_titles_first() -> None:
    """In the language of the reader; the text around them is shown."""
    found = documents.found("two officers", "en")
    assert found[0] == "how-to/require-two-officers" and len(found) > 2
    assert all(
        {"two", "officers"} <= set(re.findall(r"\w+", documents.documents()[name].lower())) for name in found[:3]
    )
    assert documents.found("区间", "zh")[0] == "zh/reading-intervals"
    assert not [name for name in documents.found("区间", "en") if name.startswith("zh/")]
    assert documents.found("zzzz", "en") == []
    assert "officers" in documents.excerpt(found[0], "officers").lower()


def test_the_help_lists_opens_and_finds(app: AppTest) -> None:
    """A section's documents, one of them with its pictures, the list for an unknown address, and a search."""
    opened(app, "")
    assert documents.title("tutorials/first-release") in labels(app)
    text = opened(app, "tutorials/first-release")
    assert documents.title("tutorials/first-release") in text and labels(app)[0] == "All help pages"
    opened(app, "../README")
    assert documents.title("tutorials/first-release") in labels(app)
    opened(app, "", "zzzz")
    assert app.info and not labels(app)
    app.query_params["lang"] = "zh"
    at(app, "help")
    opened(app, "")
    assert documents.title("zh/first-release") in labels(app)
    app.query_params["lang"] = "en"
    at(app, "help")
    opened(app, "")
    choose(app, "help-section", "how-to")
    assert labels(app) == [documents.title(name) for name in documents.listed("how-to", "en")]
    opened(app, "", "two officers")
    assert labels(app)[0] == documents.title("how-to/require-two-officers")


@pytest.mark.parametrize("code", LANGUAGES)
def test_excerpts_are_plain_text_from_the_beginning_of_a_word(code: str) -> None:
    """Without marks of Markdown or formulas, and from a part that is shown whole."""
    for words in ("区间", "ε") if code == "zh" else ("privacy officer", "e^", "interval", "budget"):
        for name in documents.found(words, code):
            part = documents.parted(documents.documents()[name])[documents.place_of(name, words)]
            text, whole = documents.excerpt(name, words), documents.plain(part)
            start = whole.index(text.strip("… "))
            assert not re.search(r"[$`*{}\\|]|\]\(", text), (name, text)
            assert code == "zh" or start == 0 or whole[start - 1] == " ", (name, text)
    for text in documents.documents().values():
        assert "\n\n".join(documents.parted(text)) == text
        assert not any(part.count("```") % 2 for part in documents.parted(text))


def test_a_hit_opens_at_its_place_and_leads_back(app: AppTest) -> None:
    """The words stay in the field; other words leave the document."""
    opened(app, "", "two officers")
    assert "Keep an eye on the budget" not in shown(app)
    place = str(documents.place_of("how-to/review-a-request", "two officers"))
    hits = [link.proto.query_string for link in app.main.get("page_link")]
    assert f"topic=how-to%2Freview-a-request&place={place}" in hits
    app.query_params.update({"topic": "how-to/review-a-request", "place": place})
    app.run()
    assert labels(app) == ["Search results"] and "Keep an eye on the budget" in shown(app)
    assert [text.value for text in app.markdown if text.value.startswith("Approve, deny")]
    app.text_input(key="help:words").set_value("interval").run()
    assert labels(app)[0] == documents.title("explanation/reading-intervals") and "topic" not in app.query_params


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_document_opens(app: AppTest, code: str) -> None:
    """With formulas, tables and pictures."""
    app.query_params["lang"] = code
    at(app, "help")
    for of in documents.SECTIONS:
        for name in documents.listed(of, code)[:: 3 if of == "how-to" else 1]:
            assert documents.title(name) in opened(app, name), name


def test_a_hit_is_pressed_and_its_place_is_in_sight(visit: Callable[..., Visitor]) -> None:
    """On a phone, each time, below what sticks at the top."""
    visitor = visit(390)
    page = visitor.load("help")
    field = page.get_by_label("Search the help pages")
    field.fill("two officers")
    field.press("Enter")
    place = page.get_by_text("If the policy requires two officers, the first approval").first
    for _ in range(2):
        page.get_by_role("link", name="Review a request").click()
        expect(page.get_by_role("link", name="Search results")).to_be_attached()
        visitor.settle()
        expect(place).to_be_in_viewport()
        page.get_by_role("link", name="Search results").click()
        expect(page.get_by_role("link", name="Review a request")).to_be_visible()


def test_what_managers_read_has_the_numbers_of_the_core() -> None:
    """And what the question mark beside a guess says of others is what is known of them."""
    page = documents.documents()["explanation/managers-and-officers"]
    times = [of_100(best_guess(Cost.of(epsilon))) for epsilon in ("0.6", "1", "3")]
    assert "at most {}. That is ε = 0.6; ε = 1 is {} and ε = 3 is {}".format(*times) in page
    assert together(Cost.of("0.6"), 5)[0] == pytest.approx(3)
    least = min(of_100(best_guess(Cost.of(str(one.epsilon)))) for one in DEPLOYMENTS)
    most = max(of_100(best_guess(Cost.of(str(one.epsilon)))) for one in DEPLOYMENTS)
    assert f"{least} to over 99" in page and f"{least} to over 99" in OTHERS and most == ALL


def test_home_and_the_upload_lead_managers_to_their_page(app: AppTest) -> None:
    """In the language of the reader."""
    for page in ("home", "dataset"):
        (link,) = [link.proto for link in at(app, page).main.get("page_link") if "managers" in link.proto.query_string]
        assert link.label == "For managers and privacy officers"
    assert documents.spoken("explanation/managers-and-officers", "zh") == "zh/managers-and-officers"
