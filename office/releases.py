"""Releases: all released answers of a dataset as one text, without names of people."""

from __future__ import annotations

import json
from typing import Any

from discreet.budget.durable import DurableLedger
from discreet.budget.durable.written import Told
from discreet.curator.fixed import Answers
from discreet.curator.records import Shown
from discreet.curator.request import plain
from discreet.lab.report.export import release_record
from discreet.office import registry
from discreet.office.asked import Inquiry, released
from discreet.office.house import House
from discreet.office.jointly import composed
from discreet.office.notation import yaml_of
from discreet.office.registry import Registered
from discreet.office.standing import Standing, anchor
from discreet.rows.schema import Schema


def releases_json(house: House, dataset: str) -> str:
    """Write all released answers of a dataset as JSON text."""
    return json.dumps(releases(house, dataset), indent=1, ensure_ascii=False)


def releases_yaml(house: House, dataset: str) -> str:
    """Write all released answers of a dataset as YAML text."""
    return yaml_of(releases(house, dataset))


def published(house: House) -> list[dict[str, Any]]:
    """Return the published datasets, each with the addresses of its releases and cards, for programs."""
    return [_entry(house, data) for data in registry.everything(house) if data.published]


def _entry(house: House, data: Registered) -> dict[str, Any]:
    """Return one of them."""
    ledger, kinds = registry.ledger(house, data.id), ("json", "yaml")
    return {
        "id": data.id,
        "name": data.name,
        "source": data.registration.source,
        "total": ledger.limit.numbers,
        "spent": ledger.spent.numbers,
        "unit": data.registration.protected,
        "releases": {kind: f"/releases/{data.id}.{kind}" for kind in kinds},
        "cards": [{kind: f"/card/{asked.id}.{kind}" for kind in kinds} for asked in released(house, data.id)],
    }


def releases(house: House, dataset: str) -> dict[str, Any]:
    """Return all released answers of a dataset, oldest first, without names of people."""
    data, ledger = registry.find(house, dataset), registry.ledger(house, dataset)
    lines = ledger.lines
    return {
        "discreet_releases": 1,
        "dataset": {"id": dataset, "name": data.name, "source": data.registration.source},
        "rule": ledger.rule.name,
        "total": ledger.limit.numbers,
        "spent": ledger.spent.numbers,
        "unit": data.registration.protected,
        "head": anchor(lines[-1]) if lines else "",
        "releases": [_record(asked, ledger, lines, data) for asked in released(house, dataset)],
    }


def _record(asked: Inquiry, ledger: DurableLedger, lines: tuple[Told, ...], data: Registered) -> dict[str, Any]:
    """Return one released answer, with the line of its charge."""
    assert asked.release is not None
    schema, version = data.schema_at(asked.number), data.version_at(asked.number)
    charge = Standing(ledger.rule, ledger.limit, lines, asked.id).charge
    return {
        "number": asked.number,
        "purpose": asked.purpose,
        "version": version.number,
        **record_of(asked.release, schema),
        "charge": None if charge is None else anchor(charge),
    }


def record_of(release: Shown, schema: Schema) -> dict[str, Any]:
    """Return what may be shared of one answer, or of all rows of a plan, whose cost is theirs together."""
    if not isinstance(release, Answers):
        return release_record(release, schema)
    return {
        "id": release.id,
        "question": plain(release.plan),
        "rows": [release_record(row, schema) for row in release.releases],
        "cost": release.cost.numbers,
        **composed(release.plan),
        "ledger_entry": release.entry,
        "at": release.at.isoformat(timespec="seconds"),
    }
