"""Deployments: a card in the shape of the public registry of differential privacy deployments.

The names and the lists of values are those of the registry's schema (opendp, deployments-registry-
data), tier 3, as docs/deployment-record.schema.json says them. What a house does not know is left out;
a record is a draft until its board has read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from discreet.budget.plugins import Registry
from discreet.office.implementation import implementation
from discreet.office.notation import points_of, yaml_of
from discreet.office.trusted import model

SECTORS = ("Technology", "Healthcare", "Education", "Government", "Energy", "Finance")
CURATORS = ("Government", "Nonprofit", "Industry")
# what a card is written as, by the ending of the file
records: Registry[Callable[[Mapping[str, Any]], str]] = Registry()
UNNAMED = "The keeper of these data"
NOT_STATED = "Not stated"


def slug(name: str, number: int) -> str:
    """Return a stable address part: letters and digits of a name, and a number."""
    words = re.findall(r"[a-z0-9]+", name.lower()) or ["release"]
    return "-".join([*words, str(number)])


def card_yaml(card: Mapping[str, Any]) -> str:
    """Write a card as a record of the registry."""
    return yaml_of(deployment(card))


records.add("yaml", card_yaml)


def deployment(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card as a record of the registry."""
    return {
        "url_slug": card["identity"]["url_slug"],
        "deployment": {
            "basic": _basic(card),
            "dp_variant": {
                "variant_name": card["guarantee"]["variant"],
                "data_domain": card["guarantee"]["data_domain"],
                "unprotected_quantities": points_of(card["guarantee"]["unprotected_quantities"]),
            },
            "privacy_loss": _loss(card),
            "deployment_model": model(card),
            "implementation": implementation(card),
            "administrative": _administrative(card),
        },
    }


def _basic(card: Mapping[str, Any]) -> dict[str, Any]:
    identity, data = card["identity"], card["data"]
    sector = str(identity["sector"]).strip().capitalize()
    return {
        "name": f"{data['name']}: {identity['title']}",
        "data_curators": [_curator(identity, name) for name in identity["curators"] or [UNNAMED]],
        "description": _description(identity, data),
        "intended_use": identity["purpose"],
        "data_product_type": identity["product"],
        "data_product_region": identity["region"] or NOT_STATED,
        **({"data_product_sector": sector} if sector in SECTORS else {}),
        "publication_date": identity["published"] or identity["asked"][:10],
    }


def _description(identity: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """Return what was asked of which data, and whom people in them can ask."""
    contact = f". Contact for people in the data: {identity['contact']}" if identity["contact"] else ""
    return f"{identity['title']}. Source of the data: {data['source']}{contact}"


def _curator(identity: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return the organisation that answers for the data, and of what kind it is where that was said."""
    kind = identity["curator_kind"]
    return {"data_curator_name": name, **({"data_curator_type": kind} if kind in CURATORS else {})}


def _loss(card: Mapping[str, Any]) -> dict[str, Any]:
    guarantee, people = card["guarantee"], card["data"]["public_number"]
    values = {name: guarantee[name] for name in ("epsilon", "delta", "rho") if guarantee[name]}
    return {
        "privacy_unit": guarantee["privacy_unit"],
        "privacy_unit_details": f"{guarantee['neighbours']} {guarantee['privacy_unit_details']}",
        **({"number_of_privacy_units": people} if people else {}),
        "privacy_parameters": values,
        "privacy_parameters_details": "\n".join(guarantee["risk"]["in_words"]),
    }


def _administrative(card: Mapping[str, Any]) -> dict[str, Any]:
    identity = card["identity"]
    source = {
        "title": f"Card of release {identity['number']}",
        "year": (identity["published"] or identity["asked"])[:4],
        "note": f"sha256 of the code: {card['evidence']['code_sha256']}",
    }
    kind = "Authorized organizational attestation"
    return {
        "evidence_sources": {"discreet_card": {"evidence_source_type": kind, "misc": source}},
        "status": "Draft",
        "registry_authors": list(identity["curators"]) or [UNNAMED],
        "tier": 3,
    }
