"""Refusals: what is said of files that are not read. No sentence quotes a cell."""

from __future__ import annotations

import json
import signal
from collections.abc import Sequence

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows.capacity import MOST_COLUMNS
from discreet.rows.files import Format
from discreet.rows.files.format import BEYOND, DAMAGED
from discreet.rows.schema import check_name

FULL = Phrase("The rows of all open files take as much memory as they may. Discard this file, or try again later.")
STARVED = (-signal.SIGABRT, -signal.SIGKILL)  # gave up for want of memory, or was ended for it
UNTOLD = b"[-9, 0, false]"  # who watched was ended, too
LATER = b"[0, 0, true]"  # who watched hangs, too


class Unreachable(ParameterError):
    """A database or cluster that could not be opened or read; nothing says why."""


def check_header(names: Sequence[str]) -> None:
    """Refuse headers that are empty, double, endless or dangerous to show."""
    if not names:
        raise ParameterError("The file has no columns. The first line must name them.")
    if len(names) > MOST_COLUMNS:
        raise ParameterError(
            "The file has more than {most_columns} columns. Keep those you need.", most_columns=MOST_COLUMNS
        )
    if any(not str(name).strip() for name in names):
        raise ParameterError("A column has no name. Name every column in the first line.")
    if len(set(names)) < len(names):
        raise ParameterError("Two columns have the same name. Rename one of them.")
    for name in names:
        check_name(name)


def judge(form: Format, whole: bool, ended: bytes) -> None:
    """Say what was wrong with a file, if anything was."""
    reason, line, late = json.loads(ended or UNTOLD)
    if late or reason == -signal.SIGXCPU:
        raise ParameterError("This file takes too long to read. Split it, or use Parquet.")
    if reason in STARVED:
        reason = BEYOND
    if reason or not whole:
        raise form.refusal(reason or DAMAGED, line)
