"""Simultaneous: intervals of several answers that all hold at once, made from what was released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from discreet.curator.released import Release
from discreet.mechanisms.measured import Measured
from discreet.mechanisms.mechanism import CONFIDENCE
from discreet.rows.schema import Schema


def parts(releases: Sequence[Release]) -> int:
    """Return how many numbers are released: each group and each count is one, a refusal too."""
    return sum(_numbers(answer) for release in releases for answer in _answers(release))


def simultaneous(releases: Sequence[Release], schema: Schema) -> tuple[Release, ...]:
    """Return the same answers with wider intervals, which all hold together 19 times in 20.

    Of k numbers each interval fails with a chance of 1/k of 5 % at most, so one of them does with 5 %
    at most, however they depend on each other (Bonferroni). No rows are read and nothing is spent. A
    number whose interval cannot be widened from what was released stands without one.
    """
    confidence = 1 - (1 - CONFIDENCE) / max(parts(releases), 1)
    return tuple(replace(release, interval=_widened(release, schema, confidence)) for release in releases)


def _widened(release: Release, schema: Schema, confidence: float) -> Any:
    mechanism, public = release.request.mechanism, release.request.public(schema)

    def wider(answer: Any, interval: Any, size: Any) -> Any:
        if answer is None or interval is None:
            return None
        drawn = Measured(answer, interval, size) if isinstance(answer, float) else answer
        return mechanism.interval(drawn, public, confidence)

    if not _grouped(release):
        return wider(release.answer, release.interval, release.size)
    intervals, sizes = dict(release.interval or ()), dict(release.size or ())
    levels: Any = release.answer
    return tuple((level, wider(answer, intervals.get(level), sizes.get(level))) for level, answer in levels)


def _grouped(release: Release) -> bool:
    return bool(release.request.groups) and isinstance(release.answer, tuple)


def _answers(release: Release) -> list[Any]:
    """Return the answer of every group, or of all rows."""
    answer: Any = release.answer
    return [each for _, each in answer] if _grouped(release) else [answer]


def _numbers(answer: Any) -> int:
    return len(answer) if isinstance(answer, tuple) else 1
