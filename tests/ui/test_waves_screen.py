"""Waves on screens: one is registered as a unit of its own, and every screen says of which wave an amount is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from seats import Seat, seat
from test_office_screens import Town, town, work_on
from town import PURPOSE, SCHEMA, TOWN

from discreet.budget import Cost
from discreet.office import Policy, enrolment, per_wave, registry, renewal, rulings, upkeep
from discreet.rows.files import suggest

assert town and seat
MONTH, WHY = "the visits of one month and of no other", "the visits of the next month"
SAID = replace(
    TOWN,
    name="visits",
    apart="They are visits, not people of the town.",
    limit=Cost.of("0.5", "1e-6"),
    unit=per_wave.UNIT,
    wave=MONTH,
    compared=True,
)
OTHERS, AGAIN = "If not: why are their people others?", "If it repeats rows of another wave"


def visits(month: int, many: int = 200) -> bytes:
    """Return the rows of a month."""
    rows = "\n".join(f"{at % 90},{'ab'[at % 2]},visit {month}-{at}" for at in range(many))
    return f"age,group,note\n{rows}\n".encode()


@pytest.fixture
def monthly(town: Town) -> Town:
    """Return a house with data of which each month is a budget of 0.5."""
    town.dataset = enrolment.register(town.house, town.people["olga"], visits(1), SAID, Policy()).id
    rulings.amend(town.house, town.people["olga"], town.dataset, Policy(free=0.2))
    return town


def chosen(officer: Seat, month: int, many: int = 200) -> Seat:
    """Choose the file of a month to register."""
    officer.open("registered", registered_view="new")
    return officer.uploaded("", f"visits{month}.csv", visits(month, many))


def registered(town: Town) -> registry.Registered:
    """Return the data as they stand."""
    return next(data for data in registry.everything(town.house) if data.name == "visits")


def released(analyst: Seat) -> None:
    """Say what the answer is for, and spend."""
    analyst.fill(**{"What is the answer for?": PURPOSE}).run()
    (button,) = [button for button in analyst.app.button if button.label.endswith("and release")]
    analyst.press(button.label)


def test_an_officer_says_what_a_wave_is_before_it_is_a_unit(town: Town) -> None:
    """What is missing is named; no other rule of periods is offered, and what is frozen is read before."""
    olga = chosen(town.at("olga"), 1)
    olga.uploaded("A declaration", "d.json", SCHEMA.to_json().encode()).run()
    assert "The budget may be spent" in [box.label for box in olga.app.selectbox]
    olga.fill(Who_is_protected=per_wave.UNIT).run()
    assert "The budget may be spent" not in [box.label for box in olga.app.selectbox]
    olga.fill(Source="A register", Collected_on_the_basis_of="A law", Or_why_there_is_no_such_day="A law.").run()
    olga.fill(Name="visits", Bounds_chosen_by_looking=False, Are_there_other_releases=False).run()
    olga.fill(**{"Can one person have several rows?": "no"}).run()
    if OTHERS in [field.label for field in olga.app.text_input]:
        olga.fill(**{OTHERS: "They are visits, not people."}).run()
    assert "Fill in “What a wave is”." in olga.text()
    olga.fill(What_a_wave_is=MONTH).run()
    assert "without them each file needs your word" in olga.text()
    olga.field("Keep marks of the rows").set_value(True)
    assert "releases of one wave add up for good" in olga.run().text()
    olga.press("Register")
    said = registered(town).registration
    assert (said.unit, said.wave, said.period) == (per_wave.UNIT, MONTH, "") and said.allowance is not None
    assert "These amounts are of wave 1 alone" in olga.text() and "at most k times what is promised" in olga.text()


def test_without_marks_each_file_needs_a_word(town: Town) -> None:
    """The screen asks for it before the file comes in, and the core does not do without."""
    said = replace(SAID, compared=False)
    town.dataset = enrolment.register(town.house, town.people["olga"], visits(1), said, Policy()).id
    olga = chosen(town.at("olga"), 2)
    olga.fill(**{"What is this file?": town.dataset}).run()
    olga.fill(What_is_new=WHY, Do_the_declared_bounds_still_hold=True).press("Add version 2")
    assert "nobody notices rows of another wave" in olga.text() and len(registered(town).versions) == 1
    olga.fill(**{"Why it holds no rows of another wave": "each visit is billed once"}).press("Add version 2")
    assert [version.wave for version in registered(town).versions] == [1, 2]


def test_a_file_is_a_wave_or_a_correction_as_the_officer_says(monthly: Town) -> None:
    """Rows of another wave come in with a word only; each version shows its wave and what that has spent."""
    monthly.ask(0.2)
    olga = chosen(monthly.at("olga"), 1, 190)
    olga.fill(**{"What is this file?": monthly.dataset}).run()
    olga.fill(What_is_new=WHY, Do_the_declared_bounds_still_hold=True).press("Add version 2")
    assert "in 10 rows are those of wave 1" in olga.text()
    olga.fill(These_rows_are=True).press("Add version 2")
    assert [version.wave for version in registered(monthly).versions] == [1, 1]
    olga = chosen(monthly.at("olga"), 2)
    olga.fill(**{"What is this file?": monthly.dataset}).run()
    olga.fill(What_is_new=WHY, Do_the_declared_bounds_still_hold=True).press("Add version 3")
    assert [version.wave for version in registered(monthly).versions] == [1, 1, 2]
    (lines,) = [table.value for table in olga.app.dataframe if "Wave" in table.value.columns]
    assert list(lines["Wave"]) == ["1", "1", "2"] and list(lines["Spent or reserved"]) == [
        "ε = 0.2",
        "ε = 0.2",
        "ε = 0",
    ]
    overview = monthly.at("olga").open("registered", registered_view="all", dataset=monthly.dataset)
    assert "all amounts are of the newest wave alone" in overview.text() and "Of all waves together" in overview.text()


def test_days_on_a_figure_are_written_without_words(monthly: Town) -> None:
    """Month names would be English in Chinese."""
    (chart,) = monthly.at("olga").open("registered", registered_view="all").app.get("plotly_chart")
    axis = json.loads(chart.proto.spec)["layout"]["xaxis"]
    formats = [stop["value"] for stop in axis["tickformatstops"]]
    assert not axis["tickformat"] and formats[-1] == "%Y" and not set("abAB") & set("".join(formats))


def test_an_analyst_asks_the_same_of_the_next_wave_and_reads_whose_budget_it_is(monthly: Town) -> None:
    """An answer of the wave before is no answer of this one."""
    abe = work_on(monthly.at("abe"), "visits").open("global_sensitivity")
    abe.app.slider[0].set_value(0.2)
    released(abe.run())
    assert "Answered. The same question again" in abe.run().text()
    renewal.renew(monthly.house, monthly.people["olga"], monthly.dataset, visits(2), WHY, suggest(visits(2)))
    words = abe.run().text()
    assert "This was asked of an earlier wave" in words and "These amounts are of wave 2 alone" in words
    released(abe)
    assert [asked.round for asked in monthly.desk("abe").requests] == [1, 0]
    assert "waves are not added up" in abe.open("budget").text()


def test_a_card_and_the_published_list_promise_a_wave(monthly: Town) -> None:
    """To whom, in words and in numbers, and what a person in several has."""
    asked = monthly.ask(0.2)
    upkeep.publish(monthly.house, monthly.people["olga"], monthly.dataset, True)
    for page in (
        monthly.at("abe").open("requests", request=str(asked.number)),
        monthly.at().open("published", of=monthly.dataset),
    ):
        for fold in ("numbers", "data"):
            page.app.session_state[f"fold:{fold}"] = True
        words = page.run().text()
        assert "what a person did in one wave" in words and "at most k times what is promised" in words
        assert "the whole budget of each wave up to wave 1" in words and MONTH in words
        assert "Budget of the wave" in str([list(table.value.iloc[:, 0]) for table in page.app.dataframe])
    assert "is spent of the newest wave" in page.text()
