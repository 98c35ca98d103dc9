"""Entries: the fields of a form that are read at the moment of an act, in a callback as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discreet.ui.state import chosen


@dataclass(frozen=True)
class Entries:
    """The fields of one form: their keys begin with its mark."""

    mark: str

    def key(self, field: str) -> str:
        """Return the key of a field."""
        return f"{self.mark}:{field}"

    def value(self, field: str, absent: Any = None) -> Any:
        """Return what a field is set to at this moment."""
        return chosen(self.key(field), absent)

    def text(self, field: str) -> str:
        """Return what is typed into a field at this moment."""
        return str(self.value(field) or "").strip()
