"""Refining: an answer is asked again with less noise. What is here brings the question; the road charges and draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from discreet.budget import Ledger, Number, ParameterError
from discreet.curator.records import recall
from discreet.curator.release import REFINED
from discreet.curator.request import Finer
from discreet.curator.result import Release
from discreet.mechanisms.base.refining import Difference, finer


class Refines(Protocol):
    """A place where a finer question may be asked."""

    @property
    def ledger(self) -> Ledger:
        """The budget that the earlier answer was charged to."""

    def check_finer(self, question: Finer) -> None:
        """Raise ParameterError where the earlier answer cannot be refined here."""

    def ask(self, request: Finer) -> Release | None:
        """Charge the difference and draw."""


def step(place: Refines, earlier: str, epsilon: Number) -> Finer:
    """Return the finer question of a release, given its id; raise ParameterError where there is none."""
    release = recall(place.ledger, earlier)
    if not isinstance(release, Release):
        raise ParameterError("Only results of single queries can be improved, not those of a plan.")
    request = replace(release.request, mechanism=finer(release.request.mechanism, epsilon))
    difference = Difference.between(earlier, release.request.mechanism, request.mechanism, request.times())
    question = Finer(request, difference)
    place.check_finer(question)
    return question


def refine(place: Refines, earlier: str, epsilon: Number) -> Release:
    """Release an answer again with less noise, for the difference; the same twice is one charge and one draw.

    An answer is refined once, to the first epsilon that is asked; from then on the finer one is.
    """
    question = step(place, earlier, epsilon)
    release = place.ask(question)
    if release is None or release.request != question.request:
        raise ParameterError(REFINED)
    return release
