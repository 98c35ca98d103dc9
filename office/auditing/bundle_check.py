"""Bundle check: whether an auditor's file is what the house signed, and adds up; nothing of the house is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from discreet.budget import ParameterError, Phrase
from discreet.budget.durable.lines import digest, strays
from discreet.budget.durable.verify import recomputed
from discreet.curator.records import PLAN, rebuilt
from discreet.curator.release import name_of
from discreet.office.auditing.bundles import FIRST, MANIFEST, SIGNATURE, VERSION, Period
from discreet.office.auditing.signing import holds
from discreet.office.house import acts, audit_log
from discreet.office.requests.request import nonce
from discreet.office.rules.registration import OF_A_WAVE

# Story: whether its parts say the same of each request, and what happened to it.

Record = Mapping[str, Any]
DECIDED = acts.those(lambda act: act.changes == acts.DECISION)
ENDED = acts.those(lambda act: act.of == acts.ASKED.of and not act.begins)


class Story:
    """The parts of a bundle about requests: acts, rows and ledger lines."""

    def __init__(self, files: Mapping[str, bytes], manifest: Record) -> None:
        """Read them."""
        self.files = files
        self.manifest = manifest
        self.requests = json.loads(files["requests.json"])
        self.dataset = json.loads(files["dataset.json"])
        self.people = json.loads(files["people.json"])
        self.lines = json.loads(files["ledger.json"])["lines"]
        self.acts = json.loads(files["trail.json"])["acts"]
        self.period = Period(manifest["first"], manifest["last"])
        self.version = manifest["discreet_bundle"]
        self.answers = json.loads(files["answers.json"]) if self.version > 1 else {}
        self.published = {each["id"]: each for each in json.loads(files["releases.json"])["releases"]}
        self.drawn = {line["request"]: line for line in self.lines if line["kind"] == "release"}
        self.told = [(act, json.loads(act["told"])) for act in self.acts]

    def of(self, about: str, *what: str) -> list[tuple[Record, Record]]:
        """Return the acts of some kinds about an object, each with its details."""
        return [(act, told) for act, told in self.told if act["about"] == about and act["what"] in what]


def strange(files: Mapping[str, bytes], manifest: Record) -> Iterator[Phrase]:
    """Yield what is missing, and contradictions between parts."""
    story = Story(files, manifest)
    data = {"id": story.dataset["id"], "name": story.dataset["registration"]["name"]}
    if manifest["dataset"] != data:
        yield Phrase("The signed list names another dataset.")
    yield from _missing(story)
    for asked in story.requests:
        wrong = _told_request(story, asked)
        if wrong is not None:
            yield Phrase("Request #{number}: {wrong}", number=asked["number"], wrong=wrong)
    yield from _data(story)


def unseen(files: Mapping[str, bytes], manifest: Record) -> list[Phrase]:
    """Return sentences about what no check of this file can show."""
    trail = json.loads(files["trail.json"])
    words = [
        Phrase(
            "The audited organisation signed this file with its own key. The signature shows that "
            "nothing changed after signing, not that everything is true. Compare the hashes above "
            "with those you noted earlier."
        ),
        Phrase(
            "This file has only the hashes of {number} of {every} audit log entries. The organisation "
            "states that they concern other datasets or other days. This file cannot confirm that.",
            number=len(trail["chain"]) - len(trail["acts"]),
            every=len(trail["chain"]),
        ),
        Phrase(
            "The organisation supplied the names of people, the comments and the YAML cards. They are not verified."
        ),
    ]
    if manifest["discreet_bundle"] == 1:
        words.append(
            Phrase(
                "An earlier version of Discreet created this file. Its results, queries and purposes "
                "cannot be compared with sealed records. Request a new file."
            )
        )
    return words


def _missing(story: Story) -> Iterator[Phrase]:
    """Yield requests that the ledger or an act knows, and the file leaves out, or has twice."""
    ids = [asked["id"] for asked in story.requests]
    for line in story.lines:
        if line["kind"] in ("reserve", "refuse") and story.period.holds(line["time"]) and line["request"] not in ids:
            yield Phrase("The request of ledger entry {line} is missing.", line=line["seq"])
    numbers = {f"#{asked['number']}" for asked in story.requests}
    name = story.dataset["registration"]["name"]
    for act, told in story.told:
        if act["what"] == acts.ASKED.name and told.get("dataset") == name and act["about"] not in numbers:
            yield Phrase("Request {about} is in the audit log, but missing here.", about=act["about"])
    if len(numbers) < len(story.requests) or len(set(ids)) < len(ids):
        yield Phrase("One request appears twice.")
    for asked in story.requests:
        for kind in ("json", "yaml"):
            if f"cards/{asked['number']}.{kind}" not in story.files:
                yield Phrase("{name} is missing.", name=f"cards/{asked['number']}.{kind}")


def _told_request(story: Story, asked: Record) -> Phrase | None:
    """Return what is wrong with a request: its question, its acts, its card, its answer."""
    card = json.loads(story.files.get(f"cards/{asked['number']}.json", b"null"))
    return (
        _question(story, asked)
        or _ended(story, asked)
        or (None if card is None else _card(story, asked, card))
        or _answer(story, asked, card)
    )


def _question(story: Story, asked: Record) -> Phrase | None:
    """Compare a request with the id under which it was charged, and with the act that it was asked."""
    begun = story.of(f"#{asked['number']}", acts.ASKED.name)
    if story.period.holds(asked["asked"]) and len(begun) != 1:
        return Phrase("the audit log entry of the request is missing.")
    if story.version == 1:
        return None
    row = asked["row"]
    drawn = name_of(rebuilt(asked["question"]), nonce(story.dataset["id"], asked["analyst"], row["round"]))
    if drawn != asked["id"]:
        return Phrase("it was charged for another query, or another person sent it.")
    said = [asked[name] for name in ("id", "number", "analyst", "purpose", "asked", "question", "cost")]
    stands = [*(row[name] for name in ("id", "number", "analyst", "purpose", "asked")), json.loads(row["question"])]
    sealed = {told.get("now", {}).get("digest", _digest(row)) for _, told in begun}  # old acts contain none
    if said != [*stands, [row["cost_epsilon"], row["cost_delta"]]] or sealed - {_digest(row)}:
        return Phrase("the audit log entry of the request has another query, purpose or analyst.")
    return None


def _ended(story: Story, asked: Record) -> Phrase | None:
    """Compare how a request ended with the act of that."""
    about, ends = f"#{asked['number']}", asked["state"]
    here = story.of(about, *ENDED)
    if ends in DECIDED and story.period.holds(asked["decided"]) and not here:
        return Phrase("the audit log entry of the decision is missing.")
    for act, told in here:
        now = {name: value for name, value in told.get("now", {}).items() if name in acts.DECISION}
        mine = act["who"] == asked["decided_by"] if act["what"] in DECIDED else True
        if act["what"] != ends or not mine or any(asked[name] != value for name, value in now.items()):
            return Phrase("the audit log has another decision.")
    answered = story.drawn.get(asked["id"])
    if answered is not None and story.period.holds(answered["time"]) and not story.of(about, acts.ANSWERED.name):
        return Phrase("the audit log entry of the result is missing.")
    return None


def _card(story: Story, asked: Record, card: Record) -> Phrase | None:
    """Compare a card with the request that it is of."""
    identity = card["identity"]
    people = card["people"]
    said = [identity["id"], identity["number"], identity["purpose"], people["reason"], people["checklist"]]
    if said != [asked[name] for name in ("id", "number", "purpose", "reason", "checklist")]:
        return Phrase("its release card is for another request.")
    analyst = story.people[asked["analyst"]]["name"]
    decider = story.people[asked["decided_by"]]["name"] if asked["decided_by"] else None
    if people["analyst"] != analyst or (decider is not None and not _is_of(decider, people["decided_by"] or "")):
        return Phrase("its release card names other people.")
    if card["release"]["plain"] != asked["question"]:
        return Phrase("its release card has another query.")
    return None


def _is_of(decider: str, said: str) -> bool:
    """Return whether a card names this decider, alone or on behalf of another officer; earlier versions wrote "for"."""
    return said == decider or said.startswith((f"{decider} on behalf of ", f"{decider} for "))


def _answer(story: Story, asked: Record, card: Record | None) -> Phrase | None:
    """Compare an answer, on a card and in the list of releases, with the digest in the ledger."""
    released = story.published.get(asked["id"])
    line = story.drawn.get(asked["id"])
    if asked["answered"] != (line is not None) or (released is not None) != asked["answered"]:
        return Phrase("the ledger does not agree on whether a result was released.")
    if story.version == 1 or line is None:
        shown = [] if card is None or line is not None else [row["release"]["answer"] for row in _rows(card)]
        return Phrase("its release card has a result that was never released.") if any(shown) else None
    body = story.answers.get(asked["id"])
    if body is None or digest(body) != line["note"]:
        return Phrase("its result is missing, or differs from the one that the ledger released.")
    drawn = [json.loads(row) for row in json.loads(body)["rows"]] if body.startswith(PLAN) else [json.loads(body)]
    truth = [(each["request"], each["answer"], each["interval"]) for each in drawn]
    shown = [] if card is None else [_parts(row["release"], "plain") for row in _rows(card)]
    listed = [_parts(row, "question") for row in (released or {}).get("rows", [released])]
    if (card is not None and shown != truth) or listed != truth:
        return Phrase("its original result was different.")
    return None


def _rows(card: Record) -> list[Record]:
    """Return the questions of a card, each with its own sections: the rows of a plan, or the card itself."""
    return card.get("rows") or [card]


def _parts(part: Record, question: str) -> tuple[Any, Any, Any]:
    return part[question], part["answer"], part["interval"]


def _data(story: Story) -> Iterator[Phrase]:
    """Compare what is said of the data with the acts about them, where the file has these to its last day."""
    name = story.dataset["registration"]["name"]
    mine = [told["now"] for act, told in story.told if act["about"] == name and told.get("of") == "dataset"]
    if story.manifest["first"] == FIRST and not any("digest" in now for now in mine):
        yield Phrase("The audit log entry of the registration is missing.")
    if story.period.last < story.manifest["at"][:10]:
        return
    held: dict[str, Any] = {}
    for now in mine:
        held |= now
    for part in ("policy", "state", "published"):
        if part in held and held[part] != story.dataset[part]:
            yield Phrase("Dataset: “{part}” does not match the audit log.", part=part)


def _digest(row: Record) -> str:
    """Return the digest of a request in its first act, as the house computes it."""
    return sha256(json.dumps({name: row[name] for name in sorted(row)}, default=str).encode()).hexdigest()


# The whole file: its signature, its ledger, its trail.

LARGEST, MOST = 2**30, 100_000  # bytes in all once they are unpacked, and files
SMALL, PACKED = 2**26, 50  # of what is larger once unpacked, how many times as large as the file; most are under 10
DAMAGED = Phrase("This file is not an audit file, or it is damaged.")
UNREADABLE = Phrase("A part of the audit file cannot be read.")
Files = Mapping[str, bytes]


def read(path: Path) -> dict[str, bytes]:
    """Read all files of a bundle; nothing is unpacked to a disk."""
    try:
        with ZipFile(path) as zipped:
            entries = zipped.infolist()
            size = sum(entry.file_size for entry in entries)
            if len(entries) > MOST or size > min(LARGEST, max(SMALL, PACKED * path.stat().st_size)):
                raise ParameterError("This file is too large to be an audit file.")
            if len({entry.filename for entry in entries}) < len(entries):
                raise ParameterError(DAMAGED)
            files = {entry.filename: zipped.read(entry) for entry in entries}
    except (ParameterError, FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except Exception:  # a damaged archive fails in each of the ways in which one can be unpacked
        raise ParameterError(DAMAGED) from None
    if not {MANIFEST, SIGNATURE} <= files.keys():
        raise ParameterError(DAMAGED)
    return files


def findings(files: Files, key: str = "") -> list[Phrase]:
    """Return what is wrong with a bundle; nothing if all is well. `key` is the public key as it is known elsewhere."""
    try:
        manifest = json.loads(files[MANIFEST])
        wrong = list(_signed(files, manifest, key))
        return wrong or list(_inside(files, manifest))
    except Exception:  # a signed file may contain values of any type and depth
        return [UNREADABLE]


def _inside(files: Files, manifest: Mapping[str, Any]) -> Iterator[Phrase]:
    """Compare what is inside with itself."""
    if manifest["discreet_bundle"] not in range(1, VERSION + 1):
        yield Phrase("Another version of Discreet created this file. Verify it with that version or a newer one.")
        return
    yield from _ledger(files, manifest)
    yield from _trail(files, manifest)
    yield from _requests(files)
    yield from _waves(files)
    yield from strange(files, manifest)


def _signed(files: Files, manifest: Mapping[str, Any], key: str) -> Iterator[Phrase]:
    """Compare the signature, and the files with the list that is signed."""
    public = manifest["public_key"]
    if key and key.strip().lower() != public:
        yield Phrase("The file is signed with a different key: {key}.", key=public)
    if not holds(public, files[SIGNATURE].decode().strip(), files[MANIFEST]):
        yield Phrase("The signature does not match: the list of files was changed.")
    named = manifest["files"]
    for name in sorted(named.keys() | files.keys() - {MANIFEST, SIGNATURE}):
        if name not in files:
            yield Phrase("{name} is missing.", name=name)
        elif name not in named:
            yield Phrase("{name} is not in the signed list.", name=name)
        elif sha256(files[name]).hexdigest() != named[name]:
            yield Phrase("{name} was changed.", name=name)


def _ledger(files: Files, manifest: Mapping[str, Any]) -> Iterator[Phrase]:
    """Recompute the ledger from its first line."""
    ledger = json.loads(files["ledger.json"])
    lines = ledger["lines"]
    wrong = recomputed(ledger["budget"], lines)
    if wrong is not None:
        yield Phrase("Ledger, entry {at}: {wrong}", at=wrong[1], wrong=wrong[0])
    head = f"{lines[-1]['seq']}:{lines[-1]['hash']}" if lines else ""
    if head != manifest["ledger_head"]:
        yield Phrase("The newest ledger entry differs from the signed one.")


def _trail(files: Files, manifest: Mapping[str, Any]) -> Iterator[Phrase]:
    """Put each act on its place in the chain of all acts."""
    trail = json.loads(files["trail.json"])
    chain = dict(trail["chain"])
    if list(chain) != list(range(len(chain))):
        yield Phrase("The hash chain of the audit log has a gap.")
    for act in trail["acts"]:
        seq = act["seq"]
        before = chain.get(seq - 1, audit_log.START)
        if not (chain.get(seq) == act["hash"] == audit_log.hash_of(act) and act["previous"] == before):
            yield Phrase("Entry {number} does not fit into the audit log.", number=seq)
    newest = f"{len(chain) - 1}:{chain[len(chain) - 1]}" if chain else ""
    if newest != manifest["trail_head"]:
        yield Phrase("The newest audit log entry differs from the signed one.")


def _requests(files: Files) -> Iterator[Phrase]:
    """Compare requests and cards with the ledger: what each cost, and the line of its charge."""
    lines = json.loads(files["ledger.json"])["lines"]
    begun = {line["request"]: line for line in lines if line["kind"] in ("reserve", "refuse")}
    charges = {line["request"]: f"{line['seq']}:{line['hash']}" for line in lines if line["kind"] == "charge"}
    for asked in json.loads(files["requests.json"]):
        number = asked["number"]
        line = begun.get(asked["id"])
        card = json.loads(files.get(f"cards/{number}.json", b"null"))
        charge = card["accounting"]["charge"] if card else None
        said = f"{charge['line']}:{charge['hash']}" if charge else None if card else charges.get(asked["id"])
        if line is None or asked["cost"] != _cost(line) or charges.get(asked["id"]) != said:
            yield Phrase("Request #{number} does not match the ledger.", number=number)


def _waves(files: Files) -> Iterator[Phrase]:
    """Compare the wave in which each request counts with that of its rows, where each had a budget of its own."""
    data = json.loads(files["dataset.json"])
    if data["registration"]["unit"] != OF_A_WAVE:
        return
    waves = [(version["since"], version["wave"]) for version in data["versions"]]
    numbers = {asked["id"]: asked["number"] for asked in json.loads(files["requests.json"])}
    lines = json.loads(files["ledger.json"])["lines"]
    for number in sorted(set(strays(waves, numbers, lines))):
        yield Phrase("Request #{number} is counted in a different wave from its rows.", number=number)


def _cost(line: Mapping[str, Any]) -> list[int]:
    return [line["cost_epsilon"] + line["held_epsilon"], line["cost_delta"] + line["held_delta"]]
