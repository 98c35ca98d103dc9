"""Assumptions: who is trusted with what, and whether the rows can change, as a record says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.office.notation import cost_words

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


def model(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return who is trusted with what, as a record says it."""
    account, data = card["accounting"], card["data"]
    return {
        "model_name": "Central",
        "model_name_details": "The server reads the rows and adds the noise.",
        "trust_assumptions": TRUST,
        "actors": ACTORS,
        "release_type": "One release",
        "release_type_details": (
            f"{_given(card['identity'])} Other releases of the same data so far: "
            f"{len(account['other_releases'])}. All share one budget of "
            f"{cost_words(account['total'])}, and nothing that was spent comes back."
        ),
        **_source(data["live"], data["version"]["number"]),
        "access_type": "Non-interactive",
        "access_type_details": (
            "Analysts ask one question at a time, an officer or a policy decides before the answer "
            "exists. One budget counts all analysts together: nobody is assumed not to collude."
        ),
    }


def _given(identity: Mapping[str, Any]) -> str:
    """Say whether there is an answer; of one that there is not, how the question stands."""
    return "One answer, given once." if identity["published"] else f"No answer was given: {identity['state']}."


def _source(live: bool, version: int) -> dict[str, str]:
    """Say whether the rows can change."""
    if live:
        return {
            "data_source_type": "Dynamic",
            "data_source_type_details": "A table of a database or a folder of files, which is read anew "
            "for every answer. Its rows may change; its budget stays the same.",
        }
    return {
        "data_source_type": "Static",
        "data_source_type_details": f"Version {version} of the rows. It cannot change; new rows of the same people "
        "are another version, under the same budget.",
    }
