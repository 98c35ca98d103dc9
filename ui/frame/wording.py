"""Wording: what was asked, in words, as plain text."""

from __future__ import annotations

from discreet.curator import Request
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.ui.frame.words import number, say


def in_words(request: Request) -> str:
    """Write a question in words."""
    mechanism = request.mechanism
    subject = mechanism.estimator if isinstance(mechanism, SampleAggregate) else say(mechanism.subject)
    text = f"{subject}: {', '.join(request.columns)}"
    if request.where:
        filters = [f"{row.column} {row.comparison} {_value(row.value)}" for row in request.where]
        text += say(" where ") + say(" and ").join(filters)
    return text + (say(" for each {by}", by=request.by) if request.by else "")


def _value(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else number(value)
