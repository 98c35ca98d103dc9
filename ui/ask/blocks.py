"""Blocks: how many there are, what an estimate lies between, and which method so few people can do with."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from discreet.lab.contest import Ground
from discreet.mechanisms import Mechanism
from discreet.mechanisms.block_count import BlockCount, propose_k
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, SampleAggregate
from discreet.ui.ask.assumptions import GUESS, guess_key
from discreet.ui.ask.fields import EPSILON
from discreet.ui.frame.words import say
from discreet.ui.opened import Opened
from discreet.ui.state import chosen


def proposed(own: Opened, column: str | None, key: str) -> BlockCount:
    """Propose a method and its blocks, by public things: what is set so far, or open data."""
    ground = None if column is None else own.ground(column)
    people = chosen(guess_key(key), GUESS) if ground is None else ground.column.n
    return propose_k(float(chosen(f"{key}:epsilon", EPSILON)), max(int(people), 1))


def in_vain(kind: type[Mechanism], proposal: BlockCount) -> bool:
    """Say whether a method needs more people than there may be: a median of few blocks lies anywhere."""
    return kind is BlocksMedian and proposal.slug != BlocksMedian.slug


def numbers(mechanism: SampleAggregate, ground: Ground | None, key: str) -> Mechanism:
    """Ask for the number of blocks and the public range of an estimate."""
    people = max(ground.column.n, 1) if ground is not None else GUESS
    proposal = propose_k(mechanism.epsilon, people)
    k = st.number_input(
        say("Blocks"),
        1,
        1_000_000,
        proposal.k,
        key=f"{key}:k:{mechanism.epsilon}:{people}",
        help=say("Every person is in one secret random block."),
    )
    lower, upper = _range(mechanism, key)
    _reason(mechanism, proposal)
    return replace(mechanism, k=int(k), lower=lower, upper=upper, default=None)


def _reason(mechanism: SampleAggregate, proposal: BlockCount) -> None:
    """Say why so many blocks, or that so few people are not enough for this method."""
    if not in_vain(type(mechanism), proposal):
        st.caption(say(proposal.reason))
        return
    st.warning(
        say(
            "{reason} Choose the method {other}, or more people under What may be assumed.",
            reason=say(proposal.reason),
            other=say(BlocksMean.title),
        )
    )


def _range(mechanism: SampleAggregate, key: str) -> tuple[float, float]:
    """Ask for the public range of an estimate."""
    left, right = st.columns(2)
    name = mechanism.estimator
    lower = left.number_input(say("Lowest estimate"), value=mechanism.lower, format="%g", key=f"{key}:low:{name}")
    upper = right.number_input(say("Highest estimate"), value=mechanism.upper, format="%g", key=f"{key}:high:{name}")
    return lower, upper
