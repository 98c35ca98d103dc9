"""Forgeries: whatever the database's own role can write by hand is refused, or found by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import APART, CHECKED, ON_SQLITE, REASON, REGISTRATION, Office, everything_in

from discreet.budget import ParameterError
from discreet.budget.durable import verify
from discreet.budget.durable.lines import line_hash
from discreet.curator.records import text_of
from discreet.office import House, Policy
from discreet.office.auditing import inspection
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.house import acts, audit_log, replay
from discreet.office.people import accounts, joining
from discreet.office.requests import execution
from discreet.office.requests.request import find, line_of, listed, released, row_alone
from discreet.office.rules.visit import looking, select_requests
from discreet.office.running import housekeeping

pytestmark = pytest.mark.both_databases

Forge = Callable[[Office], Any]


def wrong(office: Office) -> str:
    """Return what a verification says, in one text."""
    return "\n".join(map(str, inspection.look(office.house).all))


def made_up(office: Office, number: int, value: str) -> str:
    """Return the body of an answer that nobody drew: another request's, with another value."""
    real = office.ask(0.1, round=7).release
    assert real is not None
    body = json.loads(text_of(real)) | {"answer": float(value)}
    return json.dumps(body)


def answer(office: Office) -> None:
    """Put an answer beside a request that waits."""
    waits, body = office.ask(0.5), made_up(office, 1, "99.9")
    with office.store.engine.begin() as connection:
        connection.execute(
            sa.text("INSERT INTO answers VALUES (:budget, :request, :body)"),
            {"budget": office.dataset, "request": waits.id, "body": body},
        )


FORGERIES: dict[str, tuple[str, str]] = {
    "roles": (
        "UPDATE people SET roles = 'administrator' WHERE login = 'eve'",
        "The account eve: “roles” does not match the audit log",
    ),
    "a password": (
        "UPDATE people SET password = 'mine' WHERE login = 'olga'",
        "The account olga: “password” does not match the audit log",
    ),
    "a closed account": (
        "UPDATE people SET active = FALSE WHERE login = 'adam'",
        "The account adam: “access” does not match the audit log",
    ),
    "a second factor": (
        "UPDATE people SET factor = '{}' WHERE login = 'olga'",
        "The account olga: “two-factor authentication” does not match the audit log",
    ),
    "an account": (
        "INSERT INTO people VALUES ('p', 'mallory', 'M', 'officer', 'h', TRUE, '', NULL)",
        "The account mallory is not in the audit log: it was written by hand",
    ),
    "a policy": (
        "UPDATE datasets SET policy = '{\"free\": 50}'",
        "The dataset people: “policy” does not match the audit log",
    ),
    "a publication": (
        "UPDATE datasets SET published = TRUE",
        "The dataset people: “published” does not match the audit log",
    ),
    "a state": ("UPDATE datasets SET state = 'closed'", "The dataset people: “state” does not match the audit log"),
    "a place of rows": (
        "UPDATE datasets SET content = 'elsewhere'",
        "The dataset people: “location of the rows” does not match the audit log",
    ),
    "an approval": (
        "UPDATE requests SET state = 'approved', decided_by = (SELECT id FROM people"
        " WHERE login = 'olga') WHERE number = 2",
        "Request #2 of people: “state” does not match the audit log",
    ),
    "a checklist": (
        'UPDATE requests SET checklist = \'{"unit": "yes"}\' WHERE number = 2',
        "Request #2 of people: “checklist” does not match the audit log",
    ),
    "a budget": (
        "INSERT INTO budgets SELECT 'mine', limit_epsilon, limit_delta, rule, capacity_loss,"
        " capacity_delta, opened, hash FROM budgets",
        "mine: The record of the budget was changed",
    ),
}


def asked_twice(office: Office) -> None:
    """Ask what is answered and what waits; nothing is wrong."""
    office.ask(0.1)
    office.ask(0.5)
    assert wrong(office) == ""


@pytest.mark.parametrize("what", FORGERIES)
def test_what_the_servers_own_role_can_write_is_found_by_name(another: Callable[..., Office], what: str) -> None:
    """With all guards in place: the statement goes through, and the verification names it."""
    office = another(asked_twice)
    statement, finding = FORGERIES[what]
    office.by_hand(statement)
    assert finding in wrong(office)


def test_an_answer_without_a_release_cannot_be_put_in(office: Office) -> None:
    """The database refuses it, whoever asks."""
    with pytest.raises(sa.exc.DBAPIError, match="needs the line of its release"):
        answer(office)


def test_an_answer_without_a_release_counts_for_nothing(office: Office) -> None:
    """Behind the guards: not in a list, not on a card, not published, not recalled; it is found."""
    office.without_guards()
    answer(office)
    waits = listed(office.house, select_requests())[0]
    assert waits.status == "waiting" and waits.release is None
    assert cards.card(snapshot(office.house, waits)).rows[0].release.answer is None
    assert [inquiry.number for inquiry in released(office.house, office.dataset)] == [2]
    assert office.ledger.answer(waits.id) is None
    assert "people: The ledger has a result that was never released" in wrong(office)


def test_another_answer_counts_for_nothing(office: Office) -> None:
    """One that was changed is none, wherever it is asked for."""
    asked = office.ask(0.1)
    office.without_guards()
    office.by_hand("UPDATE answers SET body = replace(body, '\"answer\"', '\"answers\"')")
    assert find(office.house, asked.id).release is None and office.ledger.answer(asked.id) is None
    assert "people, entry 3: A result was changed or is missing" in wrong(office)


def test_an_approval_without_its_act_is_not_run(office: Office) -> None:
    """Neither at a restart nor on a card: nobody has approved it."""
    asked = office.ask(0.5)
    olga = office.who["olga"].id
    office.by_hand(f"UPDATE requests SET state = 'approved', decided_by = '{olga}' WHERE number = 1")
    forged = find(office.house, asked.id)
    assert "no such decision" in cards.card(snapshot(office.house, forged)).people.decision
    with pytest.raises(ParameterError, match="The audit log has no such decision, so"):
        execution.finish(office.again(), forged.id)
    housekeeping.resume(office.again())
    assert find(office.house, asked.id).release is None
    assert office.kinds(asked.id) == ["reserve"]


def test_an_act_that_nobody_sealed_approves_nothing(office: Office) -> None:
    """Whoever writes to the database can chain an act as well, but has no key."""
    asked = office.ask(0.5)
    olga = office.who["olga"].id
    office.by_hand(f"UPDATE requests SET state = 'approved', decided_by = '{olga}' WHERE number = 1")
    with office.store.engine.begin() as connection:
        row = dict(connection.execute(sa.select(replay.requests)).mappings().one())
        details = {"of": "request", "now": replay.state_of("request", row)}
        last = audit_log.newest(connection)
        audit_log.write(connection, last, office.house.now, olga, acts.APPROVED, "#1", **details)
    housekeeping.resume(office.again())
    assert find(office.house, asked.id).release is None
    assert "does not fit into the audit log" in wrong(office) and "Request #1 of people" in wrong(office)


def test_an_approval_says_what_was_approved(office: Office) -> None:
    """The request's hash, the verdict and the checklist stand on the trail, old and new."""
    asked = office.ask(0.5)
    done = decisions.decide(office.house, office.who["olga"], asked.id, "approved", "", CHECKED)
    act = next(entry for entry in audit_log.trail(office.store) if entry.what == "approved")
    assert act.details["now"]["state"] == "approved" and act.details["was"]["state"] == "waiting"
    assert act.details["now"]["checklist"] == CHECKED == done.checklist
    begun = next(entry for entry in audit_log.trail(office.store) if entry.what == "asked")
    assert begun.details["now"]["request"] == asked.id
    with looking(office.house, dataset=office.dataset) as visit:
        row = row_alone(line_of(visit.connection, asked.id))
        assert replay.stands(visit.trail, row, visit.row)


def test_lines_that_nobody_sealed_are_found(office: Office) -> None:
    """A line that fits the chain in every hash was still written by somebody else."""
    office.ask(0.1)
    last = office.ledger.lines[-1]
    line = last | {
        "seq": last["seq"] + 1,
        "request": "r",
        "kind": "refuse",
        "taken": None,
        "previous": last["hash"],
        "note": "",
    }
    line["hash"] = line_hash(line)
    names, values = ", ".join(line), ", ".join(f":{name}" for name in line)
    with office.store.engine.begin() as connection:
        connection.execute(sa.text(f"INSERT INTO lines ({names}) VALUES ({values})"), line)
    assert "An entry was written without the seal key" in str(verify(office.store, office.dataset).wrong)
    assert f"people, entry {line['seq']}: An entry was written without the seal key" in wrong(office)


CUTS = {
    "a trail": "DELETE FROM acts WHERE seq > 5",
    "a trail with its seals": "DELETE FROM acts WHERE seq > 5;DELETE FROM seals WHERE chain = 'trail' AND seq > 5",
    "a ledger": "DELETE FROM answers; DELETE FROM lines WHERE seq > 0;"
    "DELETE FROM seals WHERE chain <> 'trail' AND seq > 0",
}


@pytest.mark.parametrize("what", CUTS)
def test_a_chain_that_was_cut_is_found_by_the_exported_heads(office: Office, what: str) -> None:
    """Also where every seal that is left fits: the heads outside know what is gone."""
    office.ask(0.1)
    office.without_guards()
    if not office.store.lite:
        office.by_hand("ALTER TABLE seals DISABLE TRIGGER USER")
    for statement in CUTS[what].split(";"):
        office.by_hand(statement)
    cuts = [str(word) for word in inspection.look(office.house).cut]
    assert len(cuts) == 1 and "was cut, restored to an earlier state or rebuilt" in cuts[0]
    assert ("people" in cuts[0]) == (what == "a ledger")


def test_heads_are_told_outside_at_each_write_and_cannot_be_made_up(office: Office) -> None:
    """The newest line of each chain, sealed; one that was written by hand is found."""
    office.ask(0.1)
    heads = office.house.seal.exported().places
    head = office.ledger.lines[-1]
    assert heads[office.dataset][head["seq"]] == head["hash"]
    assert audit_log.head(office.store).split(":")[1] in heads[audit_log.CHAIN].values()
    assert office.house.seal.heads.stat().st_mode & 0o777 == 0o600
    with office.house.seal.heads.open("a") as file:
        file.write(f"trail 1:{'0' * 64} {'0' * 64}\n")
    assert "is not a hash sealed by this server" in wrong(office)


def test_a_disk_that_is_full_loses_no_decision(office: Office, caplog: Any) -> None:
    """Heads that cannot be written are told to the log; what is committed stays."""
    office.house.seal.heads.unlink()
    office.house.seal.heads.mkdir()
    assert office.ask(0.1).release is not None
    assert "heads are not exported" in caplog.text


def test_a_house_from_before_the_seals_is_taken_over_once(office: Office) -> None:
    """What stands there is sealed and told at the first start; afterwards nothing is."""
    office.ask(0.1)
    office.without_guards()
    if not office.store.lite:
        office.by_hand("ALTER TABLE seals DISABLE TRIGGER USER")
    for path in (office.house.seal.path, office.house.seal.heads):
        path.unlink()
    office.by_hand("DELETE FROM seals")
    again = office.again()
    findings = [act for act in audit_log.trail(again.store) if act.what == "found"]
    assert len(findings) == 7 + 1 + 1 and inspection.look(again).all == []
    office.by_hand("UPDATE people SET roles = 'administrator' WHERE login = 'eve'")
    assert "eve: “roles” does not match" in str(inspection.look(office.again()).all)


@pytest.mark.parametrize("harm", ["changed", "gone"])
def test_rows_that_are_damaged_are_found_under_the_name_of_their_data(office: Office, harm: str) -> None:
    """One byte more, or the file deleted."""
    (file,) = (path for path in (office.home / "vault").iterdir() if path.name != "key")
    file.write_bytes(file.read_bytes() + b"x") if harm == "changed" else file.unlink()
    said = {"changed": "The file in the vault differs from the one", "gone": "not in the vault"}[harm]
    assert wrong(office).startswith("people: The ") and said in wrong(office)


def test_a_vault_with_another_key_is_found(office: Office) -> None:
    """With it the same rows could be registered again, for another budget."""
    (office.home / "vault" / "key").write_bytes(b"1" * 64)
    assert "The vault key is not the key that was used" in wrong(office)


@pytest.mark.parametrize("server", ["postgresql"], indirect=True)
@pytest.mark.parametrize("table", ["budgets", "lines", "acts"])
def test_a_temporary_table_misleads_no_guard(office: Office, table: str) -> None:
    """The guards look at the tables of the ledger, whatever a session calls its own."""
    office.ask(0.1)
    edit = {"budgets": "capacity_loss = 9223372036854775807", "lines": "seq = seq + 1", "acts": "seq = seq + 1"}[table]
    last = office.ledger.lines[-1]
    more = {"budgets": 10**12, "lines": 0, "acts": 0}[table]
    line = last | {
        "seq": last["seq"] + (2 if table == "lines" else 1),
        "request": "r",
        "kind": "charge",
        "taken": None,
        "previous": last["hash"],
        "note": "",
        "hash": "h",
        "loss": more,
        "total_loss": last["total_loss"] + more,
    }
    names, values = ", ".join(line), ", ".join(f":{name}" for name in line)
    before = everything_in(office.store)
    refused = pytest.raises(sa.exc.DBAPIError, match="overspent|must follow|follows the last")
    with refused, office.store.engine.begin() as session:
        session.exec_driver_sql(f"CREATE TEMP TABLE {table} (LIKE public.{table})")
        session.exec_driver_sql(f"INSERT INTO pg_temp.{table} SELECT * FROM public.{table}")
        session.exec_driver_sql(f"UPDATE pg_temp.{table} SET {edit}")
        if table == "acts":
            session.exec_driver_sql(
                "INSERT INTO public.acts SELECT 2 + MAX(seq), '', '', 'x', '', '{}', '', 'h' FROM public.acts"
            )
        else:
            session.execute(sa.text(f"INSERT INTO public.lines ({names}) VALUES ({values})"), line)
    assert everything_in(office.store) == before


PLANTED: dict[str, tuple[str, str, Forge]] = {
    "an approval of a new request": (
        "requests",
        "decided_by = (SELECT id FROM people WHERE login = 'olga'), state = 'approved'",
        lambda office: office.ask(0.5, round=9),
    ),
    "roles of a new account": (
        "people",
        "roles = 'administrator'",
        lambda office: joining.invite(office.house, office.who["adam"], "mallory", "M", frozenset({"analyst"})),
    ),
    "a policy of new data": (
        "datasets",
        "policy = '{\"free\": 50}'",
        lambda office: registering.register(
            office.house,
            office.who["olga"],
            b"age,town\n1,north\n",
            replace(REGISTRATION, name="others", apart=APART),
            Policy(),
        ),
    ),
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_a_planted_trigger_writes_is_never_sealed(office: Office, what: str) -> None:
    """Whoever owns the database but not the key: the act would have told what the trigger wrote."""
    table, values, act = PLANTED[what]
    if office.store.lite:
        office.by_hand(
            f"CREATE TRIGGER z_planted AFTER INSERT ON {table} BEGIN UPDATE {table} SET {values} WHERE id = NEW.id; END"
        )
    else:
        assignments = "; ".join(f"NEW.{part.replace(' = ', ' := ', 1)}" for part in values.split(", "))
        office.by_hand(
            f"CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {assignments}; RETURN NEW; END $$"
        )
        office.by_hand(f"CREATE TRIGGER z_planted BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION planted()")
    before = everything_in(office.store)
    with pytest.raises(ParameterError, match="The database wrote something different from"):
        act(office)
    assert everything_in(office.store) == before
    office.by_hand("DROP TRIGGER z_planted" + ("" if office.store.lite else f" ON {table}"))
    assert not wrong(office)
    act(office)


@ON_SQLITE
def test_forgeries_that_nobody_replays_are_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks fail where the trail is not replayed, and where no seal is looked at."""
    office.by_hand(FORGERIES["roles"][0])
    with monkeypatch.context() as broken:
        broken.setattr(inspection, "_replayed", lambda *_: [])
        assert wrong(office) == ""
    assert wrong(office)


def test_the_trail_says_who_did_what(office: Office) -> None:
    """Old and new values; the server answers, not the analyst; a reset is no invitation."""
    house, ann = office.house, office.who["ann"]
    link = joining.renew(house, ann, "bob")
    joining.choose_password(house, link, "another long password")
    accounts.change(house, office.who["adam"], "eve", frozenset({"officer"}), True)
    accounts.change(house, ann, "eve", frozenset({"officer"}), True)
    newest = [act for act in audit_log.trail(office.store, 4) if act.what != "roles proposed"]
    assert [(act.who, act.what, act.about) for act in newest] == [
        (ann.id, "roles", "eve"),
        (office.who["bob"].id, "joined", "bob"),
        (ann.id, "renewed", "bob"),
    ]
    assert replay.changed(newest[0].details) == [("roles", "analyst", "officer")]
    assert replay.changed(newest[1].details) == [("password", "…", "…")]
    asked = office.ask(0.5)
    decisions.decide(house, office.who["olga"], asked.id, "approved", "", CHECKED)
    answered = audit_log.trail(office.store, 1)[0]
    assert (answered.what, answered.who, answered.nobody) == ("answered", "", "the server")


def test_saving_what_was_there_already_is_no_act(office: Office) -> None:
    """Roles, a policy and a publication that do not change leave no line."""
    house, ann, olga = office.house, office.who["ann"], office.who["olga"]
    before = len(audit_log.trail(office.store))
    accounts.change(house, ann, "eve", frozenset({"analyst"}), True)
    changes.amend(house, olga, office.dataset, registry.find(house, office.dataset).policy)
    lifecycle.publish(house, olga, office.dataset, False)
    assert len(audit_log.trail(office.store)) == before
    decisions.decide(house, olga, office.ask(0.5).id, "denied", REASON)
    assert isinstance(house, House) and wrong(office) == ""
