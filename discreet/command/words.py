"""Words: what every verb shares: its parser, its way to print, and how it ends."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable
from typing import Any

from discreet.budget import AlreadyCharged, BudgetExceeded, Cost, ParameterError
from discreet.budget.phrase import printable

FINE, WRONG, MISCONFIGURED = 0, 1, 78
Told = tuple[int, dict[str, Any], list[str]]  # an exit code, a record, and the same as lines


def parser_of(verb: str, doc: str | None) -> ArgumentParser:
    """Return the parser of a verb, with its whole docstring as help."""
    parser = ArgumentParser(f"discreet {verb}", description=doc, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser


def cost(text: str) -> Cost:
    """Read EPSILON or EPSILON,DELTA, exactly as it is written."""
    epsilon, _, delta = text.partition(",")
    try:
        return Cost.of(epsilon, delta or "0")
    except ParameterError as wrong:
        raise ArgumentTypeError(str(wrong)) from None


def ended(work: Callable[[], Told], as_json: bool) -> int:
    """Do the work of a verb, print what came of it, and return the exit code.

    A refusal is one sentence without rows in it; of any other error only the class is told.
    """
    try:
        code, record, lines = work()
    except (ParameterError, BudgetExceeded, AlreadyCharged) as refused:
        return _refused(str(refused), as_json)
    except OSError as wrong:
        return _refused(f"{wrong.strerror}: {wrong.filename}", as_json)
    except Exception as wrong:
        return _refused(f"Something went wrong ({type(wrong).__name__}).", as_json)
    show(json.dumps(record, indent=1, ensure_ascii=False, default=str).split("\n") if as_json else lines)
    return code


def _refused(sentence: str, as_json: bool) -> int:
    if as_json:
        show([json.dumps({"error": sentence}, ensure_ascii=False)])
    else:
        print(printable(sentence), file=sys.stderr)
    return WRONG


def show(lines: Iterable[str]) -> None:
    """Print lines; names that people chose move no cursor."""
    print("\n".join(map(printable, lines)))
