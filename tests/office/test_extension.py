"""Extension: more is declared of registered data; what was asked stays under what it was asked under."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import (
    APART,
    CHECKED,
    ON_SQLITE,
    PURPOSE,
    REGISTRATION,
    Office,
    everything_in,
    opened,
    question,
    together,
)

from discreet.budget import ParameterError
from discreet.curator import Request
from discreet.mechanisms import registry as mechanisms
from discreet.office import Desk, House, Policy
from discreet.office.auditing import inspection
from discreet.office.cards import cards, records
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, fingerprint, lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import audit_log
from discreet.office.requests.request import Inquiry, find
from discreet.office.rules import rights
from discreet.office.rules.visit import Visit
from discreet.office.running import backup, housekeeping
from discreet.queries.count import Count
from discreet.rows import Category, Date, Ignored, Number, Schema
from discreet.rows import Person as PersonColumn
from discreet.rows.engines.connection import DatabaseSource
from discreet.rows.files import Layout

ROWS = b"age,town,pay,who\n" + b"".join(
    b"%d,%s,%d,p%d\n" % (i % 90, (b"north", b"west")[i % 2], i, i) for i in range(90)
)
AGE, PAY = Number(0, 120, integer=True, origin="life span"), Number(0, 100, integer=True, origin="pay scale")
TOWNS = Category(("north", "south"))
FIRST = Schema({"age": AGE, "town": TOWNS, "pay": Ignored(), "who": Ignored()}, Layout("text"))


def changed(**columns: Any) -> Schema:
    """Return the declaration with some columns declared otherwise."""
    return Schema({**FIRST.columns, **columns}, FIRST.layout)


WIDER = changed(town=Category(("north", "south", "west")), pay=PAY)


def by_town(epsilon: float) -> Request:
    """Ask how many live in each town."""
    kind: Any = mechanisms["laplace"]
    return Request(kind(query=Count(), epsilon=epsilon), ("age",), by="town")


def of_pay(epsilon: float) -> Request:
    """Ask for a column that was ignored at first."""
    return replace(question(epsilon), columns=("pay",))


def widened(office: Office) -> None:
    """Register data of which two columns are ignored; up to 0.2 runs at once."""
    said = replace(REGISTRATION, name="wide", schema=FIRST, apart=APART)
    office.dataset = registering.register(office.house, office.who["olga"], ROWS, said, Policy()).id
    office.amend(free=0.2)


@pytest.fixture
def wide(another: Callable[..., Office]) -> Office:
    """Return a house at work on such data."""
    return another(widened)


def extend(office: Office, schema: Schema = WIDER, house: House | None = None) -> None:
    """Declare more, as two officers."""
    for login in ("olga", "otto"):
        changes.extend(house or office.house, office.who[login], office.dataset, schema)


def ask(office: Office, request: Request, house: House | None = None, round: int = 0) -> Inquiry:
    """Ask as an analyst."""
    return asking.submit(house or office.house, office.who["bob"], office.dataset, request, PURPOSE, round)


def now(office: Office) -> Schema:
    """Return what is declared at this moment."""
    return registry.find(office.house, office.dataset).registration.schema


def groups(asked: Inquiry) -> list[str]:
    """Return the groups of an answer."""
    assert asked.release is not None and isinstance(asked.release.answer, tuple)
    return [name for name, _ in asked.release.answer]


def wrong(office: Office) -> str:
    """Return what a verification says, in one text."""
    return "\n".join(map(str, inspection.look(office.house).all))


def card_of(office: Office, asked: Inquiry) -> dict[str, Any]:
    """Return the parts of a card that are made of what was declared."""
    card = cards.card(snapshot(office.house, find(office.house, asked.id))).to_json()
    return json.loads(
        json.dumps({name: card[name] for name in ("release", "data", "guarantee", "accuracy")}, default=str)
    )


def test_more_is_declared_and_answers_and_budget_stay(wide: Office) -> None:
    """What was ignored can be asked, groups have the new level; earlier answers are what they were."""
    early = ask(wide, by_town(0.1))
    before, listed = card_of(wide, early), records.releases(wide.house, wide.dataset)["releases"]
    spent, lines = wide.ledger.spent, wide.ledger.lines
    with pytest.raises(ParameterError, match="'pay'"):
        ask(wide, of_pay(0.1))
    extend(wide)
    assert (wide.ledger.spent, wide.ledger.lines) == (spent, lines)
    assert groups(find(wide.house, early.id)) == ["north", "south"] and card_of(wide, early) == before
    assert ask(wide, of_pay(0.1)).release is not None
    late = ask(wide, by_town(0.11))
    assert groups(late) == ["north", "south", "west"]
    card = card_of(wide, late)["data"]
    assert card["columns"]["town"]["levels"] == ["north", "south", "west"]
    assert card["registration_sha256"] != before["data"]["registration_sha256"]
    assert records.releases(wide.house, wide.dataset)["releases"][0] == listed[0]
    assert wide.ledger.spent.nano_epsilon == spent.nano_epsilon + round(0.21e9)
    assert wrong(wide) == ""


def test_what_waits_is_decided_and_answered_as_it_was_asked(wide: Office) -> None:
    """Also in a process that begins after it, and one that had opened the rows before; its page does not change."""
    waits, other = ask(wide, by_town(0.5)), ask(wide, by_town(0.6))
    running = wide.again()
    ask(wide, by_town(0.01), running)
    before = card_of(wide, waits)
    extend(wide)
    assert card_of(wide, waits) == before
    for house, asked in ((wide.again(), waits), (running, other)):
        done = decisions.decide(house, wide.who["otto"], asked.id, "approved", "", CHECKED)
        assert groups(done) == ["north", "south"]
        assert groups(ask(wide, by_town(asked.cost.epsilon / 10), house)) == ["north", "south", "west"]
    assert wrong(wide) == ""


def test_an_approval_that_a_crash_cut_off_is_answered_as_it_was_asked(
    wide: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next start answers it under the declaration of its time, and so does what ends a process."""
    waits = ask(wide, by_town(0.5))
    extend(wide)
    with monkeypatch.context() as crash:
        crash.setattr(decisions, "finish", lambda *_: None)
        decisions.decide(wide.house, wide.who["otto"], waits.id, "approved", "", CHECKED)
    assert find(wide.house, waits.id).release is None
    housekeeping.resume(wide.again())
    assert groups(find(wide.house, waits.id)) == ["north", "south"]


def test_the_same_question_is_the_same_until_it_is_drawn_anew(wide: Office) -> None:
    """The answer that was paid for is not asked again; a new draw is under the new declaration."""
    early = ask(wide, by_town(0.1))
    extend(wide)
    spent = wide.ledger.spent
    assert ask(wide, by_town(0.1)) == find(wide.house, early.id) and wide.ledger.spent == spent
    assert groups(ask(wide, by_town(0.1), round=1)) == ["north", "south", "west"]
    desk = Desk(wide.house, wide.who["bob"], wide.dataset)
    assert [schema for _, schema in desk.answered] == [FIRST, WIDER] and desk.declared.schema == WIDER


REFUSED: dict[str, tuple[Schema, str]] = {
    "bounds": (changed(age=replace(AGE, upper=90)), "The declaration of column 'age' cannot be changed"),
    "a source": (changed(age=replace(AGE, origin="law"), pay=PAY), "The declaration of column 'age' cannot be changed"),
    "a kind": (changed(town=AGE), "The declaration of column 'town' cannot be changed"),
    "less": (changed(town=Ignored(), pay=PAY), "The declaration of column 'town' cannot be changed"),
    "a level gone": (changed(town=Category(("north",))), "The declaration of column 'town' cannot be changed"),
    "a level before": (
        changed(town=Category(("west", "north", "south"))),
        "The declaration of column 'town' cannot be changed",
    ),
    "another other": (
        changed(town=Category(("north", "south"), other=True)),
        "The declaration of column 'town' cannot be changed",
    ),
    "names": (
        changed(town=Category(("north", "south", "e"), names=("N", "S", "E"))),
        "The declaration of column 'town' cannot be changed",
    ),
    "a person": (changed(who=PersonColumn()), "A column that identifies people cannot be"),
    "nothing": (FIRST, "The schema has no additions yet"),
    "a strange column": (changed(shoe=PAY), "Only registered columns can be declared"),
    "a column left away": (Schema({"age": AGE, "town": TOWNS, "pay": PAY}), "Only registered columns can be declared"),
    "no source": (changed(pay=replace(PAY, origin="")), "'pay': enter the public source of its bounds"),
}


@pytest.mark.parametrize("what", REFUSED)
@ON_SQLITE
def test_nothing_else_is_declared_otherwise(wide: Office, what: str) -> None:
    """One sentence each, and nothing is written."""
    before = everything_in(wide.store)
    schema, why = REFUSED[what]
    with pytest.raises(ParameterError, match=why):
        extend(wide, schema)
    assert everything_in(wide.store) == before


def test_levels_with_names_and_with_other_go_on_at_the_end() -> None:
    """Each code keeps its place and its name; what is new comes after, before other."""
    named = Category(("1", "2"), other=True, names=("N", "S"))
    assert Category(("1", "2", "3"), other=True, names=("N", "S", "W")).continues(named)
    assert named.continues(named) and not named.continues(AGE) and not AGE.continues(named)
    assert not Category(("1", "2", "3"), other=True, names=("N", "X", "W")).continues(named)
    assert not Category(("1", "2", "3"), names=("N", "S", "W")).continues(named)
    assert not Category(("1", "2", "3"), other=True).continues(named)
    assert not named.continues(Category(("1", "2", "3"), other=True, names=("N", "S", "W")))
    assert not Category(("no", "yes", "x")).continues(Date("2000-01-01", "2000-12-31"))


def test_two_officers_want_it_and_the_trail_says_so(wide: Office) -> None:
    """One proposes, the other confirms the same; whoever extended does not ask, whoever asked does not extend."""
    olga, otto = wide.who["olga"], wide.who["otto"]
    assert not changes.extend(wide.house, olga, wide.dataset, WIDER)
    assert not changes.extend(wide.house, olga, wide.dataset, WIDER) and now(wide) == FIRST
    assert not changes.extend(wide.house, otto, wide.dataset, changed(pay=PAY)) and now(wide) == FIRST
    assert changes.extend(wide.house, olga, wide.dataset, changed(pay=PAY)) and now(wide) == changed(pay=PAY)
    act = next(act for act in audit_log.trail(wide.store) if act.what == "extended")
    assert (act.who, act.about, act.details["first"], act.details["since"]) == (olga.id, "wide", "otto", 1)
    assert rights.pending(wide.house, changes.KIND, wide.dataset) is None
    assert not changes.extend(wide.house, otto, wide.dataset, WIDER)
    waits = rights.pending(wide.house, changes.KIND, wide.dataset)
    assert waits is not None and changes.extend(wide.house, olga, wide.dataset, Schema.from_json(waits.body))
    assert list(now(wide).columns) == list(FIRST.columns) and now(wide) == WIDER
    with pytest.raises(ParameterError, match="You registered this dataset or a version of"):
        both = replace(olga, roles=frozenset({"officer", "analyst"}))
        with wide.store.reading() as connection:
            rights.may_ask(Visit(wide.house, connection, both, wide.dataset))
    asking.submit(wide.house, wide.who["max"], wide.dataset, question(0.1), PURPOSE)
    with pytest.raises(ParameterError, match="Another officer must do this"):
        changes.extend(wide.house, wide.who["max"], wide.dataset, changed(**WIDER.columns | {"who": PAY}))
    assert [edition.version for edition in registry.find(wide.house, wide.dataset).later] == [1, 2]


def test_what_was_seen_is_what_holds(wide: Office) -> None:
    """The hash of a page that was drawn before something else changed is refused."""
    seen = fingerprint.of_extension(registry.find(wide.house, wide.dataset), WIDER)
    with pytest.raises(ParameterError, match="This page was out of date, so nothing was"):
        changes.extend(wide.house, wide.who["olga"], wide.dataset, changed(pay=PAY), seen)
    assert not changes.extend(wide.house, wide.who["olga"], wide.dataset, WIDER, seen)
    lifecycle.publish(wide.house, wide.who["olga"], wide.dataset, True)
    with pytest.raises(ParameterError, match="This page was out of date, so nothing was"):
        changes.extend(wide.house, wide.who["otto"], wide.dataset, WIDER, seen)
    assert now(wide) == FIRST
    lifecycle.close(wide.house, wide.who["olga"], wide.dataset)
    with pytest.raises(ParameterError, match="closed"):
        extend(wide)


def test_a_question_that_was_drawn_before_is_not_asked_under_another_declaration(wide: Office) -> None:
    """The button named what was declared then."""
    seen = fingerprint.of_question(registry.find(wide.house, wide.dataset), by_town(0.1), 0)
    extend(wide)
    with pytest.raises(ParameterError, match="This page was out of date, so nothing was"):
        asking.submit(wide.house, wide.who["bob"], wide.dataset, by_town(0.1), PURPOSE, 0, seen)


def test_many_at_once_ask_under_one_declaration_each(wide: Office) -> None:
    """While two officers extend, every answer has the groups of the declaration that its number was asked under."""
    works: list[Callable[[], Any]] = [lambda: extend(wide)]
    works += [lambda at=at: ask(wide, by_town(0.01 + at / 1000)) for at in range(6)]  # type: ignore[misc]
    answers = [answer for answer in together(works)[1:] if isinstance(answer, Inquiry)]
    (edition,) = registry.find(wide.house, wide.dataset).later
    assert len(answers) == 6
    for answer in answers:
        assert (groups(answer) == ["north", "south", "west"]) == (answer.number >= edition.since)
    assert wrong(wide) == ""


TAMPERED = {
    "changed": "UPDATE declarations SET body = replace(body, 'west', 'east')",
    "earlier": "UPDATE declarations SET since = 1",
    "deleted": "DELETE FROM declarations",
    "one more": "INSERT INTO declarations SELECT dataset, 2, since, body, by, at FROM declarations",
    "the first": "UPDATE datasets SET body = replace(body, 'south', 'east') WHERE name = 'wide'",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_is_written_by_hand_is_refused_found_and_answers_nothing(wide: Office, what: str) -> None:
    """The database refuses it; where its guards are gone, the trail knows better, and nothing is released."""
    waits = ask(wide, by_town(0.5))
    extend(wide)
    with pytest.raises(sa.exc.DBAPIError, match="never change|what was asked stays"):
        wide.by_hand(TAMPERED[what] if what != "one more" else TAMPERED[what].replace(" since", " 1"))
    assert wrong(wide) == ""
    wide.without_guards()
    wide.by_hand(TAMPERED[what])
    said = "the original registration" if what == "the first" else "schema"
    assert f"The dataset wide: “{said}” does not match the audit log" in wrong(wide)
    lines = wide.ledger.lines
    for house in (wide.house, wide.again()):
        for step in (
            lambda house=house: ask(wide, by_town(0.12), house),
            lambda house=house: decisions.decide(house, wide.who["otto"], waits.id, "approved", "", CHECKED),
        ):
            with pytest.raises(ParameterError, match="The schema does not match the audit log, so"):
                step()
    assert wide.ledger.lines == lines
    assert "but the audit log has no such decision" in str(cards.card(snapshot(wide.house, waits)).people.decision)


def test_a_trigger_that_writes_another_declaration_is_not_sealed(wide: Office) -> None:
    """What stands in the table after it was written must be what was meant."""
    if wide.store.lite:
        wide.by_hand("DROP TRIGGER declarations_update")
        wide.by_hand("CREATE TRIGGER planted AFTER INSERT ON declarations BEGIN UPDATE declarations SET since = 1; END")
    else:
        wide.by_hand(
            "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.by := 'x'; RETURN NEW; END $$"
        )
        wide.by_hand("CREATE TRIGGER planted BEFORE INSERT ON declarations FOR EACH ROW EXECUTE FUNCTION planted()")
    ask(wide, by_town(0.1))
    with pytest.raises(ParameterError, match="The database wrote something different from"):
        extend(wide)
    assert now(wide) == FIRST


def test_a_backup_brings_every_declaration_back(wide: Office, empty: House, tmp_path: Path) -> None:
    """Answers, what waits, and what is declared now: as they were, each under its own declaration."""
    early, waits = ask(wide, by_town(0.1)), ask(wide, by_town(0.5))
    extend(wide)
    before = card_of(wide, early)
    (tmp_path / "backup").mkdir()
    words, missing = backup.backup(wide.house, tmp_path / "backup")
    heads = [word for word in words if not word.startswith("--")]
    assert missing == []
    with backup.restored(empty, tmp_path / "backup", heads, "", ""):
        empty.begin_seals()
        assert inspection.look(empty).all == []
    there = replace(wide, house=empty, others=[])
    assert now(there) == WIDER and card_of(there, early) == before
    done = decisions.decide(empty, wide.who["otto"], waits.id, "approved", "", CHECKED)
    assert groups(done) == ["north", "south"]
    assert groups(ask(there, by_town(0.12))) == ["north", "south", "west"]


@ON_SQLITE
def test_rows_elsewhere_are_read_before_more_of_them_is_declared(
    office: Office, tmp_path: Path, monkeypatch: Any
) -> None:
    """A column that is gone from the table is not declared; one that is there can be asked."""
    monkeypatch.setenv("DISCREET_DATABASES", f"sqlite:{tmp_path}/*")
    with sqlite3.connect(tmp_path / "rows.db") as rows:
        rows.execute("CREATE TABLE people (age INTEGER, pay INTEGER, gone INTEGER)")
        rows.executemany("INSERT INTO people VALUES (?, ?, ?)", [(i % 90, i % 50, 1) for i in range(200)])
    schema = Schema({"age": AGE, "pay": Ignored(), "gone": Ignored()})
    table = DatabaseSource(f"sqlite:///{tmp_path / 'rows.db'}", "people")
    said = replace(REGISTRATION, name="live", schema=schema, apart=APART)
    office.dataset = registering.register(office.house, office.who["olga"], table, said, Policy()).id
    office.amend(free=0.2)
    with sqlite3.connect(tmp_path / "rows.db") as rows:
        rows.execute("ALTER TABLE people DROP COLUMN gone")
    with pytest.raises(ParameterError, match="'gone'"):
        extend(office, Schema({**schema.columns, "gone": PAY}))
    with sqlite3.connect(tmp_path / "rows.db") as rows:
        rows.execute("ALTER TABLE people ADD COLUMN gone INTEGER")
    extend(office, Schema({**schema.columns, "pay": PAY}))
    assert ask(office, of_pay(0.1)).release is not None and wrong(office) == ""


@ON_SQLITE
def test_a_house_from_before_keeps_what_waits_for_a_second_officer(office: Office) -> None:
    """The table of proposals is made anew; what is in it stays."""
    changes.amend(office.house, office.who["olga"], office.dataset, Policy(free=0.7))
    before = rights.pending(office.house, "policy", office.dataset)
    later = (
        "factor_steps",
        "substitutes",
        "mailboxes",
        "tongues",
        "drafts",
        "connections",
        "letterhead",
        "credentials",
        "couriers",
        "readings",
        "revisions",
        "remarks",
        "looks",
    )
    later += ("errata", "versions", "declarations", "withdrawn")
    for what in (*(f"TABLE {table}" for table in later), "TRIGGER datasets_new_3", "TRIGGER datasets_kept_0"):
        office.by_hand(f"DROP {what}")
    office.by_hand("CREATE TABLE proposals AS SELECT id, kind, about, body, by, until FROM motions")
    office.by_hand("DROP TABLE motions")
    office.by_hand("ALTER TABLE people DROP COLUMN factor")
    office.by_hand("UPDATE alembic_version SET version_num = '0005'")
    again = opened(office.home, office.url)
    assert rights.pending(again.house, "policy", office.dataset) == before
    assert changes.amend(again.house, office.who["otto"], office.dataset, Policy(free=0.7))
    assert inspection.look(again.house).all == []
    again.house.store.close()
