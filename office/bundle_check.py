"""Bundle check: whether an auditor's file is what the house signed, and adds up; nothing of the house is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from discreet.budget import ParameterError, Phrase
from discreet.budget.durable.periods import strays
from discreet.budget.durable.verify import recomputed
from discreet.office import acts, bundle_story, signing
from discreet.office.bundles import MANIFEST, SIGNATURE, VERSION
from discreet.office.registration import OF_A_WAVE

LARGEST, MOST = 2**30, 100_000  # bytes in all once they are unpacked, and files
SMALL, PACKED = 2**26, 50  # of what is larger once unpacked, how many times as large as the file; most are under 10
DAMAGED = Phrase("This file is no bundle, or it is damaged.")
UNREADABLE = Phrase("A part of the bundle cannot be read.")
Files = Mapping[str, bytes]


def read(path: Path) -> dict[str, bytes]:
    """Read all files of a bundle; nothing is unpacked to a disk."""
    try:
        with ZipFile(path) as zipped:
            entries = zipped.infolist()
            size = sum(entry.file_size for entry in entries)
            if len(entries) > MOST or size > min(LARGEST, max(SMALL, PACKED * path.stat().st_size)):
                raise ParameterError("This file is larger than any bundle.")
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
    except Exception:  # whoever signed may have put anything into it, of any type and depth
        return [UNREADABLE]


def _inside(files: Files, manifest: Mapping[str, Any]) -> Iterator[Phrase]:
    """Compare what is inside with itself."""
    if manifest["discreet_bundle"] not in range(1, VERSION + 1):
        yield Phrase("Another version of this program made this file. Verify it with that one, or a newer one.")
        return
    yield from _ledger(files, manifest)
    yield from _trail(files, manifest)
    yield from _requests(files)
    yield from _waves(files)
    yield from bundle_story.strange(files, manifest)


def _signed(files: Files, manifest: Mapping[str, Any], key: str) -> Iterator[Phrase]:
    """Compare the signature, and the files with the list that is signed."""
    public = manifest["public_key"]
    if key and key.strip().lower() != public:
        yield Phrase("It is signed with another key than this one: {key}.", key=public)
    if not signing.holds(public, files[SIGNATURE].decode().strip(), files[MANIFEST]):
        yield Phrase("The signature does not fit: the list of files was changed.")
    named = manifest["files"]
    for name in sorted(named.keys() | files.keys() - {MANIFEST, SIGNATURE}):
        if name not in files:
            yield Phrase("{name} is missing.", name=name)
        elif name not in named:
            yield Phrase("{name} is not on the list that was signed.", name=name)
        elif sha256(files[name]).hexdigest() != named[name]:
            yield Phrase("{name} was changed.", name=name)


def _ledger(files: Files, manifest: Mapping[str, Any]) -> Iterator[Phrase]:
    """Recompute the ledger from its first line."""
    ledger = json.loads(files["ledger.json"])
    lines = ledger["lines"]
    wrong = recomputed(ledger["budget"], lines)
    if wrong is not None:
        yield Phrase("The ledger, line {at}: {wrong}", at=wrong[1], wrong=wrong[0])
    head = f"{lines[-1]['seq']}:{lines[-1]['hash']}" if lines else ""
    if head != manifest["ledger_head"]:
        yield Phrase("The newest line of the ledger is not the one that was signed.")


def _trail(files: Files, manifest: Mapping[str, Any]) -> Iterator[Phrase]:
    """Put each act on its place in the chain of all acts."""
    trail = json.loads(files["trail.json"])
    chain = dict(trail["chain"])
    if list(chain) != list(range(len(chain))):
        yield Phrase("The chain of acts has a gap.")
    for act in trail["acts"]:
        seq = act["seq"]
        before = chain.get(seq - 1, acts.START)
        if not (chain.get(seq) == act["hash"] == acts.hash_of(act) and act["previous"] == before):
            yield Phrase("Act {number} does not fit into the trail.", number=seq)
    newest = f"{len(chain) - 1}:{chain[len(chain) - 1]}" if chain else ""
    if newest != manifest["trail_head"]:
        yield Phrase("The newest act is not the one that was signed.")


def _requests(files: Files) -> Iterator[Phrase]:
    """Compare requests and cards with the ledger: what each cost, and the line of its charge."""
    lines = json.loads(files["ledger.json"])["lines"]
    begun = {line["request"]: line for line in lines if line["kind"] in ("reserve", "refuse")}
    charges = {line["request"]: f"{line['seq']}:{line['hash']}" for line in lines if line["kind"] == "charge"}
    for asked in json.loads(files["requests.json"]):
        number, line = asked["number"], begun.get(asked["id"])
        card = json.loads(files.get(f"cards/{number}.json", b"null"))
        charge = card["accounting"]["charge"] if card else None
        said = f"{charge['line']}:{charge['hash']}" if charge else None if card else charges.get(asked["id"])
        if line is None or asked["cost"] != _cost(line) or charges.get(asked["id"]) != said:
            yield Phrase("Request #{number} is not what the ledger says.", number=number)


def _waves(files: Files) -> Iterator[Phrase]:
    """Compare the wave in which each request counts with that of its rows, where each had a budget of its own."""
    data = json.loads(files["dataset.json"])
    if data["registration"]["unit"] != OF_A_WAVE:
        return
    waves = [(version["since"], version["wave"]) for version in data["versions"]]
    numbers = {asked["id"]: asked["number"] for asked in json.loads(files["requests.json"])}
    lines = json.loads(files["ledger.json"])["lines"]
    for number in sorted(set(strays(waves, numbers, lines))):
        yield Phrase("Request #{number} counts in another wave than its rows.", number=number)


def _cost(line: Mapping[str, Any]) -> list[int]:
    return [line["cost_epsilon"] + line["held_epsilon"], line["cost_delta"] + line["held_delta"]]
