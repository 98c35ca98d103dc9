"""Registration file: what is said of a dataset, with its policy, as one JSON that is kept and given to a command.

It has the names of the fields of `Registration` and `Policy`, the declaration as the app exports it,
and the budget as two numbers. What is not said holds as where a form is left as it is; the two `OATHS` are
said always, "" for no: silence is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from discreet.budget import Cost, ParameterError
from discreet.office.registration import Policy, Registration
from discreet.office.registry import Registered
from discreet.rows.schema import Schema

VERSION = 1
MARK, DECLARATION, BUDGET, POLICY = "discreet_registration", "declaration", "budget", "policy"
OATHS = ("looked", "others")
ELSEWHERE = ("schema", "limit")  # fields that the file writes in another way
Told = dict[str, Any]


def read(text: str, offered: Mapping[str, str] | None = None) -> tuple[Registration, Policy]:
    """Return what a file says; refuse names that there are not, and values of another kind.

    What it does not say of the house is as the house offers it.
    """
    whole = _object(text)
    if whole.pop(MARK, None) != VERSION:
        raise ParameterError('This is no registration: it has no "discreet_registration": {version}.', version=VERSION)
    policy = policy_of(whole.pop(POLICY, {}))
    schema = Schema.from_json(json.dumps(whole.pop(DECLARATION, {})))
    limit = _budget(whole.pop(BUDGET, None))
    _check(whole, Registration)
    whole = {**(offered or {}), **whole}
    missing = [name for name in ("name", "source", "basis", *OATHS) if name not in whole]
    if missing:
        raise ParameterError("The registration lacks {name}.", name=missing[0])
    return Registration(schema=schema, limit=limit, **whole), policy


def policy_of(parts: Any, before: Policy | None = None) -> Policy:
    """Return a policy from its parts; what is not said stays as it was, or as a form begins."""
    if not isinstance(parts, dict):
        raise ParameterError("A policy is a JSON object.")
    _check(parts, Policy)
    now: Told = {} if before is None else json.loads(before.to_json())
    return Policy(**now | parts)


def policy_from(text: str, before: Policy) -> Policy:
    """Read the parts of a policy that are to change."""
    return policy_of(_object(text), before)


def written(data: Registered) -> str:
    """Write what was said of a dataset as such a file."""
    said: Told = json.loads(data.registration.to_json()) | {"unit": data.registration.protects}
    limit = data.registration.limit
    meant = {name: value for name, value in said.items() if name in OATHS or value not in ("", None, False)}
    said = {name: value for name, value in meant.items() if name not in ELSEWHERE}
    whole: Told = {MARK: VERSION, **said, BUDGET: limit.numbers}
    whole |= {POLICY: json.loads(data.policy.to_json()), DECLARATION: json.loads(data.registration.schema.to_json())}
    return json.dumps(whole, indent=1, ensure_ascii=False)


def _object(text: str) -> Told:
    try:
        whole = json.loads(text)
        json.dumps(whole, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        whole = None
    if not isinstance(whole, dict):
        raise ParameterError("This file must be a JSON object.")
    return whole


def _budget(parts: Any) -> Cost:
    if not isinstance(parts, dict) or set(parts) - {"epsilon", "delta"} or "epsilon" not in parts:
        raise ParameterError("A registration needs a budget: an object with epsilon and delta.")
    return Cost.of(parts["epsilon"], parts.get("delta", 0))


def _check(parts: Mapping[str, Any], kind: type[Any]) -> None:
    """Refuse what a registration or a policy does not have, before it is taken for something else."""
    hints = {field.name: get_type_hints(kind)[field.name] for field in fields(kind)}
    names = [name for name in hints if name not in ELSEWHERE]
    for name, value in parts.items():
        if name not in names:
            raise ParameterError("There is no {name!r} here. The names are {known}.", name=name, known=", ".join(names))
        if not _fits(value, hints[name]):
            raise ParameterError("The field {name} cannot be {value!r}.", name=name, value=value)


def _fits(value: Any, hint: Any) -> bool:
    """Say whether a value of JSON can be one of a field."""
    words = str(hint)
    if isinstance(value, bool) or value is None:
        return hint is bool if value is not None else "None" in words
    if isinstance(value, (int, float)):
        return "float" in words or ("int" in words and isinstance(value, int))
    if isinstance(value, list):
        return "tuple" in words and all(isinstance(each, str) for each in value)
    if isinstance(value, dict):
        return "Mapping" in words and all(_fits(each, float) for each in value.values())
    return hint is str
