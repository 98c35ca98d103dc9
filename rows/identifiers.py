"""Identifiers: numbers, texts and UUIDs as bytes and as secret words, equal for equal cells."""

from __future__ import annotations

from hashlib import blake2b, shake_256
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

# --- Digits: integers as the bytes of their decimal text, vectorised and without creating texts ---

Words = NDArray[np.uint64]
END = 10**16  # two pieces of eight digits
FOUR = np.uint64(10**4)
EIGHT = np.uint64(10**8)
ZEROS = np.uint64(0x3030303030303030)
BYTE = np.uint64(8)
ALL = np.uint64(64)


def digits(values: Words) -> tuple[Words, list[Words]]:
    """Return the digit counts of numbers below `END`, and their texts in pieces of 8 bytes, the first one lowest."""
    if values.max(initial=0) < EIGHT:
        sizes = _sizes(values, 8)
        first = _eight(values)
        return sizes, [first >> BYTE * (BYTE - sizes)]
    sizes, (upper, lower) = _sizes(values, 16), _cut(values, EIGHT)
    first = _eight(upper)
    second = _eight(lower)
    empty = BYTE * (np.uint64(16) - sizes)  # bits of leading zeros, 0 to 120
    short = empty >= ALL
    low = np.where(short, second, first)
    by = np.where(short, empty - ALL, empty)
    moved = np.where(short | (by == 0), np.uint64(0), second << (ALL - np.maximum(by, BYTE)))
    return sizes, [low >> by | moved, np.where(short, np.uint64(0), second >> by)]


def _sizes(values: Words, most: int) -> Words:
    """Count decimal digits; zero has one."""
    sizes = np.ones(values.size, dtype=np.uint8)
    for power in range(1, most):
        sizes += (values >= np.uint64(10**power)).view(np.uint8)
    return sizes.astype(np.uint64)


def _cut(values: Words, by: np.uint64) -> tuple[Words, Words]:
    """Return quotient and remainder; faster than NumPy's divmod."""
    upper = values // by
    return upper, values - by * upper


def _eight(values: Words) -> Words:
    """Write numbers below 10^8 with eight digits: halves, quarters and digits are split in all numbers in parallel."""
    upper, lower = _cut(values, FOUR)
    fours = upper | lower << np.uint64(32)
    tops = (fours * np.uint64(10486) >> np.uint64(20)) & np.uint64(0x7F0000007F)
    twos = tops | (fours - np.uint64(100) * tops) << np.uint64(16)
    tens = (twos * np.uint64(103) >> np.uint64(10)) & np.uint64(0x000F000F000F000F)
    ones: Words = twos - np.uint64(10) * tens
    return np.asarray(tens + (ones << BYTE) + ZEROS)


# --- UUIDs: typed ones as their usual text, vectorised ---

DIGITS = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
PLACES = [place for place in range(36) if place not in (8, 13, 18, 23)]  # the others are dashes


def is_uuid(form: pa.DataType) -> bool:
    """Return whether a type is the UUID type."""
    return isinstance(form, pa.UuidType)


def written(cells: Any) -> pa.Array:
    """Return UUIDs as lower-case text of 36 characters; missing ones stay missing."""
    storage = cells.storage.fill_null(bytes(16))
    start = 16 * storage.offset
    raw = np.frombuffer(storage.buffers()[1], dtype=np.uint8)[start : start + 16 * len(storage)].reshape(-1, 16)
    texts = np.full((len(storage), 36), ord("-"), dtype=np.uint8)
    texts[:, PLACES] = DIGITS[np.stack((raw >> 4, raw & 15), axis=2).reshape(-1, 32)]
    offsets = np.arange(len(storage) + 1, dtype=np.int64) * 36
    array = pa.LargeStringArray.from_buffers(len(storage), pa.py_buffer(offsets), pa.py_buffer(texts))
    return pc.if_else(cells.is_valid(), array, pa.scalar(None, array.type))


# --- Hashing: each text becomes a secret word, equal for equal texts, by a key of this release alone ---


PIECE = 8  # bytes that are read together, as two pieces of 32 bits
LONGEST = 128
CHUNK = 2**15  # one pass stays inside a core's cache
HALF = np.uint64(32)
LOWER = np.uint64(2**32 - 1)
FIRST = np.array([2 ** (8 * size) - 1 for size in range(PIECE + 1)], dtype=np.uint64)  # masks that keep n bytes
MIXED = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
SHIFT = np.uint64(33)


def words(texts: pa.Array, key: bytes) -> Words:
    """Return the secret word of each text; none may be missing."""
    texts = _shortened(texts.cast(pa.large_string()), key)
    offsets = np.frombuffer(texts.buffers()[1], dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    pieces = _pieces(texts, int(offsets[0]), int(offsets[-1])) if len(texts) else np.zeros(0, np.uint64)
    numbers = _numbers(key)
    hashes = np.empty(len(texts), dtype=np.uint64)
    for start in range(0, len(texts), CHUNK):
        ends = offsets[start : start + CHUNK + 1] - offsets[0]
        hashes[start : start + CHUNK] = _hashed(ends[:-1], np.diff(ends), pieces, numbers)
    return hashes


def number_words(values: Words, key: bytes) -> Words:
    """Return the words of the decimal texts of integers below `END`, without creating the texts."""
    numbers = _numbers(key)
    hashes = np.empty(values.size, dtype=np.uint64)
    for start in range(0, values.size, CHUNK):
        sizes, pieces = digits(values[start : start + CHUNK])
        sums = [row[0] + row[1] * sizes for row in numbers]
        for at, piece in enumerate(pieces):
            _add(sums, slice(None), piece, numbers[:, 2 + 2 * at :])
        hashes[start : start + CHUNK] = _joined(sums)
    return hashes


def _shortened(texts: pa.Array, key: bytes) -> pa.Array:
    """Replace each text that is longer than any identifier by a secret digest."""
    long = np.flatnonzero(np.asarray(pc.binary_length(texts)) > LONGEST)
    if not long.size:
        return texts
    digests = [blake2b(text.encode(), key=key).hexdigest() for text in texts.take(long).to_pylist()]
    mask = np.zeros(len(texts), dtype=bool)
    mask[long] = True
    return pc.replace_with_mask(texts, mask, pa.array(digests, pa.large_string()))


def _pieces(texts: pa.Array, first: int, last: int) -> Words:
    """Return the 8 bytes from each byte on as a number, padded with zeros beyond the last byte."""
    own = texts.buffers()[2]
    data = np.zeros(last - first + PIECE, dtype=np.uint8)
    if own is not None:
        data[:-PIECE] = np.frombuffer(own, dtype=np.uint8)[first:last]
    return np.ndarray((last - first + 1,), "<u8", data, strides=(1,))


def _numbers(key: bytes) -> Words:
    """Return two rows of secret numbers: one to start with, one for the length, one for each piece."""
    each = 2 + LONGEST // 4
    return np.frombuffer(shake_256(key).digest(16 * each), dtype="<u8").astype(np.uint64).reshape(2, each)


def _hashed(starts: NDArray[np.int64], sizes: NDArray[np.int64], pieces: Words, numbers: Words) -> Words:
    """Hash texts, given the positions where they begin."""
    sums = [row[0] + row[1] * sizes.astype(np.uint64) for row in numbers]
    least = int(sizes.min())
    most = int(sizes.max())
    for at in range(0, most, PIECE):
        if least == most:  # equal lengths, as for UUIDs: the texts are at equal distances
            some: Any = slice(None)
            first = int(starts[0]) + at
            piece = pieces[first : first + most * sizes.size - at : most] & FIRST[min(most - at, PIECE)]
        else:
            some = np.flatnonzero(sizes > at) if at else slice(None)
            piece = pieces[np.minimum(starts[some] + at, pieces.size - 1)] & FIRST[np.minimum(sizes[some] - at, PIECE)]
        _add(sums, some, piece, numbers[:, 2 + at // 4 :])
    return _joined(sums)


def _add(sums: list[Words], some: Any, piece: Words, numbers: Words) -> None:
    """Add the two halves of a piece to both sums, each multiplied by its secret number."""
    low = piece & LOWER
    high = piece >> HALF
    for total, row in zip(sums, numbers, strict=True):
        total[some] += row[0] * low + row[1] * high


def _joined(sums: list[Words]) -> Words:
    return _scattered(sums[0] & ~LOWER | sums[1] >> HALF)


def _scattered(hashes: Words) -> Words:
    """Permute all words of 64 bits."""
    for factor in MIXED:
        hashes ^= hashes >> SHIFT
        hashes *= factor
    return hashes ^ hashes >> SHIFT
