"""Meeting: one class in one process: its participants, the current activity, and the answers. Nothing is stored."""

from __future__ import annotations

import hmac
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from threading import RLock
from typing import Any
from uuid import uuid4

from discreet.budget.errors import ParameterError, Phrase
from discreet.course.classroom.activity import (
    ACTIVITIES,
    Activity,
    CommonLedger,
    Proposal,
    ProposalLedger,
    Proposed,
    Questioning,
    Tournament,
    seed,
)
from discreet.course.lessons.differencing.numbers import PEOPLE, Twenty, twenty
from discreet.office.api.rate_limit import Pace, RateLimit
from discreet.ui.session import own_table
from discreet.ui.session.guesses import Value

# Attendance: who is in a class, under a name that may be shown, and when their browser last sent a request.

LONGEST_NAME = 20
HERE = 30.0  # seconds without a request after which a participant is absent
GONE = 300.0  # seconds after which the place of an absent participant can be reused


@dataclass
class Participant:
    """A participant: their chosen name, the time of the last request, and their current screen.

    The address is that of their machine in the network; a school may have one for everyone.
    """

    name: str
    seen: float
    address: str = ""
    place: str = ""


def plain_name(text: str) -> str:
    """Return a name that can be shown: letters, digits and single spaces, of limited length."""
    letters = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", text))
    return " ".join(letters.split())[:LONGEST_NAME].strip()


@dataclass
class Attendance:
    """The participants by browser, and the addresses that are blocked."""

    people: dict[str, Participant] = field(default_factory=dict)
    teachers: set[str] = field(default_factory=set)
    shut: set[str] = field(default_factory=set)

    def makes_room(self, most: int, address: str, now: float) -> bool:
        """Whether there is a place for one more: a free one, or one of a participant who has been absent for long.

        In a full class, an address with more than a quarter of all places gives one up to another address.
        """
        if len(self.people) < most or self._takes(lambda person: person.seen <= now - GONE, now):
            return True
        counts = self.addresses()
        share = max(1, most // 4)
        crowded = next((other for other, count in counts.most_common() if other != address and count > share), None)
        return crowded is not None and self._takes(lambda person: person.address == crowded, now)

    def _takes(self, fits: Callable[[Participant], bool], now: float) -> bool:
        """Remove one participant who matches: the one absent longest or, if all are present, the latest to join."""
        fitting = [(browser, person) for browser, person in reversed(self.people.items()) if fits(person)]
        if fitting:
            del self.people[min(fitting, key=lambda entry: min(entry[1].seen, now - HERE))[0]]
        return bool(fitting)

    def addresses(self) -> Counter[str]:
        """Return the number of places of each known address."""
        return Counter(person.address for person in self.people.values() if person.address)

    def let_go(self, fits: Callable[[Participant], bool]) -> set[str]:
        """Remove all participants who match; return their browsers."""
        gone = {browser for browser, person in self.people.items() if fits(person)}
        for browser in gone:
            del self.people[browser]
        return gone


# Results: the answers of a class so far, by browser, and what was drawn from them.


class Results:
    """The answers to every activity, the common budgets, what was drawn, and the games of the tournament."""

    def __init__(self) -> None:
        """Start with no answers and a full budget."""
        self.answers: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self.draws: dict[str, Any] = {}
        self.games: dict[str, tuple[Twenty, str]] = {}  # by browser: the twenty people, and the guesses so far
        self.proposed: dict[str, Proposed] = {}  # by browser
        self.bought: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # by browser: query and result
        self.ledger = self._budget()
        self.proposals = self._proposals()
        self.rounds = Counter[str]()  # how often each was asked before: a new round starts with empty widgets

    def _budget(self) -> CommonLedger:
        (asking,) = [activity for activity in ACTIVITIES if isinstance(activity, Questioning)]
        return CommonLedger(asking)

    def _proposals(self) -> ProposalLedger:
        (asking,) = [activity for activity in ACTIVITIES if isinstance(activity, Proposal)]
        return ProposalLedger(asking)

    def game(self, browser: str, epsilon: float) -> tuple[Twenty, str]:
        """Return the twenty people of a participant, who are dealt once, and the guesses so far."""
        return self.games.setdefault(browser, (twenty(epsilon, seed()), ""))

    def round(self, activity: Activity) -> str:
        """Return the name of the current round, which differs from earlier rounds of the activity."""
        return f"{activity.name}-{self.rounds[activity.name]}"

    def keeps(self, browser: str, asked: str, value: float) -> bool:
        """Whether this very answer was taken before, in a round that was not deleted."""
        name, _, _ = asked.rpartition("-")
        return asked == f"{name}-{self.rounds[name]}" and self.answers.get(name, {}).get(browser) == value

    def over(self, asked: str) -> bool:
        """Whether the answers of a round were deleted and its question asked again."""
        name, _, earlier = asked.rpartition("-")
        return earlier.isdecimal() and int(earlier) < self.rounds[name]

    def given(self, activity: Activity) -> list[float]:
        """Return the answers to an activity, sorted, so that they cannot be attributed."""
        return sorted(list(self.answers[activity.name].values()))

    def close(self, activity: Activity) -> None:
        """Make the draw of an activity once, when its answers are closed."""
        given = self.given(activity)
        drawn = activity.drawn(given) if given else None
        if drawn is not None:
            self.draws[activity.name] = drawn

    def further(self, activity: Activity) -> None:
        """Draw again, from the same answers."""
        if activity.name in self.draws:
            self.draws[activity.name] = activity.drawn_further(self.draws[activity.name], self.given(activity))

    def without(self, browsers: Collection[str]) -> None:
        """Forget the answers of some browsers, unless a draw already used them."""
        for browser in browsers:
            for kept in (self.bought, self.games, self.proposed):
                kept.pop(browser, None)
        for name, answers in self.answers.items():
            if name not in self.draws:
                for browser in answers.keys() & browsers:
                    del answers[browser]

    def forget(self, activity: Activity) -> None:
        """Forget the answers to one activity."""
        self.answers.pop(activity.name, None)
        self.draws.pop(activity.name, None)
        self.rounds[activity.name] += 1
        if isinstance(activity, Questioning):
            self.ledger = self._budget()
            self.bought.clear()
        if isinstance(activity, Tournament):
            self.games.clear()
        if isinstance(activity, Proposal):
            self.proposals = self._proposals()
            self.proposed.clear()


# Step guesses: the class's guesses on steps of lessons, the step being asked, and the steps that are open to all.


class StepGuesses:
    """The guesses of a class by step and browser: numbers or names of options; only the first guess counts."""

    def __init__(self) -> None:
        """Start without guesses."""
        self._given: defaultdict[str, dict[str, Value]] = defaultdict(dict)
        self.asked = ""
        self.opened: frozenset[str] = frozenset()

    @property
    def state(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the steps whose answer waits for the teacher, and those that everyone sees."""
        waiting = {self.asked} if self.asked else set()
        return frozenset(waiting) - self.opened, self.opened

    def note(self, browser: str, guesses: Mapping[str, Value]) -> None:
        """Keep the guesses of a browser, except on steps that were already open."""
        for step, value in guesses.items():
            if step not in self.opened:
                self._given[step].setdefault(browser, value)

    def given(self, step: str) -> list[Value]:
        """Return the guesses on a step, sorted, so that they cannot be attributed."""
        return sorted(self._given[step].values(), key=lambda value: (isinstance(value, str), value))

    def without(self, browsers: Collection[str]) -> None:
        """Forget the guesses of some browsers."""
        for guesses in self._given.values():
            for browser in guesses.keys() & browsers:
                del guesses[browser]

    def counts(self) -> Counter[str]:
        """Return the number of guesses on each step."""
        return Counter({step: len(values) for step, values in self._given.items() if values})

    def ask(self, step: str) -> None:
        """Ask the class one step; the step asked before is no longer asked."""
        self.asked = step
        self.opened -= {step}

    def open(self, step: str) -> None:
        """Show everyone the answer of a step."""
        self.opened |= {step}
        self.asked = "" if self.asked == step else self.asked

    def forget(self, step: str) -> None:
        """Forget the guesses on a step, and close it."""
        self._given.pop(step, None)
        self.opened -= {step}


LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without characters that look alike
CODE = 6  # characters: there are 31^6 codes, nearly a thousand million
LOBBY = -1
TRIES, TRIES_OF_ALL, MINUTE = 30, 120, 60.0  # wrong codes per minute, of one address and of all, checked without a wait
PACE, PACE_OF_ALL = 0.2, 0.1  # seconds between two checks after that
LONGEST = 60.0  # seconds that a code may wait for its check
ACTS, ACT_SECONDS = 10, 10.0  # answers of one participant, and per how many seconds
WRONG_CODE = Phrase("This is not the code of this class. Check the code shown by your teacher.")
TOO_FAST = Phrase("Too many answers. Try again in a few seconds.")
TOO_MANY_TRIES = Phrase("Too many wrong codes were tried. Try again in a minute.")
FULL = Phrase("The class is full. The teacher can remove participants who have left.")
SHUT = Phrase("The teacher has blocked your address. Ask the teacher to unblock it.")
ENDED = Phrase("The class has ended.")
CLOSED = Phrase("Answers are closed.")
ASKED_AGAIN = Phrase("The teacher has asked this question again. Answer it again.")


@dataclass(frozen=True)
class Stage:
    """The state of the class: nothing yet, or an activity, open or revealed, and whether answers are shown at once."""

    activity: Activity | None
    revealed: bool
    arriving: bool = True


@dataclass(frozen=True)
class Rules:
    """How to join and lead a class, and when it ends: fixed at the start, except for the code."""

    code: str
    word: str
    minutes: float
    most: int
    address: str
    file: str = ""
    others: Sequence[str] = ()

    @property
    def alone(self) -> bool:
        """Whether the address leads nowhere but to this machine, so that no phone can join."""
        return "//127." in self.address or "//localhost" in self.address

    @property
    def link(self) -> str:
        """The address in the QR code, with the code of the class."""
        return f"{self.address}/?code={self.code}"


def same(given: str, right: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.strip().upper().encode(), right.upper().encode())


def drawn(length: int) -> str:
    """Return random characters, from the system's randomness."""
    bits = int(sha256(uuid4().bytes + uuid4().bytes).hexdigest(), 16)  # more random bits than the longest word needs
    word = ""
    for _ in range(length):
        bits, at = divmod(bits, len(LETTERS))
        word += LETTERS[at]
    return word


class Meeting:
    """The one class of a server; every method may be called from any thread."""

    def __init__(
        self, rules: Rules, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        """Start the class now."""
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
        self._waiting = set[str]()  # browsers whose code waits to be checked
        self.results = Results()
        self.steps = StepGuesses()
        self._who = Attendance()
        self._at = LOBBY
        self._arriving = True
        self._revealed = set[str]()

    @property
    def left(self) -> float:
        """The seconds until the class ends; after the end no participant is known."""
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
        """The current state of the class."""
        with self._lock:
            activity = ACTIVITIES[self._at] if self._at != LOBBY else None
            return Stage(activity, activity is not None and activity.name in self._revealed, self._arriving)

    def join(self, browser: str, code: str, name: str = "", address: str = "") -> None:
        """Admit a browser with the right code, or raise an error that says why not."""
        self._wait_turn(browser, address)
        with self._lock:
            self._check(code, address)
            if browser not in self._who.people:
                self._make_room(address)
            self._who.people[browser] = Participant(plain_name(name), self._clock(), address)

    def lead(self, browser: str, word: str) -> None:
        """Let a browser with the secret word lead the class; the word cannot be guessed, so it is always checked."""
        with self._lock:
            if not self.left:
                raise ParameterError(ENDED)
            if not same(word, self.rules.word):
                raise ParameterError(WRONG_CODE)
            self._who.teachers.add(browser)

    def _wait_turn(self, browser: str, address: str) -> None:
        """Wait if many wrong codes were entered: codes are then checked one after the other, and too many are refused.

        A right code waits like the others, and is accepted.
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
        """Refuse a participant if there is no place."""
        if not self._who.makes_room(self.rules.most, address, self._clock()):
            raise ParameterError(FULL)

    def change_code(self, teacher: str) -> None:
        """Replace the code: the earlier one no longer works; participants stay."""
        with self._lock:
            if self.teaches(teacher):
                self.rules = replace(self.rules, code=drawn(CODE))

    def addresses(self) -> list[tuple[str, int]]:
        """Return the addresses with several participants, the largest first, and those that are blocked."""
        with self._lock:
            counts = self._who.addresses()
            several = [(address, count) for address, count in counts.most_common() if count > 1]
            return several + [(address, 0) for address in sorted(self._who.shut)]

    def let_go_absent(self, teacher: str) -> None:
        """Free the places of all absent participants."""
        with self._lock:
            since = self._clock() - HERE
            if self.teaches(teacher):
                self._let_go(lambda person: person.seen < since)

    def shut(self, teacher: str, address: str) -> None:
        """Remove all participants of an address and block it; or unblock it."""
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
        """Whether a browser leads the class."""
        with self._lock:
            return bool(self.left) and browser in self._who.teachers

    def has(self, browser: str) -> bool:
        """Whether a browser has joined; record the time of its request."""
        with self._lock:
            person = self._who.people.get(browser) if self.left else None
            if person is not None:
                person.seen = self._clock()
            return person is not None

    def stands(self, browser: str, place: str) -> None:
        """Record the current screen of a participant."""
        with self._lock:
            if browser in self._who.people:
                self._who.people[browser].place = place

    def places(self) -> Counter[str]:
        """Return how many present participants are at each screen."""
        with self._lock:
            return Counter(person.place for person in self.present())

    def names(self) -> list[str]:
        """Return the names of present participants who gave one."""
        with self._lock:
            return sorted(person.name for person in self.present() if person.name)

    def present(self) -> list[Participant]:
        """Return the present participants."""
        since = self._clock() - HERE
        return [person for person in self._who.people.values() if person.seen >= since]

    def answer(self, browser: str, asked: str, value: float) -> None:
        """Take an answer to the current activity; `asked` is the round on the participant's screen, perhaps over."""
        with self._lock:
            activity = self.stage.activity
            current = activity is not None and asked == self.results.round(activity) and not self.stage.revealed
            if not current and self.results.keeps(browser, asked, value):
                return  # a phone that wakes up sends again what it sent before
            if self.results.over(asked):
                raise ParameterError(ASKED_AGAIN)
            if activity is None or not current or not activity.takes(value):
                raise ParameterError(CLOSED)
            self._permit(browser)
            if not (activity.once and browser in self.results.answers[activity.name]):
                self.results.answers[activity.name][browser] = value

    def ask(self, browser: str, which: int) -> int:
        """Ask one of the two queries on the budget of the class."""
        with self._lock:
            if not isinstance(self.stage.activity, Questioning):
                raise ParameterError(CLOSED)
            self._permit(browser)
            results = self.results
            ledger = results.ledger
        answer = ledger.ask(which)
        with self._lock:
            if results.ledger is ledger:
                results.bought[browser].append((which, answer))
        return answer

    def propose(self, browser: str, asked: str, b: float) -> None:
        """Propose a bound, once, on the budget of the class."""
        with self._lock:
            activity = self.stage.activity
            results = self.results
            if not isinstance(activity, Proposal) or asked != results.round(activity) or b not in activity.bounds:
                raise ParameterError(CLOSED)
            self._permit(browser)
            if browser not in results.proposed:
                results.proposed[browser] = results.proposals.propose(b)
                results.answers[activity.name][browser] = b

    def play(self, browser: str, asked: str, at: int, guess: str) -> None:
        """Guess whether person number `at` smokes (y or n); the last guess makes the score an answer."""
        with self._lock:
            activity = self.stage.activity
            if not isinstance(activity, Tournament) or asked != self.results.round(activity) or self.stage.revealed:
                raise ParameterError(CLOSED)
            if not self.has(browser) or guess not in ("y", "n"):
                raise ParameterError(CLOSED)
            game, said = self.results.game(browser, activity.epsilon)
            if at == len(said) < PEOPLE:
                self.results.games[browser] = game, said + guess
                if at == PEOPLE - 1:
                    self.results.answers[activity.name][browser] = game.right(said + guess)

    def game(self, browser: str, activity: Tournament) -> tuple[Twenty, str]:
        """Return the twenty people of a participant, and the guesses so far."""
        with self._lock:
            return self.results.game(browser, activity.epsilon)

    def further(self, teacher: str) -> None:
        """Draw again from the same answers, once they are closed."""
        with self._lock:
            activity = self.stage.activity
            if self.teaches(teacher) and activity is not None and self.stage.revealed:
                self.results.further(activity)

    def bought(self, browser: str, which: int) -> list[int]:
        """Return the results of one of the two queries that this participant paid for, in order."""
        with self._lock:
            return [answer for query, answer in self.results.bought.get(browser, []) if query == which]

    def _permit(self, browser: str) -> None:
        """Refuse browsers that have not joined, activities that are not open, and answers sent too fast."""
        stage = self.stage
        if not self.has(browser) or stage.activity is None or stage.revealed:
            raise ParameterError(CLOSED)
        if not self._acts.take(browser):
            raise ParameterError(TOO_FAST)

    def mine(self, browser: str) -> float | None:
        """Return a participant's answer to the current activity."""
        with self._lock:
            activity = self.stage.activity
            return None if activity is None else self.results.answers[activity.name].get(browser)

    def turn(self, teacher: str, by: int) -> None:
        """Go to the next or previous activity."""
        with self._lock:
            if self.teaches(teacher):
                self.steps.asked = ""
                self._at = min(max(self._at + by, LOBBY), len(ACTIVITIES) - 1)

    @property
    def upcoming(self) -> Activity | None:
        """The activity after the current one."""
        with self._lock:
            return next(iter(ACTIVITIES[self._at + 1 :]), None)

    def show_arriving(self, teacher: str, shown: bool) -> None:
        """Show answers as they arrive in every window of the teacher, or only their number."""
        with self._lock:
            if self.teaches(teacher):
                self._arriving = shown

    def reveal(self, teacher: str) -> None:
        """Close the answers and show everyone the outcome."""
        with self._lock:
            activity = self.stage.activity
            if self.teaches(teacher) and activity is not None and activity.name not in self._revealed:
                self.results.close(activity)
                self._revealed.add(activity.name)

    def reset(self, teacher: str) -> None:
        """Forget the answers to the current activity, and ask it again."""
        with self._lock:
            activity = self.stage.activity
            if self.teaches(teacher) and activity is not None:
                self.results.forget(activity)
                self._revealed.discard(activity.name)

    def guessed(self, browser: str, guesses: Mapping[str, Value]) -> None:
        """Keep a participant's guesses on steps of the lessons."""
        with self._lock:
            if self.has(browser):
                self.steps.note(browser, guesses)

    def on_steps(self, teacher: str, act: Callable[[StepGuesses], None]) -> None:
        """Run the teacher's action on the guesses of steps."""
        with self._lock:
            if self.teaches(teacher):
                act(self.steps)

    def end(self, teacher: str) -> None:
        """End the class and forget all of it."""
        with self._lock:
            if self.teaches(teacher):
                self._ends = self._clock()
