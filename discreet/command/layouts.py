"""Layouts: a file is opened as its first bytes suggest, or as it was said otherwise."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from discreet.budget import ParameterError
from discreet.rows import LocalSource, folder
from discreet.rows.files import Layout
from discreet.rows.files.excel import Unchosen
from discreet.rows.scanned import suggested
from discreet.rows.sealing import Plain

TRUTHS = {"yes": True, "no": False}


def opened(place: str, said: Sequence[str]) -> LocalSource:
    """Open what a path leads to; `said` corrects how a single file is read."""
    try:
        if not said:
            return folder.opened(place)
        layout = suggested(Plain(Path(place)))
        return LocalSource(place, replace(layout, **dict(map(_part, said))))
    except Unchosen as several:
        raise ParameterError(
            "{several} Add --read and the sheet, as in: --read {example}",
            several=several.args[0],
            example=shlex.quote(f"sheet={several.sheets[-1]}"),
        ) from None


def _part(words: str) -> tuple[str, Any]:
    """Return one part of a layout, by its name."""
    name, _, value = words.partition("=")
    kinds = {field.name: type(field.default) for field in fields(Layout)[1:]}
    if name not in kinds:
        raise ParameterError("--read takes one of {choices}, each with a value.", choices=", ".join(kinds))
    if kinds[name] is bool:
        if value not in TRUTHS:
            raise ParameterError("--read {name} must be yes or no.", name=name)
        return name, TRUTHS[value]
    if kinds[name] is int:
        if not value.isdigit():
            raise ParameterError("--read {name} must be a whole number.", name=name)
        return name, int(value)
    return name, value.replace("\\t", "\t")
