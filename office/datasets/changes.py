"""Changes of a registered dataset: new rows, more columns, another policy; none opens another budget."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import update

from discreet.budget import ParameterError
from discreet.office.datasets import fingerprint, likeness, registering, registry
from discreet.office.datasets.later_bounds import NONE, Later, grown
from discreet.office.datasets.registry import Registered
from discreet.office.house import acts, versions
from discreet.office.house.audit_log import Excerpt, trail
from discreet.office.house.house import House, writable
from discreet.office.house.roles import OFFICER, Member, present, require
from discreet.office.house.tables import datasets
from discreet.office.rules import registration, rights
from discreet.office.rules.registration import VERSION, Policy, Registration
from discreet.office.rules.two_persons import Motion, Wish
from discreet.office.rules.visit import Visit, acting
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

    `read` is that as the proposing officer wrote it.
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
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = rights.may_keep(visit)
        registering.refuse_known(house, rows["fingerprint"])
        others = likeness.alike_by_rows(house, imprints, dataset)
        likeness.check_word(visit, others, words.apart)
        why = _said(visit, "why", " ".join([words.why, *([words.apart] if others else [])]))
        data = _open(registry.of(visit))
        same = {name: rows[name] for name in ("fingerprint", "layout")} | {"after": len(data.versions)}
        wanted = same | {"layout": words.read, "correction": False} | words.later.wanted  # as earlier versions say it
        wish = Wish(VERSION, dataset, wanted)
        # bounds that go further take two, whatever the policy says of versions
        consent = rights.agreed(visit, wish) if words.later.ends else rights.agreed_act(visit, VERSION, wanted)
        if consent is None:
            rights.propose(visit, wish, (acts.VERSION_PROPOSED, data.name), why=why["why"], **words.later.wanted)
            return False
        lines = versions.follow(visit.connection, visit.row, rows | why)
        more = {name: lines[-1][name] for name in ("version", "since")} | stead | consent
        visit.act(acts.RENEWED_ROWS, data.name, {"versions": lines}, **more)
        if words.later.ends:
            _go_further(visit, data, words.later, stead)
    return True


def _go_further(visit: Visit, data: Registered, later: Later, more: dict[str, Any]) -> None:
    """Write down the bounds that hold from the new version on, as an extension of the declaration."""
    said = replace(data.registration, schema=grown(data.registration.schema, later))
    _extend(visit, data, said, later.wanted | more)


def _extend(visit: Visit, data: Registered, said: Registration, more: dict[str, Any]) -> None:
    """Write down the declaration that holds from the next request on."""
    at = visit.house.now.isoformat(timespec="seconds")
    values = {"body": said.schema.to_json(), "by": visit.who.id, "at": at}
    lines = registration.follow(visit.connection, visit.row["declarations"], data.id, values)
    frozen = sha256(said.to_json().encode()).hexdigest()
    more = {"registration": frozen, "since": lines[-1]["since"]} | more
    visit.act(acts.EXTENDED, data.name, {"declarations": lines}, **more)


def _as_before(data: Registered, content: bytes) -> Layout | None:
    """Return the default reading of a file: that of the version before it, if both have the same format."""
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


def note(house: House, who: Member, dataset: str, text: str) -> None:
    """Add a dated note to what was said of a dataset: every card shows it from now on."""
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = rights.may_keep(visit)
        lines = versions.note(visit.connection, visit.row, _said(visit, "text", text))
        visit.act(acts.NOTED, visit.row["name"], {"errata": lines}, **stead)


def proposed(house: House, data: Registered) -> str:
    """Return what was said of the version that an officer proposed last."""
    sieve = Excerpt(about=data.name, what=(acts.VERSION_PROPOSED.name,))
    return next((str(act.details["why"]) for act in trail(house.store, 1, sieve)), "")


def _open(data: Registered) -> Registered:
    """Refuse closed data, and those that are read anew for every answer."""
    data.check_open()
    if data.remote:
        raise ParameterError(
            "These rows are read at their source for every result, in their current state. They need no versions."
        )
    return data


def _said(visit: Visit, field: str, text: str) -> dict[str, str]:
    """Return the notes of officers about a dataset, with author and time."""
    words = " ".join(writable(text).split())
    if not FEWEST <= len(words) <= LONGEST:
        raise ParameterError("Describe what is new in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST)
    return {field: words, "by": visit.who.id, "at": visit.house.now.isoformat(timespec="seconds")}


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
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = rights.may_keep(visit)
        data = registry.of(visit)
        if seen not in (None, fingerprint.of_extension(data, schema)):
            raise ParameterError(fingerprint.OTHER)
        return _wanted(visit, data, extended(data, schema), stead)


def _wanted(visit: Visit, data: Registered, said: Registration, stead: dict[str, Any]) -> bool:
    """Write down what two officers want, or that one does."""
    wish = Wish(KIND, data.id, json.loads(said.schema.to_json()))
    consent = rights.agreed(visit, wish)
    if consent is None:
        frozen = sha256(said.to_json().encode()).hexdigest()
        rights.propose(visit, wish, (acts.EXTENSION_PROPOSED, data.name), registration=frozen)
        return False
    _extend(visit, data, said, stead | consent)
    return True


def extended(data: Registered, schema: Schema) -> Registration:
    """Return what is said of a dataset once more of it is declared, or say why that cannot be."""
    data.check_open()
    before = data.registration.schema
    if set(schema.columns) != set(before.columns):
        raise ParameterError("Only registered columns can be declared. List each of them, and no others.")
    _check_kept(before, schema, data.remote)
    if schema.columns == before.columns:
        raise ParameterError(
            "The schema has no additions yet. Declare an ignored column, or add allowed values at the end of a list."
        )
    columns = {name: schema.columns[name] for name in before.columns}
    return replace(data.registration, schema=replace(before, columns=columns))


def _check_kept(before: Schema, after: Schema, remote: bool) -> None:
    """Refuse a change of the meaning of a declared column, or of the privacy unit.

    Rows that stay where they are have no versions: their bounds go further here.
    """
    for name in (*before.used, *before.derived):
        column = after.columns[name]
        if not column.continues(before.columns[name]) and not (remote and column.outgrows(before.columns[name])):
            raise ParameterError(
                "The declaration of column {name!r} cannot be changed. You can only add allowed values at "
                "the end of a list.",
                name=name,
            )
    if after.person != before.person:
        raise ParameterError(
            "A column that identifies people cannot be declared later, because earlier results "
            "protect a different unit. If nothing was requested yet, withdraw this registration and "
            "register the dataset again."
        )


# Rulings: officers change the policy of a dataset, two of them where questions run at once.


def amend(house: House, who: Member, dataset: str, policy: Policy) -> bool:
    """Change the policy from now on; what was decided stays decided.

    Return False where it waits: what loosens it, or names other people, needs a second officer of the
    house who says the same, if there is one.
    """
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        name = visit.row["name"]
        before = visit.sealed_policy
        wanted = {"policy": json.loads(policy.to_json())}
        stead = rights.may_rule(visit, wanted["policy"])
        rights.check_named(visit, policy)
        if policy == before:
            return True  # it holds already and needs no second approval
        consent = rights.agreed_policy(visit, policy, before)
        if consent is None:
            rights.propose_policy(visit, name, policy)
            return False
        meant = {"policy": policy.to_json()}
        visit.connection.execute(update(datasets).filter_by(id=dataset).values(**meant))
        both = wanted | {"before": json.loads(before.to_json())}
        visit.act(acts.POLICY, name, meant, **both, **(stead | consent))
    return True
