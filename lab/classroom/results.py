"""Results: what a class has answered so far, by browser, and what was drawn of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping

from discreet.lab.classroom.activity import ACTIVITIES, Activity, Ballot, Questioning
from discreet.lab.classroom.drawings import CommonLedger, elected


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
