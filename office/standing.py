"""Standing: where a request stands on its ledger, and what came of every charge there."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.budget import Cost, Rule
from discreet.budget.durable.written import Told, amount_of, cost_of, held_of, total_of
from discreet.budget.rules import Amount

OWN = ("reserve", "expire", "charge", "settle")  # the lines that count for or against a request


@dataclass(frozen=True)
class Standing:
    """A request on its ledger: its lines, and the totals without it and with it."""

    rule: Rule
    limit: Cost
    lines: tuple[Told, ...]
    request: str

    @property
    def own(self) -> tuple[Told, ...]:
        """The request's own lines."""
        mine = [line for line in self.lines if line["request"] == self.request]
        return tuple(line for line in mine if line["kind"] in OWN)

    @property
    def charge(self) -> Told | None:
        """The line of its charge."""
        return next((line for line in self.own if line["kind"] == "charge"), None)

    @property
    def net(self) -> Amount:
        """What it counts for: nothing, if what was reserved came back."""
        return sum(map(amount_of, self.own), Amount())

    @property
    def total(self) -> Amount:
        """The total after its last charge or settlement; of now, as long as there is none."""
        done = [line for line in self.own if line["kind"] in ("charge", "settle")]
        return total_of(done[-1]) if done else self.used

    @property
    def before(self) -> Cost:
        """What was spent or reserved by all others at that moment."""
        return self._cost(self.total - self.net)

    @property
    def after(self) -> Cost:
        """What was spent or reserved with this request."""
        return self._cost(self.total)

    @property
    def answered(self) -> Cost:
        """What all that were answered by then came to, with this request; what only waits is not in it."""
        done = [line for line in self.own if line["kind"] in ("charge", "settle")]
        lines = [line for line in self.lines if not done or line["seq"] <= done[-1]["seq"]]
        charged = {line["request"] for line in lines if line["kind"] == "charge"} | {self.request}
        return self._cost(sum((amount_of(line) for line in lines if line["request"] in charged), Amount()))

    @property
    def head(self) -> str:
        """The newest line as LINE:HASH."""
        return anchor(self.lines[-1]) if self.lines else ""

    @property
    def used(self) -> Amount:
        """What is used of the budget now, in the units of its rule."""
        return total_of(self.lines[-1] if self.lines else None)

    @property
    def room(self) -> Amount:
        """What is left of the budget now, in the units of its rule."""
        return self.rule.capacity(self.limit) - self.used

    def _cost(self, total: Amount) -> Cost:
        return self.rule.spent(total, self.limit)


def anchor(line: Told) -> str:
    """Write a line as LINE:HASH, as verification takes it."""
    return f"{line['seq']}:{line['hash']}"


def charged(lines: tuple[Told, ...]) -> dict[str, tuple[Told, Cost]]:
    """Return each request that was charged: the line of its charge, and what it came to."""
    free = {line["request"] for line in lines if line["kind"] == "settle" and not line["taken"]}
    charges = {}
    for line in lines:
        if line["kind"] == "charge":
            held = Cost.zero() if line["request"] in free else held_of(line)
            charges[line["request"]] = line, cost_of(line) + held
    return charges
