"""An auditor's file: everything of a dataset and period, signed; whoever changes a byte of it is found out."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from support.offices import CANARY, CHECKED, ON_SQLITE, REASON, Office, planned, question

from discreet.budget import BudgetExceeded, ParameterError, Phrase
from discreet.budget.durable.lines import line_hash
from discreet.command import verify as command
from discreet.office.auditing import bundle_check, bundles, signing
from discreet.office.auditing.bundles import Period
from discreet.office.decisions import decisions
from discreet.office.house import audit_log
from discreet.office.requests import remarks
from discreet.office.requests.request import find, listed
from discreet.office.rules import substitutes
from discreet.office.rules.visit import select_requests


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
    newest = audit_log.trail(office.store, 1)[0]
    assert newest.what == "bundled" and newest.who == office.who["adam"].id
    assert command.main([str(path), "--key", signing.public_key(office.house)]) == 0
    assert "The audit file is valid: people." in capsys.readouterr().out
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
    "ledger": (edit("ledger.json", cheaper), "Ledger, entry 0"),
    "cut": (edit("ledger.json", lambda ledger: ledger["lines"].pop()), "The newest ledger entry differs from the"),
    "limit": (
        edit("ledger.json", lambda ledger: ledger["budget"].update(limit_epsilon=9)),
        "The record of the budget was changed",
    ),
    "act": (
        edit("trail.json", lambda trail: trail["acts"][0].update(who="x")),
        "Entry 0 does not fit into the audit log",
    ),
    "gap": (edit("trail.json", lambda trail: trail["chain"].pop(2)), "has a gap"),
    "price": (edit("requests.json", lambda asked: asked[1].update(cost=[1, 0])), "Request #2 does not match"),
    "card": (edit("cards/1.json", lambda card: card["accounting"].update(charge=None)), "Request #1 does not match"),
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
        (lambda files: files.update(more=b"x"), "more is not in the signed list"),
        (
            lambda files: files.update({"manifest.json": files["manifest.json"] + b" "}),
            "The signature does not match: the list of",
        ),
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
        with pytest.raises(ParameterError, match="Write the dates as"):
            Period(*wrong)


def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    """Another ZIP, a bomb, two files of one name: one sentence, nothing is unpacked."""
    sink = io.BytesIO()
    with ZipFile(sink, "w") as zipped:
        zipped.writestr("a.txt", "x")
    path = tmp_path / "x.zip"
    for content in (sink.getvalue(), sink.getvalue()[:-30]):
        path.write_bytes(content)
        with pytest.raises(ParameterError, match="This file is not an audit file"):
            bundle_check.read(path)


def every(name: str, change: Callable[[Any], None]) -> Callable[[dict[str, bytes]], None]:
    """Return what changes a request in all places in which it stands, so that they agree with each other."""

    def work(files: dict[str, bytes]) -> None:
        edit("requests.json", lambda asked: change(asked[0]))(files)
        edit(name, change)(files)

    return work


def left_out(*names: str) -> Callable[[dict[str, bytes]], None]:
    """Return what takes files away, from the list that is signed, too."""

    def work(files: dict[str, bytes]) -> None:
        manifest = json.loads(files["manifest.json"])
        for name in names:
            del files[name], manifest["files"][name]
        files["manifest.json"] = json.dumps(manifest).encode()

    return work


def without_request(files: dict[str, bytes]) -> None:
    """Leave the denied request out of everything that is about requests."""
    left_out("cards/2.json", "cards/2.yaml")(files)
    edit("requests.json", lambda asked: asked.pop(1))(files)


def other_question(asked: Any) -> None:
    """Ask for less than was asked, in the request and on its card."""
    plain = asked["question"] if "purpose" in asked else asked["release"]["plain"]
    plain["mechanism"]["epsilon"] = 0.01


def other_purpose(asked: Any) -> None:
    """Let it have been for something else, everywhere but in what was sealed."""
    part = asked if "purpose" in asked else asked["identity"]
    part["purpose"] = "to know how ill people are"
    asked.get("row", {})["purpose"] = part["purpose"]


def no_acts(about: str, *what: str) -> Callable[[dict[str, bytes]], None]:
    """Return what takes acts out of the file; their hashes stay."""

    def kept(trail: Any) -> None:
        trail["acts"] = [act for act in trail["acts"] if act["about"] != about or act["what"] not in what]

    return edit("trail.json", kept)


def other_decider(files: dict[str, bytes]) -> None:
    """Let somebody else have denied it, on its card and in the list."""
    people = json.loads(files["people.json"])
    adam = next(person for person, named in people.items() if named["login"] == "adam")
    edit("requests.json", lambda asked: asked[1].update(decided_by=adam))(files)
    edit("cards/2.json", lambda card: card["people"].update(decided_by="Adam"))(files)


LIES: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "answer on a card": (
        edit("cards/1.json", lambda card: card["release"].update(answer=99.0)),
        "#1: its original result was",
    ),
    "interval on a card": (
        edit("cards/1.json", lambda card: card["release"].update(interval=[1, 2])),
        "#1: its original result",
    ),
    "answer in the list": (
        edit("releases.json", lambda every: every["releases"][0].update(answer=99.0)),
        "#1: its original result was different",
    ),
    "answer everywhere": (
        edit("answers.json", lambda bodies: bodies.update({name: "{}" for name in bodies})),
        "#1: its result is missing, or differs from the one that the ledger released",
    ),
    "no answers": (edit("answers.json", lambda bodies: bodies.clear()), "#1: its result is missing"),
    "answer of a denied one": (
        edit("cards/2.json", lambda card: card["release"].update(answer=1.0)),
        "#2: its release card has a result that was never released",
    ),
    "released, and not in the list": (
        edit("releases.json", lambda every: every["releases"].clear()),
        "#1: the ledger does not agree on whether a result was",
    ),
    "question": (every("cards/1.json", other_question), "#1: it was charged for another query"),
    "question on a card": (edit("cards/1.json", other_question), "#1: its release card has another query"),
    "analyst": (
        edit("requests.json", lambda asked: asked[0].update(analyst=asked[2]["analyst"])),
        "#1: it was charged for another query, or another person sent it",
    ),
    "purpose": (every("cards/1.json", other_purpose), "#1: the audit log entry of the request has another"),
    "purpose on a card": (edit("cards/1.json", other_purpose), "#1: its release card is for another request"),
    "decider": (other_decider, "#2: the audit log has another decision"),
    "decider on a card": (
        edit("cards/2.json", lambda card: card["people"].update(decided_by="Adam")),
        "#2: its release card names other people",
    ),
    "reason": (
        edit("requests.json", lambda asked: asked[1].update(reason="it was against the law")),
        "#2: the audit log has another decision",
    ),
    "state": (edit("requests.json", lambda asked: asked[1].update(state="approved")), "#2: the audit log has another"),
    "no decision": (no_acts("#2", "denied"), "#2: the audit log entry of the decision is missing"),
    "no answer act": (no_acts("#1", "answered"), "#1: the audit log entry of the result is missing"),
    "no asked act": (no_acts("#3", "asked"), "#3: the audit log entry of the request is missing"),
    "no acts": (edit("trail.json", lambda trail: trail["acts"].clear()), "The audit log entry of the registration is"),
    "request": (without_request, "Request #2 is in the audit log, but missing"),
    "request, and its act": (
        lambda files: (without_request(files), no_acts("#2", "asked", "denied")(files))[0],
        "The request of ledger entry 4 is missing",
    ),
    "card": (left_out("cards/3.json", "cards/3.yaml"), "cards/3.json is missing"),
    "twice": (edit("requests.json", lambda asked: asked.append(asked[0])), "One request appears twice"),
    "policy": (edit("dataset.json", lambda data: data["policy"].update(free=50.0)), "Dataset: “policy” does not match"),
    "publication": (
        edit("dataset.json", lambda data: data.update(published=True)),
        "Dataset: “published” does not match",
    ),
    "version": (
        edit("manifest.json", lambda manifest: manifest.update(discreet_bundle=3)),
        "Another version of Discreet created this",
    ),
    "name": (
        edit("manifest.json", lambda manifest: manifest["dataset"].update(name="x")),
        "The signed list names another dataset",
    ),
}


@ON_SQLITE
def test_a_house_that_lies_in_one_part_is_told_by_the_others(office: Office, tmp_path: Path) -> None:
    """Signed with its own key: answers, questions, purposes and deciders are compared, and what is missing is named."""
    office.amend(free=0.2)
    path = bundled(office, tmp_path)
    for lie, (change, why) in LIES.items():
        files = repacked(path, change)
        signed_again(office, files)
        found = [str(finding) for finding in bundle_check.findings(files, signing.public_key(office.house))]
        assert any(why in each for each in found), (lie, found)


@ON_SQLITE
@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ("Olga", True),
        ("Olga on behalf of Otto", True),
        ("Olga for Otto", True),  # as cards of earlier versions have it
        ("Otto on behalf of Olga", False),
        ("Olgas", False),
        ("", False),
    ],
)
def test_a_card_names_who_decided_in_words_of_every_version(
    office: Office, tmp_path: Path, said: str, fits: bool
) -> None:
    """Alone or on behalf of another officer; the decision itself is Olga's."""
    path = bundled(office, tmp_path)
    files = repacked(path, edit("cards/2.json", lambda card: card["people"].update(decided_by=said)))
    signed_again(office, files)
    found = [str(finding) for finding in bundle_check.findings(files, signing.public_key(office.house))]
    assert (found == []) == fits, found
    assert fits or any("#2: its release card names other people" in each for each in found)


@ON_SQLITE
def test_what_a_signature_cannot_show_is_said(
    office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That the house holds the key, and how many acts are there by their hash only; an older file shows less."""
    path = bundled(office, tmp_path)
    assert command.main([str(path)]) == 0
    said = capsys.readouterr().out
    assert "The audited organisation signed this file" in said and "This file has only the hashes of" in said
    assert "holds the key that signed it" in " ".join(bundle_check.read(path)["README.txt"].decode().split())
    files = repacked(path, edit("manifest.json", lambda manifest: manifest.update(discreet_bundle=1)))
    signed_again(office, files)
    assert bundle_check.findings(files) == []
    assert "Request a new file" in str(bundle_check.unseen(files, json.loads(files["manifest.json"]))[-1])


@ON_SQLITE
def test_requests_of_every_end_hold_in_every_period(office: Office, tmp_path: Path) -> None:
    """A plan, two officers, a substitute, what was withdrawn, expired, sent back and refused, at once or days later.

    In each file is what was asked or decided in its days, with its card, its answer and what was said of it.
    """
    office.amend(free=0.2, pair=0.4)
    office.asks = planned
    plan, both, slow = office.ask(0.15), office.ask(0.5), office.ask(0.45)
    office.asks = question
    days = [office.house.now.date().isoformat()]
    later = [office.ask(0.21 + at / 100) for at in range(4)]
    for asked in (both, slow):
        decisions.decide(office.house, office.who["olga"], asked.id, "approved", "", CHECKED)
    decisions.decide(office.house, office.who["otto"], both.id, "approved", "", CHECKED)
    decisions.decide(office.house, office.who["olga"], office.ask(0.3).id, "changes", REASON)
    decisions.withdraw(office.house, office.who["bob"], office.ask(0.35).id)
    late = office.ask(0.25)
    office.clock.now += 2 * 24 * 3600
    days.append(office.house.now.date().isoformat())
    for asked, verdict in zip(later, ("denied", "changes", "approved"), strict=False):
        remarks.remark(office.house, office.who["olga"], asked.id, f"of {asked.number}", "officers")
        decisions.decide(office.house, office.who["olga"], asked.id, verdict, REASON, CHECKED)
    decisions.withdraw(office.house, office.who["bob"], later[3].id)
    decisions.decide(office.house, office.who["otto"], slow.id, "approved", "", CHECKED)
    with pytest.raises(BudgetExceeded):
        for round in range(9):
            office.ask(0.9, round=round)
    office.clock.now += 20 * 24 * 3600
    decisions.sweep(office.house)
    days.append(office.house.now.date().isoformat())
    today = office.house.now.date()
    office.amend(officers=("olga", "ann"))
    substitutes.name_substitute(office.house, office.who["olga"], "otto", today, today)
    decisions.decide(office.house, office.who["otto"], office.ask(0.26).id, "denied", REASON)
    assert find(office.house, late.id).state == "expired" and find(office.house, plan.id).release is not None
    every = listed(office.house, select_requests())
    assert {asked.decided.date() > asked.asked.date() for asked in every if asked.decided} == {False, True}
    for first, last in [*combinations_with_replacement(days, 2), ("2030-03-21", "2030-03-22"), ("0001-01-01", days[1])]:
        files = bundle_check.read(written(office, tmp_path, Period(first, last)))
        assert [str(each) for each in bundle_check.findings(files)] == [], (first, last)
        belongs = [
            asked
            for asked in every
            if any(first <= time.date().isoformat() <= last for time in (asked.asked, asked.decided) if time)
        ]
        assert [asked["id"] for asked in json.loads(files["requests.json"])] == [asked.id for asked in belongs]
        assert {name for name in files if name.startswith("cards/")} == {
            f"cards/{asked.number}.{kind}" for asked in belongs for kind in ("json", "yaml")
        }
        assert set(json.loads(files["answers.json"])) == {asked.id for asked in belongs if asked.release}
        said = [(said["number"], said["text"]) for said in json.loads(files["comments.json"])]
        assert said == [(a.number, f"of {a.number}") for a in belongs if a.id in {b.id for b in later[:3]}]
        wanted = [
            act.seq
            for act in audit_log.trail(office.store)
            if first <= act.time.date().isoformat() <= last
            and act.about in ("people", *(f"#{a.number}" for a in every))
        ]
        assert set(wanted) <= {act["seq"] for act in json.loads(files["trail.json"])["acts"]}


def damages(files: dict[str, bytes], choose: random.Random) -> dict[str, bytes]:
    """Return files of which one is of other types, too deep, cut or gone, by chance; its list is signed anew."""
    name = choose.choice([name for name in sorted(files) if name.endswith(".json")])
    strange: list[Any] = [
        None,
        True,
        -1,
        2**70,
        1e308,
        float("nan"),
        "x",
        "\ud800",
        [],
        {},
        [[]],
        {"seq": 1},
        "9" * 5000,
    ]

    def spoilt(thing: Any, depth: int) -> Any:
        if isinstance(thing, (dict, list)) and thing and depth:
            place = choose.choice(list(thing) if isinstance(thing, dict) else range(len(thing)))
            thing[place] = spoilt(thing[place], depth - 1)
            if choose.random() < 0.1:
                thing.pop(place)
            return thing
        return choose.choice(strange)

    kind = choose.choice(("types", "types", "types", "deep", "cut", "gone", "bytes"))
    if kind == "types":
        files[name] = json.dumps(spoilt(json.loads(files[name]), choose.randrange(7))).encode()
    elif kind == "deep":
        brackets = choose.choice(("[", '{"a":'))
        files[name] = (brackets * choose.choice((500, 5_000, 200_000))).encode()
    elif kind == "cut":
        files[name] = files[name][: choose.randrange(len(files[name]))]
    elif kind == "gone":
        del files[name]
    else:
        at = choose.randrange(len(files[name]))
        files[name] = files[name][:at] + bytes([choose.randrange(256)]) + files[name][at + 1 :]
    return files


@ON_SQLITE
def test_what_somebody_signed_of_any_shape_ends_in_sentences(office: Office, tmp_path: Path) -> None:
    """Two hundred bundles with a file of other types, too deep, cut or gone, and signed: each check ends in words."""
    path, choose, held = bundled(office, tmp_path), random.Random(37), 0
    for _ in range(200):
        files = damages(bundle_check.read(path), choose)
        with suppress(Exception):  # a list that is damaged is not signed
            manifest = json.loads(files["manifest.json"])
            manifest["files"] = {name: sha256(files[name]).hexdigest() for name in files if "manifest" not in name}
            files["manifest.json"] = json.dumps(manifest).encode()
        if "manifest.json" in files:
            files["manifest.sig"] = signing.signed(office.house, files["manifest.json"]).encode()
        found = bundle_check.findings(files)
        assert all(isinstance(each, Phrase) and str(each) for each in found)
        if found == []:
            held += 1
            (tmp_path / "held.zip").write_bytes(bundles._written({name: files[name].decode() for name in files}))
            assert command.main([str(tmp_path / "held.zip")]) == 0
    assert held < 100  # comments, names and what cards say beside the rest are as the house gives them


@ON_SQLITE
def test_damaged_archives_end_in_a_sentence(office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three hundred, by chance: bytes of the archive changed, cut or doubled. By command, as other refusals end."""
    whole, choose, damaged = bundled(office, tmp_path).read_bytes(), random.Random(73), tmp_path / "damaged.zip"
    said = set()
    for _ in range(300):
        content = bytearray(whole)
        for _ in range(choose.choice((1, 1, 4, 60))):
            content[choose.randrange(len(content)) if choose.random() < 0.5 else -choose.randrange(1, 900)] ^= (
                1 << choose.randrange(8)
            )
        at, kind = choose.randrange(len(content)), choose.choice(("bytes", "bytes", "cut", "doubled"))
        content = content[:at] if kind == "cut" else content + content[at:] if kind == "doubled" else content
        damaged.write_bytes(content)
        code, (out, wrong) = command.main([str(damaged)]), capsys.readouterr()
        assert code == (0 if "The audit file is valid: people." in out else 1)
        assert "Something went wrong" not in wrong and (out or wrong)
        if code == 0:  # a time, or what no reader of archives looks at
            assert bundle_check.read(damaged) == bundle_check.read(tmp_path / "bundle.zip")
        said.add(wrong)
    assert "This file is not an audit file, or it is damaged.\n" in said


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A megabyte that would be a gigabyte, and one that says less of itself than it is; deep lists end in words."""
    path = tmp_path / "bomb.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as zipped, zipped.open("ledger.json", "w") as sink:
        for _ in range(100):
            sink.write(bytes(2**20))
    with pytest.raises(ParameterError, match="This file is too large to be an audit file"):
        bundle_check.read(path)
    with ZipFile(path, "w", ZIP_DEFLATED) as zipped:
        for name in ("manifest.json", "manifest.sig"):
            zipped.writestr(name, "[" * 1_000_000)
    assert "cannot be read" in str(bundle_check.findings(bundle_check.read(path))[0])
    assert command.main([str(path)]) == 1


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive", b"PK\x03\x04" + bytes(40)])
@pytest.mark.parametrize("name", ["a.zip", "a.ZIP", "a.db"])
def test_what_is_neither_a_bundle_nor_a_ledger_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes
) -> None:
    """Cut before its end an archive is known by its name only; any other file is taken for a ledger."""
    path = tmp_path / name
    path.write_bytes(content)
    assert command.main([str(path)]) == 1
    wrong = capsys.readouterr().err
    said = "is not an audit file" if name.lower().endswith("zip") else "is not a ledger"
    assert "Something went wrong" not in wrong and (f"{said}, or it is damaged" in wrong or not content)


@ON_SQLITE
def test_the_key_stays_and_signs_nothing_else(office: Office) -> None:
    """It is made of the seal's, so another process and a backup have the same; a seal is no signature."""
    public = signing.public_key(office.house)
    assert public == signing.public_key(office.again()) and len(public) == 64
    assert signing.holds(public, signing.signed(office.house, b"x"), b"x")
    assert not signing.holds(public, signing.signed(office.house, b"x"), b"y") and not signing.holds(public, "zz", b"x")
    assert office.house.seal.path.read_text() not in public
