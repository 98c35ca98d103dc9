"""Digits: whole numbers as the bytes of their text, all at once and without a text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
END = 10**16  # two pieces of eight digits
FOUR, EIGHT = np.uint64(10**4), np.uint64(10**8)
ZEROS = np.uint64(0x3030303030303030)
BYTE, ALL = np.uint64(8), np.uint64(64)


def digits(values: Words) -> tuple[Words, list[Words]]:
    """Return how many digits numbers below `END` have, and their text in pieces of 8 bytes, the first one lowest."""
    if values.max(initial=0) < EIGHT:
        sizes, first = _sizes(values, 8), _eight(values)
        return sizes, [first >> BYTE * (BYTE - sizes)]
    sizes, (upper, lower) = _sizes(values, 16), _cut(values, EIGHT)
    first, second = _eight(upper), _eight(lower)
    empty = BYTE * (np.uint64(16) - sizes)  # bits of leading zeros, 0 to 120
    short = empty >= ALL
    low, by = np.where(short, second, first), np.where(short, empty - ALL, empty)
    moved = np.where(short | (by == 0), np.uint64(0), second << (ALL - np.maximum(by, BYTE)))
    return sizes, [low >> by | moved, np.where(short, np.uint64(0), second >> by)]


def _sizes(values: Words, most: int) -> Words:
    """Count digits; zero has one."""
    sizes = np.ones(values.size, dtype=np.uint8)
    for power in range(1, most):
        sizes += (values >= np.uint64(10**power)).view(np.uint8)
    return sizes.astype(np.uint64)


def _cut(values: Words, by: np.uint64) -> tuple[Words, Words]:
    """Return quotient and rest: quicker than both at once."""
    upper = values // by
    return upper, values - by * upper


def _eight(values: Words) -> Words:
    """Write numbers below 10^8 with eight digits: halves, quarters and digits are cut in all places at once."""
    upper, lower = _cut(values, FOUR)
    fours = upper | lower << np.uint64(32)
    tops = (fours * np.uint64(10486) >> np.uint64(20)) & np.uint64(0x7F0000007F)
    twos = tops | (fours - np.uint64(100) * tops) << np.uint64(16)
    tens = (twos * np.uint64(103) >> np.uint64(10)) & np.uint64(0x000F000F000F000F)
    ones: Words = twos - np.uint64(10) * tens
    return np.asarray(tens + (ones << BYTE) + ZEROS)
