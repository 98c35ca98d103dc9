"""Class visitors: any number of participants, each a raw connection that behaves like a page."""

from __future__ import annotations

import re
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException

from discreet.ui.session.cookies import BROWSER
from support.wire import Wire, new_browser

NEVER = float("inf")


@dataclass
class Seat(Wire):
    """A participant: reruns when the page asks for it, and remembers the widgets."""

    query: str = ""
    page: str = ""
    script: str = ""
    ids: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[str, Any]] = field(default_factory=dict)
    dropped: str = ""
    runs: int = 0
    _again: dict[str, tuple[float, float]] = field(default_factory=dict)
    _busy: bool = False
    _whole: bool = True
    _waiting: list[dict[str, dict[str, Any]]] = field(default_factory=list)

    def sit(self) -> None:
        """Start listening, in a thread of its own, until `leave`."""
        self._guard, self._over = threading.Lock(), threading.Event()
        self._send({}, "")
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def leave(self) -> None:
        """Stop listening."""
        self._over.set()
        self._thread.join(timeout=10)

    def do(self, key: str, **value: Any) -> float:
        """Use a widget as soon as it exists and the page is at rest; return the time of that moment."""
        self.there(key)
        with self._guard:
            self._waiting.append({self.ids[key]: value})
        return time.monotonic()

    def fill(self, key: str, **value: Any) -> None:
        """Fill in a field of a form as soon as it exists; it is sent with the form."""
        self.there(key)
        with self._guard:
            self.values[self.ids[key]] = value

    def join(self, code: str) -> None:
        """Fill in the code of the class, and press the button."""
        self.fill("class-code", string_value=code)
        self.do("FormSubmitter:join-Join", trigger_value=True)

    def forget(self) -> None:
        """Forget values set so far, as a page does with widgets that are gone."""
        with self._guard:
            self.values.clear()

    def there(self, key: str, seconds: float = 30.0) -> None:
        """Wait until the page has a widget."""
        end = time.monotonic() + seconds
        while key not in self.ids:
            assert time.monotonic() < end and not self.dropped, (key, self.dropped, sorted(self.ids))
            time.sleep(0.05)

    def _send(self, values: dict[str, dict[str, Any]], fragment: str) -> None:
        """Run the script with the current values of all widgets."""
        asked = BackMsg()
        asked.rerun_script.query_string, asked.rerun_script.page_name = self.query, self.page
        asked.rerun_script.fragment_id, asked.rerun_script.page_script_hash = fragment, self.script
        asked.rerun_script.is_auto_rerun = bool(fragment)
        for name, value in {**self.values, **values}.items():
            asked.rerun_script.widget_states.widgets.add(id=name, **value)
        self.values |= {name: value for name, value in values.items() if "trigger_value" not in value}
        self._whole = not fragment
        self._busy, self.runs = True, self.runs + 1
        self.say(asked)

    def _look(self) -> None:
        try:
            while not self._over.is_set():
                self._hear()
                self._speak()
        except WebSocketException as wrong:
            self.dropped = repr(wrong)

    def _hear(self) -> None:
        """Read received messages, for a short while."""
        with suppress(TimeoutError):
            while True:
                message = ForwardMsg()
                message.ParseFromString(bytes(self._line.recv(timeout=0.02)))  # type: ignore[arg-type]
                self._heed(message)

    def _heed(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            if self._whole:
                self._again.clear()
            self.session = self.session or message.new_session.initialize.session_id
        elif kind == "auto_rerun":
            interval = message.auto_rerun.interval
            self._again[message.auto_rerun.fragment_id] = (interval, time.monotonic() + interval)
        elif kind == "script_finished":
            self._busy = False
        elif kind == "delta":
            self.hear(str(message.delta))

    def hear(self, words: str) -> None:
        """Remember the widgets of a part of the page, by their keys."""
        for name, key in re.findall(r'"(\$\$ID-[0-9a-f]+-([^"]+))"', words):
            self.ids[key] = name

    def _speak(self) -> None:
        """Send a pending action, or rerun where the page asks for it."""
        if self._busy:
            return
        with self._guard:
            wish = self._waiting.pop(0) if self._waiting else None
        if wish is not None:
            self._send(wish, "")
            return
        now = time.monotonic()
        for fragment, (interval, due) in self._again.items():
            if due <= now:
                self._again[fragment] = (interval, now + interval)
                self._send({}, fragment)
                return


Somebody = TypeVar("Somebody", bound=Seat)


def seated(stack: ExitStack, kind: type[Somebody], url: str, way_in: str) -> Somebody:
    """Return a participant with a new browser who opened an address, for as long as the stack lasts."""
    person = kind(url, {BROWSER: new_browser(url)}, query=f"{way_in}&lang=en")
    stack.enter_context(person)
    person.sit()
    return person


def joined(stack: ExitStack, url: str, code: str) -> Seat:
    """Let a participant join by the link in the QR code."""
    seat = seated(stack, Seat, url, f"code={code}")
    seat.join(code)
    return seat


@dataclass
class Reader(Seat):
    """A participant who keeps every text that was sent, drawn or not, and goes from screen to screen."""

    words: list[str] = field(default_factory=list)
    _ways: list[tuple[str, str]] = field(default_factory=list)

    @property
    def sent(self) -> str:
        """All text sent so far."""
        return "\n".join(self.words)

    def go(self, page: str, query: str = "") -> None:
        """Go to an address, once the page is at rest; values set on the previous screen are gone."""
        self._ways.append((page, query))

    def follow(self, label: str) -> None:
        """Follow the last link with this label."""
        self.hears(f'label: "{label}"')
        links = re.findall(
            r'page: "(.*)"\s+label: "(.*)"\s+icon: .*\s+page_script_hash: .*\s+query_string: "(.*)"', self.sent
        )
        page, query = [(page, query) for page, words, query in links if words == label][-1]
        self.go(page, query)

    def hears(self, words: str, seconds: float = 30.0) -> None:
        """Wait until this text has been sent, with the rest of its run."""
        end = time.monotonic() + seconds
        while self._busy or words not in self.sent:
            assert time.monotonic() < end and not self.dropped, (words, self.dropped)
            time.sleep(0.05)

    def _heed(self, message: ForwardMsg) -> None:
        self.words.append(str(message))
        if message.WhichOneof("type") == "navigation":
            self.script = message.navigation.page_script_hash  # a fragment runs on its own screen
        super()._heed(message)

    def _speak(self) -> None:
        """Navigate before any other action."""
        if self._ways and not self._busy:
            (self.page, self.query), self.script = self._ways.pop(0), ""
            self.forget()
            self._send({}, "")
        super()._speak()


@dataclass
class Teacher(Seat):
    """A teacher who sees the votes arrive, and notes when each number of votes was first seen."""

    votes: dict[int, float] = field(default_factory=dict)

    def hear(self, words: str) -> None:
        """Note when a number of votes was first on the figure."""
        super().hear(words)
        for said in re.findall(r"Votes: ([^\".]*)\.", words):
            total = sum(map(int, re.findall(r"\d+", said)))
            self.votes.setdefault(total, time.monotonic())
