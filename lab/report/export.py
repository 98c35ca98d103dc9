"""Export: releases as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from discreet.curator.released import Release
from discreet.curator.request import plain
from discreet.lab.report.dated import dates
from discreet.lab.report.meaning import as_read, rank_error
from discreet.lab.report.population import ASSUMED, population, shared
from discreet.mechanisms.mechanism import CONFIDENCE
from discreet.rows.schema import Schema


def release_record(release: Release, schema: Schema, together: int = 1) -> dict[str, Any]:
    """Return everything that may be shared about a release, as plain JSON.

    `together` says of how many intervals it is promised that all hold at once.
    """
    request = release.request
    return {
        "id": release.id,
        "question": plain(request),
        "mechanism": request.mechanism.title,
        "columns": list(request.columns),
        "by": request.by,
        "where": [condition.plain() for condition in request.where],
        "answer": plain_answer(release.answer),
        "refused": release.refused,
        "interval": plain_answer(release.interval),
        "rank_error": plain_answer(rank_error(request, schema)),
        "size": plain_answer(release.size),
        "as_read": list(as_read(request, schema)),
        "cost": release.cost.numbers,
        "ledger_entry": release.entry,
        "refines": release.refines,
        "packages": list(release.packages),
        "at": release.at.isoformat(timespec="seconds"),
    } | _how_sure(release, schema, together)


def _how_sure(release: Release, schema: Schema, together: int) -> dict[str, Any]:
    """Return the dates of both, how sure intervals are, of how many at once, and the one of the population."""
    request, sampled = release.request, population(release, schema) if together == 1 else None
    return {
        "answer_dated": plain_answer(dates(request, schema, release.answer)),
        "interval_dated": plain_answer(dates(request, schema, release.interval)),
        "confidence": CONFIDENCE,
        "holding_together": together,
        "population_interval": plain_answer(sampled),
        "population_of": None if sampled is None else "shares" if shared(request) else "mean",
        "population_if": None if sampled is None else str(ASSUMED),
    }


def plain_answer(answer: Any) -> Any:
    """Turn an answer into plain JSON."""
    return [plain_answer(a) for a in answer] if isinstance(answer, tuple) else answer


def releases_json(releases: Iterable[Release], schema: Schema) -> str:
    """Return releases of one declaration as JSON text."""
    return answers_json((release, schema) for release in releases)


def answers_json(answers: Iterable[tuple[Release, Schema]], together: int = 1) -> str:
    """Return releases as JSON text, each with the declaration under which it was given."""
    records = [release_record(release, schema, together) for release, schema in answers]
    return json.dumps({"discreet_releases": 1, "releases": records}, indent=1, ensure_ascii=False)
