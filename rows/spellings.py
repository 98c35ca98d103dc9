"""Spellings: texts that name one level, however a format writes it: 1 and 1.0, true and TRUE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.queries.bounds import IntArray
from discreet.rows.cells import text
from discreet.rows.lengths import SPELLED, longest

# a number without leading zeros, of which a fraction of zeros is cut off: 01 is a code, and not 1
NUMBER = r"^(-?(?:0|[1-9][0-9]*))(?:\.0*|(\.[0-9]*[1-9])0*)?(?:E0)?$"
TRUTHS = ("true", "false")


def canonical(cells: pa.Array) -> pa.Array:
    """Return each text as it stands for all spellings of the same number or truth."""
    lower = pc.utf8_lower(cells)
    truths = pc.is_in(lower, value_set=pa.array(TRUTHS, lower.type))
    return pc.if_else(truths, lower, pc.replace_substring_regex(cells, pattern=NUMBER, replacement=r"\1\2"))


def places(cells: pa.Array, levels: Sequence[str]) -> IntArray:
    """Return the place of the level that each cell names, -1 for none: by its text, else by its canonical form.

    A level of which another one is a spelling goes by its text alone: whoever declares 1 and 1.0 tells them apart.
    """
    names = pa.array(levels, pa.large_string())
    written = text(cells, longest(names) + SPELLED)
    exact = pc.index_in(written, value_set=names)
    forms = canonical(names)
    many = Counter(forms.to_pylist())
    spelled = zip(forms.to_pylist(), _spelled(forms).to_pylist(), strict=True)
    special = [form if several and many[form] == 1 else None for form, several in spelled]
    if any(special):
        others = pa.array(special, pa.large_string())
        exact = pc.coalesce(exact, pc.index_in(canonical(written), value_set=others, skip_nulls=True))
    return np.asarray(exact.fill_null(-1)).astype(np.int64)


def _spelled(forms: pa.Array) -> pa.Array:
    """Say which canonical forms have other spellings."""
    truths = pc.is_in(forms, value_set=pa.array(TRUTHS, forms.type))
    return pc.or_(truths, pc.match_substring_regex(forms, NUMBER))
