"""Digits: an answer with as many of them as its interval supports."""

from __future__ import annotations

from discreet.curator import Release
from discreet.ui.frame.words import number


def sensible(release: Release) -> str:
    """Write an answer with the digits that its interval supports, all others cut."""
    answer = release.answer
    if not isinstance(answer, float):
        return number(answer)
    if release.interval:
        width = (release.interval[1] - release.interval[0]) / 2
        places = max(0, min(12, 2 - len(f"{width:.0f}") if width >= 1 else _places(width)))
        return f"{answer:,.{places}f}"
    return number(answer, 6)


def _places(width: float) -> int:
    return 1 - int(f"{width:e}".split("e")[1])
