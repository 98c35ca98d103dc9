"""Sheet: the plan that somebody is writing for one dataset, with every step back."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from discreet.budget import Cost
from discreet.curator.fixed import Answers
from discreet.lab.plans import Plan, Planned, Wanted

MOST_STEPS = 100  # that can be taken back
TOTAL = Cost.of("1", "1e-6")


@dataclass(frozen=True)
class Common:
    """What is said of all rows together: the total, a public guess of the people, and what is kept for later."""

    total: Cost = TOTAL
    people: int = 1000
    shape: str = "bell"
    reserve: float = 0.0


@dataclass
class Sheet:
    """Rows that may still change, what is said of all of them, and the answers of the last run."""

    items: tuple[Wanted, ...] = ()
    common: Common = field(default_factory=Common)
    version: int = 0  # an editor of an earlier one is out of date
    answers: Answers | None = None
    asked: tuple[Wanted, ...] = ()  # what these answers are of
    way: tuple[object, Planned] | None = None  # the last forecast, and what it is of: a long plan is kept once
    _past: list[tuple[tuple[Wanted, ...], Common]] = field(default_factory=list, repr=False)

    @property
    def plan(self) -> Plan | None:
        """The plan as it stands; None while it has no row."""
        return Plan(self.items, **vars(self.common)) if self.items else None

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._past)

    def change(self, items: tuple[Wanted, ...] | None = None, **terms: Any) -> None:
        """Take a step, unless it changes nothing; raise a sentence where no plan could be so."""
        new = self.items if items is None else items, replace(self.common, **terms)
        if new == (self.items, self.common):
            return
        if new[0]:
            Plan(new[0], **vars(new[1]))
        self._past = [*self._past[-MOST_STEPS:], (self.items, self.common)]
        self._stand(new)

    def undo(self) -> None:
        """Take the last step back."""
        if self._past:
            self._stand(self._past.pop())

    def add(self, items: Collection[Wanted]) -> None:
        """Add rows behind the others, but for those that stand there already."""
        self.change((*self.items, *(item for item in dict.fromkeys(items) if item not in self.items)))

    def edit(self, number: int, **changes: Any) -> None:
        """Change one row."""
        items = list(self.items)
        items[number] = replace(items[number], **changes)
        self.change(tuple(items))

    def double(self, number: int, **changes: Any) -> None:
        """Put a row once more behind itself, changed."""
        copy = replace(self.items[number], **changes)
        self.change((*self.items[: number + 1], copy, *self.items[number + 1 :]))

    def remove(self, numbers: Collection[int]) -> None:
        """Take rows away."""
        self.change(tuple(item for at, item in enumerate(self.items) if at not in numbers))

    def open(self, plan: Plan) -> None:
        """Put another plan in the place of this one."""
        self.change(plan.items, total=plan.total, people=plan.people, shape=plan.shape, reserve=plan.reserve)

    def forecast(self, key: object, make: Callable[[], Planned]) -> Planned:
        """Return the forecast of the plan as it stands, made once."""
        if self.way is None or self.way[0] != key:
            self.way = key, make()
        return self.way[1]

    def take(self, answers: Answers) -> None:
        """Keep the answers of the rows as they stand."""
        self.answers, self.asked = answers, self.items

    def _stand(self, now: tuple[tuple[Wanted, ...], Common]) -> None:
        self.items, self.common = now
        self.version += 1
