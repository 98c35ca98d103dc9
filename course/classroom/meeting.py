"""Meeting: one class in one process: who is there, what is asked now, what was answered. Nothing is written down."""

from __future__ import annotations

import hmac
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from threading import RLock
from uuid import uuid4

from discreet.budget.errors import ParameterError, Phrase
from discreet.course.classroom.activity import ACTIVITIES, Activity, Ballot, CommonLedger, Questioning, elected
from discreet.office.api.rate_limit import Pace, RateLimit
from discreet.ui.session import own_table
from discreet.ui.session.guesses import Value

# Attendance: who is in a class, under a name that may be shown, and when they were heard of last.

LONGEST_NAME = 20
HERE = 30.0  # seconds after which somebody who asks for nothing is not here
GONE = 300.0  # seconds after which their place is somebody else's, where there are no more


@dataclass
class Participant:
    """Somebody who joined: what they like to be called, when their browser was last heard of, where they are.

    The address is that of their machine in the network; a school may have one for everybody.
    """

    name: str
    seen: float
    address: str = ""
    place: str = ""


def plain_name(text: str) -> str:
    """Return a name as it may be shown: letters, digits and single blanks, and not many."""
    letters = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", text))
    return " ".join(letters.split())[:LONGEST_NAME].strip()


@dataclass
class Attendance:
    """Who is in the class, by their browsers, and from which addresses nobody may be in it."""

    people: dict[str, Participant] = field(default_factory=dict)
    teachers: set[str] = field(default_factory=set)
    shut: set[str] = field(default_factory=set)

    def makes_room(self, most: int, address: str, now: float) -> bool:
        """Say whether there is a place for one more: a free one, or that of whoever has been away for long.

        In a full class an address with more than a quarter of all places gives one to somebody from another address.
        """
        if len(self.people) < most or self._takes(lambda person: person.seen <= now - GONE, now):
            return True
        counts = self.addresses()
        share = max(1, most // 4)
        crowded = next((other for other, count in counts.most_common() if other != address and count > share), None)
        return crowded is not None and self._takes(lambda person: person.address == crowded, now)

    def _takes(self, fits: Callable[[Participant], bool], now: float) -> bool:
        """Take one of the places that fit: of who is away the longest, or where all are here, of who came last."""
        fitting = [(browser, person) for browser, person in reversed(self.people.items()) if fits(person)]
        if fitting:
            del self.people[min(fitting, key=lambda entry: min(entry[1].seen, now - HERE))[0]]
        return bool(fitting)

    def addresses(self) -> Counter[str]:
        """Return how many places each address has, where it is known."""
        return Counter(person.address for person in self.people.values() if person.address)

    def let_go(self, fits: Callable[[Participant], bool]) -> set[str]:
        """Take the places of all whom it fits; return their browsers."""
        gone = {browser for browser, person in self.people.items() if fits(person)}
        for browser in gone:
            del self.people[browser]
        return gone


# Results: what a class has answered so far, by browser, and what was drawn of it.


class Results:
    """The answers to every activity, the common budget, and the draw of the election."""

    def __init__(self) -> None:
        """Start with nothing, and with a whole budget."""
        self.answers: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self.draws: dict[str, Mapping[float, int]] = {}
        self.ledger = self._budget()
        self.rounds = Counter[str]()  # how often each was asked before: a new round begins with empty widgets

    def _budget(self) -> CommonLedger:
        (asking,) = [activity for activity in ACTIVITIES if isinstance(activity, Questioning)]
        return CommonLedger(asking)

    def round(self, activity: Activity) -> str:
        """Return a name for the answers of this time: it differs from those of a time before."""
        return f"{activity.name}-{self.rounds[activity.name]}"

    def given(self, activity: Activity) -> list[float]:
        """Return the answers to an activity, in the order of size: none says whose it is."""
        return sorted(list(self.answers[activity.name].values()))

    def close(self, activity: Activity) -> None:
        """Draw what is drawn once, when answers are closed."""
        votes = [int(vote) for vote in self.given(activity)]
        if isinstance(activity, Ballot) and votes:
            self.draws[activity.name] = elected(activity, votes)

    def without(self, browsers: Collection[str]) -> None:
        """Forget the answers of some, as far as nothing was drawn of them yet."""
        for name, answers in self.answers.items():
            if name not in self.draws:
                for browser in answers.keys() & browsers:
                    del answers[browser]

    def forget(self, activity: Activity) -> None:
        """Forget what was answered to one activity."""
        self.answers.pop(activity.name, None)
        self.draws.pop(activity.name, None)
        self.rounds[activity.name] += 1
        if isinstance(activity, Questioning):
            self.ledger = self._budget()


# Step guesses: what a class guesses on steps of lessons, which step it is asked now, and which are open to all.


class StepGuesses:
    """The guesses of a class by step and browser: numbers, and names that a question offers; the first one counts."""

    def __init__(self) -> None:
        """Start with none."""
        self._given: defaultdict[str, dict[str, Value]] = defaultdict(dict)
        self.asked = ""
        self.opened: frozenset[str] = frozenset()

    @property
    def state(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the steps whose answer waits for the teacher, and those that everybody sees."""
        waiting = {self.asked} if self.asked else set()
        return frozenset(waiting) - self.opened, self.opened

    def note(self, browser: str, guesses: Mapping[str, Value]) -> None:
        """Keep what somebody guessed; what was seen by all before is no guess any more."""
        for step, value in guesses.items():
            if step not in self.opened:
                self._given[step].setdefault(browser, value)

    def given(self, step: str) -> list[Value]:
        """Return the guesses on a step in an order of their own: none says whose it is."""
        return sorted(self._given[step].values(), key=lambda value: (isinstance(value, str), value))

    def without(self, browsers: Collection[str]) -> None:
        """Forget the guesses of some."""
        for guesses in self._given.values():
            for browser in guesses.keys() & browsers:
                del guesses[browser]

    def counts(self) -> Counter[str]:
        """Return how many guessed on each step."""
        return Counter({step: len(values) for step, values in self._given.items() if values})

    def ask(self, step: str) -> None:
        """Ask one step of the whole class; what it was asked before is asked no more."""
        self.asked = step
        self.opened -= {step}

    def open(self, step: str) -> None:
        """Show everybody the answer of a step."""
        self.opened |= {step}
        self.asked = "" if self.asked == step else self.asked

    def forget(self, step: str) -> None:
        """Forget the guesses on a step, and close it."""
        self._given.pop(step, None)
        self.opened -= {step}


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
        self.rules = rules
        self._clock = clock
        self._sleep = sleep
        self._lock = RLock()
        self._ends = clock() + 60 * rules.minutes
        self._acts = RateLimit(ACTS, ACT_SECONDS, clock)
        self._tries = RateLimit(TRIES, MINUTE, clock)
        self._all_tries = RateLimit(TRIES_OF_ALL, MINUTE, clock)
        self._pace = Pace(PACE, LONGEST, clock)
        self._pace_of_all = Pace(PACE_OF_ALL, LONGEST, clock)
        self._waiting = set[str]()  # browsers whose code waits to be looked at
        self.results = Results()
        self.steps = StepGuesses()
        self._who = Attendance()
        self._at = LOBBY
        self._revealed = set[str]()

    @property
    def left(self) -> float:
        """How many seconds it lasts; nobody is known any more once it has ended."""
        with self._lock:
            left = max(0.0, self._ends - self._clock())
            if not left:
                own_table.LECTERN.table = None
                self._who = Attendance()
                self.results = Results()
                self.steps = StepGuesses()
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
