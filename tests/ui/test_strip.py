"""The budget is in sight on every page that can spend, and true at every moment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from streamlit.testing.v1 import AppTest
from support.browsers import empty_page
from support.office_seats import Town, work_on
from support.pages import at, ledger_of, press, shown, space, strip, widths
from support.town import TABLE, TOWN
from support.visitor import Server, Visitor

import discreet.ui.session.state
from discreet.budget import BASIC, RENYI, ZCDP, Cost
from discreet.budget.allowance import Allowance
from discreet.budget.cost import BudgetExceeded
from discreet.lab.samples import census_schema, census_table
from discreet.office import Policy
from discreet.office.datasets import changes, registering
from discreet.plans import Wanted
from discreet.rows import Dataset
from discreet.rows.source import LocalSource
from discreet.ui.frame import strip as budget_strip
from discreet.ui.frame.strip import OWN, QUERY, SHARED, Intent, digits, down, even, intend, paying, up

PAYING = (
    "dataset",
    "plan",
    "results",
    "budget",
    "global_sensitivity",
    "propose_test_release",
    "smooth_sensitivity",
    "sample_and_aggregate",
    "exponential_mechanism",
)


def test_every_page_that_can_spend_has_it_and_others_have_not(app: AppTest) -> None:
    """Also while one only reads how a mechanism works; not while a file is declared, or mechanisms are compared."""
    for page in PAYING:
        assert strip(at(app, page))[-1] == "3.00 left of ε 3", page
    app.session_state["smooth-view"] = "how"
    assert strip(at(app, "smooth_sensitivity")) == ["0.00 spent", "3.00 left of ε 3"]
    for page in ("compare", "lessons"):
        with pytest.raises(ValueError, match="not enough values"):
            strip(at(app, page))


def test_it_says_whose_budget_it_is_and_how_long(app: AppTest) -> None:
    """Public data have one for each browser, protected data one for all; both end with the server, unless saved."""
    at(app, "plan")
    assert OWN in ledger_of(app) and SHARED not in ledger_of(app)
    here = space(app)
    server = discreet.ui.session.state.server()
    assert server.workspace("another").curator.ledger is not here.curator.ledger
    for workspace in (here, server.workspace("another")):
        workspace.open("mine", Dataset(LocalSource(census_table()), census_schema()))
    assert server.workspace("another").curator.ledger is here.curator.ledger
    at(app, "plan")
    assert SHARED in ledger_of(app) and OWN not in ledger_of(app)
    assert SHARED in shown(at(app, "budget"))


def test_a_release_is_on_it_in_the_run_that_shows_the_result(app: AppTest) -> None:
    """The query is striped while it is not spent, spent once it is, and free while its result is kept."""
    at(app, "smooth_sensitivity")
    assert strip(app) == ["0.00 spent", "0.50 this query", "3.00 left of ε 3"]
    assert widths(app) == {"this": pytest.approx(16.667), "left": pytest.approx(83.333)}
    assert "Nothing is spent yet" in ledger_of(app)
    press(app, ":spend")
    assert strip(app) == ["0.50 spent", "2.50 left of ε 3"]
    assert widths(app) == {"spent": pytest.approx(16.667), "left": pytest.approx(83.333)}
    press(app, ":again")
    assert strip(app) == ["0.50 spent", "0.50 this query", "2.50 left of ε 3"]
    assert strip(at(app, "results")) == ["0.50 spent", "2.50 left of ε 3"]


def test_its_ledger_has_the_last_lines_the_odds_and_delta(app: AppTest) -> None:
    """The odds are of all that was spent, of earlier budgets, too: e^0.5 / (1 + e^0.5) is 62.2 %.

    Which queries earlier budgets paid for is not known, so only values are spoken of: e^6 / (1 + e^6) is 99.8 %.
    """
    press(at(app, "propose_test_release"), ":spend")
    said = ledger_of(app)
    assert "spent  ε = 0.5, δ = 1e-6\nleft   ε = 2.5, δ = 9e-6" in said
    assert "guessing whether a person is in the dataset" in said
    assert "After seeing all results so far, they are right in at most 63 of 100 cases" in said
    assert "Mean: age" in said and "0.50" in said and OWN in said
    for _ in range(5):
        press(press(app, ":again"), ":spend")
    (table,) = app.table
    assert len(table.value) == 4 and strip(app) == ["3.00 spent", "0.00 left of ε 3"]
    space(app).replace_budget(Cost.of(1), BASIC)
    said = ledger_of(at(app, "results"))
    assert "Earlier budgets for this dataset spent ε = 3, δ = 6e-6" in said and "more than 99 of 100" in said
    assert "guessing the values of a person" in said


def test_its_odds_are_of_membership_only_if_all_queries_protect_it(app: AppTest) -> None:
    """Where the number of rows was public for each of them, of values one change apart; for some, two changes apart."""
    at(app, "smooth_sensitivity")
    (public,) = [each for each in app.toggle if each.label == "The number of rows in this query is public"]
    public.set_value(True).run()
    press(app, ":spend")
    said = ledger_of(app)
    assert "guessing the values of a person" in said and "at most 63 of 100" in said
    press(at(app, "global_sensitivity"), ":spend")
    said = ledger_of(app)
    assert "guessing the values of a person" in said and "at most 89 of 100" in said  # e^2 / (1 + e^2) = 0.8808
    assert space(app).here.curator.ledger.spent.epsilon == 1


def test_what_does_not_fit_is_red_and_says_how_much_is_missing(app: AppTest) -> None:
    """In epsilon, in delta, or in both; a part that has no room is still seen."""
    at(app, "smooth_sensitivity")
    app.slider[0].set_value(2.0).run()
    press(press(app, ":spend"), ":again")
    assert strip(app) == ["2.00 spent", "2.00 this query · 1.00 missing", "1.00 left of ε 3"]
    assert widths(app) == {"spent": pytest.approx(66.667), "missing": pytest.approx(33.333)}
    space(app).replace_budget(Cost.of(3, "1e-7"), BASIC)
    at(app, "propose_test_release")
    assert strip(app) == ["0.00 spent", "0.50 this query · δ 9e-7 missing", "3.00 left of ε 3"]
    space(app).replace_budget(Cost.of("0.2"), BASIC)
    at(app, "propose_test_release")
    assert strip(app)[1] == "0.50 this query · 0.30 · δ 1e-6 missing"
    space(app).curator.ledger.charge("all", Cost.of("0.2"))
    assert widths(at(app, "propose_test_release")) == {"spent": 100.0, "missing": 0.0}


def test_a_plan_is_named_and_what_nobody_asked_for_or_waits_in_another_tab_is_not(app: AppTest) -> None:
    """Each connection shows what its own page would spend; the check of how data were read is an offer."""
    space(app).sheet.add([Wanted("mean", "age"), Wanted("mean", "hours")])
    assert strip(at(app, "plan")) == ["0.00 spent", "1.00 this plan", "3.00 left of ε 3"]
    press(app, ":spend")
    assert strip(app) == ["1.00 spent", "2.00 left of ε 3"]
    (table,) = at(app, "budget").table
    assert table.value.to_numpy().tolist() == [["Mean: age", "0.50"], ["Mean: hours", "0.50"]]
    rows = LocalSource(census_table())
    space(app).open("mine", Dataset(rows, census_schema()), source=rows)
    assert strip(at(app, "dataset")) == ["0.00 spent", "3.00 left of ε 3"]
    press(app, "Check data")
    assert strip(app) == ["0.10 spent", "2.90 left of ε 3"]


@pytest.mark.parametrize("rule", [ZCDP, RENYI])
def test_under_other_rules_widths_are_what_the_rule_counts(app: AppTest, rule: Any) -> None:
    """There epsilons do not add up: under zCDP half of the epsilon that would take all takes a quarter."""
    space(app).replace_budget(Cost.of(3, "1e-5"), rule)
    ledger = space(app).curator.ledger
    at(app, "results")
    whole = ledger.left
    assert strip(app) == ["0.00 spent", f"{even(down(whole))} left of ε 3"]
    ledger.charge("half", Cost(whole.nano_epsilon // 2))
    shown = strip(at(app, "results"))
    assert shown == [f"{even(up(ledger.spent))} spent", f"{even(down(ledger.left))} left of ε 3"]
    part = 100 * ledger.entries[-1].total.loss / ledger.rule.capacity(ledger.limit).loss
    assert widths(app) == {"spent": pytest.approx(part, abs=0.01), "left": pytest.approx(100 - part, abs=0.01)}
    assert rule is RENYI or part == pytest.approx(25, abs=0.01)
    at(app, "global_sensitivity")
    cost, left = Cost.of("0.5"), ledger.left
    after = ledger.after(cost)
    if after is None:
        assert strip(app)[1] == f"0.50 this query · {up(cost.beyond(left))} missing"
    else:
        assert widths(app)["this"] > 0 and sum(widths(app).values()) == pytest.approx(100, abs=0.1)


def test_a_run_in_the_thread_of_an_earlier_one_begins_without_its_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was overtaken, or that asked for another one, leaves its thread to the next."""
    seen: list[object] = []
    monkeypatch.setattr(budget_strip, "head", lambda _title: None)
    monkeypatch.setattr(budget_strip, "_strip", lambda: seen.append(budget_strip.INTENT.get()))
    with paying("Smooth sensitivity"):
        intend(QUERY, Cost.of(1), Cost.of(2))
    with paying("Answers"):
        pass
    assert seen == [Intent(QUERY, Cost.of(1), Cost.of(2)), None]


def test_no_cost_is_shown_smaller_and_no_rest_larger_than_it_is() -> None:
    """Four digits, rounded against whoever asks."""
    assert (up(Cost.of("0.123441")), down(Cost.of("2.99999"))) == ("0.1235", "2.999")
    assert digits(1_998_500_001) == "1.999"  # what another accounting method would count, too
    assert (up(Cost(1)), down(Cost.of(50)), up(Cost.zero())) == ("0.000000001", "50", "0")


def registered(town: Town, policy: Policy, **terms: Any) -> str:
    """Register other rows of the town, whose policy holds at once."""
    said = replace(TOWN, name="clinic", apart="Other people.", **terms)
    data = registering.register(town.house, town.people["olga"], TABLE[:50_000].encode(), said, policy)
    return data.id


def test_what_waits_for_an_officer_is_reserved_not_spent(town: Town) -> None:
    """For everybody at a desk of these data, until the officer decides; the page Budget says the same."""
    town.ask(0.1)
    town.ask(0.5)
    ann = work_on(town.at("ann"))
    ann.open("global_sensitivity")
    assert strip(ann.app) == ["0.10 spent", "0.50 reserved", "0.50 this query", "2.40 left of ε 3"]
    parts = {"spent": 3.333, "reserved": 16.667, "this": 16.667, "left": 63.333}
    assert widths(ann.app) == {kind: pytest.approx(part, abs=0.01) for kind, part in parts.items()}
    assert "Requests that wait for a decision" in ledger_of(ann.app) and "63 of 100" not in ledger_of(ann.app)
    assert "this budget ends" not in ledger_of(ann.app)
    assert "guessing the values of a person" in ledger_of(ann.app)  # what others asked is not known here
    ann.open("budget")
    assert [(each.label, each.value) for each in ann.app.metric] == [
        *(("Spent", "ε 0.1"), ("Reserved", "ε 0.5"), ("Left", "ε 2.4"), ("Total", "ε 3"))
    ]
    ann.open("global_sensitivity").fill(Purpose="To know how old people are.").press("Send request (reserves")
    assert strip(ann.app) == ["0.10 spent", "1.00 reserved", "1.90 left of ε 3"]
    ann.press("Withdraw request")
    assert strip(ann.app)[:2] == ["0.10 spent", "0.50 reserved"]


def test_an_analyst_sees_no_more_left_than_the_own_limit(town: Town) -> None:
    """The rest of the budget is there, and not available; what goes beyond the limit is missing."""
    changes.amend(town.house, town.people["olga"], town.dataset, Policy(free=0.2, shares={"ann": 0.4}))
    town.ask(0.1, "ann")
    town.ask(0.2, "abe")
    ann = work_on(town.at("ann"))
    ann.open("global_sensitivity")
    shown = ["0.30 spent", "0.50 this query · 0.20 missing", "2.40 not available now", "0.30 left of ε 3"]
    assert strip(ann.app) == shown
    parts = {"spent": 10.0, "missing": 10.0, "closed": 80.0}
    assert widths(ann.app) == {kind: pytest.approx(part, abs=0.01) for kind, part in parts.items()}
    assert "Your limit is ε = 0.4. You have ε = 0.3, δ = 1.33333333e-7 left." in ledger_of(ann.app)
    abe = work_on(town.at("abe"))
    assert strip(abe.open("results").app) == ["0.30 spent", "2.70 left of ε 3"]


def test_of_a_month_no_more_is_left_than_its_allowance(town: Town) -> None:
    """And the whole budget is still the length of the bar."""
    period = Allowance("month", Cost.of("0.5", "1e-6")).written
    data = registered(town, Policy(free=0.2), period=period)
    town.dataset = data
    town.ask(0.2)
    ann = work_on(town.at("ann"), "clinic")
    ann.open("global_sensitivity")
    shown = ["0.20 spent", "0.50 this query · 0.20 missing", "2.50 not available now", "0.30 left of ε 3"]
    assert strip(ann.app) == shown
    assert "month 20" in ledger_of(ann.app) and ": ε = 0.3, δ = 1e-6 left." in ledger_of(ann.app)


def test_a_refused_request_of_others_changes_nothing(town: Town) -> None:
    """What did not fit was never reserved."""
    with pytest.raises(BudgetExceeded):
        for epsilon in (0.9, 1.0, 0.8, 0.7):
            town.ask(epsilon)
    ann = work_on(town.at("ann"))
    assert strip(ann.open("results").app) == ["0.00 spent", "2.70 reserved", "0.30 left of ε 3"]


@pytest.mark.parametrize("width", [1280, 390])
def test_it_stays_in_sight_and_its_ledger_opens_by_keys(chromium: Browser, server: Server, width: int) -> None:
    """Within the first 200 pixels, still there after scrolling with the page's own ground, and nothing is cut."""
    visitor = Visitor(empty_page(chromium, server.url, width), server)
    page = visitor.load("smooth-sensitivity")
    legend, opens = page.get_by_text("0.50 this query", exact=True), page.locator(".st-key-ledger button").first
    for seen in (legend, opens, page.locator(".discreet-bar")):
        expect(seen).to_be_visible()
        place = seen.bounding_box()
        assert place is not None and place["y"] <= 200 and place["x"] + place["width"] <= width
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 500)")
    for seen in (legend, opens):
        place = seen.bounding_box()
        assert place is not None and 0 < place["y"] <= 200
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        assert seen.evaluate("(part, at) => part.contains(document.elementFromPoint(...at))", [x, y]), "it is covered"
    ground = "part => getComputedStyle(part).backgroundColor"
    wrapper = page.locator('[data-testid="stLayoutWrapper"]:has(> .st-key-budget)')
    assert wrapper.evaluate(ground) == page.locator(".stApp").evaluate(ground)
    opens.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing is spent yet.")).to_be_visible()
    expect(page.get_by_role("link", name="View budget")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Nothing is spent yet.")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    visitor.leave()
