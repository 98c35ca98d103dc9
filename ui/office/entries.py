"""Entries: the fields of a form that are read at the moment of an act, in a callback as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discreet.ui.state import choose, chosen


def turned(mark: str) -> str:
    """Return the mark of a form as it stands: fields that were discarded begin anew under another one."""
    turn = chosen(_turn(mark), 0)
    return f"{mark}~{turn}" if turn else mark


def turn(mark: str) -> None:
    """Let the fields of a form begin anew."""
    choose(_turn(mark), chosen(_turn(mark), 0) + 1)


def _turn(mark: str) -> str:
    return f"turn:{mark}"


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
