"""Hashing: equal identifiers collide always, different ones never, whatever form they have."""

from __future__ import annotations

import unicodedata
import uuid
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.rows import identifiers
from discreet.rows.columns.person import person_words
from discreet.rows.identifiers import LONGEST, words

KEY = b"a key of thirty-two bytes or so."
TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=40)


def identity(name: str | None, fold: bool) -> str:
    """Return who is named, as the rule says it."""
    (exact,) = pa.compute.utf8_trim_whitespace(pa.array([name or ""])).to_pylist()
    return unicodedata.normalize("NFKC", exact).strip().casefold() if fold else exact


def same(names: list[str | None], cells: Any, fold: bool) -> None:
    """Assert that two rows have the same word where they name the same person, and only there."""
    hashes, named = person_words(cells, KEY, fold)
    who = [identity(name, fold) for name in names]
    assert named.tolist() == [bool(name) for name in who]
    assert len(set(hashes[named].tolist())) == len({name for name in who if name})
    pairs = {(int(word), name) for word, name in zip(hashes, who, strict=True) if name}
    assert len(pairs) == len({name for _, name in pairs})


@given(st.lists(st.one_of(st.none(), TEXT, st.sampled_from([" a", "A", "\uff41", "a\x1c", "ß", "SS", "x" * 200]))))
def test_equal_texts_have_one_word_and_different_ones_have_not(names: list[str | None]) -> None:
    """Exact text without outer blanks, or its variants joined, in every layout that Arrow has."""
    cells = pa.array(names, pa.large_string())
    for fold in (False, True):
        for layout in (cells, cells.cast(pa.string()), cells.dictionary_encode()):
            same(names, layout, fold)
        joined = pa.concat_arrays([pa.array(["before"], pa.large_string()), cells])
        assert person_words(joined[1:], KEY, fold)[0].tolist() == person_words(cells, KEY, fold)[0].tolist()


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.integers(-20, 20))))
def test_a_number_and_its_text_are_one_person(numbers: list[int | None]) -> None:
    """A column that was written out as text names the same persons."""
    typed, text = pa.array(numbers, pa.int64()), pa.array(None if n is None else f" {n}" for n in numbers)
    plain = [None if n is None else str(n) for n in numbers]
    for fold in (False, True):
        own, named = person_words(typed, KEY, fold)
        assert own[named].tolist() == person_words(text.cast(pa.string()), KEY, fold)[0][named].tolist()
        same(plain, typed, fold)
    small = pa.array([5, 250], pa.uint8())
    assert person_words(small, KEY)[0].tolist() == person_words(pa.array(["5", "250"]), KEY)[0].tolist()


def test_numbers_of_every_length_are_written_digit_by_digit() -> None:
    """Next to every power of ten, whichever of them is the largest, alone and with all that are smaller."""
    powers = [10**i + step for i in range(17) for step in (-1, 0, 1)]
    steps = [*range(2_000), *range(0, 10**8, 99_991), *range(10**8, 10**16, 99_999_999_999_989)]
    for numbers in (*([n] for n in powers), *(powers[:most] for most in range(1, len(powers) + 1)), steps):
        text = words(pa.array(list(map(str, numbers)), pa.large_string()), KEY)
        assert person_words(pa.array(numbers), KEY)[0].tolist() == text.tolist()


def test_the_largest_numbers_are_themselves() -> None:
    """Up to 2^64 - 1 and down to -2^63, next to their neighbours."""
    ends = [2**64 - 1, 2**63, 2**63 - 1, 10**18, 10**18 - 1, 0]
    typed = person_words(pa.array(ends, pa.uint64()), KEY)[0].tolist()
    assert typed == person_words(pa.array(list(map(str, ends))), KEY)[0].tolist() and len(set(typed)) == len(ends)


def test_a_uuid_and_its_text_are_one_person() -> None:
    """Typed uuids, missing ones and parts of a column included."""
    some = [uuid.UUID(int=(i * 0x9E3779B97F4A7C15F39CC0605CEDC835) % 2**128) for i in range(1000)]
    cells = pa.array([*(identifier.bytes for identifier in some), None], pa.uuid())
    hashes, named = person_words(cells, KEY)
    assert hashes[:-1].tolist() == person_words(pa.array(list(map(str, some))), KEY)[0].tolist()
    assert named.tolist() == [True] * 1000 + [False]
    assert person_words(cells[3:], KEY)[0].tolist() == hashes[3:].tolist()


def test_long_identifiers_differ_in_their_last_letter() -> None:
    """Beyond what is hashed at once, and on both sides of where that begins."""
    names = ["x" * (LONGEST + more) + last for more in (-2, -1, 0, 1, 10_000) for last in "ab"]
    hashes = words(pa.array(names, pa.large_string()), KEY)
    assert len(set(hashes.tolist())) == len(names)
    assert words(pa.array(names[::-1], pa.large_string()), KEY).tolist() == hashes[::-1].tolist()


@given(st.integers(0, 20), st.integers(1, 9), st.integers(0, 2**32))
def test_identifiers_of_one_length_are_hashed_as_among_others(size: int, many: int, seed: int) -> None:
    """Side by side, or with one of another length between them."""
    letters = np.random.default_rng(seed).integers(97, 123, (many, size), dtype=np.uint8)
    names = [row.tobytes().decode() for row in letters]
    alone = words(pa.array(names, pa.large_string()), KEY).tolist()
    among = words(pa.array([*names, "x" * (size + 1)], pa.large_string()), KEY).tolist()
    assert alone == among[:-1]


def test_zeros_at_the_end_are_a_part_of_a_name() -> None:
    """What a text is filled up with is not what it says."""
    names = ["", "\0", "\0\0", "a", "a\0", "a" + "\0" * 7, "a" + "\0" * 8]
    assert len(set(words(pa.array(names, pa.large_string()), KEY).tolist())) == len(names)


PAIRS = [
    ("1", "2"),
    ("p", "p\0"),
    ("a" * 7 + "b", "a" * 8),
    ("a" * 40 + "1", "a" * 40 + "2"),
    ("\0\0\0\x80", "\0\0\0\0"),
]


@pytest.fixture(scope="module")
def unscattered() -> NDArray[np.uint64]:
    """Return the words of all pairs, before their last step: for each of 4,000 keys, for each pair both."""
    names = pa.array([name for pair in PAIRS for name in pair], pa.large_string())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identifiers, "_scattered", lambda hashes: hashes)
        return np.array([words(names, i.to_bytes(4, "big")) for i in range(4_000)]).reshape(4_000, len(PAIRS), 2)


@pytest.mark.parametrize("pair", range(len(PAIRS)))
def test_two_names_share_the_first_bits_of_a_half_as_often_as_chance(
    pair: int, unscattered: NDArray[np.uint64]
) -> None:
    """Over 4,000 keys, four bits of each half agree once in 16 times (fails once in 10^7 for each of ten)."""
    both = unscattered[:, pair]
    for shift in (60, 28):
        bits = both >> np.uint64(shift) & np.uint64(15)
        agree = int((bits[:, 0] == bits[:, 1]).sum())
        assert abs(agree - 4_000 / 16) < 5.4 * np.sqrt(4_000 / 16)


def test_numbers_in_a_row_fall_into_blocks_like_balls() -> None:
    """The spread of 100,000 consecutive identifiers over 1,000 blocks is that of chance, for five keys.

    A chi-square with 999 degrees lies within 5.5 standard deviations but once in 10^7.
    """
    names = pa.array([str(i) for i in range(100_000)])
    for key in range(5):
        sizes = np.bincount(person_words(names, bytes([key]))[0] % np.uint64(1000), minlength=1000)
        square = float(((sizes - 100) ** 2 / 100).sum())
        assert abs(square - 999) < 5.5 * np.sqrt(2 * 999)
