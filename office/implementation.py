"""Implementation: how a release was made, justified and accounted for, as a record of the registry says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from discreet.office.notation import cost_words, points_of


def implementation(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a release was made, as a record says it."""
    looked = card["data"]["bounds_chosen_by_looking"]
    return {
        "preprocessing_and_hyperparameter_tuning": (
            f"Bounds and levels are declared; the program computes none from rows. Chosen by "
            f"looking at the data: {looked or 'no'}. {card['accuracy']['utility']}"
        ),
        "mechanisms": points_of(_mechanisms(card)),
        "composition": _composition(card["accounting"]),
        "post_processing": card["mechanism"]["post_processing"],
        "justification": _justified(card),
        "utility": _utility(card),
        "additional_information": _more(card),
    }


def _mechanisms(card: Mapping[str, Any]) -> list[str]:
    """Return what was drawn, how, and by which program."""
    how = card["mechanism"]
    settings = ", ".join(f"{p['name']} = {json.dumps(p['value'])}" for p in how["parameters"])
    return [
        f"{how['name']} ({how['slug']}): {how['description']}",
        f"Settings: {settings}",
        f"Noise: {how['noise']}; {how['noise_source']}; OpenDP {how['opendp']}",
        f"Depends on the data: {how['depends_on_the_data']}",
        *(f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in how["mitigations"].items()),
        f"Code: Discreet {how['program']}, commit {card['evidence']['commit'] or 'unknown'}",
    ]


def _composition(account: Mapping[str, Any]) -> str:
    """Return how the costs of all releases add up."""
    return (
        f"{account['composition']} {account['refusals']} "
        f"Before this release {cost_words(account['spent_before'])} was spent or reserved, after it "
        f"{cost_words(account['spent_after'])}, of {cost_words(account['total'])} in all. "
        f"Outside of this ledger: {account['outside_of_this_ledger'] or 'nothing is known'}."
    )


def _justified(card: Mapping[str, Any]) -> str:
    people, proof = card["people"], card["evidence"]
    word = "holds" if proof["holds"] else "FAILS"
    return "\n".join(
        [
            f"- Proof: {card['mechanism']['proof']} ({card['mechanism']['full_proof']})",
            f"- Evidence: {proof['about']} {proof['pairs']} pairs, largest delta "
            f"{proof['largest_delta']:.3g}, claimed {proof['claimed_delta']:.3g}: it {word}.",
            f"- Decision: {people['decision']}, by {people['decided_by'] or 'nobody yet'}. {people['reason']}".strip(),
        ]
    )


def _utility(card: Mapping[str, Any]) -> str:
    accuracy, read = card["accuracy"], "; ".join(card["release"]["as_read"])
    width = accuracy["half_width"]
    about = "around the value of the rows as they are read"
    first = f"95 % half width {width:.6g} {about}. " if width is not None else ""
    return f"{first}{accuracy['note']} As read: {read}. {accuracy['clipping'] or ''}".strip()


def _more(card: Mapping[str, Any]) -> str:
    account = card["accounting"]
    charge = account["charge"]
    line = f"{charge['line']}:{charge['hash']}" if charge else "none yet"
    early = "" if card["identity"]["published"] else " Not published: the date is the question's."
    return (
        f"Card {card['identity']['id']}. Charge on the ledger: {line}. Newest line: "
        f"{account['head']}. The type of the curator follows from the sector and is to be checked "
        f"before this record is sent anywhere.{early}"
    )
