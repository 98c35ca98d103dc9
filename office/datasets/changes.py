"""Changes of a registered dataset: new rows, more columns, another policy; none opens another budget."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, update

from discreet.budget import ParameterError
from discreet.office.datasets import fingerprint, likeness, registering, registry
from discreet.office.datasets.later_bounds import NONE, Later, grown
from discreet.office.datasets.registry import Registered, find
from discreet.office.house import acts, versions
from discreet.office.house.audit_log import Excerpt, trail
from discreet.office.house.house import House, writable
from discreet.office.house.roles import OFFICER, Member, present, require
from discreet.office.house.tables import datasets
from discreet.office.rules import registration, rights
from discreet.office.rules.registration import VERSION, Policy, Registration
from discreet.office.rules.two_persons import Motion
from discreet.rows.capacity import LOOK
from discreet.rows.files import Layout, recognised
from discreet.rows.imprints import Imprints
from discreet.rows.intake.opening import Keeping
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource

# Renewal: new rows of the same people, and dated notes; neither opens another budget.
#
# A version is for data that come again: the next wave, a corrected file, a table that has grown. All of
# its answers are charged to the one ledger of the dataset, whichever version they are of.
# Where the policy wants two officers for a version, the second one brings the same file: no rows are kept of
# what one officer proposes.

FEWEST = 10
LONGEST = 500


@dataclass(frozen=True)
class Testimony:
    """What an officer says of rows: what is new, why their people are others; and how they are read.

    `read` is that in the words of whoever proposed them.
    """

    why: str
    apart: str
    read: str
    later: Later


def renew(
    house: House,
    who: Member,
    dataset: str,
    content: bytes,
    why: str,
    layout: Layout | None = None,
    apart: str = "",
    *,
    later: Later = NONE,
) -> Registered | None:
    """Take a new version of the rows into the vault; the next request on is answered from it.

    Return None where it waits for a second officer who brings the same rows, as the policy wants.

    What waits is answered from the rows that it was asked of, so these stay until the data are deleted.
    Rows that are in another dataset come in only with the word why their people are others. Bounds that are
    `later` hold from it on; they take two officers, as whatever is declared later does.
    """
    require(who, OFFICER)
    with house.store.reading() as reading:
        present(reading, who, OFFICER)
    data = _open(registry.find(house, dataset))
    source, how, content = registering.opened(content, layout or _as_before(data, content))
    registry.dataset_of(source, grown(data.registration.schema, later))  # all declared columns are there
    imprints = likeness.taken(house, who, source, data.registration)
    mark = house.vault.fingerprint(source.digest)
    read = _as_proposed(rights.pending(house, VERSION, dataset), mark, how, content)
    words = Testimony(why, apart, read, later)
    with house.vault.keeping(content) as place:
        likeness.keep(house, place, imprints, data.registration)
        rows = {"fingerprint": mark, "content": place, "layout": how}
        if not _brought(house, who, dataset, rows, imprints, words):
            house.vault.delete(place)
            return None
    if house.ahead:
        registering.begin(house, dataset)
    return registry.find(house, dataset)


def _brought(
    house: House, who: Member, dataset: str, rows: dict[str, str], imprints: Imprints | None, words: Testimony
) -> bool:
    """Write a version down, or that one officer wants it; return whether it holds."""
    with house.writing(dataset) as connection:
        present(connection, who, OFFICER)
        stead = rights.may_keep(house, connection, who, dataset)
        registering.refuse_known(house, rows["fingerprint"])
        others = likeness.alike_by_rows(house, imprints, dataset)
        likeness.check_word(house, connection, who, others, words.apart)
        why = _said(house, who, "why", " ".join([words.why, *([words.apart] if others else [])]))
        data = _open(registry.find(house, dataset))
        same = {name: rows[name] for name in ("fingerprint", "layout")} | {"after": len(data.versions)}
        wanted = same | {"layout": words.read, "correction": False} | words.later.wanted  # as earlier versions say it
        consent = _agreed(house, connection, who, dataset, wanted, words.later)
        if consent is None:
            act = (acts.VERSION_PROPOSED, data.name)
            bounds = words.later.wanted
            rights.propose(house, connection, who, (VERSION, dataset, wanted), act, why=why["why"], **bounds)
            return False
        _follow(house, connection, who, data, rows | why, stead | consent)
        if words.later.ends:
            _go_further(house, connection, who, data, words.later, stead)
    return True


def _agreed(
    house: House, connection: Connection, who: Member, dataset: str, wanted: dict[str, Any], later: Later
) -> dict[str, Any] | None:
    """Return what the trail says of a version that holds now; None where a second officer has to want the same."""
    if later.ends:
        return rights.agreed(house, connection, who, OFFICER, (VERSION, dataset, wanted))
    return rights.agreed_act(house, connection, who, dataset, VERSION, wanted)


def _go_further(
    house: House, connection: Connection, who: Member, data: Registered, later: Later, more: dict[str, Any]
) -> None:
    """Write down the bounds that hold from the new version on, as an extension of the declaration."""
    said = replace(data.registration, schema=grown(data.registration.schema, later))
    values = {"body": said.schema.to_json(), "by": who.id, "at": house.now.isoformat(timespec="seconds")}
    before = registry.row_in(connection, data.id)["declarations"]
    lines = registration.follow(connection, before, data.id, values)
    frozen = sha256(said.to_json().encode()).hexdigest()
    more = {"registration": frozen, "since": lines[-1]["since"]} | later.wanted | more
    house.act(connection, who.id, acts.EXTENDED, data.name, {"declarations": lines}, **more)


def _as_before(data: Registered, content: bytes) -> Layout | None:
    """Return how a file is read where nobody says it: as the rows before it, if it is a file of the same kind."""
    before = data.registration.schema.layout or data.versions[-1].layout
    return before if before is not None and before.format == recognised(content[:LOOK]).name else None


def _as_proposed(motion: Motion | None, mark: str, how: str, content: bytes) -> str:
    """Return how a file is read in the words of who proposed it, if these say the same of this file.

    Earlier versions of this program said less: no number of columns, and not which sheet was read.
    """
    before = motion.wanted if motion is not None else {}
    if before.get("fingerprint") != mark or before["layout"] == how:
        return how
    said = Layout(**json.loads(before["layout"]))
    read = LocalSource(content, said, keeping=Keeping(again=True)).layout or said
    return str(before["layout"]) if registering.written(read) == how else how


def _follow(
    house: House, connection: Connection, who: Member, data: Registered, values: dict[str, Any], agreed: dict[str, Any]
) -> None:
    """Write down a version of data that are open still."""
    row = registry.row_in(connection, data.id)
    lines = versions.follow(connection, row, values)
    more = {name: lines[-1][name] for name in ("version", "since")} | agreed
    house.act(connection, who.id, acts.RENEWED_ROWS, data.name, {"versions": lines}, **more)


def note(house: House, who: Member, dataset: str, text: str) -> None:
    """Add a dated note to what was said of a dataset: every card shows it from now on."""
    require(who, OFFICER)
    with house.writing(dataset) as connection:
        present(connection, who, OFFICER)
        stead = rights.may_keep(house, connection, who, dataset)
        data = registry.find(house, dataset)
        row = registry.row_in(connection, dataset)
        lines = versions.note(connection, row, _said(house, who, "text", text))
        house.act(connection, who.id, acts.NOTED, data.name, {"errata": lines}, **stead)


def proposed(house: House, data: Registered) -> str:
    """Return what was said of the version that an officer proposed last."""
    sieve = Excerpt(about=data.name, what=(acts.VERSION_PROPOSED.name,))
    return next((str(act.details["why"]) for act in trail(house.store, 1, sieve)), "")


def _open(data: Registered) -> Registered:
    """Refuse closed data, and those that are read anew for every answer."""
    data.check_open()
    if data.remote:
        raise ParameterError(
            "These rows are read where they are for every answer, as they are then. They need no versions."
        )
    return data


def _said(house: House, who: Member, field: str, text: str) -> dict[str, str]:
    """Return what an officer writes about a dataset, by whom and when."""
    words = " ".join(writable(text).split())
    if not FEWEST <= len(words) <= LONGEST:
        raise ParameterError("Say what is new in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST)
    return {field: words, "by": who.id, "at": house.now.isoformat(timespec="seconds")}


# Extension: officers declare more of a registered dataset; what was declared stays, and so does its budget.

KIND = "declaration"


def extend(house: House, who: Member, dataset: str, schema: Schema, seen: str | None = None) -> bool:
    """Declare more from the next request on; what was asked stays under what it was asked under.

    Return False where it waits for a second officer who wants the same, if there is one. `seen` is
    the `fingerprint.of_extension` of the page on which it was wanted: another one is refused.
    """
    require(who, OFFICER)
    with house.store.reading() as reading:
        present(reading, who, OFFICER)
    extended(registry.find(house, dataset), schema)
    row = registry.row_of(house, dataset)
    if registry.is_remote(row):
        registry.open_rows(house, row, schema)  # before anything is locked: what is declared must be readable now
    with house.writing(dataset) as connection:
        present(connection, who, OFFICER)
        stead = rights.may_keep(house, connection, who, dataset)
        data = registry.find(house, dataset)
        if seen not in (None, fingerprint.of_extension(data, schema)):
            raise ParameterError(fingerprint.OTHER)
        return _wanted(house, connection, who, data, extended(data, schema), stead)


def _wanted(
    house: House, connection: Connection, who: Member, data: Registered, said: Registration, stead: dict[str, Any]
) -> bool:
    """Write down what two officers want, or that one does."""
    body = said.schema.to_json()
    frozen = sha256(said.to_json().encode()).hexdigest()
    wish = KIND, data.id, json.loads(body)
    consent = rights.agreed(house, connection, who, OFFICER, wish)
    if consent is None:
        act = acts.EXTENSION_PROPOSED, data.name
        rights.propose(house, connection, who, wish, act, registration=frozen)
        return False
    before = registry.row_in(connection, data.id)["declarations"]
    values = {"body": body, "by": who.id, "at": house.now.isoformat(timespec="seconds")}
    lines = registration.follow(connection, before, data.id, values)
    more = {"registration": frozen, "since": lines[-1]["since"]} | stead | consent
    house.act(connection, who.id, acts.EXTENDED, data.name, {"declarations": lines}, **more)
    return True


def extended(data: Registered, schema: Schema) -> Registration:
    """Return what is said of a dataset once more of it is declared, or say why that cannot be."""
    data.check_open()
    before = data.registration.schema
    if set(schema.columns) != set(before.columns):
        raise ParameterError("Only columns that were registered can be declared: name each of them, and no other.")
    _check_kept(before, schema, data.remote)
    if schema.columns == before.columns:
        raise ParameterError(
            "Nothing more is declared yet. Declare an ignored column, or add levels at the end of a list."
        )
    columns = {name: schema.columns[name] for name in before.columns}
    return replace(data.registration, schema=replace(before, columns=columns))


def _check_kept(before: Schema, after: Schema, remote: bool) -> None:
    """Refuse what says something else of a declared column, or of whose rows they are.

    Rows that stay where they are have no versions: their bounds go further here.
    """
    for name in before.used:
        column = after.columns[name]
        if not column.continues(before.columns[name]) and not (remote and column.outgrows(before.columns[name])):
            raise ParameterError(
                "Column {name!r} stays as it was declared. Levels can be added at the end of a list, nothing else.",
                name=name,
            )
    if after.person != before.person:
        raise ParameterError(
            "A column that names the person cannot be declared later: answers so far protect somebody else. "
            "If nothing was asked yet, withdraw this registration, and register the data anew."
        )


# Rulings: officers change the policy of a dataset, two of them where questions run at once.


def amend(house: House, who: Member, dataset: str, policy: Policy) -> bool:
    """Change the policy from now on; what was decided stays decided.

    Return False where it waits: what loosens it, or names other people, needs a second officer of the
    house who says the same, if there is one.
    """
    require(who, OFFICER)
    with house.writing(dataset) as connection:
        present(connection, who, OFFICER)
        data = find(house, dataset)
        before = rights.sealed_policy(house, connection, dataset)
        stead = rights.may_rule(house, connection, who, dataset, json.loads(policy.to_json()))
        rights.check_named(connection, policy)
        if policy == before:
            return True  # it holds already, and nobody has to want it twice
        consent = rights.agreed_policy(house, connection, who, dataset, policy, before)
        wanted = {"policy": json.loads(policy.to_json())}
        if consent is None:
            rights.propose_policy(house, connection, who, dataset, data.name, policy)
            return False
        meant = {"policy": policy.to_json()}
        connection.execute(update(datasets).filter_by(id=dataset).values(**meant))
        both = wanted | {"before": json.loads(before.to_json())}
        house.act(connection, who.id, acts.POLICY, data.name, meant, **both, **(stead | consent))
    return True
