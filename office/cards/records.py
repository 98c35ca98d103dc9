"""Records of releases: as public registries and YAML have them, and all answers of a dataset as one text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from discreet.budget import Cost, Phrase
from discreet.budget.durable import DurableLedger
from discreet.budget.durable.lines import Line
from discreet.budget.plugins import Registry
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.records import Shown
from discreet.curator.request import plain
from discreet.office.cards.card import Accounting, Card, Data, Identity, Row
from discreet.office.cards.review_case import Standing, anchor
from discreet.office.datasets import registry
from discreet.office.datasets.letterhead import CURATORS, SECTORS
from discreet.office.datasets.registry import Registered
from discreet.office.house.house import House
from discreet.office.requests.request import Inquiry, released
from discreet.report.export import release_record
from discreet.rows.schema import Schema

# Notation: YAML and sentences of records; lines stay lines.


def points_of(texts: Iterable[str]) -> str:
    """Write texts as a list."""
    return "\n".join(f"- {text}" for text in texts)


def cost_words(cost: Cost) -> str:
    """Write a cost."""
    delta = f", delta {cost.delta:.6g}" if cost.delta else ""
    return f"epsilon {cost.epsilon:.9g}{delta}"


def yaml_of(thing: Any) -> str:
    """Write YAML; phrases become plain texts first, and lines stay lines."""
    plain = json.loads(json.dumps(thing))
    return str(yaml.dump(plain, Dumper=_Lines, sort_keys=False, allow_unicode=True, width=100))


class _Lines(yaml.SafeDumper):
    """The safe dumper, with texts of several lines as they are."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Lines.add_representer(str, _text)


# Assumptions: who is trusted with what, and whether the rows can change, as a record says it.


ACTORS = (
    "- Officers register the data, see the requests and decide. They see no result before they decide.\n"
    "- Analysts see the schema of the data and their own results, never a row.\n"
    "- Server administrators can read its disk, including the rows: they must be trusted.\n"
    "- Everyone else sees only published results, and may know and combine anything else."
)
TRUST = (
    "The server and its administrators are trusted with the rows. Analysts and readers are not "
    "trusted: the guarantee holds whatever they know, and for all analysts together."
)


def model(card: Card) -> dict[str, Any]:
    """Return who is trusted with what, as a record says it."""
    account = card.accounting
    return {
        "model_name": "Central",
        "model_name_details": "The server reads the rows and adds the noise.",
        "trust_assumptions": TRUST,
        "actors": ACTORS,
        "release_type": "One release",
        "release_type_details": (
            f"{_given(card.identity)} Other releases of the same data so far: "
            f"{len(account.other_releases)}. All share one budget of "
            f"{cost_words(account.total)}, and spent budget is not refunded."
        ),
        **_source(card.data.live, card.data.version.number),
        "access_type": "Non-interactive",
        "access_type_details": (
            "Analysts send one request at a time. An officer or a policy decides before the result "
            "exists. One budget covers all analysts together, so the guarantee holds if they collude."
        ),
    }


def _given(identity: Identity) -> str:
    """Return whether there is an answer; without one, return the state of the question."""
    return "One result, released once." if identity.published else f"No result was released: {identity.state}."


def _source(live: bool, version: int) -> dict[str, str]:
    """Return whether the rows can change."""
    if live:
        return {
            "data_source_type": "Dynamic",
            "data_source_type_details": "A table in a database, or a folder of files. It is read again "
            "for every result. Its rows may change; its budget stays the same.",
        }
    return {
        "data_source_type": "Static",
        "data_source_type_details": f"Version {version} of the rows. It cannot change; new rows of the same people "
        "are another version, under the same budget.",
    }


# Implementation: how a release was made, justified and accounted for, as a record of the registry says it.


def implementation(card: Card) -> dict[str, Any]:
    """Return how a release was made, as a record says it."""
    looked = card.data.bounds_chosen_by_looking
    return {
        "preprocessing_and_hyperparameter_tuning": (
            f"Bounds and allowed values are declared; the program computes none from rows. Chosen by "
            f"looking at the data: {looked or 'no'}. {card.rows[0].accuracy.utility}"
        ),
        "mechanisms": points_of(_mechanisms(card)),
        "composition": _composition(card.accounting),
        "post_processing": "\n".join(_each(row.mechanism.post_processing for row in card.rows)),
        "justification": _justified(card),
        "utility": _utility(card),
        "additional_information": _more(card),
    }


def _each(texts: Iterable[str]) -> list[str]:
    """Return each of some texts once."""
    return list(dict.fromkeys(texts))


def _mechanisms(card: Card) -> list[str]:
    """Return what was drawn, how, and by which program."""
    rows = card.rows
    drawn = [text for row in rows for text in _drawn(row, len(rows) > 1)]
    how = rows[0].mechanism
    protected = [f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in how.mitigations.items()]
    commit = card.evidence.commit or "unknown"
    others = _each(f"Additional package: {name}" for row in rows for name in row.mechanism.packages)
    return [*_each(drawn), *protected, f"Code: Discreet {how.program}, commit {commit}", *others]


def _drawn(row: Row, named: bool) -> list[str]:
    """Return how one question was answered; of several each is named."""
    how = row.mechanism
    settings = ", ".join(f"{each.name} = {json.dumps(each.value)}" for each in how.parameters)
    return [
        f"{how.name} ({how.slug}): {how.description}",
        f"{row.release.question}. Settings: {settings}" if named else f"Settings: {settings}",
        f"Noise: {how.noise}; {how.noise_source}; OpenDP {how.opendp}",
        f"Depends on the data: {how.depends_on_the_data}",
    ]


def _composition(account: Accounting) -> str:
    """Return how the costs of all releases add up."""
    return (
        f"{_together(account)}{account.composition} {account.refusals} "
        f"Before this release {cost_words(account.spent_before)} was spent or reserved, after it "
        f"{cost_words(account.spent_after)}, of {cost_words(account.total)} in total. "
        f"Outside this ledger: {account.outside_of_this_ledger or 'nothing is known'}."
    )


def _together(account: Accounting) -> str:
    """Return how the rows of a plan add up; nothing of one question."""
    if account.one_by_one is None:
        return ""
    alone = cost_words(account.one_by_one)
    cost = cost_words(account.cost)
    return f"All queries together: {cost} (composition: {account.proof}); one by one: {alone}. "


def _justified(card: Card) -> str:
    people = card.people
    word = f"{people.decision}, by {people.decided_by or 'no one yet'}. {people.reason}".strip()
    return points_of([*_each(text for row in card.rows for text in _evidence(row)), f"Decision: {word}"])


def _evidence(row: Row) -> tuple[str, str]:
    """Return what speaks for one mechanism."""
    how = row.mechanism
    proof = row.evidence
    word = "holds" if proof.holds else "FAILS"
    return (
        f"Proof: {how.proof} ({how.full_proof})",
        f"Evidence: {proof.about} {proof.pairs} pairs, largest delta "
        f"{proof.largest_delta:.3g}, claimed {proof.claimed_delta:.3g}: it {word}.",
    )


def _utility(card: Card) -> str:
    """Return how exact the answer is, or that of each row."""
    rows = card.rows
    if len(rows) == 1:
        return _exactness(rows[0])
    return points_of([f"{row.release.question}: {_exactness(row)}" for row in rows])


def _exactness(row: Row) -> str:
    accuracy = row.accuracy
    read = "; ".join(row.release.as_read)
    width = accuracy.half_width
    about = "around the value of the rows as they are read"
    first = f"95% half width {width:.6g} {about}. " if width is not None else ""
    return f"{first}{accuracy.note} Data handling: {read}. {accuracy.clipping or ''}".strip()


def _more(card: Card) -> str:
    account = card.accounting
    line = account.charge or "none yet"
    early = "" if card.identity.published else " There is no result: the date is that of the request."
    return f"Card {card.identity.id}. Charge in the ledger: {line}. Latest entry: {account.head}.{early}"


# Deployments: a card in the shape of the public registry of differential privacy deployments.


# what a card is written as, by the ending of the file
records: Registry[Callable[[Card], str]] = Registry()
UNNAMED = "The organisation that keeps this data"
NOT_STATED = "Not stated"


def slug(name: str, number: int) -> str:
    """Return a stable address part: letters and digits of a name, and a number."""
    words = re.findall(r"[a-z0-9]+", name.lower()) or ["release"]
    return "-".join([*words, str(number)])


def card_yaml(card: Card) -> str:
    """Write a card as a record of the registry."""
    return yaml_of(deployment(card))


records.add("yaml", card_yaml)


def deployment(card: Card) -> dict[str, Any]:
    """Return a card as a record of the registry."""
    return {
        "url_slug": card.identity.url_slug,
        "deployment": {
            "basic": _basic(card),
            "dp_variant": {
                "variant_name": card.guarantee.variant,
                "data_domain": card.whole.guarantee.data_domain,
                "unprotected_quantities": points_of(card.whole.guarantee.unprotected_quantities),
            },
            "privacy_loss": _loss(card),
            "deployment_model": model(card),
            "implementation": implementation(card),
            "administrative": _administrative(card),
        },
    }


def _basic(card: Card) -> dict[str, Any]:
    identity = card.identity
    data = card.data
    sector = identity.sector.strip().capitalize()
    return {
        "name": f"{data.name}: {identity.title}",
        "data_curators": [_curator(identity, name) for name in identity.curators or [UNNAMED]],
        "description": _description(identity, data),
        "intended_use": identity.purpose,
        "data_product_type": identity.product,
        "data_product_region": identity.region or NOT_STATED,
        **({"data_product_sector": sector} if sector in SECTORS else {}),
        "publication_date": identity.published or identity.asked[:10],
    }


def _description(identity: Identity, data: Data) -> str:
    """Return the question, the dataset and the contact for people in it."""
    contact = f". Contact for people in the data: {identity.contact}" if identity.contact else ""
    return f"{identity.title}. Source of the data: {data.source}{contact}"


def _curator(identity: Identity, name: str) -> dict[str, str]:
    """Return the organisation that answers for the data, and of what kind it is where that was said."""
    kind = identity.curator_kind
    return {"data_curator_name": name, **({"data_curator_type": kind} if kind in CURATORS else {})}


def _loss(card: Card) -> dict[str, Any]:
    guarantee = card.guarantee
    terms = card.whole.guarantee
    people = card.data.public_number
    values = {"epsilon": guarantee.epsilon, "delta": guarantee.delta, "rho": guarantee.rho}
    return {
        "privacy_unit": guarantee.privacy_unit,
        "privacy_unit_details": f"{terms.neighbours} {terms.privacy_unit_details}",
        **({"number_of_privacy_units": people} if people else {}),
        "privacy_parameters": {name: value for name, value in values.items() if value},
        "privacy_parameters_details": "\n".join(guarantee.risk.in_words),
    }


def _administrative(card: Card) -> dict[str, Any]:
    identity = card.identity
    source = {
        "title": f"Card of release {identity.number}",
        "year": (identity.published or identity.asked)[:4],
        "note": f"sha256 of the code: {card.evidence.code_sha256}",
    }
    kind = "Authorized organizational attestation"
    return {
        "evidence_sources": {"discreet_card": {"evidence_source_type": kind, "misc": source}},
        "status": "Draft",
        "registry_authors": list(identity.curators) or [UNNAMED],
        "tier": 3,
    }


# Releases: all released answers of a dataset as one text, without names of people.


def releases_json(house: House, dataset: str) -> str:
    """Write all released answers of a dataset as JSON text."""
    return json.dumps(releases(house, dataset), indent=1, ensure_ascii=False)


def releases_yaml(house: House, dataset: str) -> str:
    """Write all released answers of a dataset as YAML text."""
    return yaml_of(releases(house, dataset))


def published(house: House) -> list[dict[str, Any]]:
    """Return the published datasets, each with the addresses of its releases and cards, for programs."""
    return [_entry(house, data) for data in registry.everything(house) if data.published]


def _entry(house: House, data: Registered) -> dict[str, Any]:
    """Return one of them."""
    ledger = registry.ledger(house, data.id)
    kinds = ("json", "yaml")
    return {
        "id": data.id,
        "name": data.name,
        "source": data.registration.source,
        "total": ledger.limit.numbers,
        "spent": ledger.spent.numbers,
        "unit": data.registration.protected,
        "releases": {kind: f"/releases/{data.id}.{kind}" for kind in kinds},
        "cards": [{kind: f"/card/{asked.id}.{kind}" for kind in kinds} for asked in released(house, data.id)],
    }


def releases(house: House, dataset: str) -> dict[str, Any]:
    """Return all released answers of a dataset, oldest first, without names of people."""
    data = registry.find(house, dataset)
    ledger = registry.ledger(house, dataset)
    lines = ledger.lines
    return {
        "discreet_releases": 1,
        "dataset": {"id": dataset, "name": data.name, "source": data.registration.source},
        "rule": ledger.rule.name,
        "total": ledger.limit.numbers,
        "spent": ledger.spent.numbers,
        "unit": data.registration.protected,
        "head": anchor(lines[-1]) if lines else "",
        "releases": [_record(asked, ledger, lines, data) for asked in released(house, dataset)],
    }


def _record(asked: Inquiry, ledger: DurableLedger, lines: tuple[Line, ...], data: Registered) -> dict[str, Any]:
    """Return one released answer, with the line of its charge."""
    assert asked.release is not None
    schema = data.schema_at(asked.number)
    version = data.version_at(asked.number)
    charge = Standing(ledger.rule, ledger.limit, lines, asked.id).charge
    return {
        "number": asked.number,
        "purpose": asked.purpose,
        "version": version.number,
        **record_of(asked.release, schema),
        "charge": None if charge is None else anchor(charge),
    }


def record_of(release: Shown, schema: Schema) -> dict[str, Any]:
    """Return what may be shared of one answer, or of all rows of a plan, which have one joint cost."""
    if not isinstance(release, Answers):
        return release_record(release, schema)
    return {
        "id": release.id,
        "question": plain(release.plan),
        "rows": [release_record(row, schema) for row in release.releases],
        "cost": release.cost.numbers,
        **composed(release.plan),
        "ledger_entry": release.entry,
        "at": release.at.isoformat(timespec="seconds"),
    }


def composed(plan: FixedPlan) -> dict[str, Any]:
    """Return by which proof the rows of a plan cost less than one by one, and what they would cost so."""
    return {"proof": Phrase(plan.total.proof), "one_by_one": plan.total.plain.numbers}
