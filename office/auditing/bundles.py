"""Bundles: everything about one dataset and period for an auditor, in one signed file that proves itself.

Requests that were denied, too; every card; what was said between people; the ledger from its first line;
the acts about these data, with the hashes of all acts between them, so that none can be put in or changed
later. No row is in it. `bundle_check` reads it, and needs nothing of the house. The house that is audited signs
it: what it leaves out of all parts alike, or wrote anew before, the file cannot show.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import Connection, select

from discreet.budget import ParameterError
from discreet.budget.durable.lines import budget_of, lines_of
from discreet.budget.durable.store import answers
from discreet.curator.request import plain
from discreet.lab.program import program
from discreet.office.auditing.signing import public_key, signed
from discreet.office.cards import cards, proof
from discreet.office.cards.records import releases_json
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.house import acts, replay
from discreet.office.house.house import House
from discreet.office.house.roles import DECIDERS, Member, require
from discreet.office.house.tables import acts as trail
from discreet.office.house.tables import people, requests
from discreet.office.requests import remarks
from discreet.office.requests.request import Inquiry, listed
from discreet.office.rules import rights
from discreet.office.rules.visit import acting, select_requests

VERSION = 2  # in the first one answers and what acts have the digest of were not
MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
OF_THE_HOUSE = acts.those(lambda act: act.of_all_data)  # about no dataset, and of concern to each
FIRST = "0001-01-01"
LAST = "9999-12-31"
README = """Everything about one dataset and period, for an auditor. No row of the data is in it.

Verify it with: discreet verify BUNDLE.zip [--key PUBLIC_KEY]
The public key stands on the screen of the house and is printed by: discreet office key
What is verified: the signature of manifest.json; the hash of every file that it lists; the ledger, line by
line from its first one, with every total and the limit; the place of every act on the chain of all acts; and that the
ledger, the acts, requests, cards and answers say the same, and none of them lacks what another one knows.

What no check of this file can show: the house that is audited holds the key that signed it. It can have left things
out of all parts alike, or have rebuilt them before it signed: compare the two heads in manifest.json with heads that
somebody else noted earlier. Acts about other data or other days are here by their hashes only, so nobody can tell from
this file that none of them belongs into it. Names, comments and cards/*.yaml are as the house gives them.
"""


@dataclass(frozen=True)
class Period:
    """From one day to another one, both included; days are those of UTC."""

    first: str = FIRST
    last: str = LAST

    def __post_init__(self) -> None:
        """Refuse invalid days, and a last day before the first."""
        try:
            good = date.fromisoformat(self.first) <= date.fromisoformat(self.last)
        except ValueError:
            good = False
        if not good:
            raise ParameterError("Write the dates as 2030-01-01, with the earlier one first.")

    def holds(self, *times: str | None) -> bool:
        """Return whether one of some times lies in it."""
        return any(time is not None and self.first <= time[:10] <= self.last for time in times)


def bundle(house: House, who: Member | None, dataset: str, period: Period) -> bytes:
    """Return the file, and note on the trail that it was exported, by which person and for which days."""
    who = require(who, *DECIDERS)
    rights.check_reader(house, who, dataset)
    data = registry.find(house, dataset)
    with acting(house, who, *DECIDERS) as visit:
        visit.act(acts.BUNDLED, data.name, None, first=period.first, last=period.last)
    files = _files(house, data, period)
    return _written(files | {SIGNATURE: signed(house, files[MANIFEST].encode())})


def _files(house: House, data: Registered, period: Period) -> dict[str, str]:
    """Return all files by name, the list of them last."""
    every = listed(house, select_requests().where(requests.c.dataset == data.id))
    those = [asked for asked in every if period.holds(_day(asked.asked), _day(asked.decided))]
    with house.store.reading() as connection:
        ledger = {"budget": budget_of(connection, data.id), "lines": lines_of(connection, data.id)}
        acts = _acts(connection, data.name, every, period)
        who = {data.by, *(act["who"] for act in acts["acts"])}
        who |= {person for asked in those for person in (asked.analyst, asked.decided_by) if person}
        parts: dict[str, Any] = {
            "ledger": ledger,
            "trail": acts,
            "people": _people(connection, who),
            "dataset": _dataset(data) | {"state": registry.row_of(house, data.id)["state"]},
            "answers": _answers(connection, data.id, those),
        }
        rows = {row["id"]: row for row in replay.rows(connection, "request", requests.c.dataset == data.id)}
    parts |= {"requests": [_request(asked, rows[asked.id]) for asked in those], "comments": _comments(house, those)}
    files = {f"{name}.json": _json(part) for name, part in parts.items()}
    files |= {"README.txt": README, "releases.json": releases_json(house, data.id)}
    files |= {name: text for asked in those for name, text in _cards(house, asked).items()}
    return files | {MANIFEST: _json(_manifest(house, data, period, files, ledger, acts))}


def _cards(house: House, asked: Inquiry) -> dict[str, str]:
    """Return the card of a request in every form that it is written in."""
    card = cards.card(snapshot(house, asked))
    place = f"cards/{asked.number}"
    return {f"{place}.{kind}": cards.records[kind](card) for kind in sorted(cards.records)}


def _manifest(
    house: House, data: Registered, period: Period, files: Mapping[str, str], ledger: Mapping[str, Any], acts: Any
) -> dict[str, Any]:
    lines = ledger["lines"]
    chain = acts["chain"]
    return {
        "discreet_bundle": VERSION,
        "dataset": {"id": data.id, "name": data.name},
        "first": period.first,
        "last": period.last,
        "at": house.now.isoformat(timespec="seconds"),
        "program": program(),
        "code_sha256": proof.code(),
        "public_key": public_key(house),
        "ledger_head": f"{lines[-1]['seq']}:{lines[-1]['hash']}" if lines else "",
        "trail_head": f"{chain[-1][0]}:{chain[-1][1]}" if chain else "",
        "files": {name: sha256(text.encode()).hexdigest() for name, text in sorted(files.items())},
    }


def _acts(connection: Connection, name: str, every: Iterable[Inquiry], period: Period) -> dict[str, Any]:
    """Return the acts about these data in the period as they are written, and the hash of every act there is."""
    about = {name, *(f"#{asked.number}" for asked in every)}
    lines = [dict(line) for line in connection.execute(select(trail).order_by(trail.c.seq)).mappings()]
    mine = [line for line in lines if line["about"] in about or line["what"] in OF_THE_HOUSE]
    return {
        "acts": [line for line in mine if period.holds(line["time"])],
        "chain": [[line["seq"], line["hash"]] for line in lines],
    }


def _answers(connection: Connection, dataset: str, those: Iterable[Inquiry]) -> dict[str, str]:
    """Return the stored answers, unchanged: the ledger has their digests."""
    bodies = connection.execute(select(answers.c.request, answers.c.body).where(answers.c.budget == dataset))
    mine = {asked.id for asked in those if asked.release is not None}
    return {row.request: row.body for row in bodies if row.request in mine and "behind" not in json.loads(row.body)}


def _people(connection: Connection, who: set[str]) -> dict[str, dict[str, str]]:
    """Return the people whose ids occur in the other files."""
    columns = (people.c.id, people.c.login, people.c.name, people.c.roles)
    rows = connection.execute(select(*columns).where(people.c.id.in_(who)))
    return {row.id: {"login": row.login, "name": row.name, "roles": row.roles} for row in rows}


def _dataset(data: Registered) -> dict[str, Any]:
    """Return what was said of the data, with everything that followed."""
    return {
        "id": data.id,
        "published": data.published,
        "registered": {"by": data.by, "at": data.at},
        "registration": json.loads(data.registration.to_json()),
        "protects": data.registration.protects,
        "first_declaration": json.loads(data.first.to_json()),
        "declared_later": [{"since": e.since, "by": e.by, "at": e.at} for e in data.later],
        "policy": json.loads(data.policy.to_json()),
        "fingerprint": data.fingerprint,
        "versions": [
            {"number": v.number, "since": v.since, "wave": v.wave, "why": v.why, "by": v.by, "at": v.at}
            for v in data.versions
        ],
        "notes": [{"text": note.text, "by": note.by, "at": note.at} for note in data.errata],
    }


def _request(asked: Inquiry, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request, and of its row what the act that it was asked has the digest of."""
    return {
        "row": {name: value for name, value in row.items() if name not in replay.FREE["request"]},
        "id": asked.id,
        "number": asked.number,
        "analyst": asked.analyst,
        "question": plain(asked.request),
        "purpose": asked.purpose,
        "cost": [asked.cost.nano_epsilon, asked.cost.delta_units],
        "state": asked.state,
        "answered": asked.release is not None,
        "asked": asked.asked.isoformat(),
        "decided_by": asked.decided_by,
        "decided": _day(asked.decided),
        "reason": asked.reason,
        "checklist": dict(asked.checklist),
    }


def _comments(house: House, those: Iterable[Inquiry]) -> list[dict[str, Any]]:
    """Return the remarks about the requests, with their readers."""
    return [
        {"number": asked.number, "by": said.author, "at": said.at.isoformat(), "to": said.audience, "text": said.body}
        for asked in those
        for said in remarks.every(house, asked)
    ]


def _day(time: Any) -> str | None:
    return None if time is None else str(time.isoformat())


def _json(thing: Any) -> str:
    return json.dumps(thing, indent=1, ensure_ascii=False, sort_keys=True)


def _written(files: Mapping[str, str]) -> bytes:
    """Write the files as one: the same files are the same bytes."""
    sink = io.BytesIO()
    with ZipFile(sink, "w", ZIP_DEFLATED) as zipped:
        for name in sorted(files):
            zipped.writestr(ZipInfo(name), files[name].encode(), ZIP_DEFLATED)
    return sink.getvalue()
