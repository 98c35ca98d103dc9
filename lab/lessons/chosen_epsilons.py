"""Deployments: which ε others have chosen, what it counts for, and where that is written down.

The public registry of deployments and the papers named here were read; nothing is listed that was not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.budget import Phrase

REGISTRY = "registry.opendp.org, “Deployments registry”"
STATE = "dof.ca.gov, “Disclosure avoidance through differential privacy”"
DAY, PERSON, MONTH, BIRTH = Phrase("a person's day"), Phrase("a person"), Phrase("a person's month"), Phrase("a birth")


@dataclass(frozen=True)
class Deployment:
    """Who published what, in which year, at which ε and δ for which unit, with or without a curator, and the source."""

    name: str
    year: int
    epsilon: float
    delta: float
    unit: str
    local: bool
    source: str


DEPLOYMENTS = (
    Deployment(Phrase("Google: searches for symptoms"), 2020, 1.68, 0.0, DAY, False, "arXiv:2009.01265"),
    Deployment(Phrase("Google: searches for vaccination"), 2021, 2.19, 1e-5, DAY, False, "arXiv:2107.01179"),
    Deployment(Phrase("Apple: popular emojis"), 2017, 4.0, 0.0, DAY, True, REGISTRY),
    Deployment(Phrase("Microsoft: writing suggestions"), 2020, 4.0, 1e-7, PERSON, False, REGISTRY),
    Deployment(Phrase("Israel: births of 2014"), 2024, 9.98, 0.0, BIRTH, False, REGISTRY),
    Deployment(Phrase("US census: trial tables"), 2021, 12.2, 0.0, PERSON, False, STATE),
    Deployment(Phrase("LinkedIn: audience statistics"), 2020, 34.9, 7e-9, MONTH, False, REGISTRY),
)


def right(epsilon: float) -> float:
    """Return how often a guess with even odds before can be right at most."""
    return 1 / (1 + math.exp(-epsilon))


def yearly(deployment: Deployment) -> float:
    """Return what a year of somebody costs, if each unit is charged anew and costs add up."""
    times = {str(DAY): 365, str(MONTH): 12}
    return deployment.epsilon * times.get(deployment.unit, 1)
