"""Topic: a question without its column, by the name and the words that a form has for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """What can be asked: a statistic, an estimate, or what a mechanism answers by itself.

    `columns` is how many columns it takes; unless `numbers_only`, categories fit as well.
    What is not `zeroless` says nothing of values whose 0 is not nothing, as days. `bounds` are
    the ends of its column that the answer proposes, in the order in which it tells them.
    """

    name: str
    label: str
    columns: int = 1
    numbers_only: bool = True
    zeroless: bool = False
    bounds: tuple[str, ...] = ()
