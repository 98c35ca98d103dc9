"""Neighbours: how far apart one person can move two counts, which decides about a factor of two."""

from __future__ import annotations

from typing import Any

from discreet.budget.errors import ParameterError
from discreet.mechanisms.base.vocabulary import parameter
from discreet.queries import Relation


def form_parameter() -> Any:
    """Declare the form of a mechanism over counts."""
    return parameter(
        "Form",
        choices=("automatic", "monotone", "general"),
        default="automatic",
        help="Monotone halves the noise. It is valid only if a person changes all counts in the same direction.",
    )


def monotone(form: str, relation: Relation) -> bool:
    """Return whether the monotone form is used: exactly under add/remove, unless general is declared.

    Under add/remove a person's m rows move all counts in one direction, each by at most m. Under change-one a person
    may leave one count for another, and the monotone form would lose 2 epsilon.
    """
    if form == "monotone" and relation.change_one:
        raise ParameterError(
            "Form must be general or automatic under change-one, where one count falls while "
            "another rises. Got monotone."
        )
    return form != "general" and not relation.change_one


def spread(form: str, relation: Relation) -> int:
    """Return how far apart one person can move two counts: m if monotone, else 2 m."""
    return relation.rows * (1 if monotone(form, relation) else 2)
