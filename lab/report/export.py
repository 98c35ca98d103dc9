"""Export: releases as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from discreet.budget import Cost
from discreet.curator.released import Release
from discreet.curator.request import plain
from discreet.lab.report.meaning import as_read
from discreet.rows.schema import Schema


def release_record(release: Release, schema: Schema) -> dict[str, Any]:
    """Return everything that may be shared about a release, as plain JSON."""
    request = release.request
    return {
        "id": release.id,
        "question": plain(request),
        "mechanism": request.mechanism.title,
        "columns": list(request.columns),
        "by": request.by,
        "where": [[f.column, f.comparison, plain(f.value)] for f in request.where],
        "answer": plain_answer(release.answer),
        "refused": release.refused,
        "interval": plain_answer(release.interval),
        "as_read": list(as_read(request, schema)),
        "cost": _cost(release.cost),
        "ledger_entry": release.entry,
        "at": release.at.isoformat(timespec="seconds"),
    }


def plain_answer(answer: Any) -> Any:
    """Turn an answer into plain JSON."""
    return [plain_answer(a) for a in answer] if isinstance(answer, tuple) else answer


def _cost(cost: Cost) -> dict[str, float]:
    return {"epsilon": cost.epsilon, "delta": cost.delta}


def releases_json(releases: Iterable[Release], schema: Schema) -> str:
    """Return releases of one declaration as JSON text."""
    return answers_json((release, schema) for release in releases)


def answers_json(answers: Iterable[tuple[Release, Schema]]) -> str:
    """Return releases as JSON text, each with the declaration under which it was given."""
    records = [release_record(release, schema) for release, schema in answers]
    return json.dumps({"discreet_releases": 1, "releases": records}, indent=1, ensure_ascii=False)
