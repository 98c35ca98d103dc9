"""Proof: what was checked of a mechanism and of the program, found out where the card is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from logging import getLogger
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from discreet.budget import Phrase, plugins
from discreet.evidence.certificate import Certificate, certificate
from discreet.evidence.question import RowProof, prove, summary
from discreet.lab.program import program
from discreet.lab.sweeps import Compute, at_once
from discreet.mechanisms import former
from discreet.mechanisms import registry as mechanisms
from discreet.office.cards.card import Audit, Evidence, Run
from discreet.office.datasets import registry
from discreet.office.house import acts, audit_log
from discreet.office.house.failures import cause
from discreet.office.house.house import House
from discreet.office.house.replay import Trail
from discreet.office.house.roles import OFFICER, Member, present, require
from discreet.office.requests.request import Inquiry, seen_by
from discreet.office.rules.visit import acting, looking
from discreet.rows.intake.opening import silent
from discreet.rows.intake.parser import Report

ROOT = Path(__file__).resolve().parents[2]
CODE = ("budget", "queries", "noise", "mechanisms", "rows", "curator", "lab", "plans", "report", "evidence", "office")
LOCK = "requirements.txt"


@dataclass(frozen=True)
class Examination:
    """The result of the layers of evidence for a request: time, person, version of the program, and each row."""

    at: datetime
    by: str
    program: str
    code: str
    identity: str
    rows: tuple[RowProof, ...]

    @property
    def summary(self) -> Phrase:
        """What all of them say, in one line."""
        return summary(self.rows)

    @property
    def current(self) -> bool:
        """Whether the code that runs here is the one that was examined."""
        return self.code == code()


@lru_cache(maxsize=64)
def checked(slug: str) -> Certificate:
    """Compare all neighbour pairs of a small world, once for each kind and process."""
    kind: Any = (mechanisms | former)[slug]
    return certificate(kind(k=3) if "k" in kind.parameters() else kind())


@lru_cache(maxsize=1)
def commit() -> str:
    """Return the commit that is checked out, empty without a repository.

    It says where the files come from, not that none was changed since: `code` says that.
    """
    folder = ROOT / ".git"
    if folder.is_file():  # a second working tree names its folder in a file
        folder = ROOT / folder.read_text(encoding="utf-8").partition(":")[2].strip()
    head = _text(folder / "HEAD")
    if not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    shared = _text(folder / "commondir")
    for place in (folder, folder / shared):
        if digest := _text(place / name):
            return digest
        packed = [line.split() for line in _text(place / "packed-refs").splitlines()]
        if digest := next((line[0] for line in packed if line[1:] == [name]), ""):
            return digest
    return ""


@lru_cache(maxsize=1)
def code() -> str:
    """Return one hash of all that computes: the floors below the screens as they are here, and other packages."""
    digest = sha256()
    for path in sorted(p for floor in CODE for p in (ROOT / floor).rglob("*.py")):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode() + path.read_bytes())
    digest.update("\n".join(map(str, plugins.packages())).encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def lock() -> str:
    """Return the hash of the list of locked packages."""
    path = ROOT / LOCK
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def locked(package: str) -> str:
    """Return the version that a package is locked to."""
    lines = _text(ROOT / LOCK).splitlines()
    versions = (line.removeprefix(f"{package}==").split()[0] for line in lines if line.startswith(f"{package}=="))
    return next(versions, "")


def audit(slug: str) -> Audit:
    """Return what speaks for a kind of mechanism."""
    certificate = checked(slug)
    return Audit(
        pairs=certificate.pairs,
        largest_delta=certificate.worst.delta,
        claimed_delta=certificate.worst.claimed,
        holds=certificate.worst.holds,
        about=Phrase(
            "The check compares the exact distributions of the two results for every neighbouring "
            "pair of small example datasets. It uses the usual settings of this mechanism and ε = 1, "
            "without sampling. The proof covers every ε."
        ),
    )


def evidence(examined: Examination | None) -> Evidence:
    """Return the evidence that was run for this question, if any, and the version of the running program."""
    return Evidence(
        run=None if examined is None else _run(examined),
        not_run_here=Phrase(
            "This version's test suite (tests/evidence) contains attacks on samples of results and on "
            "floating point. An officer can run them for this query on simulated tables."
        )
        if examined is None
        else Phrase("The tests ran on simulated tables with the declared schema. No real rows were read."),
        program=program(),
        commit=commit(),
        code_sha256=code(),
        requirements_sha256=lock(),
    )


def _run(examined: Examination) -> Run:
    """Return what the layers said, for a card."""
    return Run(
        day=examined.at.date().isoformat(),
        program=examined.program,
        code_sha256=examined.code,
        this_program=examined.current,
        summary=examined.summary,
        layers_by_row=examined.rows,
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


# Examining: the five layers of evidence are run for a request as it was asked; what they say is sealed on the trail.


def examine(
    house: House, who: Member | None, request: str, report: Report = silent, compute: Compute = at_once
) -> Examination:
    """Run all layers for a request, and put what they say on the trail."""
    who = require(who, OFFICER)
    with house.store.reading() as reading:
        present(reading, who, OFFICER)  # before anything is computed, and again when it is written
    asked = seen_by(house, who, request)
    schema = registry.find(house, asked.dataset, asked.number).registration.schema
    rows = prove(asked.request, schema, report, compute)
    with acting(house, who, OFFICER) as visit:
        said: dict[str, Any] = {"program": program(), "code": code(), "identity": asked.request.identity}
        said["rows"] = [row.plain() for row in rows]
        visit.act(acts.EXAMINED, f"#{asked.number}", None, **said)
    examination = latest(house, asked)
    assert examination is not None
    return examination


def latest(house: House, asked: Inquiry) -> Examination | None:
    """Return what was last found out about a request; None where nothing was."""
    with looking(house) as visit:
        return read(visit.trail, asked)


def read(trail: Trail, asked: Inquiry) -> Examination | None:
    """Return the same in a transaction that is under way: only what was sealed, and is of this very question."""
    mine = (line for line in reversed(trail.about(f"#{asked.number}")) if line["what"] == acts.EXAMINED.name)
    each = (_examination(line) for line in mine if audit_log.sound(line, trail.seal))
    return next((examination for examination in each if examination.identity == asked.request.identity), None)


def _examination(line: Mapping[str, Any]) -> Examination:
    said = json.loads(line["told"])
    at = datetime.fromisoformat(line["time"])
    rows = tuple(RowProof.of(row) for row in said["rows"])
    return Examination(at, line["who"], said["program"], said["code"], said["identity"], rows)


class Running:
    """An examination that is under way beside the screens."""

    def __init__(self, work: Callable[[Report], object]) -> None:
        """Begin."""
        self.share = 0.0
        self.failed = False
        self._work = work
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self._work(self._report)
        except Exception as wrong:
            self.failed = True
            getLogger("discreet").error("evidence: %s", cause(wrong))

    def _report(self, share: float) -> None:
        self.share = share


_RUNS: dict[str, Running] = {}
_GUARD = Lock()


def begin(house: House, who: Member | None, request: str, compute: Compute = at_once) -> Running:
    """Run all layers beside the screens; one that is under way goes on."""
    require(who, OFFICER)
    seen_by(house, who, request)
    with house.store.reading() as connection:
        present(connection, who, OFFICER)
    with _GUARD:
        run = _RUNS.get(request)
        if run is None or not run.thread.is_alive():
            run = _RUNS[request] = Running(lambda report: examine(house, who, request, report, compute))
        return run


def under_way(request: str) -> Running | None:
    """Return what runs for a request, or was the last that ran in this process."""
    return _RUNS.get(request)
