"""Newcomer: a person's clicks, typing, reading and decisions on the screens, with a model of the time they take.

The model is the keystroke level: a key 0.28 s, pointing 1.1 s, a click 0.2 s, a hand between keyboard and mouse 0.4 s,
one thought before each act 1.35 s; and silent reading of 238 words a minute. Waiting for the server is measured
separately. A prepared person only reads the card and its checklist.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from time import monotonic

from playwright.sync_api import Locator

from support.visitor import Visitor

KEY, POINT, CLICK, HAND, THOUGHT, WORDS_A_MINUTE = 0.28, 1.1, 0.2, 0.4, 1.35, 238
SHOWN = """() => [...document.querySelectorAll('[data-testid="stMain"], [data-testid="stDialog"]')]
    .flatMap(part => part.innerText.split('\\n')).map(line => line.trim()).filter(line => line)"""
WORD = re.compile(r"[\w’'-]+")


@dataclass
class Effort:
    """The effort of one person."""

    clicks: int = 0
    keys: int = 0
    words: int = 0
    thoughts: int = 0
    hands: int = 0  # moves between mouse and keyboard
    device: str = "mouse"
    screens: int = 0
    waited: float = 0.0
    seen: set[str] = field(default_factory=set)

    @property
    def minutes(self) -> float:
        """The person's time in minutes by the model, without the waiting for a busy machine."""
        acts = self.clicks * (POINT + CLICK) + self.keys * KEY + self.hands * HAND
        return (acts + self.thoughts * THOUGHT) / 60 + self.words / WORDS_A_MINUTE

    def __str__(self) -> str:
        """Return the effort in one line."""
        return (
            f"{self.clicks} clicks, {self.keys} keys, {self.words} words read, {self.thoughts} thoughts, "
            f"{self.screens} looks at a screen, {self.hands} ways of a hand: "
            f"{self.minutes:.1f} minutes, and {self.waited:.0f} s waited"
        )

    def use(self, clicks: int, keys: int = 0) -> None:
        """Count clicks, then keys; each change of device is a move of the hand."""
        for device, times in (("mouse", clicks), ("keyboard", keys)):
            self.hands += bool(times) and device != self.device
            self.device = device if times else self.device
        self.clicks += clicks
        self.keys += keys

    def read_text(self, text: str) -> None:
        """Count lines that were not read before."""
        for line in text.split("\n"):
            if line and line not in self.seen:
                self.seen.add(line)
                self.words += len(WORD.findall(line))


@dataclass
class Newcomer:
    """A person at a browser whose effort is counted."""

    visitor: Visitor
    effort: Effort
    reads: bool = True  # everything that is new on a screen

    def look(self, always: bool = False) -> None:
        """Read what is new on the screen."""
        self.effort.screens += 1
        if self.reads or always:
            self.effort.read_text("\n".join(self.visitor.page.evaluate(SHOWN)))

    def click(self, target: Locator) -> None:
        """Click, and wait until the screen is at rest; then read what is new."""
        self._act(lambda: target.click())
        self.effort.use(1)
        self.look()

    def fill(self, name: str, text: str, exact: bool = False) -> None:
        """Click into a field, type, and leave it."""
        target = self.visitor.page.get_by_role("textbox", name=name, exact=exact).first
        self._act(lambda: (target.fill(text), self.visitor.page.keyboard.press("Tab")))
        self.effort.use(1, len(text) + 1)

    def number(self, name: str, text: str) -> None:
        """Type into a number field."""
        page = self.visitor.page
        target = page.get_by_role("spinbutton", name=name).or_(page.get_by_role("textbox", name=name)).first
        self._act(lambda: (target.fill(text), self.visitor.page.keyboard.press("Tab")))
        self.effort.use(1, len(text) + 1)

    def choose(self, name: str, option: str) -> None:
        """Open a list and choose an option."""
        page = self.visitor.page
        box = page.get_by_role("combobox", name=name).first
        self._act(lambda: (box.click(), self.visitor.choose(page.get_by_role("option", name=option).first)))
        self.effort.use(2)

    def upload(self, name: str, text: str) -> None:
        """Choose a file: two clicks in the browser's own window, and its name."""
        self._act(lambda: self.visitor.upload(name, text.encode()))
        self.effort.use(3)
        self.look()

    def _act(self, step) -> None:  # type: ignore[no-untyped-def]
        self.effort.thoughts += 1
        begun = monotonic()
        step()
        self.visitor.settle()
        self.effort.waited += max(0.0, monotonic() - begun - 0.25)  # settle itself checks for a quarter of a second
