"""Step guesses: what a class guesses on steps of lessons, which step it is asked now, and which are open to all."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping

from discreet.lab.lessons.guesses import Value


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
