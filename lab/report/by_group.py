"""By group: the answer of each group of a release, with its interval."""

from __future__ import annotations

from typing import Any

from discreet.curator.released import Release


def numbers(release: Release) -> list[tuple[str, Any, Any]]:
    """Return (group, answer, interval) for every group, one without a name if there are none."""
    if not release.request.groups or not isinstance(release.answer, tuple):
        return [("", release.answer, release.interval)]
    intervals = dict(release.interval or ())
    return [(level, answer, intervals.get(level)) for level, answer in release.answer]
