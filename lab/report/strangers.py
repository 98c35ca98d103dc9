"""Strangers: what is found on a form or a card, and is not on the list of what is public."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from discreet.lab.report.public import CARD, CARD_PARTS, FREE, Listed


def strangers(names: Iterable[str], listed: Listed) -> list[str]:
    """Return what was found and is not on a list; heads of tables are written with blanks."""
    return sorted({name.replace(" ", "_") for name in names} - set(listed))


def inside(value: Any, path: str = "") -> Iterator[str]:
    """Yield the name of every part inside of a part of a card."""
    if path in FREE or path.rpartition(".")[2] in FREE:
        return
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield name
            yield from inside(part, name)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from inside(part, path)


def strange_parts(card: Mapping[str, Any]) -> list[str]:
    """Return what is on a card and not on the list of what may be."""
    strange = [name for name in card if name not in CARD and name not in ("discreet_card", "rows")]
    strange += [part for row in card.get("rows", ()) for part in strange_parts(row)]  # of a plan, each like a card
    for section, listed in CARD.items():
        for name, value in card.get(section, {}).items():
            parts = inside(value, f"{section}.{name}")
            strange += [] if name in listed else [f"{section}.{name}"]
            strange += [f"{section}.{name}.{part}" for part in strangers(parts, CARD_PARTS)]
    return strange
