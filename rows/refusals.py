"""Refusals: what is said of files that are not read. No sentence quotes a cell."""

from __future__ import annotations

import json
import signal
from collections.abc import Sequence

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows import limits
from discreet.rows.schema import check_name
from discreet.rows.sniff import ACCEPTED, LARGEST_UNPACKED, MIB, MOST_CELLS, MOST_COLUMNS

FULL = Phrase("The rows of all open files take as much memory as they may. Discard this file, or try again later.")
STARVED = (-signal.SIGABRT, -signal.SIGKILL)  # gave up for want of memory, or was ended for it
UNTOLD = b"[-9, 0, false]"  # who watched was ended, too
LATER = b"[0, 0, true]"  # who watched hangs, too


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


def judge(kind: str, whole: bool, ended: bytes) -> None:
    """Say what was wrong with a file, if anything was."""
    code, line, late = json.loads(ended or UNTOLD)
    if late or code == -signal.SIGXCPU:
        raise ParameterError("This file takes too long to read. Split it, or use Parquet.")
    if code in (limits.BEYOND, *STARVED):
        raise _too_much() if kind == "excel" else beyond()
    if kind == "text" and code:
        raise _text(code, line)
    if code in (limits.ARCHIVE, limits.LARGE_BOOK):
        raise _archive(code, is_one=bool(line))
    if code or not whole:
        raise damaged(kind)


def _text(code: int, line: int) -> ParameterError:
    if code == limits.LINE:
        return ParameterError(
            "Line {line_num} cannot be read: a quote is not closed, or a cell is longer "
            "than {longest_cell:,} characters.",
            line_num=line,
            longest_cell=limits.LONGEST_CELL,
        )
    if code == limits.NUL:
        return ParameterError("The file holds NUL characters. Choose another encoding.")
    if code == limits.CELLS:
        return ParameterError("The file has more than {most_cells:,} cells. Split it.", most_cells=MOST_CELLS)
    return ParameterError("The file is not in this encoding. Choose another one.")


def _archive(code: int, is_one: bool) -> ParameterError:
    if code == limits.LARGE_BOOK:
        return ParameterError("This workbook unpacks beyond 512 MiB. Save it as CSV or Parquet.")
    if is_one:
        return ParameterError("This is a packed archive, not a workbook. {accepted}", accepted=ACCEPTED)
    return ParameterError("This packed file is damaged. {accepted}", accepted=ACCEPTED)


def beyond() -> ParameterError:
    """Say that a file grows too large."""
    return ParameterError(
        "This file unpacks beyond the limits ({most_columns} columns, {most_cells:,} "
        "cells, {largest_unpacked} MiB). Split it.",
        most_columns=MOST_COLUMNS,
        most_cells=MOST_CELLS,
        largest_unpacked=LARGEST_UNPACKED // MIB,
    )


def _too_much() -> ParameterError:
    return ParameterError(
        "This workbook takes too much memory. Delete cells far from the table, or save it as CSV or Parquet."
    )


def damaged(kind: str) -> ParameterError:
    """Say that a file cannot be read."""
    if kind == "excel":
        return ParameterError("This workbook cannot be read. Save it again as xlsx or CSV.")
    if kind == "feather":
        return ParameterError("This Feather file is damaged. Write it again.")
    return ParameterError("This Parquet file is damaged. Write it again.")
