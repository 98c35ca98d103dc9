"""Evidence that an officer ran for a request: sealed on the trail, on the card, and believed only as it was written."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from support.offices import ON_SQLITE, Office, question

from discreet.evidence.question import run
from discreet.office.cards import cards, proof
from discreet.office.cards.proof import examine, latest
from discreet.office.cards.review_case import snapshot
from discreet.office.house import audit_log
from discreet.report.public import strange_parts

pytestmark = ON_SQLITE
Layers = list[str]


@pytest.fixture
def seen() -> Layers:
    """Return which layers were computed."""
    return []


def certificates_only(seen: Layers) -> Any:
    """Return what computes the first layer, and says of the others that they do not apply."""

    def compute(function: Any, name: str, *args: Any) -> Any:
        seen.append(name)
        layer = run("certificates", *args)
        return layer if name == "certificates" else type(layer)(name, None, None)

    return compute


def test_what_was_run_stands_on_the_card_with_its_program(office: Office, seen: Layers) -> None:
    """In one line for people, in every number in the file; before that the card says that nobody ran it."""
    asked = office.ask(0.5)
    before = cards.card(snapshot(office.house, asked)).evidence
    assert before.run is None and "An officer can run them for this query" in str(before.not_run_here)
    said = examine(office.house, office.who["olga"], asked.id, compute=certificates_only(seen))
    assert len(seen) == 5 and said.by == office.who["olga"].id and said.current
    card = cards.card(snapshot(office.house, asked))
    line = card.evidence.run
    assert line is not None and "All 1 tests passed" in line.summary
    assert line.program and line.code_sha256 == said.code
    assert json.loads(cards.card_json(card))["evidence"]["run"]["layers_by_row"] == [row.plain() for row in said.rows]
    assert not strange_parts(card.to_json()) and office.house.wrong_act(whole=True) is None


def test_evidence_that_nobody_sealed_is_not_shown(office: Office, seen: Layers) -> None:
    """Whoever writes to the database cannot put a better result on a card."""
    asked = office.ask(0.5)
    examine(office.house, office.who["olga"], asked.id, compute=certificates_only(seen))
    office.without_guards()
    office.by_hand("UPDATE acts SET told = replace(told, 'certificates', 'whole_road') WHERE what = 'examined'")
    assert latest(office.house, asked) is None


def test_evidence_of_another_question_is_not_shown(office: Office, seen: Layers) -> None:
    """What ran for a request says nothing of the question that somebody put in its place."""
    asked = office.ask(0.5)
    examine(office.house, office.who["olga"], asked.id, compute=certificates_only(seen))
    assert latest(office.house, asked) is not None
    assert latest(office.house, replace(asked, request=question(0.6))) is None


def test_two_officers_who_press_at_once_run_it_once(office: Office, seen: Layers) -> None:
    """The second sees how far the first one is; it reads no rows, charges nothing, and ends on the trail."""
    asked, lines = office.ask(0.5), len(office.ledger.lines)
    compute = certificates_only(seen)
    runs = {proof.begin(office.house, office.who[name], asked.id, compute) for name in ("olga", "otto")}
    for each in runs:
        each.thread.join()
    done = [act for act in audit_log.trail(office.store) if act.what == "examined"]
    assert len(done) == len(runs) and not any(each.failed for each in runs)
    assert len(office.ledger.lines) == lines and proof.under_way(asked.id) in runs
