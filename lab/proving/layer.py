"""Layer: what one of the five found out about a question, and whether it caught what was broken on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.budget import Phrase

LAYERS = {
    "certificates": Phrase("What one person can move the statistic by"),
    "divergence": Phrase("How far the laws of two neighbours are apart, exactly"),
    "black_box": Phrase("An attack from answers alone"),
    "sampler": Phrase("The noise that releases draw"),
    "whole_road": Phrase("From the cells of a table to everything that is shown"),
}


@dataclass(frozen=True)
class Layer:
    """One layer: whether the claim holds, and whether the broken twin was caught; None where it does not apply.

    `numbers` are what was counted and measured, by name; nothing of a protected row is among them.
    """

    name: str
    holds: bool | None
    caught: bool | None
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """Return it as it is written down."""
        numbers = {name: _plain(number) for name, number in self.numbers.items()}
        return {"name": self.name, "holds": _plain(self.holds), "caught": _plain(self.caught), "numbers": numbers}


def _plain(value: Any) -> Any:
    """Return a number as JSON can hold it."""
    return value.item() if isinstance(value, np.generic) else value
