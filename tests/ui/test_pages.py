"""Every page by AppTest: it opens, asks once, refuses in sentences, and shows nothing of rows."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest
from support.pages import at, button, on_dataset, press, several, shown, space, typed, upload, uploader, use
from support.small_files import BAD, bad, survey
from support.soak import SOAKS, some, times

import discreet.ui.session.state
from discreet.budget import BASIC, Cost
from discreet.curator import clock
from discreet.lab import sweeps
from discreet.lab.samples import CENSUS_PEOPLE, SAMPLES, census_schema, census_table
from discreet.mechanisms.base.vocabulary import BLOCKS, CLIPPED_AT, GLOBAL, PTR, SELECTION, SMOOTH, SPARSE
from discreet.report.programs import script
from discreet.report.words import written
from discreet.rows import Category, Dataset, LocalSource, Number, OpenData, Person, Schema
from discreet.rows.columns.date import Date
from discreet.rows.files import Layout
from discreet.ui.ask.form import methods, topics
from discreet.ui.compare.textbook import SHOWN
from discreet.ui.data.table import meant
from discreet.ui.kinds.person import COUNTED
from discreet.ui.session.workspace import Draft

CANARY = "48151623"
CSV = "id,pay,town\n" + "".join(f"p{i},{20 + i % 50},t{CANARY}\n" for i in range(337))
FAMILIES = {
    "global": ("global_sensitivity", (GLOBAL, CLIPPED_AT)),
    "ptr": ("propose_test_release", (PTR,)),
    "smooth": ("smooth_sensitivity", (SMOOTH,)),
    "blocks": ("sample_and_aggregate", (BLOCKS,)),
    "selection": ("exponential_mechanism", (SELECTION, SPARSE)),
}


def protected() -> Dataset:
    """Return the census as if it were somebody's own."""
    return Dataset(LocalSource(census_table()), census_schema())


def test_the_app_opens_on_the_sample_and_shows_its_budget(app: AppTest) -> None:
    """Nothing has to be done first."""
    assert not app.exception
    assert "Census" in shown(app) and str(discreet.ui.session.state.LIMIT) in shown(app)


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_page_stands_on_every_sample(app: AppTest, sample: str) -> None:
    """No page fails, whatever the sample can or cannot answer."""
    space(app).open(sample, SAMPLES[sample]())
    for page in (*(page for page, _ in FAMILIES.values()), "plan", "results", "compare", "budget", "dataset"):
        at(app, page)
        assert not app.error, page


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let answers come at once: that they wait for their tick is looked at elsewhere."""
    for tick in ("TICK", "TICK_OF_PERSONS"):
        monkeypatch.setattr(clock, tick, 0.0)


@cache
def some_people() -> pa.Table:
    """Return people of the census, in `make test` as many as a screen needs to say all that it can say."""
    return census_table().slice(0, times(1_500, CENSUS_PEOPLE))


def some_census() -> OpenData:
    """Return them as an open sample."""
    return OpenData(LocalSource(some_people()), census_schema())


@pytest.mark.soak
@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(("hidden", "key"), some([(hidden, key) for hidden in (False, True) for key in FAMILIES], 2))
def test_every_question_by_every_method_answers_once(app: AppTest, key: str, hidden: bool) -> None:
    """Every statistic that a page offers is released by every method that it offers for it.

    Of protected rows, and in `make test`, every statistic once and every method once; there a page is shown of open
    or of protected rows, in turn, and every second question is released.
    """
    here = space(app)
    here.open("census", Dataset(LocalSource(some_people()), census_schema()) if hidden else some_census())
    here.replace_budget(Cost.of(50, "0.01"), BASIC)
    page, families = FAMILIES[key]
    at(app, page)
    form = f"{key}:{here.dataset.schema.digest[:8]}"
    asked, released, tried = 0, 0, set[Any]()
    for topic in topics(families, here.dataset.schema):
        kinds = methods(families, topic.name)
        for kind in ([kind for kind in kinds if kind not in tried] or kinds[:1]) if hidden or not SOAKS else kinds:
            tried.add(kind)
            app.session_state[f"{form}:topic"] = topic
            app.session_state[f"{form}:method:{topic.name}"] = kind
            app.session_state[f"{form}:epsilon"] = 0.3
            app.run()
            asked += 1
            if SOAKS or asked % 2 == hidden:
                press(app, ":spend")
                released += 1
            assert not app.exception and not app.error, (topic, kind)
            assert len(here.curator.releases) == released, (topic, kind)
            assert any(str(each.key).endswith((":spend", ":again")) for each in app.button), (topic, kind)
    assert asked >= (4 if hidden or not SOAKS else 8) and released >= (asked if SOAKS else asked // 2)


@pytest.mark.parametrize("view", ["how", "guarantee"])
@pytest.mark.parametrize("key", FAMILIES)
def test_every_mechanism_shows_how_it_works_and_what_it_promises(app: AppTest, key: str, view: str) -> None:
    """Figures stand with their words, and the live check of the guarantee holds."""
    at(app, FAMILIES[key][0])
    app.session_state[f"{key}-view"] = view
    app.run()
    assert not app.exception and not app.error
    if view == "how":
        charts = app.get("plotly_chart")
        assert charts and all(json.loads(chart.proto.spec)["data"] for chart in charts)
        return
    press(app, "Run the check")
    assert any("The claim holds." in message.value for message in app.success)


def test_the_inside_of_smooth_sensitivity_begins_where_it_shows(app: AppTest) -> None:
    """The ladder of a mean is a line: its largest product is the first. That of a median climbs before it falls."""
    at(app, "smooth_sensitivity")
    app.session_state["smooth-view"] = "how"
    app.run()
    (statistic,) = [box for box in app.selectbox if box.label == "Statistic"]
    assert statistic.value == "median"
    first, bound = (metric.value for metric in app.metric if "A(0)" in metric.label or "bound S" in metric.label)
    assert first != bound


def test_one_press_is_one_charge_and_one_answer_that_stays(app: AppTest) -> None:
    """The answer is a card, the budget moves by its cost, and a rerun changes neither."""
    press(at(app, "smooth_sensitivity"), ":spend")
    curator = space(app).curator
    assert curator.ledger.spent == Cost.of("0.5") and len(curator.releases) == 1
    assert any("Data handling" in caption.value for caption in app.caption)
    app.run()
    app.slider[0].set_value(1.0).run()
    assert curator.ledger.spent == Cost.of("0.5") and "spent ε = 0.5" in shown(app)


def test_a_question_that_does_not_fit_says_by_how_much(app: AppTest) -> None:
    """The button is off, the sentence names cost and rest, and what would fit is said."""
    at(app, "smooth_sensitivity")
    app.slider[0].set_value(2.0).run()
    press(app, ":spend")
    press(app, ":again")
    (button,) = [b for b in app.button if str(b.key).endswith(":spend")]
    assert button.disabled and any("is left" in w.value for w in app.warning)
    assert "The budget left allows up to ε = 1." in shown(app)
    strip, sentence = [link for link in app.get("page_link") if link.proto.label == "View budget"]
    assert strip.proto.page.endswith("budget") and sentence.proto.page.endswith("budget")


def test_a_new_budget_is_an_act_of_its_own(app: AppTest) -> None:
    """It is opened when somebody says what they know; the answers of before stay."""
    press(at(app, "smooth_sensitivity"), ":spend")
    old = space(app).curator.ledger
    at(app, "budget")
    button(app, "Replace this budget").click().run()
    assert button(app, "Open new budget").disabled
    (warned,) = [box for box in app.checkbox if box.label.startswith("I understand that the privacy losses of both")]
    for act in (warned.check, lambda: button(app, "Open new budget").click()):
        button(app, "Replace this budget").click()  # here a dialog runs with its screen, and is opened again
        act().run()
    assert not app.exception and "Nothing is spent yet" in shown(app)
    assert space(app).curator.ledger is not old and old.left == Cost.zero()
    assert len(space(app).curator.releases) == 1


def test_the_samples_give_everybody_a_budget_of_their_own(app: AppTest) -> None:
    """In a workshop nobody spends somebody else's budget on open data."""
    press(at(app, "smooth_sensitivity"), ":spend")
    other = on_dataset()
    at(other, "smooth_sensitivity")
    assert "spent  ε = 0.5" in shown(app) and "spent  ε = 0\n" in shown(other) + "\n"


def test_the_error_can_be_set_instead_of_epsilon(app: AppTest) -> None:
    """Where the forecast is public, an error gives the epsilon that the ledger charges."""
    at(app, "global_sensitivity")
    form = f"global:{space(app).dataset.schema.digest[:8]}"
    choices = topics((GLOBAL,), space(app).dataset.schema)
    app.session_state[f"{form}:topic"] = next(t for t in choices if t.name == "count")
    app.run()
    app.session_state[f"{form}:set"] = "error"
    app.run()
    (error,) = [n for n in app.number_input if "Target margin of error" in n.label]
    error.set_value(30.0).run()
    press(app, ":spend")
    (release,) = space(app).curator.releases
    low, high = release.interval
    assert high - low <= 60 and 0.05 < release.cost.epsilon < 0.2


def test_a_question_whose_error_nobody_can_forecast_has_no_card_for_its_curve(app: AppTest) -> None:
    """On protected rows a mean has a curve on its scenario; the most common level has none, and no card says so."""
    space(app).open("census", protected())
    assert at(app, "smooth_sensitivity").get("plotly_chart")
    at(app, "exponential_mechanism")
    form = f"selection:{space(app).dataset.schema.digest[:8]}"
    choices = topics((SELECTION,), space(app).dataset.schema)
    app.session_state[f"{form}:topic"] = next(t for t in choices if t.name == "most-common")
    assert not app.run().get("plotly_chart") and "curve" not in shown(app)
    assert [each.key for each in app.button if str(each.key).endswith(":spend")]


def test_pages_of_mechanisms_open_on_a_case_that_shows_what_they_are(app: AppTest) -> None:
    """The exponential mechanism itself among many occupations; a proposal that is in sight beside its price."""
    at(app, "exponential_mechanism")
    chosen = {box.label: box.value for box in app.selectbox}
    assert chosen["Column"] == "occupation" and chosen["Mechanism"].slug == "exponential-mechanism"
    at(app, "propose_test_release")
    assert [each.value for each in app.markdown if each.value.startswith("**Bound b: ")]
    at(app, "smooth_sensitivity")
    assert not [each.value for each in app.markdown if each.value.startswith("**Bound b: ")]


def test_the_budget_page_shows_history_and_replaces_on_purpose(app: AppTest) -> None:
    """Ledger, four accountings, exports; a new budget closes the old one and keeps the answers."""
    press(at(app, "smooth_sensitivity"), ":spend")
    old = space(app).curator.ledger
    at(app, "budget")
    assert not [name for name in ("Advanced", "zCDP", "Rényi") if name in shown(app)]
    app.session_state["fold:accountings"] = True
    screen = shown(app.run())
    assert "This budget counts by Basic." in screen
    assert all(name in screen for name in ("Basic", "Advanced", "zCDP", "Rényi"))
    space(app).replace_budget(Cost.of(2), old.rule)
    assert space(app).curator.ledger is not old and old.left == Cost.zero()
    assert len(space(app).curator.releases) == 1


@pytest.mark.soak
def test_compare_recommends_in_words_and_sweeps(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The contest has a winner with a reason; every sweep, in `make test` of few points, and reproduction is drawn."""
    for points in ("EPSILONS", "SIZES"):
        monkeypatch.setattr(sweeps, points, tuple(some(getattr(sweeps, points), 3)))
    space(app).open("census", some_census())
    at(app, "compare")
    assert "Recommended: " in app.success[0].value and "Why" in app.success[0].value
    for view in ("epsilon", "size", "setting"):
        app.session_state["compare-view"] = view
        app.run(timeout=times(60, 300))  # all points of a sweep take a while
        assert not app.exception and app.get("plotly_chart"), view
    app.session_state["compare-view"] = "intervals"
    app.run()
    assert not app.exception and "if you publish the interval" in app.success[0].value
    app.session_state["compare-kind"] = "textbook"
    for name in SHOWN:
        app.session_state["textbook-comparison"] = name
        app.run()
        assert not app.exception and not app.error and (app.get("plotly_chart") or app.table), name
    printed = {str(line.value.iat[0, 0]): [str(cell) for cell in line.value.iloc[0, 1:]] for line in app.table}
    for age in ("38.569", "38.592", "38.747"):  # a drawn age does not look like a whole one
        assert all(re.fullmatch(r"\d\d\.\d{3}", cell) for cell in printed[age]), printed[age]
    assert printed["12,562.5"][0] == "12,562" and printed["0.006142"][0] == "0.0061421"


def test_the_smooth_bound_of_the_chapter_says_what_its_sliders_show(app: AppTest) -> None:
    """A search below 200 misses the median's bound with all people, and finds it with 1,000."""
    at(app, "compare")
    app.session_state["compare-kind"] = "textbook"
    app.session_state["textbook-comparison"] = SMOOTH.key
    for epsilon, people, words in ((2.0, 32_561, "finds S = 0"), (2.0, 1000, "the search finds it")):
        app.session_state["textbook:smoothed:epsilon"] = epsilon
        app.session_state["textbook:smoothed:people"] = people
        app.run()
        assert not app.exception and not app.error and len(app.get("plotly_chart")) == 2
        assert any(words in text.value for text in app.markdown), words


def test_compare_holds_every_statistic_and_every_choice(app: AppTest) -> None:
    """Whatever can be asked of a number or a category has a contest and a recommendation."""
    space(app).open("census", some_census())
    at(app, "compare")
    for name in ("quantile", "trimmed-mean", "gini", "most-common", "count", "variance"):
        app.session_state["compare:statistic"] = name
        app.run()
        assert not app.exception and not app.error, name
        assert "Recommended: " in app.success[0].value and app.get("plotly_chart"), name
    space(app).open("mine", protected())
    app.session_state["compare:statistic"] = "most-common"
    app.run()
    assert not app.exception and "simulated data" in shown(app)


def test_compare_never_touches_protected_rows(app: AppTest) -> None:
    """On protected data it runs on a labelled scenario of people who do not exist."""
    space(app).open("mine", protected())
    at(app, "compare")
    assert "simulated data" in shown(app) and "scenario" in shown(app)


@pytest.mark.usefixtures("brief")
def test_a_protected_upload_shows_names_and_nothing_else(app: AppTest) -> None:
    """Neither a planted value nor the number of rows appears, before or after an answer."""
    edits = {0: {"kind": "person", "rows": "1"}, 1: {"lower": 0.0, "upper": 100.0}}
    upload(app, CSV.encode(), edits)
    assert not app.exception and not app.error
    press(app, "Use this dataset")
    assert "people.csv" in shown(app) and space(app).dataset.protected
    for page, _ in FAMILIES.values():
        at(app, page)
        if any(str(b.key).endswith(":spend") for b in app.button):
            press(app, ":spend")
        # a released number, with noise, may be any; it is then the guess for the next forecast
        screen = re.sub(r"based on about \S+ rows|(?<=not privacy\.\n)[\d,]+\n|[\d,]+ people, bell", "", shown(app))
        assert CANARY not in screen and not re.search(r"(?<![\d.,])337(?!\d|[.,]\d)", screen)
    assert "Mean: pay" in shown(at(app, "smooth_sensitivity"))


def test_a_declaration_is_exported_and_imported_as_it_was(app: AppTest) -> None:
    """All that can be declared survives the file, levels with commas included."""
    schema = Schema(
        {
            "id": Person(rows=3),
            "pay": Number(
                -5, 100, 0.5, missing=2.5, origin="the pay scale", decimal=",", thousands=" ", affixes=("€", "()")
            ),
            "town": Category(("A, B", "C"), other=True, names=("a, or b", "c")),
        }
    )
    upload(app, CSV.encode(), {})
    draft = space(app).draft
    assert draft is not None
    file = app.file_uploader(key=f"declaration:{draft.number}:0")
    file.upload("d.json", b"[" * 1_000_000).run()
    for _ in range(2):  # it is let go, and not read again whenever the page is drawn
        assert "This is not a supported codebook" in " ".join(error.value for error in app.error)
        file = app.file_uploader(key=f"declaration:{draft.number}:1")
        assert file.value is None
        app.run()
    app.file_uploader(key=f"declaration:{draft.number}:1").upload("d.json", schema.to_json().encode()).run()
    assert "This is not a supported codebook" not in " ".join(error.value for error in app.error)
    press(app.run(), "Use this dataset")
    assert space(app).dataset.schema == replace(schema, layout=Layout("text"))


def test_a_column_of_days_is_declared_asked_and_answered_in_dates(app: AppTest) -> None:
    """First and last day are typed; the answer is a date; a filter that is no date says what to type."""
    days = "day\n" + "".join(f"{1 + i % 28:02}.05.2020\n" for i in range(700))
    upload(app, days.encode(), {0: {"first": "2020-01-01", "last": "2020-12-31", "order": "day-month-year"}})
    assert not app.exception and not app.error and "in days" in shown(app)
    press(app, "Use this dataset")
    assert space(app).dataset.schema.columns["day"].plain()["order"] == "day-month-year"
    press(at(app, "smooth_sensitivity"), ":spend")
    (release,) = space(app).curator.releases
    assert not app.exception and written(release.request, space(app).dataset.schema, release.answer) in shown(app)
    assert "2020-05-" in shown(app)


def test_how_a_file_is_read_is_corrected_and_made_names_are_told(app: AppTest) -> None:
    """A sheet, lines above the table, names or none; nothing of a row is a name on the screen."""
    upload(app, survey(), {})
    draft = space(app).draft
    assert draft is not None and draft.source is None and any("Choose one" in e.value for e in app.error)
    assert app.selectbox(key=f"sheet:{draft.number}").value is None
    app.selectbox(key=f"sheet:{draft.number}").select("Data").run()
    app.number_input(key=f"skip:{draft.number}").set_value(2).run()
    assert any("were numbered: column 1, column 3" in i.value for i in app.info)
    app.number_input(key=f"skip:{draft.number}").set_value(3).run()
    assert not app.exception and not app.error and draft.source.names == ["id", "pay", "paid", "when"]
    press(app, "Discard this file")
    upload(app, f"{CANARY},3,4\nb,5,6\n".encode(), {})
    assert space(app).draft.source.names == ["column 1", "column 2", "column 3"] and CANARY not in shown(app)


def test_a_declaration_that_misses_something_says_what(app: AppTest) -> None:
    """A number without bounds is not accepted, in a sentence; what was answered before it has them stays."""
    upload(app, CSV.encode(), {1: {"kind": "number"}})
    assert any("Enter a lower and an upper bound" in i.value for i in app.info)
    (use,) = [b for b in app.button if b.label.endswith("Use this dataset")]
    assert use.disabled and any("Leave a field to apply" in caption.value for caption in app.caption)
    assert [radio.value for radio in app.radio] == ["no"]
    typed(app, {1: {"kind": "number", "lower": "0", "upper": "9"}})
    assert not [b for b in app.button if b.label.startswith("Use this dataset")][0].disabled


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_its_sentence(app: AppTest, name: str) -> None:
    """The page survives and says what to do."""
    data, says = bad(name)
    app.file_uploader(key="table:0").upload(name, data).run()
    assert not app.exception and any(says in e.value.replace("\\", "") for e in app.error)


def test_a_proposal_on_open_data_says_how_likely_a_refusal_is(app: AppTest) -> None:
    """The proposed bound is drawn with a small chance; one that nobody keeps has no figure."""
    at(app, "propose_test_release")
    assert app.metric[0].label == "Chance of no result" and app.get("plotly_chart")
    (auto,) = [toggle for toggle in app.toggle if toggle.label == "Choose settings automatically"]
    auto.set_value(False).run()
    (bound,) = [field for field in app.number_input if field.label == "Bound b"]
    bound.set_value(0.0018).run()
    assert app.metric[0].value == "almost 100%" and not app.get("plotly_chart")


@pytest.mark.usefixtures("brief")
def test_a_proposal_for_protected_data_forgives_a_guess_that_is_too_high(app: AppTest) -> None:
    """With a fifth fewer people than guessed, the preset bound still passes nearly always."""
    ages = "age\n" + "".join(f"{20 + i % 50}\n" for i in range(800))
    schema = Schema({"age": Number(0, 120, integer=True)})
    space(app).open("mine", Dataset(LocalSource(ages.encode()), schema))
    space(app).replace_budget(Cost.of(50, "0.01"), BASIC)
    at(app, "propose_test_release")
    for _ in range(5):
        press(app, ":spend")
        press(app, ":again")
    assert not any(release.refused for release in space(app).curator.releases)


def test_protected_data_have_one_budget_for_all_browsers_and_answers_of_their_own(app: AppTest) -> None:
    """Another browser with the same content spends the same budget and sees no answer."""
    space(app).open("mine", protected())
    press(at(app, "smooth_sensitivity"), ":spend")
    other = on_dataset()
    space(other).open("theirs", protected())
    at(other, "smooth_sensitivity")
    assert space(other).curator.ledger is space(app).curator.ledger
    assert not space(other).curator.releases and "spent  ε = 0.5" in shown(other)
    why = "everyone who uploads this dataset to this server shares one budget"
    assert why in shown(other) and why not in shown(app)


def test_forgotten_workspaces_take_their_answers_along_but_no_budget() -> None:
    """Old workspaces go; the ledger of protected data stays for as long as the server."""
    server = discreet.ui.session.state.Server()
    first = server.workspace("first")
    discreet.ui.session.state.server().clear()
    curator = server.roads.curator(protected(), "first")
    first.seen -= 2 * discreet.ui.session.state.LIFETIME
    server.workspace("second")
    assert server.workspace("first") is not first
    again = server.roads.curator(protected(), "first")
    assert again is not curator and again.ledger is curator.ledger


def test_a_click_is_not_undone_by_an_address_that_it_overtook(app: AppTest) -> None:
    """A quick click brings the address of before along; the click counts, and is told."""
    at(app, "smooth_sensitivity")

    def view() -> Any:
        return next(g for g in app.button_group if g.key == "smooth-view")

    view().set_value("how").run()
    assert app.query_params["smooth-view"] == "how"
    del app.query_params["smooth-view"]
    view().set_value("guarantee").run()
    assert view().value == "guarantee" and app.query_params["smooth-view"] == "guarantee"
    view().set_value("ask").run()
    assert view().value == "ask" and "smooth-view" not in app.query_params


def test_names_that_everybody_knows_declare_themselves(app: AppTest) -> None:
    """Eight usual columns need no typing; what counts of a person is asked, once, and nothing goes on before."""
    header = "customer_id,Age,Sex,Height (cm),Hours per week,Month,income,note\n"
    data = header + "".join(f"c{i // 2},{20 + i % 50},Male,170,40,{1 + i % 12},{i},{CANARY}\n" for i in range(200))
    app.file_uploader(key="table:0").upload("people.csv", data.encode()).run()
    (use,) = [b for b in app.button if b.label.endswith("Use this dataset")]
    assert use.disabled and "Suggested from column names" in shown(app)
    assert "including upper and lower case. Check the spelling: Sex." in shown(app)
    assert not app.radio
    (counted,) = [each for each in app.button_group if str(each.key).endswith(":counted")]
    counted.set_value("several").run()
    press(app, "Use this dataset")
    schema = space(app).dataset.schema
    assert schema.person == ("customer_id", Person(10)) and set(schema.numbers) == {
        "Age",
        "Height (cm)",
        "Hours per week",
        "Month",
    }
    assert schema.categories["Sex"].labels == ("Female", "Male", "other") and all(
        c.sourced for c in schema.columns.values()
    )
    press(at(app, "global_sensitivity"), ":spend")
    assert len(space(app).curator.releases) == 1 and CANARY not in shown(app)


def test_cards_declare_the_same(app: AppTest) -> None:
    """What is typed on the cards is what the table says afterwards, pasted levels included."""
    app.file_uploader(key="table:0").upload("t.csv", b"x,town\n1,a\n").run()
    draft = space(app).draft
    assert draft is not None
    mark = f"declared:{draft.number}:{draft.version}"
    fields = {part.key for part in app.text_input}
    assert app.pills(key=f"{mark}:0:kind").value is None and f"{mark}:0:lower" not in fields
    app.pills(key=f"{mark}:0:kind").set_value("number").run()
    assert all(part.proto.required for part in app.pills)  # pressed again, a kind stays
    assert ":gray-badge[number] not complete" in shown(app)
    assert [area.key for area in app.text_area] == [f"{mark}:1:levels"]  # no matter of a number
    app.text_input(key=f"{mark}:0:lower").set_value("0").run()
    app.text_input(key=f"{mark}:0:upper").set_value("9").run()
    assert app.pills(key=f"{mark}:1:kind").value == "category"  # by its name, and nothing is declared yet
    assert "town" not in declared_columns(draft)
    app.text_area(key=f"{mark}:1:levels").set_value("a\nb, c\n").run()
    (way,) = [group for group in app.segmented_control if group.label == "View"]
    way.set_value("table").run()
    several(app, "no")
    press(app, "Use this dataset")
    assert dict(space(app).dataset.schema.columns) == {
        "x": Number(0.0, 9.0, thousands=","),
        "town": Category(("a", "b, c")),
    }


def test_what_is_said_of_a_column_is_said_of_others_like_it(app: AppTest) -> None:
    """A questionnaire has many items with one scale: it is typed once."""
    upload(app, b"q1,q2,q3\n1,2,3\n", {})
    draft = on_cards(app)
    mark = f"declared:{draft.number}:{draft.version}"
    app.pills(key=f"{mark}:0:kind").set_value("whole number").run()
    app.text_input(key=f"{mark}:0:lower").set_value("1").run()
    app.text_input(key=f"{mark}:0:upper").set_value("5").run()
    app.text_input(key=f"{mark}:0:unit").set_value("points").run()
    app.multiselect(key=f"{mark}:alike").set_value([2]).run()
    (parts,) = [field for field in app.multiselect if field.label == "What to copy"]
    assert parts.value == ["kind", "lower", "upper", "unit"]
    parts.set_value(["kind", "lower", "upper"]).run()
    press(app, f"{mark}:same")
    app.run()
    assert list(draft.lines["kind"]) == ["whole number", "automatic", "whole number"]
    assert list(draft.lines["upper"]) == ["5", "", "5"] and list(draft.lines["column"]) == ["q1", "q2", "q3"]
    assert list(draft.lines["unit"]) == ["points", "", ""]  # what was not to be copied


def on_cards(app: AppTest) -> Draft:
    """Turn from the spreadsheet to the cards."""
    draft = space(app).draft
    assert draft is not None
    app.session_state[f"way:{draft.number}"] = "cards"
    app.run()
    return draft


def declared_columns(draft: Draft) -> set[str]:
    """Return the columns that a draft uses so far."""
    return {line["column"] for line in draft.lines.to_dict("records") if meant(line) is not None}


DECLARED = "the mean of a person's rows"


def test_a_card_asks_what_its_name_only_suggests(app: AppTest) -> None:
    """A person, an income and a spelling are asked, not assumed; what is done is a line."""
    header = "Patientennummer;Geschlecht;Alter;Einkommen;Aufnahmedatum\n"
    uploader(app).upload("register.csv", (header + f"{CANARY};f;34;3.904,50;03.01.2024\n").encode()).run()
    draft = space(app).draft
    assert draft is not None and declared_columns(draft) == {"Geschlecht", "Alter", "Aufnahmedatum"}
    assert draft.opened == {0: True, 1: True, 2: False, 3: True, 4: False}
    mark = f"declared:{draft.number}:{draft.version}"
    assert all(f"- **{words}**" in shown(app) for words in COUNTED.values())
    app.segmented_control(key=f"{mark}:0:counted").set_value("average").run()
    assert f":gray-badge[person] {DECLARED}" in shown(app).replace("\\", "")  # at once
    assert not app.get("plotly_chart")
    app.text_input(key=f"{mark}:3:lower").set_value("0").run()
    app.text_input(key=f"{mark}:3:upper").set_value("20.000").run()
    assert len(app.get("plotly_chart")) == 1 and "Simulated, not your data" in shown(app)
    app.pills(key=f"{mark}:1:spelled").set_value("f,m").run()
    assert "0 to 20000" in shown(app) and draft.opened[3]
    press(app, "Use this dataset")
    columns = space(app).dataset.schema.columns
    assert columns["Patientennummer"] == Person(1, "mean")
    assert isinstance(columns["Einkommen"], Number) and columns["Einkommen"].upper == 20_000
    assert isinstance(columns["Geschlecht"], Category) and columns["Geschlecht"].levels == ("f", "m")
    assert isinstance(columns["Aufnahmedatum"], Date) and CANARY not in shown(app)


def test_a_person_column_without_an_answer_is_not_used(app: AppTest) -> None:
    """The number of rows of a person has no silent default."""
    upload(app, b"who,pay\nx,1\n", {0: {"kind": "person"}, 1: {"lower": "0", "upper": "9"}})
    (use,) = [each for each in app.button if each.label.startswith("Use this dataset")]
    assert use.disabled and "Choose what counts" in shown(app)
    draft = on_cards(app)
    mark = f"declared:{draft.number}:{draft.version}"
    app.segmented_control(key=f"{mark}:0:counted").set_value("several").run()
    app.text_input(key=f"{mark}:0:rows").set_value("3").run()
    press(app, "Use this dataset")
    assert space(app).dataset.schema.person == ("who", Person(3))


def test_labels_in_a_file_are_proposed_with_a_warning(app: AppTest) -> None:
    """A program may have made them out of the rows, so somebody has to look at each."""
    sink = io.BytesIO()
    pd.DataFrame({"illness": pd.Categorical(["flu", "gout"])}).to_stata(sink, write_index=False)
    upload(app, sink.getvalue(), {})
    (warning,) = [part.value for part in app.warning if "from the data itself" in part.value]
    assert warning.startswith("Some programs")
    press(app, "Discard this file")
    uploader(app).upload("t.csv", b"age\n1\n").run()
    assert "age" in shown(app) and not [part.value for part in app.warning if "from the data itself" in part.value]


def test_a_card_shows_what_a_number_is_written_with(app: AppTest) -> None:
    """Its choices are those of the table, called as there."""
    app.file_uploader(key="table:0").upload("t.csv", b"age\n1\n").run()
    assert not app.exception and "Something went wrong" not in shown(app)
    draft = space(app).draft
    assert draft is not None
    choice = app.selectbox(key=f"declared:{draft.number}:{draft.version}:0:written")
    assert choice.options[:5] == ["–", "1,234.5", "1.234,5", "1 234,5", "1'234.5"]
    choice.set_value("1'234.5").run()
    (way,) = [group for group in app.segmented_control if group.label == "View"]
    way.set_value("table").run()
    several(app, "no")
    press(app, "Use this dataset")
    declared = space(app).dataset.schema.columns["age"]
    assert isinstance(declared, Number) and declared.thousands == "'"


def test_a_declaration_is_extended_and_answers_and_budget_stay(app: AppTest) -> None:
    """A forgotten column is added later; what was answered is shown as it was declared then, and exported."""
    upload(app, CSV.encode(), {1: {"lower": 0.0, "upper": 100.0}})
    press(app, "Use this dataset")
    press(at(app, "global_sensitivity"), ":spend")
    spent = space(app).curator.ledger.spent
    at(app, "dataset")
    press(app, "Change schema")
    draft = space(app).draft
    assert draft is not None and draft.earlier is not None and "This dataset is public" not in shown(app)
    edits = {2: {"levels": "a, b"}, 1: {"upper": 200.0}}
    press(typed(app, edits), "Use this dataset")
    here = space(app).here
    assert set(here.dataset.schema.askable) == {"pay", "town"} and here.dataset.protected
    assert here.curator.ledger.spent == spent and not here.curator.releases
    ((_, schema),) = here.answered
    assert schema.number("pay").bounds.upper == 100.0
    assert "ledger entry 1" in shown(at(app, "global_sensitivity")) and "0 to 100" in shown(app)
    press(app, ":spend")
    assert len(here.answered) == 2 and here.curator.ledger.spent.epsilon == 2 * spent.epsilon


def test_a_card_asks_how_dates_are_written(app: AppTest) -> None:
    """The choices of a date and of thousands are what they are called, and what is chosen is declared."""
    upload(app, b"day,pay\n03.01.2024,1.000\n", {})
    draft = on_cards(app)
    app.pills(key=f"declared:{draft.number}:{draft.version}:0:kind").set_value("date").run()
    first, last = ([field for field in app.text_input if field.label == name][0] for name in ("First day", "Last day"))
    first.set_value("2024-01-01")
    last.set_value("2024-12-31")
    (order,) = [box for box in app.selectbox if box.label == "Date order"]
    assert order.options == ["–", "year-month-day", "day-month-year", "month-day-year"]
    order.set_value("day-month-year").run()
    assert not app.exception and ":gray-badge[date] 2024-01-01 to 2024-12-31" in shown(app).replace("\\", "")
    assert draft.lines.loc[0, "order"] == "day-month-year"


def test_how_a_file_was_read_goes_into_the_script(app: AppTest) -> None:
    """Which letters are meant is not in the bytes: the script says it, after another declaration, too."""
    upload(app, CSV.encode(), {})
    draft = space(app).draft
    assert draft is not None and draft.layout == Layout("text")
    app.session_state[f"encoding:{draft.number}"] = "latin-1"
    app.run()
    assert draft.layout is not None and draft.layout.encoding == "latin-1"
    several(typed(app, {1: {"lower": 0.0, "upper": 100.0}}), "no")
    press(app, "Use this dataset")
    press(at(app, "global_sensitivity"), ":spend")
    at(app, "dataset")
    press(app, "Change schema")
    press(app, "Use this dataset")
    here = space(app).here
    ((release, schema),) = here.answered
    assert "latin-1" in script(release.request, schema, here.curator.ledger.limit, here.layout_of(release))


def test_the_check_is_asked_once_and_names_what_does_not_fit(app: AppTest) -> None:
    """Levels in the wrong spelling are told for a price that the ledger has; looking again costs nothing."""
    upload(app, (CSV * 1).encode(), {1: {"lower": 0.0, "upper": 100.0}, 2: {"levels": "a, b"}})
    use(app)
    (slider,) = [choice for choice in app.select_slider if choice.label == "ε for the check"]
    slider.set_value(0.5).run()
    press(app, "Check data")
    spent = space(app).curator.ledger.spent.epsilon
    assert 0.49 < spent <= 0.5 and any("town" in warning.value for warning in app.warning)
    at(app, "budget")
    assert any("town" in warning.value for warning in at(app, "dataset").warning)
    assert space(app).curator.ledger.spent.epsilon == spent and CANARY not in shown(app)


def test_numbers_say_what_they_are_of(app: AppTest) -> None:
    """No results means none of this mechanism, an expectation is of public rows, and Compare simulates."""
    press(at(app, "global_sensitivity"), ":spend")
    assert "No results of this mechanism yet." in shown(at(app, "propose_test_release"))
    assert "Expected on this public dataset: " in shown(at(app, "smooth_sensitivity")).replace("\\", "")
    assert "Errors of 2,000 simulated runs." in shown(at(app, "compare"))
    (choice,) = [group for group in app.segmented_control if group.label == "Show"]
    assert choice.proto.wrap  # no choice is cut on a phone


def test_where_no_one_has_an_account_a_visitor_reads_what_one_is_for(app: AppTest) -> None:
    """Who creates the first one, and that a table needs none."""
    said = shown(at(app, "sign_in"))
    assert "The server administrator creates the first one" in said and "need no account" in said
    assert "topic=explanation%2Froles-and-review" in [link.proto.query_string for link in app.main.get("page_link")]
