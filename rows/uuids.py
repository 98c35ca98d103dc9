"""Uuids: typed ones as the text that everybody writes, all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

DIGITS = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
PLACES = [place for place in range(36) if place not in (8, 13, 18, 23)]  # between them are dashes


def is_uuid(form: pa.DataType) -> bool:
    """Say whether cells are uuids by their type."""
    return isinstance(form, pa.UuidType)


def written(cells: Any) -> pa.Array:
    """Return uuids as lower-case text of 36 characters; missing ones stay missing."""
    storage = cells.storage.fill_null(bytes(16))
    start = 16 * storage.offset
    raw = np.frombuffer(storage.buffers()[1], dtype=np.uint8)[start : start + 16 * len(storage)].reshape(-1, 16)
    texts = np.full((len(storage), 36), ord("-"), dtype=np.uint8)
    texts[:, PLACES] = DIGITS[np.stack((raw >> 4, raw & 15), axis=2).reshape(-1, 32)]
    offsets = np.arange(len(storage) + 1, dtype=np.int64) * 36
    array = pa.LargeStringArray.from_buffers(len(storage), pa.py_buffer(offsets), pa.py_buffer(texts))
    return pc.if_else(cells.is_valid(), array, pa.scalar(None, array.type))
