"""Labels: what a file says beside its columns, as a declaration that it proposes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.rows.columns import Category, Kind

FEWEST, MOST = 2, 500  # labelled codes that make a category: one alone is most often a reason why a number is missing


def labelled(notes: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the categories that labels of codes make, by column; labels are written with the file, not with its rows.

    A level is a code, called by its label. Labels that are empty or double leave the codes as they are.
    """
    columns = {name: labels.get("values", {}) for name, labels in notes.get("labels", {}).items()}
    categories = {name: _category(codes) for name, codes in columns.items() if FEWEST <= len(codes) <= MOST}
    return {name: declared for name, declared in categories.items() if declared is not None}


def _category(codes: Mapping[str, str]) -> Category | None:
    names = tuple(" ".join(label.split()) for label in codes.values())
    for called in (names, ()):
        try:
            return Category(tuple(code.strip() for code in codes), names=called)
        except ParameterError:
            continue
    return None


def meanings(notes: Mapping[str, Any]) -> dict[str, str]:
    """Return what columns mean, by their labels."""
    labels = notes.get("labels", {})
    return {name: labelled["label"] for name, labelled in labels.items() if labelled.get("label")}
