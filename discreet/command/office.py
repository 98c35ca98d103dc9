"""Administer a server: `discreet office COMMAND ...`; `discreet office --help` lists the commands.

example:
  discreet office --home /srv/discreet verify
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec


def main(words: Sequence[str]) -> int:
    """Run a command of the office."""
    if find_spec("argon2") is None or find_spec("yaml") is None:
        from discreet.command.words import MISCONFIGURED, installed_with

        print(f"The office is not installed. {installed_with('office')}", file=sys.stderr)
        return MISCONFIGURED
    from discreet.office.__main__ import main as office

    try:
        return office(list(words))
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
            return 1
        return int(ended.code or 0)
