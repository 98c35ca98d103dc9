"""Implementation: how a release was made, justified and accounted for, as a record of the registry says it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from discreet.office.jointly import rows_of
from discreet.office.notation import cost_words, points_of


def implementation(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a release was made, as a record says it."""
    looked = card["data"]["bounds_chosen_by_looking"]
    return {
        "preprocessing_and_hyperparameter_tuning": (
            f"Bounds and levels are declared; the program computes none from rows. Chosen by "
            f"looking at the data: {looked or 'no'}. {rows_of(card)[0]['accuracy']['utility']}"
        ),
        "mechanisms": points_of(_mechanisms(card)),
        "composition": _composition(card["accounting"]),
        "post_processing": "\n".join(_each(row["mechanism"]["post_processing"] for row in rows_of(card))),
        "justification": _justified(card),
        "utility": _utility(card),
        "additional_information": _more(card),
    }


def _each(texts: Iterable[str]) -> list[str]:
    """Return each of some texts once."""
    return list(dict.fromkeys(texts))


def _mechanisms(card: Mapping[str, Any]) -> list[str]:
    """Return what was drawn, how, and by which program."""
    rows = rows_of(card)
    drawn = [text for row in rows for text in _drawn(row, len(rows) > 1)]
    protected = [
        f"{n.replace('_', ' ').capitalize()}: {text}" for n, text in rows[0]["mechanism"]["mitigations"].items()
    ]
    program, commit = rows[0]["mechanism"]["program"], card["evidence"]["commit"] or "unknown"
    others = _each(f"Package beside it: {name}" for row in rows for name in row["mechanism"].get("packages", ()))
    return [*_each(drawn), *protected, f"Code: Discreet {program}, commit {commit}", *others]


def _drawn(row: Mapping[str, Any], named: bool) -> list[str]:
    """Return how one question was answered; of several each is named."""
    how = row["mechanism"]
    settings = ", ".join(f"{p['name']} = {json.dumps(p['value'])}" for p in how["parameters"])
    return [
        f"{how['name']} ({how['slug']}): {how['description']}",
        f"{row['release']['question']}. Settings: {settings}" if named else f"Settings: {settings}",
        f"Noise: {how['noise']}; {how['noise_source']}; OpenDP {how['opendp']}",
        f"Depends on the data: {how['depends_on_the_data']}",
    ]


def _composition(account: Mapping[str, Any]) -> str:
    """Return how the costs of all releases add up."""
    return (
        f"{_together(account)}{account['composition']} {account['refusals']} "
        f"Before this release {cost_words(account['spent_before'])} was spent or reserved, after it "
        f"{cost_words(account['spent_after'])}, of {cost_words(account['total'])} in all. "
        f"Outside of this ledger: {account['outside_of_this_ledger'] or 'nothing is known'}."
    )


def _together(account: Mapping[str, Any]) -> str:
    """Return how the rows of a plan add up; nothing of one question."""
    if "proof" not in account:
        return ""
    alone, cost = cost_words(account["one_by_one"]), cost_words(account["cost"])
    return f"All rows together: {cost}, proven by {account['proof']}; one by one {alone}. "


def _justified(card: Mapping[str, Any]) -> str:
    people, rows = card["people"], rows_of(card)
    word = f"{people['decision']}, by {people['decided_by'] or 'nobody yet'}. {people['reason']}".strip()
    return points_of([*_each(text for row in rows for text in _evidence(row)), f"Decision: {word}"])


def _evidence(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return what speaks for one mechanism."""
    how, proof = row["mechanism"], row["evidence"]
    word = "holds" if proof["holds"] else "FAILS"
    return (
        f"Proof: {how['proof']} ({how['full_proof']})",
        f"Evidence: {proof['about']} {proof['pairs']} pairs, largest delta "
        f"{proof['largest_delta']:.3g}, claimed {proof['claimed_delta']:.3g}: it {word}.",
    )


def _utility(card: Mapping[str, Any]) -> str:
    """Return how exact the answer is, or that of each row."""
    rows = rows_of(card)
    if len(rows) == 1:
        return _exactness(rows[0])
    return points_of([f"{row['release']['question']}: {_exactness(row)}" for row in rows])


def _exactness(row: Mapping[str, Any]) -> str:
    accuracy, read = row["accuracy"], "; ".join(row["release"]["as_read"])
    width = accuracy["half_width"]
    about = "around the value of the rows as they are read"
    first = f"95 % half width {width:.6g} {about}. " if width is not None else ""
    return f"{first}{accuracy['note']} As read: {read}. {accuracy['clipping'] or ''}".strip()


def _more(card: Mapping[str, Any]) -> str:
    account = card["accounting"]
    charge = account["charge"]
    line = f"{charge['line']}:{charge['hash']}" if charge else "none yet"
    early = "" if card["identity"]["published"] else " There is no answer: the date is the question's."
    return f"Card {card['identity']['id']}. Charge on the ledger: {line}. Newest line: {account['head']}.{early}"
