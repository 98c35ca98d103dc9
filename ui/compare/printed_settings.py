"""Settings of the textbook's comparisons: what the chapter fixes, on sliders that begin there."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from discreet.lab import preview, textbook
from discreet.lab.contest import Ground
from discreet.ui.frame.words import say

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0)
BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
SIZES = (1000, 3000, 10_000, 32_561)
SQUARE = "1/n²"  # the chapter's, which follows n
DELTAS = ("1e-12", SQUARE, "1e-6", "1e-3")
BLOCKS = (2, 10, 60, 200, 600, 1000, 3000, 6000)


@dataclass(frozen=True)
class PrintedSetting:
    """What a comparison is run with."""

    ground: Ground
    epsilon: float
    delta: float | None = None
    b: float = textbook.PROPOSED
    k: int = textbook.BLOCKS[1]
    clipped: tuple[float, float] = textbook.CLIPPED


def ground() -> Ground:
    """Return the ages of the census: as many people as the chapter has."""
    return preview.census_ground("age")


def tested() -> PrintedSetting:
    """Choose epsilon, delta, the bound b and the number of people."""
    first, second, third, fourth = st.columns(4)
    with first:
        epsilon = _epsilon("tested")
    with second:
        delta = _delta("tested")
    with third:
        b = st.select_slider(say("Bound b"), BOUNDS, textbook.PROPOSED, key="textbook:tested:b")
    with fourth:
        size = _people("tested")
    return PrintedSetting(ground().resized(size), epsilon, delta, b)


def smoothed() -> PrintedSetting:
    """Choose epsilon, delta and the number of people."""
    first, second, third = st.columns(3)
    with first:
        epsilon = _epsilon("smoothed")
    with second:
        delta = _delta("smoothed")
    with third:
        size = _people("smoothed")
    return PrintedSetting(ground().resized(size), epsilon, delta)


def in_blocks() -> PrintedSetting:
    """Choose epsilon, the number of blocks, the bounds of their means, and the number of people."""
    first, second, third, fourth = st.columns(4)
    with first:
        epsilon = _epsilon("blocks")
    with second:
        k = st.select_slider(say("Blocks k"), BLOCKS, textbook.BLOCKS[1], key="textbook:blocks:k")
    with third:
        low, high = st.slider(
            say("A block's mean counts from l to u"), 0.0, 100.0, textbook.CLIPPED, 5.0, key="textbook:blocks:bounds"
        )
    with fourth:
        size = _people("blocks")
    return PrintedSetting(ground().resized(size), epsilon, k=min(k, size), clipped=(low, max(high, low + 5)))


def _epsilon(part: str) -> float:
    epsilon: float = st.select_slider(say("Epsilon"), EPSILONS, textbook.EPSILON, key=f"textbook:{part}:epsilon")
    return epsilon


def _delta(part: str) -> float | None:
    """Choose delta; None is the chapter's 1/n²."""
    delta: str = st.select_slider(say("Delta"), DELTAS, SQUARE, key=f"textbook:{part}:delta")
    return None if delta == SQUARE else float(delta)


def _people(part: str) -> int:
    size: int = st.select_slider(
        say("People n"), SIZES, SIZES[-1], key=f"textbook:{part}:people", format_func=lambda n: f"{n:,}"
    )
    return size
