"""Hashing: each text becomes a secret word, the same for equal texts, by a key of this release alone.

The bytes of a text, in pieces x_1, x_2, ... of 32 bits filled up with zeros, and its length x_0 are
multiplied with secret numbers a_i and added, modulo 2^64; the upper 32 bits count, and two such
sums with numbers of their own make a word of 64 bits.

Two different texts, whatever they are, get the same word with probability 2^-64. Proof: filled up
to the same number of pieces they differ in some x_i, by d = 2^s u with u odd and s < 32. Given all
numbers but a_i and b, the two sums differ by D = c + a_i d, which is uniform on the 2^(64-s) residues
that are c modulo 2^s. As b is uniform, the upper halves are the same with probability
max(0, 1 - |D| / 2^32), and over these D that adds up to 2^(32-s), so to 2^(32-s) / 2^(64-s) = 2^-32
for one half. The halves have independent numbers. (Dietzfelbinger 1996; Lemire and Kaser 2014.)

The numbers are stretched out of a short key by SHAKE-256, and a text longer than `LONGEST` stands
for its digest under that key; so the bound holds up to what tells these apart from chance. Nobody
sees a word, and the key is drawn when the rows are there already: whoever picks identifiers picks
them without the key, and cannot do better than the bound. One person among n others shares a word
with probability n / 2^64 at most; only then could one person's rows be capped with another's.
A fixed permutation of all words comes last, so that numbers in a row are not words in a row.
"""

from __future__ import annotations

from hashlib import blake2b, shake_256
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.rows.digits import digits

PIECE = 8  # bytes that are read at once, as two pieces of 32 bits
LONGEST = 128
CHUNK = 2**15  # one pass stays inside a core's cache
HALF = np.uint64(32)
LOWER = np.uint64(2**32 - 1)
FIRST = np.array([2 ** (8 * size) - 1 for size in range(PIECE + 1)], dtype=np.uint64)  # keeps so many bytes
MIXED = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
SHIFT = np.uint64(33)

Words = NDArray[np.uint64]


def words(texts: pa.Array, key: bytes) -> Words:
    """Return the secret word of each text; nothing may be missing."""
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
    """Return the words of the texts of whole numbers below `digits.END`, without writing them."""
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
    """Put a secret digest in the place of each text that is longer than any identifier."""
    long = np.flatnonzero(np.asarray(pc.binary_length(texts)) > LONGEST)
    if not long.size:
        return texts
    digests = [blake2b(text.encode(), key=key).hexdigest() for text in texts.take(long).to_pylist()]
    mask = np.zeros(len(texts), dtype=bool)
    mask[long] = True
    return pc.replace_with_mask(texts, mask, pa.array(digests, pa.large_string()))


def _pieces(texts: pa.Array, first: int, last: int) -> Words:
    """Return what 8 bytes from each byte on are, beyond the last byte zeros."""
    own = texts.buffers()[2]
    data = np.zeros(last - first + PIECE, dtype=np.uint8)
    if own is not None:
        data[:-PIECE] = np.frombuffer(own, dtype=np.uint8)[first:last]
    return np.ndarray((last - first + 1,), "<u8", data, strides=(1,))


def _numbers(key: bytes) -> Words:
    """Return two rows of secret numbers: one to begin with, one for the length, one for each piece."""
    each = 2 + LONGEST // 4
    return np.frombuffer(shake_256(key).digest(16 * each), dtype="<u8").astype(np.uint64).reshape(2, each)


def _hashed(starts: NDArray[np.int64], sizes: NDArray[np.int64], pieces: Words, numbers: Words) -> Words:
    """Hash some texts, of which pieces are taken from where they begin."""
    sums = [row[0] + row[1] * sizes.astype(np.uint64) for row in numbers]
    least, most = int(sizes.min()), int(sizes.max())
    for at in range(0, most, PIECE):
        if least == most:  # all as long as uuids are: they lie at equal distances
            some: Any = slice(None)
            first = int(starts[0]) + at
            piece = pieces[first : first + most * sizes.size - at : most] & FIRST[min(most - at, PIECE)]
        else:
            some = np.flatnonzero(sizes > at) if at else slice(None)
            piece = pieces[np.minimum(starts[some] + at, pieces.size - 1)] & FIRST[np.minimum(sizes[some] - at, PIECE)]
        _add(sums, some, piece, numbers[:, 2 + at // 4 :])
    return _joined(sums)


def _add(sums: list[Words], some: Any, piece: Words, numbers: Words) -> None:
    """Add the two halves of a piece to both sums, each times its secret number."""
    low, high = piece & LOWER, piece >> HALF
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
