"""Topics: what can be asked, found from the registries, and which columns each question needs."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.families import Family
from discreet.mechanisms.topic import Topic
from discreet.rows import Schema


def of_families(families: Sequence[Family]) -> list[type[Mechanism]]:
    """Return the mechanisms of a page, in the order of its families."""
    kinds = [kind for kind in registry.values() if not kind.open_only]
    return [kind for family in families for kind in kinds if kind.family == family]


def topics(families: Sequence[Family], schema: Schema) -> list[Topic]:
    """Return what a page can ask of a declared dataset."""
    offered: dict[str, Topic] = {}
    for kind in of_families(families):
        for topic in kind.topics():
            offered.setdefault(topic.name, topic)
    return [t for t in offered.values() if len(fitting(schema, t)) >= t.columns]


def methods(families: Sequence[Family], name: str) -> list[type[Mechanism]]:
    """Return the mechanisms that answer a topic: without delta first, then made for it first."""
    kinds = [kind for kind in of_families(families) if kind.can_answer(name)]
    return sorted(kinds, key=lambda kind: ("delta" in kind.parameters(), len(kind.topics())))


def fitting(schema: Schema, asked: Topic) -> list[str]:
    """Return the columns that a topic can be asked of, categories first where they fit."""
    numbers = [name for name, declared in schema.numbers.items() if declared.zero or asked.zeroless]
    return numbers if asked.numbers_only else [*schema.categories, *numbers]
