"""Ignored: a column that is never read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from discreet.rows.columns.kind import Kind


@dataclass(frozen=True)
class Ignored(Kind):
    """A column that no query may use."""

    name: ClassVar[str] = "ignored"
    used: ClassVar[bool] = False
    grows: ClassVar[bool] = True
