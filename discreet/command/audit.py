"""Check a mechanism exactly, on all neighbouring small example datasets, without sampling.

WHAT is a file with a query, or the name of a mechanism, which then has its default settings. Mechanisms
with blocks are checked with three blocks. No rows are read. The exit code is 1 if a pair reveals more
than the guarantee allows.

WHAT may also be a package that DISCREET_PLUGINS names. Then all privacy tests run for each of its
statistics and mechanisms, and the output says which of them may be used with protected data.

example:
  discreet audit smooth-core-tail --epsilon 0.5
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.budget import plugins
from discreet.budget.errors import ParameterError
from discreet.command import questions
from discreet.command.words import FINE, WRONG, Outcome, ended, parser_of
from discreet.evidence import packages
from discreet.evidence.certificate import certificate, refined
from discreet.mechanisms import Mechanism, former, registry

WORDS = {True: "holds", False: "FAILS"}
BLOCKS = 3  # with more there are too many worlds to compare


def main(words: Sequence[str]) -> int:
    """Audit, and print the result."""
    parser = parser_of("audit", __doc__)
    parser.add_argument("what", metavar="WHAT")
    parser.add_argument("--epsilon", type=float, help="use this ε instead of the query's own")
    parser.add_argument("--number", type=int, help="the number of the query in the file, from 1")
    options = parser.parse_args(words)
    return ended(lambda: _audited(options), options.json)


def _audited(options: Namespace) -> Outcome:
    if options.what in {package.name for package in plugins.packages()}:
        return _package(options.what)
    mechanism = _mechanism(options)
    evidence = certificate(mechanism)
    worst = evidence.worst
    kind = type(mechanism)
    record = {
        "mechanism": kind.slug,
        "pairs": evidence.pairs,
        "holds": worst.holds,
        "epsilon": mechanism.cost().epsilon,
        "largest_delta": worst.delta,
        "claimed_delta": worst.claimed,
    }
    lines = [
        f"{kind.title} at {mechanism.cost()}: the claim {WORDS[worst.holds]}.",
        f"{evidence.pairs} pairs; largest δ {worst.delta:.3g}, claimed δ {worst.claimed:.3g}.",
    ]
    again = _again(mechanism)
    holds = worst.holds and (again is None or bool(again["holds"]))
    if again is not None:
        lines.append(f"Improved to twice the ε, at the cost of the difference: the claim {WORDS[again['holds']]}.")
    return FINE if holds else WRONG, record | {"refined": again}, lines


def _package(name: str) -> Outcome:
    """Report for every kind of a package whether its evidence is valid, and what is missing."""
    kinds = [kind for kind in packages.brought() if getattr(plugins.package_of(kind), "name", "") == name]
    missing = {kind.__name__: packages.lacking(kind) for kind in kinds}
    lines = [f"{kind}: {'its evidence is valid' if why is None else why}." for kind, why in missing.items()]
    return WRONG if any(missing.values()) else FINE, {"package": name, "missing": missing}, lines


def _again(mechanism: Mechanism) -> dict[str, Any] | None:
    """Return the result for an answer and its finer one together, if that is enumerated."""
    evidence = refined(mechanism)
    return None if evidence is None else {"pairs": evidence.pairs, "holds": evidence.worst.holds}


def _mechanism(options: Namespace) -> Mechanism:
    kinds = registry | former
    mechanism: Any = kinds[options.what]() if options.what in kinds else _of_file(options.what, options.number)
    parameters = mechanism.parameters()
    changes: dict[str, Any] = {"k": BLOCKS} if "k" in parameters else {}
    if options.epsilon is not None:
        changes |= {"epsilon": options.epsilon}
    changed: Mechanism = replace(mechanism, **changes)
    return changed


def _of_file(path: str, number: int | None) -> Mechanism:
    if not Path(path).is_file():
        raise ParameterError("No file or mechanism has this name. Mechanisms: {names}.", names=", ".join(registry))
    return questions.read(path, number).mechanism
