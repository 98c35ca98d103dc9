"""Twin: the same mechanism, broken on purpose: it draws as for much more epsilon, and claims what it claims."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discreet.budget import Cost, ParameterError
from discreet.mechanisms import Mechanism
from discreet.mechanisms.laws import Law

LOUDEST, LOUD, TIMES = 40.0, 5.0, 8.0
SHARE = 20  # of the claim, where the mechanism takes no louder epsilon


class Twin:
    """A mechanism whose law is another one's, at its own price."""

    def __init__(self, mechanism: Mechanism, price: Cost | None = None) -> None:
        """Take the mechanism that it claims to be."""
        self.claimed, self.loud = price or mechanism.cost(), mechanism
        thing: Any = mechanism
        try:
            self.loud = replace(thing, epsilon=min(LOUDEST, max(LOUD, TIMES * float(thing.epsilon))))
        except (ParameterError, ValueError, TypeError):
            self.claimed = Cost(self.claimed.nano_epsilon // SHARE, self.claimed.delta_units // SHARE)

    def cost(self) -> Cost:
        """Return what it claims."""
        return self.claimed

    def law(self, view: Any) -> Law:
        """Return the law that it has."""
        return self.loud.law(view)
