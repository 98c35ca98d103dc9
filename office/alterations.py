"""Alterations: what an act changed, for people: old and new values side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.budget.phrase import Phrase
from discreet.office.parts import WORDS
from discreet.office.replay import GROWN

SECRET = ("password", "factor")
HIDDEN = (*SECRET, "content", *GROWN, "decided_by", "decided")  # on a screen: that it changed


def changed(details: Mapping[str, Any]) -> list[tuple[Phrase, str, str]]:
    """Return what an act changed, for people: a name, the old and the new value."""
    changes = []
    for name, old in details.get("was", {}).items():
        new = details["now"][name]
        if name not in WORDS or (name in HIDDEN and name not in SECRET):
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            parts = sorted(part for part in old | new if old.get(part) != new.get(part))
            before, after = ({part: side.get(part) for part in parts} for side in (old, new))
            changes.append((WORDS[name], _plain(before), _plain(after)))
        else:
            hidden = name in HIDDEN
            changes.append((WORDS[name], "…" if hidden else _plain(old), "…" if hidden else _plain(new)))
    return changes


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(part)}" for name, part in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return str(value) if value not in (None, "") else "–"
