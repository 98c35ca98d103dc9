"""Layouts: a file is opened as declared, or as its public beginning suggests, with corrections by options."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from discreet.budget import ParameterError
from discreet.rows import LocalSource
from discreet.rows.capacity import LARGEST_UPLOAD
from discreet.rows.engines import folder
from discreet.rows.files import Layout, likely
from discreet.rows.files.excel import Unchosen
from discreet.rows.intake.opening import suggested
from discreet.rows.sealing import Plain

PARTS = tuple(field.name for field in fields(Layout))[1:]
TRUTHS = {"yes": True, "no": False}


def opened(place: str, said: Sequence[str], declared: Layout | None) -> LocalSource:
    """Open a path; `said` corrects how a single file is `declared`, or suggested, to be read."""
    try:
        if declared is not None or said:
            layout = declared or suggested(Plain(Path(place)))
            return LocalSource(place, replace(layout, **dict(map(_part, said))))
        return folder.opened(place)
    except Unchosen as several:
        raise ParameterError(
            "{several} Use --read, for example: --read {example}",
            several=several.args[0],
            example=shlex.quote(f"sheet={several.sheets[-1]}"),
        ) from None
    except ParameterError as refused:
        other = "" if declared or said else _as_it_looks(Path(place))
        if not other:
            raise
        raise ParameterError(
            "{refused} The rows suggest these options: {options}.", refused=refused, options=other
        ) from None


def _as_it_looks(file: Path) -> str:
    """Return the likely layout of a refused text as options: a suggestion to the user, who may use it or not."""
    if not file.is_file() or file.stat().st_size > LARGEST_UPLOAD:
        return ""
    try:
        proposed = suggested(Plain(file))
        other = likely(file.read_bytes())
    except ParameterError:
        return ""
    parts = [name for name in PARTS if vars(other)[name] != vars(proposed)[name]]
    return " ".join(f"--read {shlex.quote(f'{name}={_written(vars(other)[name])}')}" for name in parts)


def _written(value: Any) -> str:
    words = {truth: word for word, truth in TRUTHS.items()}
    return words[value] if isinstance(value, bool) else str(value).replace("\t", "\\t")


def _part(words: str) -> tuple[str, Any]:
    """Return one field of a layout, by its name."""
    name, _, value = words.partition("=")
    kinds = {field.name: type(field.default) for field in fields(Layout)[1:]}
    if name not in kinds:
        raise ParameterError("--read takes NAME=VALUE with one of these names: {choices}.", choices=", ".join(kinds))
    if kinds[name] is bool:
        if value not in TRUTHS:
            raise ParameterError("--read {name} must be yes or no.", name=name)
        return name, TRUTHS[value]
    if kinds[name] is int:
        if not value.isdigit():
            raise ParameterError("--read {name} must be a whole number.", name=name)
        return name, int(value)
    return name, value.replace("\\t", "\t")
