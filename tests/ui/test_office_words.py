"""The office in another language: every screen of every role, without a word of English."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support.seats import SHELL, by_address
from support.soak import some
from support.town import SCHEMA, TOWN, prepare, question
from support.words import choices, choose, english, texts

import discreet.ui.frame.words
import discreet.ui.session.state
from discreet.budget import Cost
from discreet.budget.allowance import Allowance
from discreet.office import House, Member
from discreet.office.datasets import letterhead, lifecycle, places
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import POINTS
from discreet.office.desk import asking, queue
from discreet.office.notices import drafts
from discreet.office.people import tokens
from discreet.office.people.signing_in import CODE, FACTOR, Halfway
from discreet.office.requests import remarks
from discreet.rows import Category, Number, Schema
from discreet.ui.session import door

SLOT = re.compile(r"\{[a-z_]{3,}\}")
PURPOSE, REASON = "了解本镇居民的年龄状况，用于年度报告。", "请改用整个城镇的数据，并说明理由。"
AGE = Number(0, 120, integer=True, origin="众所周知", unit="岁")
SAID = replace(
    TOWN,
    schema=Schema({"age": AGE, "group": Category(("a", "b"), origin="问卷")}),
    source="调查",
    basis="同意",
    access="两位管理员",
    period=Allowance("month", Cost.of("3", "1e-6")).written,
)
WORDS = dict.fromkeys(POINTS, "no: 这一点已经知道，可以接受。")
SCREENS = {
    "ann": ("news", "requests", "account", "budget", "dataset", "global_sensitivity", "propose_test_release"),
    "olga": ("news", "review", "evidence", "datasets", "audit_log", "budget"),
    "adam": ("news", "people", "settings", "audit_log"),
    "": ("sign_in", "published_results"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, dict[str, Member], str]:
    """Prepare a house with a request in every state, all of whose own texts are Chinese."""
    assert set(SAID.schema.columns) == set(SCHEMA.columns)
    town = prepare(tmp_path_factory.mktemp("words") / "home", said=SAID)
    office, people, dataset = town
    for at, verdict in enumerate(("approved", "denied", "changes", "withdrawn", "", "")):
        asked = asking.submit(office, people["ann"], dataset, question(0.3 + at / 100), PURPOSE)
        if verdict == "withdrawn":
            decisions.withdraw(office, people["ann"], asked.id)
        elif verdict:
            remarks.remark(office, people["olga"], asked.id, REASON)
            remarks.remark(office, people["olga"], asked.id, REASON, remarks.OFFICERS)
            decisions.decide(office, people["olga"], asked.id, verdict, REASON, WORDS)
    asking.submit(office, people["ann"], dataset, question(0.1), PURPOSE)
    lifecycle.publish(office, people["olga"], dataset, True)
    letterhead.declare(
        office, people["adam"], letterhead.Letterhead("本镇医院", "Government", "Healthcare", contact="数据办公室")
    )
    drafts.save_draft(office, people["olga"], "register:x", "居民", {})
    places.connect(office, people["adam"], "登记库", "sqlite:////tmp/folk.db")
    tokens.issue(office, people["ann"], "每晚的报告", frozenset({"read", "ask"}), 30)
    return town


def open_as(monkeypatch: pytest.MonkeyPatch, town: tuple[House, dict[str, Member], str], name: str) -> AppTest:
    """Open the app in Chinese, signed in as somebody, at work on the registered data."""
    house, people, _ = town
    discreet.ui.session.state.server().clear()
    monkeypatch.setattr(discreet.ui.frame.words, "language", lambda: "zh")
    monkeypatch.setattr(door, "_house", lambda: house)
    monkeypatch.setattr(door, "who", lambda: people.get(name))
    monkeypatch.setattr(door, "stay", lambda: name)
    app = AppTest.from_file(str(SHELL), default_timeout=60)
    app.query_params["lang"] = "zh"
    if name != "ann":
        by_address(app, name)
    else:
        app.run().switch_page("../pages/dataset.py").run()
        (work,) = [box for box in app.selectbox if "town" in str(box.options)]
        work.select_index(len(work.options) - 1).run()
    return app


@pytest.mark.soak
@pytest.mark.parametrize(("name", "page"), [(name, page) for name, pages in SCREENS.items() for page in pages])
def test_no_screen_of_the_office_speaks_english_in_chinese(
    monkeypatch: pytest.MonkeyPatch, house: Any, name: str, page: str
) -> None:
    """Every view, and every request in it; in `make test` every second view."""
    app = open_as(monkeypatch, house, name)
    app.switch_page(f"../pages/{page}.py").run()
    assert not app.exception and app.title and not english(app) and not unfilled(app)
    for key, options in choices(app).items():
        for option in some(options, 2):
            choose(app, key, option)
            assert not app.exception and not english(app) and not unfilled(app), option
    following = [button for button in app.button if button.key == "step:chevron_right"]
    for button in following:
        button.click().run()
        assert not app.exception and not english(app) and not unfilled(app)
    for key in ("request", "decided", "release"):
        for box in [box for box in app.selectbox if box.key == key]:
            for at in range(len(box.options)):
                app.selectbox(key=key).select_index(at).run()
                assert not app.exception and not english(app) and not unfilled(app), at


def test_a_period_is_called_so_in_the_language_of_the_screen(monkeypatch: pytest.MonkeyPatch, house: Any) -> None:
    """On a card and in the overview; a ledger calls it in English."""
    app = open_as(monkeypatch, house, "olga")
    for page in ("review", "budget"):
        app.switch_page(f"../pages/{page}.py").run()
        words = [part.value for part in app.caption] + [table.value.to_string() for table in app.dataframe]
        assert "月 20" in str(words) and "month" not in str(words)


def test_the_trail_calls_what_an_act_tells_by_its_name_in_chinese(monkeypatch: pytest.MonkeyPatch, house: Any) -> None:
    """In the cells of its table, too."""
    app = open_as(monkeypatch, house, "olga").switch_page("../pages/audit_log.py").run()
    details = "; ".join(app.dataframe[0].value["详情"])
    assert "数据集: " in details and "查询: " in details and "dataset: " not in details


def test_nothing_in_a_checklist_is_answered_before_somebody_does(monkeypatch: pytest.MonkeyPatch, house: Any) -> None:
    """Every point that is an officer's is asked and stands empty, also where the same was answered before."""
    app = open_as(monkeypatch, house, "olga").switch_page("../pages/review.py").run()
    asked = [part for part in app.segmented_control if str(part.key).startswith("item:")]
    assert len(asked) >= 2 and {part.value for part in asked} == {None}
    assert not [part for part in app.text_area if str(part.key).startswith("item:") and part.value]
    (approve,) = [button for button in app.button if "批准" in button.label]
    waiting = queue.how_many(house[0], house[1]["olga"])
    approve.click().run()
    assert queue.how_many(house[0], house[1]["olga"]) == waiting  # silence is no oath


@pytest.mark.parametrize("missing", [CODE, FACTOR, ""])
def test_a_second_factor_is_asked_for_and_set_up_in_chinese(
    monkeypatch: pytest.MonkeyPatch, house: Any, missing: str
) -> None:
    """At the door, where a code or the factor itself is missing, and on the page Account."""
    app = open_as(monkeypatch, house, "" if missing else "ann")
    if missing:
        app.session_state["halfway"] = Halfway("x", "olga", missing, 0.0, "x")
    app.switch_page(f"../pages/{'sign_in' if missing else 'account'}.py").run()
    for button in [each for each in app.button if "双重验证" in each.label]:
        button.click().run()
    for text in [each for each in app.text_input if each.label == "验证码" and each.key is None]:
        text.set_value("000000")
        (send,) = [each for each in app.button if each.label in ("登录", "完成设置")]
        send.click().run()
    assert app.error and not app.exception and not english(app) and not unfilled(app)
    assert any("验证码" in text for text in texts(app))


def unfilled(app: AppTest) -> list[str]:
    """Return what is shown with a slot that nobody filled in."""
    return [text for text in texts(app) if SLOT.search(text)]


def test_the_walk_finds_english(monkeypatch: pytest.MonkeyPatch, house: Any) -> None:
    """Without a catalogue the same walk reports the page."""
    app = open_as(monkeypatch, house, "olga").switch_page("../pages/review.py").run()
    monkeypatch.setattr(discreet.ui.frame.catalogue, "CATALOGUES", {})
    assert english(app.run())
