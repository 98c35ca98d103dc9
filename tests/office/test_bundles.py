"""An auditor's file: everything of a dataset and period, signed; whoever changes a byte of it is found out."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from discreet.budget import ParameterError
from discreet.budget.durable.chain import line_hash
from discreet.command import verify as command
from discreet.office import acts, bundle_check, bundles, decisions, remarks, signing
from discreet.office.bundles import Period
from tests.office.offices import CANARY, ON_SQLITE, REASON, Office


def bundled(office: Office, folder: Path, period: Period | None = None) -> Path:
    """Write the file of a dataset in which one was answered, one denied, one waits, and something was said."""
    office.ask(0.1)
    denied = office.ask(0.5)
    remarks.remark(office.house, office.who["olga"], denied.id, "not like this", "officers")
    decisions.decide(office.house, office.who["olga"], denied.id, "denied", REASON)
    office.ask(0.4, "eve")
    return written(office, folder, period)


def written(office: Office, folder: Path, period: Period | None = None) -> Path:
    """Write the file as an administrator."""
    path = folder / "bundle.zip"
    path.write_bytes(bundles.bundle(office.house, office.who["adam"], office.dataset, period or Period()))
    return path


def repacked(path: Path, change: Callable[[dict[str, bytes]], None]) -> dict[str, bytes]:
    """Return the files with a change."""
    files = bundle_check.read(path)
    change(files)
    return files


@ON_SQLITE
def test_it_holds_everything_and_proves_itself(
    office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Denied requests, reasons, comments, cards, the whole ledger, and no row; the command needs the file alone."""
    path = bundled(office, tmp_path)
    files = bundle_check.read(path)
    assert bundle_check.findings(files, signing.public_key(office.house)) == []
    requests = json.loads(files["requests.json"])
    assert [asked["state"] for asked in requests] == ["allowed", "denied", "waiting"]
    assert requests[1]["reason"] == REASON and "not like this" in files["comments.json"].decode()
    assert {f"cards/{n}.{kind}" for n in (1, 2, 3) for kind in ("json", "yaml")} <= files.keys()
    assert not any(CANARY.encode() in content for content in files.values())
    assert "max" not in {person["login"] for person in json.loads(files["people.json"]).values()}
    newest = acts.trail(office.store, 1)[0]
    assert newest.what == "bundled" and newest.who == office.who["adam"].id
    assert command.main([str(path), "--key", signing.public_key(office.house)]) == 0
    assert "The file holds: people." in capsys.readouterr().out
    assert command.main([str(path), "--key", "ab" * 32]) == 1


def signed_again(office: Office, files: dict[str, bytes]) -> None:
    """Sign changed files as somebody would who has the house's key: what is inside must agree all the same."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {name: sha256(files[name]).hexdigest() for name in manifest["files"]}
    files["manifest.json"] = json.dumps(manifest).encode()
    files["manifest.sig"] = signing.signed(office.house, files["manifest.json"]).encode()


def edit(name: str, change: Callable[[Any], None]) -> Callable[[dict[str, bytes]], None]:
    """Return what changes one of the JSON files."""

    def work(files: dict[str, bytes]) -> None:
        content = json.loads(files[name])
        change(content)
        files[name] = json.dumps(content).encode()

    return work


def cheaper(ledger: Any) -> None:
    """Let a line cost less, with the hash that fits it."""
    line = ledger["lines"][0]
    line["cost_epsilon"] -= 1
    line["hash"] = line_hash(line)


CHANGES: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "ledger": (edit("ledger.json", cheaper), "The ledger, line 0"),
    "cut": (edit("ledger.json", lambda ledger: ledger["lines"].pop()), "newest line of the ledger"),
    "limit": (edit("ledger.json", lambda ledger: ledger["budget"].update(limit_epsilon=9)), "budget itself"),
    "act": (edit("trail.json", lambda trail: trail["acts"][0].update(who="x")), "Act 0 does not fit"),
    "gap": (edit("trail.json", lambda trail: trail["chain"].pop(2)), "has a gap"),
    "price": (edit("requests.json", lambda asked: asked[1].update(cost=[1, 0])), "Request #2 is not"),
    "card": (edit("cards/1.json", lambda card: card["accounting"].update(charge=None)), "Request #1 is not"),
    "nonsense": (edit("requests.json", lambda asked: asked.append(3)), "cannot be read"),
}


@ON_SQLITE
def test_every_change_is_found_signed_again_or_not(office: Office, tmp_path: Path) -> None:
    """By its hash; and where the key was at hand, because files do not agree with each other any more."""
    path = bundled(office, tmp_path)
    for change, why in CHANGES.values():
        files = repacked(path, change)
        assert "was changed" in str(bundle_check.findings(files)[0])
        signed_again(office, files)
        assert any(why in str(finding) for finding in bundle_check.findings(files)), why
    for change, why in (
        (lambda files: files.pop("comments.json"), "comments.json is missing"),
        (lambda files: files.update(more=b"x"), "more is not on the list"),
        (lambda files: files.update({"manifest.json": files["manifest.json"] + b" "}), "signature does not fit"),
    ):
        assert why in str(bundle_check.findings(repacked(path, change))[0])


@ON_SQLITE
def test_a_period_holds_what_fell_into_it(office: Office, tmp_path: Path) -> None:
    """Requests asked or decided in it, acts of these days; the ledger stays whole, so that it can be recomputed."""
    first = office.ask(0.1)
    office.clock.now += 40 * 24 * 3600
    day = office.house.now.date().isoformat()
    files = bundle_check.read(bundled(office, tmp_path, Period(day, day)))
    assert first.number not in {asked["number"] for asked in json.loads(files["requests.json"])}
    assert {act["time"][:10] for act in json.loads(files["trail.json"])["acts"]} == {day}
    assert bundle_check.findings(files) == [] and json.loads(files["ledger.json"])["lines"][0]["seq"] == 0
    for wrong in (("2030-02-30", day), (day, "2001-01-01"), ("x", day)):
        with pytest.raises(ParameterError, match="days"):
            Period(*wrong)


def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    """Another ZIP, a bomb, two files of one name: one sentence, nothing is unpacked."""
    sink = io.BytesIO()
    with ZipFile(sink, "w") as zipped:
        zipped.writestr("a.txt", "x")
    path = tmp_path / "x.zip"
    for content in (sink.getvalue(), sink.getvalue()[:-30]):
        path.write_bytes(content)
        with pytest.raises(ParameterError, match="no bundle"):
            bundle_check.read(path)


@ON_SQLITE
def test_the_key_stays_and_signs_nothing_else(office: Office) -> None:
    """It is made of the seal's, so another process and a backup have the same; a seal is no signature."""
    public = signing.public_key(office.house)
    assert public == signing.public_key(office.again()) and len(public) == 64
    assert signing.holds(public, signing.signed(office.house, b"x"), b"x")
    assert not signing.holds(public, signing.signed(office.house, b"x"), b"y") and not signing.holds(public, "zz", b"x")
    assert office.house.seal.path.read_text() not in public
