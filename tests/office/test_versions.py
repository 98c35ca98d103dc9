"""Versions: new rows of the same people; one budget, and each answer is of the rows that it names."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import APART, CHECKED, CONTENT, ON_SQLITE, PURPOSE, REGISTRATION, Office, everything_in, together

from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.allowance import Allowance
from discreet.curator import Request
from discreet.mechanisms import registry as mechanisms
from discreet.office import House, Policy
from discreet.office.auditing import inspection
from discreet.office.cards import cards, records
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, fingerprint, lifecycle, likeness, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking, queue
from discreet.office.house import audit_log
from discreet.office.house.roles import Denied
from discreet.office.requests.request import Inquiry, find
from discreet.office.rules import rights
from discreet.office.rules.visit import Visit
from discreet.office.running import backup, housekeeping
from discreet.queries.count import Count
from discreet.rows.engines.connection import DatabaseSource

LATER = b"age,town,note\n" + b"119,north,x\n" * 300
WHY = "the second wave of the same survey"


def towns(epsilon: float) -> Request:
    """Ask how many live in each town, closely enough to tell one version from another."""
    kind: Any = mechanisms["laplace"]
    return Request(kind(query=Count(), epsilon=epsilon), ("age",), by="town")


def enriched(office: Office) -> None:
    """Let much run at once, of a large budget."""
    rich = replace(REGISTRATION, name="rich", apart=APART, limit=Cost.of("50", "1e-5"))
    content = CONTENT.replace(b"note", b"words")
    office.dataset = registering.register(office.house, office.who["olga"], content, rich, Policy()).id
    office.amend(free=2.0, most=10.0)


@pytest.fixture
def wide(another: Callable[..., Office]) -> Office:
    """Return a house in which much runs at once."""
    return another(enriched)


def ask(office: Office, epsilon: float, house: House | None = None, round: int = 0) -> Inquiry:
    """Ask as Bob."""
    return asking.submit(house or office.house, office.who["bob"], office.dataset, towns(epsilon), PURPOSE, round)


def renew(office: Office, content: bytes = LATER, login: str = "olga") -> registry.Registered:
    """Add a version."""
    data = changes.renew(office.house, office.who[login], office.dataset, content, WHY)
    assert data is not None
    return data


def value(asked: Inquiry) -> float:
    """Return how many live in the north: 150 in the first version, 300 in the second."""
    answer: Any = asked.answers[0].answer
    return float(dict(answer)["north"])


def wrong(office: Office) -> str:
    """Return what an inspection finds."""
    return str([str(each) for each in inspection.look(office.house).all])


def card_of(office: Office, asked: Inquiry) -> dict[str, Any]:
    """Return a card."""
    return cards.card(snapshot(office.house, asked)).to_json()


def test_a_new_version_answers_from_the_next_request_on_under_one_budget(wide: Office) -> None:
    """Each card names its version; the ledger goes on, and so does what was spent."""
    early = ask(wide, 1.0)
    spent = wide.ledger.spent
    assert [version.number for version in renew(wide).versions] == [1, 2]
    late = ask(wide, 1.1)
    assert value(early) < 225 and value(late) > 225
    assert wide.ledger.spent.nano_epsilon == spent.nano_epsilon + round(1.1e9)
    first, second = card_of(wide, early)["data"], card_of(wide, late)["data"]
    assert (first["version"]["number"], second["version"]["number"]) == (1, 2)
    assert second["version"]["why"] == WHY and first["fingerprint"] != second["fingerprint"]
    assert first["registration_sha256"] == second["registration_sha256"]
    listed = records.releases(wide.house, wide.dataset)["releases"]
    assert [each["version"] for each in listed] == [1, 2]
    assert wrong(wide) == "[]" and cards.strange_parts(card_of(wide, late)) == []


def test_what_waits_is_answered_from_the_rows_that_it_was_asked_of(wide: Office) -> None:
    """In this process, in one that begins later, and after a crash; its page does not change."""
    waits, other, crashed = (ask(wide, 4.0 + at) for at in range(3))
    before = card_of(wide, waits)
    renew(wide)
    assert card_of(wide, waits) == before
    for house, asked in ((wide.house, waits), (wide.again(), other)):
        assert value(decisions.decide(house, wide.who["otto"], asked.id, "approved", "", CHECKED)) < 225
        assert value(ask(wide, asked.cost.epsilon / 10, house)) > 225
    with pytest.MonkeyPatch.context() as crash:
        crash.setattr(decisions, "finish", lambda *_: None)
        decisions.decide(wide.house, wide.who["otto"], crashed.id, "approved", "", CHECKED)
    housekeeping.resume(wide.again())
    assert value(find(wide.house, crashed.id)) < 225 and wrong(wide) == "[]"


def test_the_same_question_is_the_same_until_it_is_drawn_anew(wide: Office) -> None:
    """The answer that was paid for names its version; a new draw is of the new rows."""
    early = ask(wide, 1.0)
    renew(wide)
    assert ask(wide, 1.0) == find(wide.house, early.id)
    assert value(ask(wide, 1.0, round=1)) > 225


def test_a_question_that_was_drawn_before_is_not_asked_of_other_rows(wide: Office) -> None:
    """The button named the rows of then."""
    seen = fingerprint.of_question(registry.find(wide.house, wide.dataset), towns(1.0), 0)
    renew(wide)
    with pytest.raises(ParameterError, match="This page was out of date, so nothing was"):
        asking.submit(wide.house, wide.who["bob"], wide.dataset, towns(1.0), PURPOSE, 0, seen)


def test_no_rows_come_in_twice_whatever_they_are_called(wide: Office) -> None:
    """Not as a version of themselves or of others, not as a dataset after they were a version."""
    for content, name in ((CONTENT.replace(b"note", b"words"), "rich"), (CONTENT, "people")):
        with pytest.raises(ParameterError, match=f"already registered as {name}"):
            renew(wide, content)
    renew(wide)
    with pytest.raises(ParameterError, match="already registered as rich"):
        renew(wide)
    said = replace(REGISTRATION, name="again", apart=APART)
    with pytest.raises(ParameterError, match="already registered as rich"):
        registering.register(wide.house, wide.who["olga"], LATER, said, Policy())
    with pytest.raises(sa.exc.DBAPIError, match="registered already"):
        wide.by_hand(
            "INSERT INTO datasets SELECT 'x', 'x', d.body, v.fingerprint, d.content, d.layout, d.policy, d.state,"
            " d.published, d.by, d.at FROM datasets d JOIN versions v ON v.dataset = d.id"
        )


def test_who_may_add_a_version_and_of_what(wide: Office) -> None:
    """Officers who never asked, of open data, with a reason and every declared column; it rules out asking."""
    before = everything_in(wide.store)
    with pytest.raises(Denied):
        renew(wide, login="bob")
    for content, why, text in ((b"age\n1\n", WHY, "no column 'town'"), (LATER, "short", "Describe what is new in")):
        with pytest.raises(ParameterError, match=text):
            changes.renew(wide.house, wide.who["olga"], wide.dataset, content, why)
    assert everything_in(wide.store) == before
    assert not list(wide.house.vault.folder.glob("*.new"))
    asking.submit(wide.house, wide.who["max"], wide.dataset, towns(0.1), PURPOSE)
    with pytest.raises(ParameterError, match="Another officer"):
        renew(wide, login="max")
    renew(wide)
    both = replace(wide.who["olga"], roles=frozenset({"officer", "analyst"}))
    with (
        wide.store.reading() as connection,
        pytest.raises(ParameterError, match="You registered this dataset or a version of"),
    ):
        rights.may_ask(Visit(wide.house, connection, both, wide.dataset))
    lifecycle.close(wide.house, wide.who["olga"], wide.dataset)
    with pytest.raises(ParameterError, match="closed"):
        renew(wide, LATER + b"1,north,x\n")


def test_many_at_once_are_each_answered_from_one_version(wide: Office) -> None:
    """While a version comes in, every answer is of the rows that its number says."""
    works: list[Any] = [lambda: renew(wide)] + [lambda at=at: ask(wide, 1 + at / 100) for at in range(6)]
    answers = [answer for answer in together(works)[1:] if isinstance(answer, Inquiry)]
    data = registry.find(wide.house, wide.dataset)
    assert len(answers) == 6
    for answer in answers:
        assert (value(answer) > 225) == (data.version_at(answer.number).number == 2)
    assert wrong(wide) == "[]"


def test_notes_stand_beside_what_was_said(wide: Office) -> None:
    """Dated, by whom, on every card from then on; what was said stays."""
    early = ask(wide, 1.0)
    changes.note(wide.house, wide.who["otto"], wide.dataset, "The source is the register of 2029, not of 2028.")
    card = card_of(wide, early)
    (note,) = card["data"]["notes"]
    assert note["day"] == "2030-03-17" and note["text"].startswith("The source is")
    assert card["data"]["source"] == "survey" and cards.strange_parts(card) == []
    with pytest.raises(Denied):
        changes.note(wide.house, wide.who["bob"], wide.dataset, "a note of somebody else")
    assert wrong(wide) == "[]"


def test_erasing_erases_every_version_and_tidying_keeps_those_that_are_named(wide: Office) -> None:
    """Of all versions no file stays; of open data none goes."""
    renew(wide)
    files = sorted(path.name for path in wide.house.vault.folder.iterdir())
    wide.clock.now += 10 * housekeeping.DAY
    housekeeping.tidy(wide.house)
    assert sorted(path.name for path in wide.house.vault.folder.iterdir()) == files
    lifecycle.erase(wide.house, wide.who["olga"], wide.dataset)
    assert len(list(wide.house.vault.folder.iterdir())) == len(files) - 2
    with pytest.raises(ParameterError, match="deleted"):
        registry.curator(wide.house, wide.dataset, 1)


TAMPERED = {
    "changed": "UPDATE versions SET since = 7",
    "deleted": "DELETE FROM versions",
    "other rows": "UPDATE versions SET content = (SELECT content FROM datasets WHERE name = 'people')",
    "an erratum": "UPDATE errata SET text = 'nothing'",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_is_written_by_hand_is_refused_found_and_answers_nothing(wide: Office, what: str) -> None:
    """The database refuses it; where its guards are gone, the trail knows better."""
    renew(wide)
    changes.note(wide.house, wide.who["otto"], wide.dataset, "a note of some length")
    with pytest.raises(sa.exc.DBAPIError, match="what (was written of a dataset|is written in a ledger) never changes"):
        wide.by_hand(TAMPERED[what])  # on PostgreSQL all guards share one sentence
    wide.without_guards()
    wide.by_hand(TAMPERED[what])
    assert "does not match the audit log" in wrong(wide)
    for house in (wide.house, wide.again()):
        with pytest.raises(ParameterError, match="The schema does not match the audit log"):
            ask(wide, 1.5, house)
    if what == "other rows":
        with pytest.raises(ParameterError, match="location of these rows does not match the audit log"):
            lifecycle.erase(wide.house, wide.who["olga"], wide.dataset)


def test_a_backup_brings_every_version_back(wide: Office, empty: House, tmp_path: Path) -> None:
    """Rows, notes and what waits: as they were, each under its own version."""
    early, waits = ask(wide, 1.0), ask(wide, 4.0)
    renew(wide)
    changes.note(wide.house, wide.who["otto"], wide.dataset, "a note of some length")
    before = card_of(wide, early)
    (tmp_path / "backup").mkdir()
    words, missing = backup.backup(wide.house, tmp_path / "backup")
    assert missing == []
    with backup.restored(empty, tmp_path / "backup", [w for w in words if not w.startswith("--")], "", ""):
        empty.begin_seals()
        assert inspection.look(empty).all == []
    there = replace(wide, house=empty, others=[])
    assert card_of(there, early) == before
    assert value(decisions.decide(empty, wide.who["otto"], waits.id, "approved", "", CHECKED)) < 225
    assert value(ask(there, 1.2)) > 225


@ON_SQLITE
def test_damaged_rows_of_any_version_are_found(wide: Office) -> None:
    """By the inspection, under the name of the dataset."""
    renew(wide)
    (line,) = registry.row_of(wide.house, wide.dataset)["versions"]
    with (wide.house.vault.folder / line["content"]).open("ab") as rows:
        rows.write(b"x")
    assert "rich: The file in the vault" in wrong(wide)


def in_waves(office: Office) -> None:
    """Register data of which a wave, or a version of its rows, may take 0.3."""
    period = Allowance("wave", Cost.of("0.3", "1e-6")).written
    said = replace(REGISTRATION, name="waves", apart=APART, limit=Cost.of("1", "1e-5"), period=period)
    office.dataset = registering.register(
        office.house, office.who["olga"], CONTENT.replace(b"note", b"words"), said, Policy()
    ).id
    office.amend(free=0.2)


@pytest.fixture
def metered(another: Callable[..., Office]) -> Office:
    """Return a house with such data."""
    return another(in_waves)


def spend(office: Office, *sizes: float) -> list[bool]:
    """Ask for so much each; say which of them fitted."""
    fits = []
    for size in sizes:
        try:
            fits.append(office.ask(size).release is not None)
        except BudgetExceeded:
            fits.append(False)
    return fits


def test_a_wave_may_take_what_the_rule_says_and_a_version_begins_the_next(metered: Office) -> None:
    """On the card and in the ledger; the whole budget is still one."""
    assert spend(metered, 0.2, 0.15, 0.09) == [True, False, True]
    renew(metered)
    assert spend(metered, 0.19, 0.12, 0.11) == [True, False, True]
    asked = metered.ask(0.19)
    card = card_of(metered, asked)
    assert card["accounting"]["period"]["rule"].startswith("At most ε = 0.3")
    assert card["accounting"]["period"]["label"] == "wave 2" and cards.strange_parts(card) == []
    assert metered.ledger.spent.epsilon == pytest.approx(0.59) and wrong(metered) == "[]"


def test_the_queue_says_what_is_left_of_the_wave_that_runs(metered: Office) -> None:
    """Of what others leave in it, beside data whose budget may be spent at any time."""
    olga, first = metered.who["olga"], metered.ask(0.25)
    assert queue.cases(metered.house, olga)[0].left.epsilon == pytest.approx(0.05)
    renew(metered)
    (case,) = queue.cases(metered.house, olga)
    assert case.asked.id == first.id and case.left.epsilon == pytest.approx(0.3)


def test_a_month_goes_by_the_clock_of_the_house(office: Office) -> None:
    """What waits keeps its room in its own month."""
    period = Allowance("month", Cost.of("0.5", "1e-6")).written
    said = replace(REGISTRATION, name="months", apart=APART, period=period)
    office.dataset = registering.register(
        office.house, office.who["olga"], CONTENT.replace(b"note", b"words"), said, Policy()
    ).id
    changes.amend(office.house, office.who["olga"], office.dataset, Policy(free=0.2, days=60))
    changes.amend(office.house, office.who["otto"], office.dataset, Policy(free=0.2, days=60))
    waits = office.ask(0.4)
    assert waits.state == "waiting" and spend(office, 0.2, 0.1) == [False, True]
    office.clock.now += 31 * housekeeping.DAY
    assert spend(office, 0.195, 0.19) == [True, True]
    decisions.decide(office.house, office.who["otto"], waits.id, "approved", "", CHECKED)
    assert spend(office, 0.18, 0.11) == [False, True]
    assert audit_log.trail(office.store)[0].what == "answered" and wrong(office) == "[]"


@pytest.mark.parametrize(
    ("names", "source", "why"),
    [
        (("AGE", "town"), "another one", "2 of 2 columns have the same name"),
        (("age", "town", "x", "y"), "another one", ""),
        (("a", "b"), "Survey.", "the source is the same"),
        (("age",), "", ""),
    ],
)
@ON_SQLITE
def test_what_looks_like_registered_data_is_asked_about(
    office: Office, names: tuple[str, ...], source: str, why: str
) -> None:
    """By columns and source, whatever their case; where it is, somebody has to say why people are others."""
    others = likeness.alike(office.house, names, source)
    assert [str(reason) for other in others for reason in other.why] == ([why] if why else [])
    likeness.check(others, APART)
    if why:
        with pytest.raises(ParameterError, match="looks like people"):
            likeness.check(others, "no")


@ON_SQLITE
def test_a_table_through_another_name_is_noticed(office: Office, tmp_path: Path, monkeypatch: Any) -> None:
    """In another database, or with its schema before it; a view shows itself by its columns."""
    monkeypatch.setenv("DISCREET_DATABASES", f"sqlite:{tmp_path}/*")
    with sqlite3.connect(tmp_path / "rows.db") as rows:
        rows.execute("CREATE TABLE folk (age INTEGER, town TEXT)")
    table = DatabaseSource(f"sqlite:///{tmp_path / 'rows.db'}", "folk")
    waves = replace(REGISTRATION, name="live", apart=APART, period=Allowance("wave", Cost.of("0.3", "1e-6")).written)
    with pytest.raises(ParameterError, match="A dataset that stays at its source has no"):
        registering.register(office.house, office.who["olga"], table, waves, Policy())
    live = registering.register(office.house, office.who["olga"], table, replace(waves, period=""), Policy())
    with pytest.raises(ParameterError, match="need no versions"):
        changes.renew(office.house, office.who["olga"], live.id, LATER, WHY)
    other = DatabaseSource(f"sqlite:///{tmp_path / 'copy.db'}", "main.Folk")
    (alike,) = likeness.alike(office.house, ("x",), "", other)
    assert alike.data.name == "live" and str(*alike.why) == "the table has the same name"
