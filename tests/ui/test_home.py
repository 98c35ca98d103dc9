"""Home: the picture has the numbers of the core, each card leads where it says, and nothing is spent unseen."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from urllib.parse import parse_qs

import numpy as np
from playwright.sync_api import Browser, expect
from streamlit.testing.v1 import AppTest
from support.axe import violations
from support.hands import drag_by_finger
from support.pages import at, press, shown, space, upload, use
from support.visitor import Visitor

from discreet.course.onward import PATH, START
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.divergence import divergence
from discreet.mechanisms.laws.law import Law
from discreet.plans import Wanted
from discreet.queries import Column
from discreet.report.risk import best_guess, of_100
from discreet.rows.dataset import resized
from discreet.rows.persons import DrawnLots
from discreet.ui.figures import push
from discreet.ui.frame.catalogue import CATALOGUES
from discreet.ui.home import SIX, TOTAL

SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
PEOPLE = 10
TOLERANCE = 1e-9
AGES = (0, 1, 37, 49, 50, 51, 92, 100)
PLACES = np.linspace(0.5, 99.5, 34)
# what the picture's own script computes: means, odds, and densities at some places
COMPUTED = """async ([script, picture, ages, places]) => {
  const { laws, density, of100 } = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(script));
  return picture.stops.map(({ scale }) => ages.map((age) => {
    const now = laws(picture, age, scale);
    const drawn = (centre) => places.map((y) => density(y, centre, scale));
    return { ...now, of100: of100(now.odds), drawn: { with: drawn(now.with), without: drawn(now.without) } };
  }));
}"""


def law_of(epsilon: float, ages: tuple[int, ...]) -> Law:
    """Return the law that the core draws from: rows are brought to ten, as the curator does it."""
    column = Column.from_values(push.AGES, np.array(ages))
    return push.mean(epsilon).law(resized(column, PEOPLE, DrawnLots(SimulationNoise(0))))


def best(here: Law, gone: Law) -> float:
    """Return how often the best guess between two laws is right, from the core's divergence of them."""
    return (1 + divergence(here, gone, 0.0)) / 2


def core(epsilon: float, age: int) -> dict[str, Any]:
    """Return what the core says of the picture with her at an age."""
    gone, here = law_of(epsilon, push.OTHERS), law_of(epsilon, (*push.OTHERS, age))
    drawn = {name: np.exp(anatomy(law).log_density(PLACES)) for name, law in (("with", here), ("without", gone))}
    return {"with": here.centre, "without": gone.centre, "odds": best(here, gone), "drawn": drawn}  # type: ignore[attr-defined]


def far(said: dict[str, Any], truth: dict[str, Any]) -> float:
    """Return the largest distance between numbers of the browser and of the core."""
    single = [abs(said[name] - float(Fraction(truth[name]))) for name in ("with", "without", "odds")]
    curves = [np.abs(np.array(said["drawn"][name]) - truth["drawn"][name]).max() for name in ("with", "without")]
    return float(max(*single, *curves))


def test_numbers_of_the_picture_are_those_of_the_core(chromium: Browser) -> None:
    """Means, densities and odds at every stop of the noise, wherever she stands; none exceeds what ε guarantees."""
    picture = push.parameters()
    page = chromium.new_page()
    said = page.evaluate(COMPUTED, [push.SCRIPT, picture, AGES, PLACES.tolist()])
    page.close()
    wrong = []
    for epsilon, stop, row in zip(push.EPSILONS, picture["stops"], said, strict=True):
        assert stop["limit"] == best_guess(push.mean(epsilon).cost())
        assert str(of_100(stop["limit"])) in stop["words"]
        for age, numbers in zip(AGES, row, strict=True):
            away = far(numbers, core(epsilon, age))
            wrong += [(epsilon, age, away)] if away > TOLERANCE else []
            assert numbers["of100"] == of_100(numbers["odds"]) <= of_100(stop["limit"])
    assert not wrong
    assert said[-1][AGES.index(50)]["odds"] == 0.5 and math.isclose(said[0][-1]["odds"], 1, abs_tol=1e-5)


def spy(epsilon: float, age: int) -> str:
    """Return the number that the picture must show."""
    return str(of_100(core(epsilon, age)["odds"]))


def test_she_is_moved_by_keys_and_by_hand_and_the_odds_follow(visit: Callable[..., Visitor]) -> None:
    """On a phone: the picture is in sight at once, axe finds nothing, and no run of the server is asked for."""
    visitor = visit(390)
    page = visitor.page
    page.emulate_media(reduced_motion="reduce")
    visitor.load("home")
    odds, mia = page.locator(".spy b"), page.get_by_role("slider", name="Age of Mia")
    expect(odds).to_have_text(spy(push.FIRST, push.START))
    runs = len(visitor.frames)
    mia.focus()
    for key, age in (("End", 100), ("ArrowLeft", 99), ("PageDown", 89), ("Home", 0), ("ArrowUp", 1)):
        mia.press(key)
        expect(mia).to_have_attribute("aria-valuenow", str(age))
        expect(odds).to_have_text(spy(push.FIRST, age))
    noise = page.get_by_role("slider", name="Noise")
    said, limit = page.locator(".said"), page.locator(".limit")
    expect(said).to_contain_text("whether Mia, 1, is in the data")
    expect(limit).to_have_text("Limit of ε = 2, wherever Mia is: 89 of 100.")
    noise.press("Home")
    expect(odds).to_have_text(spy(push.EPSILONS[0], 1))
    expect(limit).to_have_text("Limit of ε = 50, wherever Mia is: over 99 of 100.")
    noise.press("End")
    expect(odds).to_have_text(spy(push.EPSILONS[-1], 1))
    frame, own = page.locator(".push svg").bounding_box(), mia.locator(".ring").bounding_box()
    assert frame is not None and own is not None
    middle = own["y"] + own["height"] / 2
    page.mouse.move(own["x"] + own["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] - 1, middle, steps=4)
    page.mouse.up()
    expect(mia).to_have_attribute("aria-valuenow", "100")
    drag_by_finger(page, (frame["x"] + frame["width"] - 30, frame["x"] + frame["width"] / 2), middle)
    expect(mia).to_have_attribute("aria-valuenow", "50")
    expect(odds).to_have_text("50")
    assert len(visitor.frames) == runs
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


def test_a_page_that_a_card_opens_is_shown_from_its_top(visit: Callable[..., Visitor]) -> None:
    """On a phone, where the card is below the edge of the screen."""
    visitor = visit(390)
    page = visitor.load("home")
    visitor.settle()
    card = page.get_by_role("button", name="Guess first")
    card.scroll_into_view_if_needed()
    assert page.evaluate(SCROLLED) > 0
    card.click()
    expect(page.get_by_text("A hospital publishes")).to_be_visible()
    visitor.settle()
    assert page.evaluate(SCROLLED) == 0


def home(app: AppTest) -> AppTest:
    """Return the first screen."""
    return at(app, "home")


def test_the_sample_is_a_plan_of_six_with_its_price_and_nothing_is_spent_before_it_is_pressed(app: AppTest) -> None:
    """One press to the plan, one to its results; then Home knows where one left off. A plan of one's own comes back."""
    own = (Wanted("mean", "hours"),)
    space(app).sheet.add(own)
    press(home(app), "home:sample")
    sheet, ledger = space(app).sheet, space(app).curator.ledger
    assert [title.value for title in app.title] == ["Plan"] and sheet.items == SIX and len(SIX) == 6
    (release,) = [button for button in app.button if button.label.startswith("Release 6 results (spends ε = 0.")]
    assert not ledger.spent.epsilon and not space(app).here.answered
    press(app, ":alter:undo")
    assert sheet.items == own
    press(home(app), "home:sample")
    (release,) = [button for button in app.button if button.label.startswith("Release 6 results")]
    release.click().run()
    assert not app.exception and len(space(app).here.answered) == 6
    assert 0.9 * TOTAL.epsilon < ledger.spent.epsilon <= TOTAL.epsilon
    text = shown(home(app))
    assert "Census" in text and "Median\\: hours" in text
    assert text.count("95% interval") >= 3


def ways(app: AppTest) -> list[str]:
    """Return the pages to which links of the main part lead."""
    return [link.proto.page for link in app.main.get("page_link")]


def test_cards_lead_where_they_say_and_recent_work_is_shown_only_if_there_is_any(app: AppTest) -> None:
    """Nothing to continue at first; a plan that was begun is continued on its page."""
    assert ways(home(app)) == ["help", "lessons"]
    assert parse_qs(app.main.get("page_link")[1].proto.query_string) == {PATH: [START]}  # the path of ten minutes
    press(app, "home:guess")
    assert "How many of 100 patients are identified?" in shown(app)
    press(home(app), "home:table")
    assert app.title[0].value == "Dataset" and any(part.label == "Upload a dataset" for part in app.file_uploader)
    assert ways(home(app)) == ["help", "lessons"]
    space(app).sheet.add(SIX[:1])
    assert ways(home(app)) == ["help", "lessons", "plan"]


def test_a_dataset_in_use_is_continued_with_its_first_query(app: AppTest) -> None:
    """Home leads on, not back to the declaration."""
    use(upload(at(app, "dataset"), b"age\n40\n", {0: {"lower": 0.0, "upper": 100.0}}))
    assert ways(home(app)) == ["help", "lessons", "query"]


def test_few_words_are_in_sight_in_two_languages(app: AppTest) -> None:
    """Sentences of the page and of its picture; names, labels and results are not counted."""
    home(app)
    parts = [part.proto for part in app.main.get("bidi_component")]
    (picture,) = [json.loads(part.json) for part in parts if part.component_name.endswith("discreet_push")]
    sentences = [*(part.value for part in app.title), *(part.value for part in app.main.markdown)]
    said = " ".join([*sentences, picture["words"]["note"]])
    assert 40 < len(re.findall(r"[\w,]+", said)) <= 60
    assert all(sentence.strip("*") in CATALOGUES["zh"] for sentence in sentences)


FILLED = """() => [...document.querySelectorAll('[data-testid=stMain] :is(button, a)')]
  .filter((each) => each.offsetParent && each.getBoundingClientRect().bottom <= innerHeight)
  .filter((each) => getComputedStyle(each).backgroundColor === 'rgb(11, 110, 102)')
  .map((each) => each.innerText)"""


def test_the_first_view_of_dataset_has_one_filled_button_which_is_the_next_step(visit: Callable[..., Visitor]) -> None:
    """On the sample that nobody chose it is the upload, on a chosen dataset the query, of a draft the use."""
    visitor = visit()
    page = visitor.open("dataset")
    visitor.settle()
    (upload,) = page.evaluate(FILLED)
    assert "Run a query" not in upload
    page.get_by_role("combobox", name="Dataset").click()
    page.get_by_role("option").nth(1).click()
    visitor.settle()
    assert len(page.evaluate(FILLED)) == 1 and "Run a query" in page.evaluate(FILLED)[0]
    visitor.upload("ages.csv", b"age\n31\n52\n")
    visitor.settle()
    page.get_by_text("No, one row per person").click()
    visitor.settle()
    assert ["Use this dataset" in each for each in page.evaluate(FILLED)] == [True]


def test_a_result_is_brought_into_view_on_a_phone_once(visit: Callable[..., Visitor]) -> None:
    """It stands below the question; a page that shows an older result starts at its top."""
    visitor = visit(390)
    page = visitor.open("query")
    visitor.settle()
    visitor.spend()
    visitor.settle()
    result = page.locator(".st-key-query-result")
    expect(result).to_be_in_viewport()
    strip = page.locator(".st-key-budget").bounding_box()
    box = result.bounding_box()
    assert strip is not None and box is not None
    assert strip["y"] + strip["height"] <= box["y"] + 1 < 250, "below the strip, in the upper part"
    visitor.go("results")
    visitor.settle()
    visitor.go("query")
    visitor.settle()
    assert page.evaluate(SCROLLED) == 0
