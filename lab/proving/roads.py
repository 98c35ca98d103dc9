"""Roads: a question goes from the cells of generated tables to all that is shown, through every secret choice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discreet.budget import Cost
from discreet.curator.request import Request
from discreet.lab.audit import Worst
from discreet.lab.proving.generated import PEOPLE, Generated, Rows
from discreet.lab.proving.layer import Layer
from discreet.lab.proving.twin import Twin
from discreet.lab.whole_road import between, laws
from discreet.mechanisms.in_blocks import InBlocks
from discreet.mechanisms.mixture import Weighted
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource

FEW = 2  # blocks and persons where every way of putting one into the other is gone through


class _Charged:
    """A question that claims another cost."""

    def __init__(self, cost: Cost) -> None:
        self._cost = cost

    def cost(self) -> Cost:
        """Return what it claims."""
        return self._cost


def whole_road(request: Request, schema: Schema) -> Layer:
    """Compare everything that is shown of two tables, for every pair, at what the ledger is charged."""
    small = _in_few_blocks(request)
    generated = Generated.of(small, schema)
    blocks = isinstance(small.mechanism.view, InBlocks)
    change = small.mechanism.neighbours.change_one
    pairs = list(generated.pairs(change, FEW if blocks else PEOPLE))
    own = _largest(small, small, generated, pairs)
    twin = Twin(small.mechanism, small.cost())
    loud = _largest(replace(small, mechanism=twin.loud), _Charged(twin.cost()), generated, pairs)
    numbers: dict[str, Any] = {"pairs": len(pairs), "largest_delta": own.delta, "claimed_delta": own.claimed}
    numbers |= {"twin_delta": loud.delta} | ({"blocks": FEW} if blocks else {})
    return Layer("whole_road", own.holds, not loud.holds, numbers)


def _in_few_blocks(request: Request) -> Request:
    """Return the question in few blocks: with more of them there are too many ways to go through."""
    if not isinstance(request.mechanism.view, InBlocks):
        return request
    thing: Any = request.mechanism
    return replace(request, mechanism=replace(thing, k=min(FEW, request.mechanism.view.k)))


def _largest(request: Request, charged: Any, generated: Generated, pairs: list[tuple[Rows, Rows]]) -> Worst:
    """Return the pair that the charge covers least; the laws of a table are computed once."""
    seen: dict[Rows, Weighted] = {}
    largest = Worst(0.0, charged.cost().delta, None)
    for pair in pairs:
        for people in pair:
            if people not in seen:
                seen[people] = laws(generated.table(people), generated.schema, request, LocalSource)
        here = between(charged, *(seen[people] for people in pair))
        largest = max(largest, here, key=lambda worst: worst.delta)
    return largest
