"""A long day: everything that can be done in a house, some of it in vain."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from discreet.budget import ParameterError
from discreet.evidence.layers import Layer
from discreet.office import Policy
from discreet.office.auditing import bundles
from discreet.office.cards import proof
from discreet.office.datasets import changes, letterhead, lifecycle, places, registering
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.notices import deadlines, mail
from discreet.office.people import accounts, joining, second_factor_setup, signing_in, tokens
from discreet.office.requests import remarks, request
from discreet.office.rules import rights, substitutes
from discreet.office.rules.visit import select_requests
from discreet.rows import Category, Schema
from discreet.rows.engines.connection import DatabaseSource
from support.codes import equip, halfway, wrong_code
from support.offices import APART, CANARY, CHECKED, CONTENT, POLICY, REASON, REGISTRATION, SCHEMA, Office, secret_of


def none_of_them(run: Any, name: str, *_: Any) -> Layer:
    """Compute no layer of evidence."""
    return Layer(name, None, None)


def a_long_day(office: Office) -> None:
    """Do everything that can be done, some of it in vain."""
    house, ann, olga = office.house, office.who["ann"], office.who["olga"]
    bob = signing_in.sign_in(house, "bob", secret_of("bob"))
    token = signing_in.enter(house, signing_in.ticket(house, bob, "b"), "b")
    assert token is not None
    with pytest.raises(ParameterError):
        signing_in.sign_in(house, "bob", CANARY)
    office.ask(0.1)
    for at, verdict in enumerate(("approved", "denied", "changes")):
        decisions.decide(house, olga, office.ask(0.5, round=at).id, verdict, REASON, CHECKED)
    decisions.withdraw(house, bob, office.ask(0.5, round=4).id)
    late = office.ask(0.5, round=5)
    remarks.remark(house, bob, late.id, "Please look at it.")
    office.clock.now += 13 * asking.DAY
    deadlines.remind(house)
    office.clock.now += 2 * asking.DAY
    assert decisions.sweep(house) == 1
    with pytest.raises(ParameterError):
        registering.register(house, ann, CONTENT, REGISTRATION, POLICY)
    folk = office.home.parent / "folk.db"
    with closing(sqlite3.connect(folk)) as db, db:
        db.execute("CREATE TABLE folk (age INTEGER, town TEXT)")
    where, said = DatabaseSource(f"sqlite:///{folk}", "folk"), replace(REGISTRATION, name="folk", apart=APART)
    linked = registering.register(house, ann, where, said, POLICY)
    lifecycle.reconnect(house, ann, linked.id, where)
    office.amend(free=0.1, shares={"bob": 1.0})
    wider = Schema({**SCHEMA.columns, "town": Category(("north", "south", "west"))})
    for officer in (ann, olga):
        changes.extend(house, officer, office.dataset, wider)
    changes.renew(house, olga, office.dataset, CONTENT + b"1,north,x\n", "one more row of the same people")
    changes.note(house, olga, office.dataset, "the source was spelled otherwise")
    lifecycle.check_ledger(house, ann, office.dataset)
    bundles.bundle(house, olga, office.dataset, bundles.Period())
    proof.examine(house, olga, request.listed(house, select_requests())[0].id, compute=none_of_them)
    for published in (True, False):
        lifecycle.publish(house, olga, office.dataset, published)
    lifecycle.close(house, olga, office.dataset)
    lifecycle.erase(house, olga, office.dataset)
    for who in (ann, office.who["adam"]):
        accounts.change(house, who, "eve", frozenset({"officer"}), False)
    accounts.erase_name(house, ann, "eve")
    joining.renew(house, ann, "otto")
    accounts.end_sessions(house, ann, "otto")
    changes.amend(house, ann, linked.id, Policy(free=0.3))
    mistaken = replace(REGISTRATION, name="mistaken", apart=APART)
    mistake = registering.register(house, olga, CONTENT + b"2,north,x\n", mistaken, Policy())
    lifecycle.withdraw(house, olga, mistake.id, "registered by mistake")
    today = house.now.date()
    substitutes.name_substitute(house, ann, "olga", today, today)
    substitutes.end_substitution(house, olga, substitutes.substitutions(house, olga)[0].id)
    recoveries = equip(office, "adam")[1]
    wrong_code(office, halfway(office, "adam"))
    assert signing_in.give_code(house, halfway(office, "adam"), recoveries[0]) == office.who["adam"]
    second_factor_setup.take_factor(house, ann, "adam")
    mail.set_address(house, bob, "bob", "bob@example.org")
    tokens.issue(house, bob, "nightly", frozenset({"read"}), 30)
    tokens.revoke(house, bob, tokens.own_tokens(house, bob)[0].id)
    letterhead.declare(house, office.who["adam"], letterhead.Letterhead("Town Hospital"))
    places.connect(house, office.who["adam"], "register", f"sqlite:///{folk}")
    places.disconnect(house, office.who["adam"], "register")
    waits = rights.pending(house, "policy", linked.id)
    assert waits is not None
    rights.drop(house, ann, "officer", waits, linked.name)
    joining.from_provider(house, "s", "carl", "Carl", frozenset())
    signing_in.end_session(house, token, bob)
