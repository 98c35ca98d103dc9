"""Topics: what can be asked, found from the registries, and which columns each question needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from budget import Phrase
from curator import Category, Number, Schema
from mechanisms import Mechanism, registry
from mechanisms.sample_aggregate import SampleAggregate
from queries import registry as statistics
from queries.estimators import registry as estimators
from ui.words import say

OTHERS = {
    "most-common": Phrase("Most (or least) common"),
    "counts": Phrase("Counts of all categories or bins"),
    "several": Phrase("Several statistics at once"),
    "first-above": Phrase("First categories above a threshold"),
    "upper-bound": Phrase("Upper bound for clipping"),
    "both-bounds": Phrase("Lower and upper bound"),
    "share-of-yes": Phrase("Share of one answer"),
}
PAGES = {
    "global": "global_sensitivity",
    "ptr": "propose_test_release",
    "smooth": "smooth_sensitivity",
    "blocks": "sample_and_aggregate",
    "selection": "exponential_selection",
    "sparse": "exponential_selection",
}
EITHER = {"most-common", "counts", "first-above"}


@dataclass(frozen=True)
class Topic:
    """A question without its column."""

    name: str
    label: str
    columns: int = 1
    numbers_only: bool = True


def topic(name: str, blocks: bool) -> Topic:
    """Return a topic by name; block mechanisms take estimators."""
    if blocks:
        return Topic(name, say(estimators[name].label), estimators[name].columns)
    if name in statistics:
        return Topic(name, say(statistics[name].label))
    return Topic(name, say(OTHERS.get(name, name)), numbers_only=name not in EITHER)


def of_families(families: Sequence[str]) -> list[type[Mechanism]]:
    """Return the mechanisms of a page, in the order of its families."""
    kinds = [kind for kind in registry.values() if not kind.open_only]
    return [kind for family in families for kind in kinds if kind.family == family]


def topics(families: Sequence[str], schema: Schema) -> list[Topic]:
    """Return what a page can ask of a declared dataset."""
    found: dict[str, Topic] = {}
    for kind in of_families(families):
        for name in kind.topics():
            found.setdefault(name, topic(name, issubclass(kind, SampleAggregate)))
    return [t for t in found.values() if len(fitting(schema, t)) >= t.columns]


def methods(families: Sequence[str], name: str) -> list[type[Mechanism]]:
    """Return the mechanisms that answer a topic: without delta first, then made for it first."""
    known = [kind for kind in of_families(families) if name in kind.topics()]
    return sorted(known, key=lambda kind: ("delta" in kind.parameters(), len(kind.topics())))


def fitting(schema: Schema, asked: Topic) -> list[str]:
    """Return the columns that a topic can be asked of, categories first where they fit."""
    kinds = (Number,) if asked.numbers_only else (Category, Number)
    columns = schema.columns.items()
    return [name for kind in kinds for name, told in columns if isinstance(told, kind)]


def asked_on(mechanism: Mechanism) -> str:
    """Return the page on which a mechanism is asked; what no page asks begins at the data."""
    return PAGES.get(type(mechanism).family, "data")
