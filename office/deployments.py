"""Deployments: a card in the shape of the public registry of differential privacy deployments.

The names and the lists of values are those of the registry's schema (opendp, deployments-registry-
data), tier 3. What a house does not know is left out; a record is a draft until its board has read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from discreet.lab.report.export import release_record
from discreet.office import registry
from discreet.office.asked import released
from discreet.office.house import House
from discreet.office.standing import Standing, anchor, told

SECTORS = ("Technology", "Healthcare", "Education", "Government", "Energy", "Finance")
CURATORS = {"Government": "Government", "Healthcare": "Nonprofit", "Education": "Nonprofit"}
UNNAMED = "The keeper of these data"
NOT_STATED = "Not stated"
ACTORS = (
    "- Officers register the data, see the questions and decide; they see no answer before.\n"
    "- Analysts see the declaration of the data and their own answers, never a row.\n"
    "- Administrators of the server can read its disk, and so the rows: they must be trusted.\n"
    "- Everybody else sees published releases only, and may know and combine anything else."
)
TRUST = (
    "The server and its administrators are trusted with the rows. Analysts and readers are not "
    "trusted: the guarantee holds whatever they know, and for all analysts together."
)


def slug(name: str, number: int) -> str:
    """Return a stable address part: letters and digits of a name, and a number."""
    words = re.findall(r"[a-z0-9]+", name.lower()) or ["release"]
    return "-".join([*words, str(number)])


def card_yaml(made: Mapping[str, Any]) -> str:
    """Write a card as a record of the registry."""
    return _yaml(deployment(made))


def deployment(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card as a record of the registry."""
    return {
        "url_slug": made["identity"]["url_slug"],
        "deployment": {
            "basic": _basic(made),
            "dp_variant": {
                "variant_name": made["guarantee"]["variant"],
                "data_domain": made["guarantee"]["data_domain"],
                "unprotected_quantities": _points(made["guarantee"]["unprotected_quantities"]),
            },
            "privacy_loss": _loss(made),
            "deployment_model": _model(made),
            "implementation": _implementation(made),
            "administrative": _administrative(made),
        },
    }


def _basic(made: Mapping[str, Any]) -> dict[str, Any]:
    identity, data = made["identity"], made["data"]
    sector = str(identity["sector"]).strip().capitalize()
    return {
        "name": f"{data['name']}: {identity['title']}",
        "data_curators": [
            {"data_curator_name": name, "data_curator_type": CURATORS.get(sector, "Industry")}
            for name in identity["curators"] or [UNNAMED]
        ],
        "description": f"{identity['title']}. Source of the data: {data['source']}",
        "intended_use": identity["purpose"],
        "data_product_type": identity["product"],
        "data_product_region": identity["region"] or NOT_STATED,
        **({"data_product_sector": sector} if sector in SECTORS else {}),
        "publication_date": identity["published"] or identity["asked"][:10],
    }


def _loss(made: Mapping[str, Any]) -> dict[str, Any]:
    guarantee, people = made["guarantee"], made["data"]["public_number"]
    values = {name: guarantee[name] for name in ("epsilon", "delta", "rho") if guarantee[name]}
    return {
        "privacy_unit": guarantee["privacy_unit"],
        "privacy_unit_details": f"{guarantee['neighbours']} {guarantee['privacy_unit_details']}",
        **({"number_of_privacy_units": people} if people else {}),
        "privacy_parameters": values,
        "privacy_parameters_details": "\n".join(guarantee["risk"]["in_words"]),
    }


def _model(made: Mapping[str, Any]) -> dict[str, Any]:
    account, data = made["accounting"], made["data"]
    return {
        "model_name": "Central",
        "model_name_details": "The server reads the rows and adds the noise.",
        "trust_assumptions": TRUST,
        "actors": ACTORS,
        "release_type": "One release",
        "release_type_details": (
            f"One answer, given once. Other releases of the same data so far: "
            f"{len(account['other_releases'])}. All share one budget of "
            f"{_cost(account['total'])}, and nothing that was spent comes back."
        ),
        **_source(data["live"]),
        "access_type": "Non-interactive",
        "access_type_details": (
            "Analysts ask one question at a time, an officer or a policy decides before the answer "
            "exists. One budget counts all analysts together: nobody is assumed not to collude."
        ),
    }


def _source(live: bool) -> dict[str, str]:
    """Say whether the rows can change."""
    if live:
        return {
            "data_source_type": "Dynamic",
            "data_source_type_details": "A table of a database, which is read anew for every "
            "answer. Its rows may change; its budget stays the same.",
        }
    return {
        "data_source_type": "Static",
        "data_source_type_details": "The rows were registered once and cannot change.",
    }


def _implementation(made: Mapping[str, Any]) -> dict[str, Any]:
    how, account, data = made["mechanism"], made["accounting"], made["data"]
    looked = data["bounds_chosen_by_looking"]
    settings = ", ".join(f"{p['name']} = {json.dumps(p['value'])}" for p in how["parameters"])
    spent = f"Before this release {_cost(account['spent_before'])} was spent or reserved, after it "
    return {
        "preprocessing_and_hyperparameter_tuning": (
            f"Bounds and levels are declared; the program computes none from rows. Chosen by "
            f"looking at the data: {looked or 'no'}. {made['accuracy']['utility']}"
        ),
        "mechanisms": "\n".join(
            [
                f"- {how['name']} ({how['slug']}): {how['description']}",
                f"- Settings: {settings}",
                f"- Noise: {how['noise']}; {how['noise_source']}; OpenDP {how['opendp']}",
                f"- Depends on the data: {how['depends_on_the_data']}",
                *(f"- {name.replace('_', ' ').capitalize()}: {text}" for name, text in how["mitigations"].items()),
                f"- Code: Discreet {how['program']}, commit {made['evidence']['commit'] or 'unknown'}",
            ]
        ),
        "composition": (
            f"{account['composition']} {account['refusals']} {spent}"
            f"{_cost(account['spent_after'])}, of {_cost(account['total'])} in all. "
            f"Outside of this ledger: {account['outside_of_this_ledger'] or 'nothing is known'}."
        ),
        "post_processing": how["post_processing"],
        "justification": _justified(made),
        "utility": _utility(made),
        "additional_information": _more(made),
    }


def _justified(made: Mapping[str, Any]) -> str:
    people, proof = made["people"], made["evidence"]
    word = "holds" if proof["holds"] else "FAILS"
    return "\n".join(
        [
            f"- Proof: {made['mechanism']['proof']} ({made['mechanism']['full_proof']})",
            f"- Evidence: {proof['about']} {proof['pairs']} pairs, largest delta "
            f"{proof['largest_delta']:.3g}, claimed {proof['claimed_delta']:.3g}: it {word}.",
            f"- Decision: {people['decision']}, by {people['decided_by'] or 'nobody yet'}. {people['reason']}".strip(),
        ]
    )


def _utility(made: Mapping[str, Any]) -> str:
    told_, read = made["accuracy"], "; ".join(made["release"]["as_read"])
    width = told_["half_width"]
    about = "around the value of the rows as they are read"
    first = f"95 % half width {width:.6g} {about}. " if width is not None else ""
    return f"{first}{told_['note']} As read: {read}. {told_['clipping'] or ''}".strip()


def _more(made: Mapping[str, Any]) -> str:
    account = made["accounting"]
    charge = account["charge"]
    line = f"{charge['line']}:{charge['hash']}" if charge else "none yet"
    early = "" if made["identity"]["published"] else " Not published: the date is the question's."
    return (
        f"Card {made['identity']['id']}. Charge on the ledger: {line}. Newest line: "
        f"{account['head']}. The type of the curator follows from the sector and is to be checked "
        f"before this record is sent anywhere.{early}"
    )


def _administrative(made: Mapping[str, Any]) -> dict[str, Any]:
    identity = made["identity"]
    source = {
        "title": f"Card of release {identity['number']}",
        "year": (identity["published"] or identity["asked"])[:4],
        "note": f"sha256 of the code: {made['evidence']['code_sha256']}",
    }
    kind = "Authorized organizational attestation"
    return {
        "evidence_sources": {"discreet_card": {"evidence_source_type": kind, "misc": source}},
        "status": "Draft",
        "registry_authors": list(identity["curators"]) or [UNNAMED],
        "tier": 3,
    }


def releases_json(house: House, dataset: str) -> str:
    """Write all released answers of a dataset as JSON text."""
    return json.dumps(releases(house, dataset), indent=1, ensure_ascii=False)


def releases_yaml(house: House, dataset: str) -> str:
    """Write all released answers of a dataset as YAML text."""
    return _yaml(releases(house, dataset))


def releases(house: House, dataset: str) -> dict[str, Any]:
    """Return all released answers of a dataset, oldest first, without names of people."""
    one, ledger = registry.find(house, dataset), registry.ledger(house, dataset)
    lines, found = ledger.lines, []
    for asked in released(house, dataset):
        assert asked.release is not None
        charge = Standing(ledger.rule, ledger.limit, lines, asked.id).charge
        found.append(
            {
                "number": asked.number,
                "purpose": asked.purpose,
                **release_record(asked.release, one.registration.schema),
                "charge": None if charge is None else anchor(charge),
            }
        )
    return {
        "discreet_releases": 1,
        "dataset": {"id": dataset, "name": one.name, "source": one.registration.source},
        "rule": ledger.rule.name,
        "total": told(ledger.limit),
        "spent": told(ledger.spent),
        "head": anchor(lines[-1]) if lines else "",
        "releases": found,
    }


def _points(texts: list[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _cost(cost: Mapping[str, float]) -> str:
    delta = f", delta {cost['delta']:.6g}" if cost["delta"] else ""
    return f"epsilon {cost['epsilon']:.9g}{delta}"


def _yaml(thing: Any) -> str:
    """Write YAML; phrases become plain texts first, and lines stay lines."""
    plain = json.loads(json.dumps(thing))
    return str(yaml.dump(plain, Dumper=_Lines, sort_keys=False, allow_unicode=True, width=100))


class _Lines(yaml.SafeDumper):
    """The safe dumper, with texts of several lines as they are."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Lines.add_representer(str, _text)
