"""Blocks: how many there are, how well so many do, and what an estimate lies between."""

from __future__ import annotations

from dataclasses import fields, replace

import streamlit as st

from discreet.lab.contest import Ground
from discreet.lab.dealing import dealt, error
from discreet.mechanisms import Mechanism
from discreet.mechanisms.block_count import BlockCount, propose_k
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, SampleAggregate
from discreet.queries import Column
from discreet.rows import Number
from discreet.rows.columns import Quantity
from discreet.ui import kinds
from discreet.ui.ask.assumptions import GUESS
from discreet.ui.frame.words import number, say

MUCH = 2  # how much smaller an error must be before another method is named
PLAIN = Number(0, 1)  # what is far from the values of a column, or one of them, is a number like any other


def numbers(mechanism: SampleAggregate, ground: Ground | None, column: Quantity | None, key: str) -> Mechanism:
    """Ask for the number of blocks and the public range of an estimate."""
    looked = ground is not None and mechanism.view.columns == 1
    best = dealt(mechanism, ground.column) if looked and ground is not None else None
    people = max(ground.column.n, 1) if ground is not None else GUESS
    proposal = propose_k(mechanism.epsilon, people)
    preset = proposal.k if best is None else best.k
    k = st.number_input(
        say("Blocks"),
        1,
        1_000_000,
        preset,
        key=f"{key}:k:{mechanism.epsilon}:{people}:{preset}",
        help=say("Every person is in one secret random block."),
    )
    lower, upper = _range(mechanism, column, key)
    if best is None or ground is None:
        _rule(mechanism, proposal)
    else:
        _error(best, ground.column)
    return replace(mechanism, k=int(k), lower=lower, upper=upper, default=None)


def _rule(mechanism: SampleAggregate, proposal: BlockCount) -> None:
    """Say why so many blocks, or that so few people are not enough for this method."""
    if not (isinstance(mechanism, BlocksMedian) and proposal.slug != BlocksMedian.slug):
        st.caption(say(proposal.reason))
        return
    st.warning(
        say(
            "{reason} Choose the method {other}, or more people under What may be assumed.",
            reason=say(proposal.reason),
            other=say(BlocksMean.title),
        )
    )


def _error(best: SampleAggregate, people: Column) -> None:
    """Say how well the proposed number does on public people, or that another method does much better there."""
    mine = error(best, people)
    st.caption(say("On public people {k} blocks had the smallest error: {error}.", k=best.k, error=number(mine)))
    for kind in (BlocksMean, BlocksMedian):
        other = error(dealt(_as(kind, best), people), people)
        if other * MUCH < mine:
            st.warning(
                say("The method {other} had an error of {error} there.", other=say(kind.title), error=number(other))
            )


def _as(kind: type[SampleAggregate], mechanism: SampleAggregate) -> SampleAggregate:
    """Return another aggregator of the same estimates."""
    return kind(**{field.name: vars(mechanism)[field.name] for field in fields(SampleAggregate)})


def _range(mechanism: SampleAggregate, column: Quantity | None, key: str) -> tuple[float, float]:
    """Ask for the public range of an estimate: in the words of its column where it is one of its values."""
    name = mechanism.estimator
    labels, keys = (say("Lowest estimate"), say("Highest estimate")), (f"{key}:low:{name}", f"{key}:high:{name}")
    declared = column if column is not None and mechanism.view.place else PLAIN
    return kinds.of(declared).between(declared, labels, (mechanism.lower, mechanism.upper), keys)
