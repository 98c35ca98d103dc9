"""Meeting: one class in one process: who is there, what is asked now, what was answered. Nothing is written down."""

from __future__ import annotations

import hmac
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import RLock
from uuid import uuid4

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.lab.classroom.activity import ACTIVITIES, Activity, Questioning
from discreet.lab.classroom.attendance import HERE, Attendance, Participant, plain_name
from discreet.lab.classroom.rate_limit import Pace, RateLimit
from discreet.lab.classroom.results import Results
from discreet.lab.classroom.step_guesses import StepGuesses
from discreet.lab.lessons import own_table
from discreet.lab.lessons.guesses import Value

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is read as another one
CODE = 6  # letters: there are 31^6 codes, nearly a thousand million
LOBBY = -1
TRIES, TRIES_OF_ALL, MINUTE = 30, 120, 60.0  # wrong codes of one address and of everybody that are looked at at once
PACE, PACE_OF_ALL = 0.2, 0.1  # seconds between two codes that are looked at after that
LONGEST = 60.0  # seconds that one waits for its turn
ACTS, ACT_SECONDS = 10, 10.0  # answers of one participant
WRONG_CODE = Phrase("This is not the code of this class.")
TOO_FAST = Phrase("Too fast. Wait a few seconds.")
TOO_MANY_TRIES = Phrase("Too many wrong codes were tried. Wait a minute.")
FULL = Phrase("The class is full. The teacher can let go of those who are not there.")
SHUT = Phrase("The teacher lets nobody in from your address.")
ENDED = Phrase("The class has ended.")
CLOSED = Phrase("Answers are closed.")


@dataclass(frozen=True)
class Stage:
    """What the class does now: nothing yet, or an activity, open or revealed."""

    activity: Activity | None
    revealed: bool


@dataclass(frozen=True)
class Rules:
    """How a class is entered and led, and when it ends: fixed when it begins, but for its code."""

    code: str
    word: str
    minutes: float
    most: int
    address: str
    file: str = ""

    @property
    def link(self) -> str:
        """What the square code says: the address, with the code of the class."""
        return f"{self.address}/?code={self.code}"


def same(given: str, right: str) -> bool:
    """Compare in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.strip().upper().encode(), right.upper().encode())


def drawn(length: int) -> str:
    """Return letters by lot, of the system's randomness."""
    bits = int(sha256(uuid4().bytes + uuid4().bytes).hexdigest(), 16)  # more by lot than the longest word takes
    word = ""
    for _ in range(length):
        bits, at = divmod(bits, len(LETTERS))
        word += LETTERS[at]
    return word


class Meeting:
    """The one class of a server: every method may be called from every thread."""

    def __init__(
        self, rules: Rules, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        """Begin now."""
        self.rules, self._clock, self._sleep = rules, clock, sleep
        self._lock = RLock()
        self._ends = clock() + 60 * rules.minutes
        self._acts = RateLimit(ACTS, ACT_SECONDS, clock)
        self._tries, self._all_tries = RateLimit(TRIES, MINUTE, clock), RateLimit(TRIES_OF_ALL, MINUTE, clock)
        self._pace, self._pace_of_all = Pace(PACE, LONGEST, clock), Pace(PACE_OF_ALL, LONGEST, clock)
        self._waiting = set[str]()  # browsers whose code waits to be looked at
        self.results, self.steps = Results(), StepGuesses()
        self._who, self._at, self._revealed = Attendance(), LOBBY, set[str]()

    @property
    def left(self) -> float:
        """How many seconds it lasts; nobody is known any more once it has ended."""
        with self._lock:
            left = max(0.0, self._ends - self._clock())
            if not left:
                own_table.LECTERN.table = None
                self._who, self.results, self.steps = Attendance(), Results(), StepGuesses()
            return left

    @property
    def stage(self) -> Stage:
        """What the class does now."""
        with self._lock:
            activity = ACTIVITIES[self._at] if self._at != LOBBY else None
            return Stage(activity, activity is not None and activity.name in self._revealed)

    def join(self, browser: str, code: str, name: str = "", address: str = "") -> None:
        """Let in a browser that has the code, or say why not."""
        self._wait_turn(browser, address)
        with self._lock:
            self._check(code, address)
            if browser not in self._who.people:
                self._make_room(address)
            self._who.people[browser] = Participant(plain_name(name), self._clock(), address)

    def lead(self, browser: str, word: str) -> None:
        """Let a browser that has the secret word lead the class; nobody guesses it, so it is always looked at."""
        with self._lock:
            if not self.left:
                raise ParameterError(ENDED)
            if not same(word, self.rules.word):
                raise ParameterError(WRONG_CODE)
            self._who.teachers.add(browser)

    def _wait_turn(self, browser: str, address: str) -> None:
        """Wait where many wrong codes were given: they are looked at one after the other, and too many are not at all.

        Whoever has the right one waits like the others, and gets in.
        """
        with self._lock:
            if browser in self._waiting:
                raise ParameterError(TOO_MANY_TRIES)
            waits = [
                pace.wait(name)
                for tries, pace, name in ((self._tries, self._pace, address), (self._all_tries, self._pace_of_all, ""))
                if tries.full(name)
            ]
            if not self.left or not waits:
                return
            if None in waits:
                raise ParameterError(TOO_MANY_TRIES)
            self._waiting.add(browser)
        try:
            self._sleep(max(wait for wait in waits if wait is not None))
        finally:
            with self._lock:
                self._waiting.discard(browser)

    def _check(self, code: str, address: str) -> None:
        """Refuse a wrong code, and count it."""
        if not self.left:
            raise ParameterError(ENDED)
        if address in self._who.shut:
            raise ParameterError(SHUT)
        if not same(code, self.rules.code):
            self._tries.take(address)
            self._all_tries.take()
            raise ParameterError(WRONG_CODE)

    def _make_room(self, address: str) -> None:
        """Refuse somebody for whom there is no place."""
        if not self._who.makes_room(self.rules.most, address, self._clock()):
            raise ParameterError(FULL)

    def change_code(self, teacher: str) -> None:
        """Let nobody in by the code that was shown so far; whoever has joined stays."""
        with self._lock:
            if self.teaches(teacher):
                self.rules = replace(self.rules, code=drawn(CODE))

    def addresses(self) -> list[tuple[str, int]]:
        """Return from which addresses several have joined, those with most first, and those that are shut."""
        with self._lock:
            counts = self._who.addresses()
            several = [(address, count) for address, count in counts.most_common() if count > 1]
            return several + [(address, 0) for address in sorted(self._who.shut)]

    def let_go_absent(self, teacher: str) -> None:
        """Free the places of all who are not here now."""
        with self._lock:
            since = self._clock() - HERE
            if self.teaches(teacher):
                self._let_go(lambda person: person.seen < since)

    def shut(self, teacher: str, address: str) -> None:
        """Send everybody away who joined from an address, and let nobody in from there; or let them in again."""
        with self._lock:
            if self.teaches(teacher) and address in self._who.shut:
                self._who.shut.discard(address)
            elif self.teaches(teacher):
                self._who.shut.add(address)
                self._let_go(lambda person: person.address == address)

    def _let_go(self, fits: Callable[[Participant], bool]) -> None:
        gone = self._who.let_go(fits)
        self.results.without(gone)
        self.steps.without(gone)

    def teaches(self, browser: str) -> bool:
        """Say whether a browser leads."""
        with self._lock:
            return bool(self.left) and browser in self._who.teachers

    def has(self, browser: str) -> bool:
        """Say whether a browser has joined, and remember that it was heard of."""
        with self._lock:
            person = self._who.people.get(browser) if self.left else None
            if person is not None:
                person.seen = self._clock()
            return person is not None

    def stands(self, browser: str, place: str) -> None:
        """Remember at which screen somebody is."""
        with self._lock:
            if browser in self._who.people:
                self._who.people[browser].place = place

    def places(self) -> Counter[str]:
        """Return how many are at which screen, of those who are here."""
        with self._lock:
            return Counter(person.place for person in self.present())

    def names(self) -> list[str]:
        """Return the names of those who are here and gave one."""
        with self._lock:
            return sorted(person.name for person in self.present() if person.name)

    def present(self) -> list[Participant]:
        """Return those who are here."""
        since = self._clock() - HERE
        return [person for person in self._who.people.values() if person.seen >= since]

    def answer(self, browser: str, asked: str, value: float) -> None:
        """Take an answer to what is asked now; `asked` is the round that was on the screen, which may be over."""
        with self._lock:
            activity = self.stage.activity
            if activity is None or asked != self.results.round(activity) or not activity.takes(value):
                raise ParameterError(CLOSED)
            self._permit(browser)
            if not (activity.once and browser in self.results.answers[activity.name]):
                self.results.answers[activity.name][browser] = value

    def ask(self, browser: str, which: int) -> int:
        """Ask one of the two questions on the budget of the class."""
        with self._lock:
            if not isinstance(self.stage.activity, Questioning):
                raise ParameterError(CLOSED)
            self._permit(browser)
            ledger = self.results.ledger
        return ledger.ask(which)

    def _permit(self, browser: str) -> None:
        """Refuse whoever has not joined, what is not open, and haste."""
        stage = self.stage
        if not self.has(browser) or stage.activity is None or stage.revealed:
            raise ParameterError(CLOSED)
        if not self._acts.take(browser):
            raise ParameterError(TOO_FAST)

    def mine(self, browser: str) -> float | None:
        """Return what somebody has answered to what is asked now."""
        with self._lock:
            activity = self.stage.activity
            return None if activity is None else self.results.answers[activity.name].get(browser)

    def turn(self, teacher: str, by: int) -> None:
        """Go to the next activity, or back."""
        with self._lock:
            if self.teaches(teacher):
                self.steps.asked = ""
                self._at = min(max(self._at + by, LOBBY), len(ACTIVITIES) - 1)

    def reveal(self, teacher: str) -> None:
        """Close the answers and show everybody what comes out."""
        with self._lock:
            activity = self.stage.activity
            if self.teaches(teacher) and activity is not None and activity.name not in self._revealed:
                self.results.close(activity)
                self._revealed.add(activity.name)

    def reset(self, teacher: str) -> None:
        """Forget the answers to what is asked now, and ask again."""
        with self._lock:
            activity = self.stage.activity
            if self.teaches(teacher) and activity is not None:
                self.results.forget(activity)
                self._revealed.discard(activity.name)

    def guessed(self, browser: str, guesses: Mapping[str, Value]) -> None:
        """Keep what a participant guessed on steps of the lessons."""
        with self._lock:
            if self.has(browser):
                self.steps.note(browser, guesses)

    def on_steps(self, teacher: str, act: Callable[[StepGuesses], None]) -> None:
        """Let the teacher do something about the guesses on steps."""
        with self._lock:
            if self.teaches(teacher):
                act(self.steps)

    def end(self, teacher: str) -> None:
        """End the class: everybody and everything is forgotten."""
        with self._lock:
            if self.teaches(teacher):
                self._ends = self._clock()
