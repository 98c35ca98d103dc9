"""Speech: what a command prints, one line for each thing, and how it ends."""

from __future__ import annotations

import sys
from typing import NoReturn

from discreet.budget.phrase import printable


def tell(*parts: object) -> None:
    """Print a line."""
    print(printable("  ".join(str(part) for part in parts if str(part))))


def stop(why: object) -> NoReturn:
    """End the command: nothing was done."""
    sys.exit(printable(str(why)))


def end(wrong: list[str], well: str) -> int:
    """Print what is wrong, or that all is well; return the exit code."""
    for line in wrong or [well]:
        tell(line)
    return 1 if wrong else 0
