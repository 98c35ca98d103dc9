"""Words: what all verbs share: the parser, the output, and the exit codes."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import quote
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from discreet.budget import AlreadyCharged, BudgetExceeded, Cost, ParameterError
from discreet.budget.errors import printable

FINE = 0
WRONG = 1
MISCONFIGURED = 78
Outcome = tuple[int, dict[str, Any], list[str]]  # an exit code, a record, and its lines of text


def parser_of(verb: str, doc: str | None) -> ArgumentParser:
    """Return the parser of a verb, with its whole docstring as help."""
    parser = ArgumentParser(f"discreet {verb}", description=doc, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser


def installed_with(extra: str) -> str:
    """Return how to install an extra: from where the program was installed, and never by a name on an index."""
    try:
        came = json.loads(distribution("discreet").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        came = {}
    url = str(came.get("url", ""))
    revision = came.get("vcs_info", {})
    checkout = Path(__file__).resolve().parents[2]
    place = url2pathname(urlsplit(url).path) if url.startswith("file:") else ""
    if (checkout / "pyproject.toml").is_file():
        place = str(checkout)
    if place:
        return f"Run: pip install {quote(f'{place}[{extra}]')}"
    if revision:
        vcs = f"{revision['vcs']}+{url}@{revision['commit_id']}"
        return f"Run: pip install {quote(f'discreet[{extra}] @ {vcs}')}"
    return f"Install it again from its original source, with the extra [{extra}]."


def cost(text: str) -> Cost:
    """Parse EPSILON or EPSILON,DELTA, exactly as written."""
    epsilon, _, delta = text.partition(",")
    try:
        return Cost.of(epsilon, delta or "0")
    except ParameterError as wrong:
        raise ArgumentTypeError(str(wrong)) from None


def ended(work: Callable[[], Outcome], as_json: bool) -> int:
    """Run a verb, print its result, and return the exit code.

    A refusal is printed as one sentence without rows in it; of any other error only the class is printed.
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
    """Print lines; user-chosen names cannot move the cursor."""
    print("\n".join(map(printable, lines)))
