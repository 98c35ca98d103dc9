"""Output: what a command prints, one line for each item or one JSON of all, and its exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn

from discreet.budget.errors import printable

_lines: ContextVar[list[Any] | None] = ContextVar("_lines", default=None)


@contextmanager
def as_json() -> Iterator[None]:
    """Collect the output, and print it at the end as one JSON: lines, success, and the refusal if any."""
    lines = list[Any]()
    mark = _lines.set(lines)
    record: dict[str, Any] = {"ok": False}
    try:
        yield
        record = {"ok": True}
    except SystemExit as ended:
        if not isinstance(ended.code, str):
            raise
        record = {"ok": False, "error": ended.code}
        raise SystemExit(1) from None
    finally:
        _lines.reset(mark)
        print(printable(json.dumps(record | {"lines": lines}, ensure_ascii=False, default=str)))


def tell(*parts: object, **fields: object) -> None:
    """Print a line of words, or of fields by their names."""
    lines = _lines.get()
    words = "  ".join(str(part) for part in (*parts, *map(_plain, fields.values())) if str(part))
    if lines is None:
        print(printable(words))
    else:
        lines.append(fields or words)


def stop(why: object) -> NoReturn:
    """End the command: nothing was done."""
    sys.exit(printable(str(why)))


def end(wrong: list[str], well: str) -> int:
    """Print what is wrong, or that all is well; return the exit code."""
    for line in wrong or [well]:
        tell(line)
    return 1 if wrong else 0


def _plain(value: object) -> object:
    return "  ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
