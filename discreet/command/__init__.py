"""Discreet on the command line: `discreet VERB ...`; `discreet VERB --help` has an example.

verbs:
  run      start the app on this machine
  class    run a class: only the course, on the network, with a code
  ask      run one query on a file, under a privacy budget, and print the result
  plan     choose mechanisms and shares for many queries, and forecast their margins of error
  run-plan run all queries of a plan on a file, under one charge
  compare  compare the mechanisms for a query, on simulated people
  verify   recompute a ledger, or verify a whole server
  audit    check a mechanism exactly, on all neighbouring small example datasets
  office   administer a server: accounts, datasets, backups, retention

exit codes: 0 success; 1 refused, failed, or no result released; 2 invalid command line; 78 this
machine is not set up for the command.
"""

from __future__ import annotations

import gc
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

VERBS = ("run", "class", "ask", "plan", "run-plan", "compare", "verify", "audit", "office")


def main(words: Sequence[str] | None = None) -> int:
    """Run one verb, and return the exit code."""
    given = list(sys.argv[1:] if words is None else words)
    parser = ArgumentParser(
        "discreet", usage="discreet VERB ...", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("verb", choices=VERBS, metavar="VERB")
    parser.add_argument("--version", action="version", version=_version())
    verb = parser.parse_args(given[:1]).verb
    work = _imported(f"{__name__}.{verb.replace('-', '_')}")
    # a class reads no settings
    code: int = work.main(given[1:]) if verb == "class" else _with_packages(work.main, given[1:])
    return code


def _with_packages(work: Callable[[list[str]], int], words: list[str]) -> int:
    """Run a verb, unless a package that the settings name and that the verb loads has an error."""
    import discreet.evidence  # noqa: F401  # third-party kinds are examined before protected rows are read
    from discreet.budget import ParameterError, plugins
    from discreet.budget.errors import printable
    from discreet.command.words import MISCONFIGURED

    try:
        plugins.check()
    except ParameterError as wrong:
        print(printable(str(wrong)), file=sys.stderr)
        return MISCONFIGURED
    return work(words)


def _imported(name: str) -> ModuleType:
    """Import a verb. Modules stay alive, so garbage collection is off: it would take a quarter of the start-up time."""
    if name in sys.modules:
        return sys.modules[name]
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def _version() -> str:
    try:
        return f"discreet {version('discreet')}"
    except PackageNotFoundError:
        return "discreet, from this checkout"
