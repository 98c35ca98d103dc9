"""Registering: rows go into the vault, their budget is opened, and both happen once only."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import insert, select

from discreet.budget import RULES, ParameterError, Phrase
from discreet.budget.allowance import WAVE
from discreet.budget.durable import open_budget
from discreet.office.datasets import lifecycle, likeness, places, registry
from discreet.office.datasets.likeness import Alike
from discreet.office.datasets.places import table_of
from discreet.office.datasets.registry import Registered, curator, dataset_of, find
from discreet.office.house import acts
from discreet.office.house.house import House
from discreet.office.house.roles import OFFICER, Member, present, require
from discreet.office.house.tables import datasets, versions
from discreet.office.rules import rights
from discreet.office.rules.registration import Policy, Registration
from discreet.office.rules.visit import Visit, acting
from discreet.rows.engines.registry import Address, is_live
from discreet.rows.files import Layout, suggest
from discreet.rows.imprints import Imprints
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource, Source


class Known(ParameterError):
    """Rows are registered already; where nothing was asked of them, that registration can be replaced."""

    def __init__(self, dataset: str, name: str, untouched: bool) -> None:
        """Name it, and what can be done."""
        self.dataset = dataset
        self.untouched = untouched
        words = Phrase("These rows are already registered as {name}. One dataset has one budget.", name=name)
        if untouched:
            words = Phrase(
                "{known} It has no requests yet. If that registration was a mistake, replace it, or "
                "withdraw it on its page.",
                known=words,
            )
        super().__init__("{wrong}", wrong=words)


LATER = ("columns", "lenient")  # parts of a layout that earlier versions of this program did not know


def register(
    house: House,
    who: Member,
    content: bytes | Address,
    registration: Registration,
    policy: Policy,
    layout: Layout | None = None,
    through: str = "",
    replaces: str = "",
) -> Registered:
    """Take rows into the vault and open their budget; the same rows are registered once only.

    A dataset without any request can be withdrawn for the one that `replaces` it.

    Of rows that are reached `through` a connection of the house no password is kept with them. Of a table
    of a database, or a folder, only the address is taken; the same one is registered once only.
    Where another officer is there, nothing runs at once until that one confirms the policy.
    """
    require(who, OFFICER)
    with house.store.reading() as reading:
        present(reading, who, OFFICER)  # only an officer lets the server read a file or an address
    _check_periods(content, registration)
    registration.check_unit()
    source, how, content = opened(content, layout)
    registration = replace(registration, schema=declared(source, registration.schema))
    how, content = _through(house, who, source, through) if through else (how, content)
    dataset_of(source, registration.schema)  # refuses a declaration that the data do not have
    imprints = likeness.taken(house, who, source, registration)
    mark = house.vault.fingerprint(source.digest)
    name = uuid4().hex
    with house.vault.keeping(content) as place, acting(house, who, OFFICER, dataset=replaces) as old:
        visit = old.to(name)
        rights.check_named(visit, policy)
        before = lifecycle.in_place_of(old, registration.name) if replaces else None
        refuse_known(house, mark, registration.name, rights.kept_by(visit))
        if through:
            places.check_usable(visit, through)
        others = _others(visit, source, registration, imprints)
        likeness.keep(house, place, imprints, registration)
        rows = {"fingerprint": mark, "content": place, "layout": how}
        _enrol(visit, registration, policy, rows, _likes(others, registration))
    if before is not None:
        lifecycle.delete_rows(house, before)
    if house.ahead:
        begin(house, name)
    return find(house, name)


def _through(house: House, who: Member, source: Source, through: str) -> tuple[str, bytes]:
    """Return how rows are reached through a connection, and what the vault keeps: the place, without a password."""
    if not is_live(source):
        raise ParameterError(places.ABSENT)
    if places.reach(house, who, through, table_of(source.where)).digest != source.digest:
        raise ParameterError(places.OTHERWISE)
    how = json.dumps({"format": source.where.format, places.THROUGH: through})
    return how, source.where.bare.to_json().encode()


def _check_periods(content: bytes | Address, registration: Registration) -> None:
    """Refuse waves as periods of rows that stay where they are: no version would ever begin one."""
    allowance = registration.allowance
    if not isinstance(content, bytes) and allowance is not None and allowance.span == WAVE:
        raise ParameterError("A dataset that stays at its source has no waves. Choose months, quarters or years.")


def _others(visit: Visit, source: Source, registration: Registration, imprints: Imprints | None) -> list[Alike]:
    """Refuse rows like registered ones until it is said why their people are others; return what they are like."""
    others = likeness.alike(visit.house, source.names, registration.source, _address(source), imprints)
    likeness.check_word(visit, others, registration.apart)
    return others


def _likes(others: list[Alike], registration: Registration) -> dict[str, Any]:
    """Return the details for the trail about similar registered data."""
    return {"like": [other.data.name for other in others], "apart": registration.apart} if others else {}


def _address(source: Source) -> Address | None:
    """Return where rows stay; nothing where they come in."""
    return source.where if is_live(source) else None


def begin(house: House, dataset: str) -> None:
    """Begin to open rows, before anybody asks."""
    with suppress(ParameterError):
        curator(house, dataset)


def _enrol(
    visit: Visit, registration: Registration, policy: Policy, rows: dict[str, str], likes: dict[str, Any]
) -> None:
    """Open the budget and write down what was said; until a second officer agrees nothing runs at once, and
    a policy that names one of several officers names none."""
    house = visit.house
    consent = rights.agreed_beginning(visit, policy)
    holds = policy if consent is not None else rights.without_consent(visit, policy)
    limit = registration.limit
    rule = RULES[registration.rule]
    clock = registry.clock(house)
    open_budget(house.store, visit.dataset, limit, rule, registration.allowance, clock)
    row = {
        **rows,
        "id": visit.dataset,
        "name": registration.name,
        "body": registration.to_json(),
        "policy": holds.to_json(),
        "state": "open",
        "published": False,
        "by": visit.who.id,
        "at": house.now.isoformat(timespec="seconds"),
    }
    visit.connection.execute(insert(datasets).values(**row))
    frozen = sha256(registration.to_json().encode()).hexdigest()
    more = {"registration": frozen, "policy": json.loads(holds.to_json())} | (consent or {}) | likes
    visit.act(acts.REGISTERED, registration.name, row, **more)
    if consent is None:
        rights.propose_policy(visit.to(visit.dataset), registration.name, policy)  # which names officers by now


def opened(content: bytes | Address, layout: Layout | None) -> tuple[Source, str, bytes]:
    """Return rows to register, how they are read, and what the vault keeps."""
    if isinstance(content, bytes):
        layout = layout or suggest(content)
        file = LocalSource(content, layout)
        return file, written(file.layout or layout), content
    source = places.settled(content)
    return source, json.dumps({"format": content.format}), source.where.to_json().encode()


def declared(source: Source, schema: Schema) -> Schema:
    """Return a declaration with how its file is read: it is frozen with all else that is declared."""
    return replace(schema, layout=getattr(source, "layout", None))


def written(layout: Layout) -> str:
    """Write a layout down; what an earlier version did not know is left out where it is as usual."""
    return json.dumps({name: value for name, value in asdict(layout).items() if value or name not in LATER})


def refuse_known(house: House, mark: str, name: str = "", mine: frozenset[str] = frozenset()) -> None:
    """Refuse rows that are registered, in any version of any dataset, and a name that is given.

    Only officers who manage them (`mine`) see whether they have requests.
    """
    with house.store.reading() as connection:
        first = select(datasets.c.id, datasets.c.name).filter_by(fingerprint=mark)
        later = select(datasets.c.id, datasets.c.name).join(versions, versions.c.dataset == datasets.c.id)
        for same in (first, later.where(versions.c.fingerprint == mark)):
            other = connection.execute(same).first()
            if other is not None:
                raise Known(other.id, other.name, other.id in mine and lifecycle.untouched(house, other.id))
        if connection.execute(select(datasets.c.id).filter_by(name=name)).first():
            raise ParameterError("A dataset with this name already exists. Choose another name.")
