"""What a teacher reads before the class, and the glossary: the notes' own names, and addresses that others can open."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import time
from functools import partial

import pytest
from starlette.requests import Request
from streamlit.testing.v1 import AppTest
from support.for_each import for_each

from discreet.course.classroom import opening, papers, participant, teacher
from discreet.course.classroom.activity import ACTIVITIES
from discreet.course.classroom.meeting import Meeting
from discreet.course.classroom.papers import page
from discreet.course.contents import LESSONS, TERMS
from discreet.course.guessing import written
from discreet.course.whole_course import places
from discreet.office.running.settings import CLASS
from discreet.ui.figures.theme import Sketch
from discreet.ui.frame.catalogue import CATALOGUES, said_in
from discreet.ui.frame.links import square

# what the documents that the course follows call their ideas
NAMES = (
    "差分隐私",
    "去标识",
    "k-匿名性",
    "泛化",
    "差分攻击",
    "机制",
    "距离",
    "临近数据集",
    "无界、有界",
    "问询",
    "隐私预算",
    "隐私消耗量",
    "全局敏感度",
    "局部敏感度",
    "无界敏感度",
    "裁剪",
    "拉普拉斯机制",
    "高斯机制",
    "L1范数",
    "近似差分隐私",
    "失败概率",
    "串行组合性",
    "并行组合性",
    "后处理性",
    "建议-测试-发布",
    "平滑敏感度",
    "采样-聚合",
    "KL散度",
    "最大散度",
    "瑞丽散度",
    "零集中差分隐私",
    "指数机制",
    "备选回复",
    "评分函数",
    "稀疏向量技术",
    "本地差分隐私",
    "随机响应",
    "输入扰动",
    "目标扰动",
    "优化扰动",
    "输出扰动",
)


def reads(base: str, in_class: bool) -> AppTest:
    """Return what a teacher reads."""

    def page(base: str, in_class: bool) -> None:
        from discreet.course.overview import hints

        hints(base, in_class)

    return AppTest.from_function(page, args=(base, in_class), default_timeout=30).run()


@for_each(NAMES)
def test_the_glossary_knows_the_names_of_the_notes(name: str) -> None:
    """Whoever has read one of them finds what it is called here, in both languages, and what it means."""
    lines = [(term, meaning) for term, book, meaning in TERMS if name in book]
    assert lines and all(CATALOGUES["zh"][term] and CATALOGUES["zh"][meaning] for term, meaning in lines)


@pytest.mark.parametrize("base", ["http://127.0.0.1:8501", "http://localhost:8501"])
def test_whoever_is_alone_is_told_how_a_class_is_held(base: str) -> None:
    """A server that only this machine reaches says so, beside addresses that nobody else can open."""
    app = reads(base, in_class=False)
    assert not app.exception and "discreet class" in app.info[0].value
    assert f"{base}/lesson-2-differencing" in app.code[0].value


def test_a_server_on_the_network_and_a_class_have_addresses_for_all() -> None:
    """In a class nothing is said of budgets and uploads, which it does not have."""
    network, lesson = reads("https://stat.example", in_class=False), reads("http://192.0.2.7:8501", in_class=True)
    for app, base in ((network, "https://stat.example"), (lesson, "http://192.0.2.7:8501")):
        assert not app.exception and not app.info
        assert app.code[0].value.count(base) == len(LESSONS)
        assert app.code[1].value.count(base) == len(places())
    said = [" ".join(part.value for part in app.markdown) for app in (network, lesson)]
    assert "Budget page" in said[0] and "budget" not in said[1].lower() and "Reset" in said[1]


def test_a_class_is_found_where_its_rules_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its teacher sits at 127.0.0.1, and everybody else at the address on the square code."""
    rules = {"code": "ABCDEF", "word": "W", "minutes": 1, "most": 2, "address": "http://192.0.2.7:8501"}
    monkeypatch.setenv(CLASS, json.dumps(rules))
    opening.meeting.cache_clear()
    assert papers.base() == rules["address"]
    opening.meeting.cache_clear()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_teacher_has_every_step_with_its_address_and_what_is_true(language: str) -> None:
    """The timetable names the steps, the solutions answer what each asks; the worksheet has no answer."""
    base = "http://192.0.2.7:8501"
    timetable, solutions, worksheet = (page(kind, language, base) for kind in ("timetable", "solutions", "worksheet"))
    for key, place in places().items():
        name, asked = html.escape(said_in(language, place.step.title)), place.step.prediction
        word = f"lang={language}&amp;{place.lesson.key}-step={place.step.name}"
        address = f'href="{base}/{place.lesson.page.replace("_", "-")}?{word}"'
        assert f"<a {address}>{name}</a>" in timetable, key
        truth = html.escape(written(asked.answer, asked.kind, partial(said_in, language)))
        why = html.escape(said_in(language, asked.why))
        assert f"<strong>{truth}</strong>. {why}" in solutions and why not in worksheet, key


def test_papers_of_a_plan_have_its_lessons_only_and_begin_when_it_begins() -> None:
    """An hour has three lessons, ten minutes begin at half past eight; without a plan a paper has everything."""
    base, hour = "http://192.0.2.7:8501", ("lesson-2", "lesson-3", "lesson-6")
    for kind in ("worksheet", "solutions", "timetable"):
        links = set(re.findall(rf"{base}/(lesson-\d)", page(kind, "en", base, "hour")))
        assert links == set(hour), kind
        assert len(set(re.findall(rf"{base}/(lesson-\d)", page(kind, "en", base)))) > len(hour), kind
    assert "The election" not in page("worksheet", "en", base, "hour")
    assert "The election" in page("worksheet", "en", base, "ninety")
    ten = page("timetable", "en", base, "ten", time(8, 30))
    assert "08:30" in ten and "08:34" in ten and "09:00" not in ten


def test_a_paper_asked_for_with_a_plan_that_does_not_exist_has_all_lessons() -> None:
    """An address may say anything."""
    papers_of = partial(_asked, "worksheet-en.html")
    assert papers_of("plan=hour&start=08:30") != papers_of("plan=none&start=x") == papers_of("")


def _asked(name: str, query: str) -> bytes:
    """Return the body of a paper, without its address."""
    scope = {"type": "http", "method": "GET", "path": f"/handout/{name}", "query_string": query.encode()}
    scope |= {"headers": [(b"host", b"a.example")], "path_params": {"name": name}, "scheme": "http"}
    response = papers._handed(Request(scope))
    assert response.status_code == 200
    return bytes(response.body)


def test_cards_have_the_address_and_the_code_of_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a class its code and a square code that carries it; elsewhere the address of the lessons."""
    alone = page("cards", "en", "http://192.0.2.7:8501")
    assert alone.count("http://192.0.2.7:8501</strong>") == papers.CARDS and "Class code" not in alone
    rules = {"code": "ABCDEF", "word": "W", "minutes": 1, "most": 2, "address": "http://192.0.2.7:8501"}
    monkeypatch.setenv(CLASS, json.dumps(rules))
    opening.meeting.cache_clear()
    held = page("cards", "en", papers.base())
    assert held.count("<strong>ABCDEF</strong>") == papers.CARDS
    assert held.count(square("http://192.0.2.7:8501/?code=ABCDEF")) == papers.CARDS
    opening.meeting.cache_clear()


@dataclass(frozen=True)
class Kept(teacher.Canvas):
    """A canvas that keeps its figures."""

    figures: list[dict[str, dict[str, object]]] = field(default_factory=list)

    def show(self, figure: Sketch, words: str) -> None:
        """Keep one."""
        self.figures.append(figure.to_dict())


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Meeting]:
    """Hold a class in this process, with one participant."""
    rules = {"code": "ABCDEF", "word": "W", "minutes": 9, "most": 2, "address": "http://192.0.2.7:8501"}
    monkeypatch.setenv(CLASS, json.dumps(rules))
    opening.meeting.cache_clear()
    opening.meeting().lead("teacher", "W")
    opening.meeting().join("pupil", "ABCDEF")
    yield opening.meeting()
    opening.meeting.cache_clear()


def stage(held: Meeting, name: str) -> dict[str, dict[str, object]]:
    """Go to an activity, and return what the teacher's figure is once it has been answered."""
    while held.stage.activity is None or held.stage.activity.name != name:
        held.turn("teacher", 1)
    if name == "pair":
        for which in (0, 1):
            held.ask("pupil", which)
    else:
        held.answer("pupil", f"{name}-0", 1)
    canvas = Kept()
    teacher.live(held.stage.activity, True, canvas)
    return canvas.figures[0]["layout"]


def test_the_lines_of_two_near_averages_have_no_labels_that_hide_each_other(held: Meeting) -> None:
    """Each has the colour of its dots, whose names are below them; a line is drawn for each query."""
    layout = stage(held, "pair")
    assert len(layout["shapes"]) == 2 and not layout["annotations"]


def test_an_axis_counts_reports_where_a_person_makes_three(held: Meeting) -> None:
    """Answers are counted elsewhere; ages are no places."""
    assert stage(held, "stand")["xaxis"]["title"]["text"] == "Age"
    assert stage(held, "copied")["yaxis"]["title"]["text"] == "Number of reports"


def test_a_negative_count_has_a_minus_sign(held: Meeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """As everywhere: a hyphen is shorter, and breaks at the end of a line."""
    spoken: list[str] = []
    monkeypatch.setattr(participant, "browser", lambda: "pupil")
    monkeypatch.setattr(participant.st, "markdown", spoken.append)
    activity = next(activity for activity in ACTIVITIES if activity.name == "spy")
    game, _ = held.results.game("pupil", 1.0)
    held.results.games["pupil"] = replace(game, answers=(-2, *game.answers[1:])), ""
    participant._tournament(activity)
    assert spoken == ["The count of person 1 is **−2**."]


def test_phones_of_a_large_class_check_less_often(held: Meeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone of a usual class follows within a second; two hundred and fifty leave one processor some time."""
    asked: list[float] = []
    monkeypatch.setattr(participant.st, "fragment", lambda _, run_every: lambda: asked.append(run_every))
    for most in (2, 60, 250):
        held.rules = replace(held.rules, most=most)
        participant.class_screen()
    assert asked == [1.0, 1.0, 2.0]
