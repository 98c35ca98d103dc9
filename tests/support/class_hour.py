"""Class hour: people on a wire and on phones who follow a class, answer every activity, fall asleep and come back."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from discreet.course.classroom.activity import (
    ACTIVITIES,
    Activity,
    Choice,
    CoinFlip,
    Entry,
    Proposal,
    Questioning,
    Tournament,
)
from discreet.course.lessons.differencing.numbers import PEOPLE
from support.browsers import WAIT
from support.class_visitors import Seat

Stage = tuple[str, bool]  # the name of an activity, and whether it is revealed
TITLES = {str(activity.title): activity.name for activity in ACTIVITIES}
WHY = {activity.name: " ".join(str(activity.why).split()[:6]) for activity in ACTIVITIES}  # without formulas
SPENT = "The budget of the class is spent"
CONFIRMED = re.compile(
    rf"Your guess: \d|Your answer: \d|Your choice is counted|Your reports:|Your b =|Your results:|{SPENT}|"
    rf"Right so far: \d+ of {PEOPLE}\."
)
AGENT = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36"


@dataclass
class Follower(Seat):
    """A participant or a teacher who knows which stage the window shows, since when, and may sleep."""

    stage: Stage = "", False
    since: float = 0.0
    pressed: float = 0.0
    confirmed: float = 0.0
    asleep: bool = False
    _words: str = ""

    def hear(self, words: str) -> None:
        """Keep the words of the current run."""
        self._words += words
        super().hear(words)

    def answer(self, activity: Activity, lot: random.Random, round_: int) -> None:
        """Answer an activity in one of its rounds, in the way that it asks for."""
        key = f"{activity.name}-{round_}"
        self.confirmed, self.pressed = 0.0, time.monotonic()
        self.forget()
        *first, last = wishes(activity, key, lot)
        for name, value in first:
            self.do(name, **value)
        while first and (self._waiting or self._busy):
            time.sleep(0.02)
        self.pressed = self.do(last[0], **last[1])

    def _heed(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._words = ""
        super()._heed(message)
        if kind == "script_finished":
            self._look_at(self._words)

    def _look_at(self, words: str) -> None:
        """Note what a run showed; a refresh of the teacher's figure does not repeat the title."""
        title = next((TITLES[body] for body in re.findall(r'body: "([^"]*)"', words) if body in TITLES), "")
        name = title or self.stage[0]
        stage = name, WHY.get(name, "\0") in words
        if (title or "Participants: " in words) and stage != self.stage:
            self.stage, self.since = stage, time.monotonic()
        if not self.confirmed and self.pressed and CONFIRMED.search(words):
            self.confirmed = time.monotonic()

    def _hear(self) -> None:
        if self.asleep:
            time.sleep(0.1)
        else:
            super()._hear()

    def _speak(self) -> None:
        if not self.asleep:
            super()._speak()


def wishes(activity: Activity, key: str, lot: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Return the widgets that answer an activity, each with a value drawn by lot."""
    press = {"trigger_value": True}
    match activity:
        case Entry(low=low, high=high):
            return [(key, {"double_value": float(lot.randint(low, high))}), (f"{key}-commit", press)]
        case Proposal(bounds=bounds):
            return [(key, {"string_value": f"{lot.choice(bounds):g}"}), (f"{key}-commit", press)]
        case Choice(places=places):
            return [(key, {"string_value": str(lot.choice(places))})]
        case CoinFlip():
            return [(f"{key}-{lot.choice((True, False))}", press)]
        case Questioning():
            return [(f"ask-{lot.choice((0, 1))}", press)]
        case Tournament():
            return [(f"{key}-{lot.choice('yn')}", press) for _ in range(PEOPLE)]
    raise NotImplementedError(activity.name)


def phone(chromium: Browser, url: str, code: str, scheme: str = "light") -> Page:
    """Return a phone that has joined by the link of the QR code."""
    size: Any = {"width": 390, "height": 844}
    dark: Any = scheme
    context = chromium.new_context(viewport=size, user_agent=AGENT, is_mobile=True, has_touch=True, color_scheme=dark)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"{url}/?code={code}&lang=en")
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("heading", name="You have joined")).to_be_visible()
    return page


def tap(page: Page, activity: Activity, lot: random.Random) -> None:
    """Answer an activity on a phone, and wait for its confirmation."""
    choices = page.get_by_role("radiogroup")
    match activity:
        case Entry(low=low, high=high):
            page.get_by_role("spinbutton").fill(str(lot.randint(low, high)))
            page.get_by_role("button", name="Submit").click()
        case Proposal(bounds=bounds):
            choices.get_by_text(f"{lot.choice(bounds):g}", exact=True).click()
            page.get_by_role("button", name="Propose", exact=True).click()
        case Choice(places=places):
            choices.get_by_text(str(lot.choice(places)), exact=True).click()
        case CoinFlip():
            page.get_by_role("button", name=lot.choice(("yes", "no")), exact=True).click()
        case Questioning():
            page.get_by_role("button", name="How many smoke?", exact=True).click()
        case Tournament():
            for at in range(PEOPLE):
                page.get_by_role("button", name="Smokes", exact=True).click()
                expect(page.get_by_text(f" of {at + 1}.")).to_be_visible()
    expect(page.get_by_text(CONFIRMED).first).to_be_visible()


def shows(page: Page, stage: Stage) -> None:
    """Expect that a window shows a stage."""
    title = next(title for title, name in TITLES.items() if name == stage[0])
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    why = page.get_by_text(WHY[stage[0]])
    if stage[1]:
        expect(why).to_be_visible()
    else:
        expect(why).not_to_be_visible()
