"""Script: a question as a Python script that asks it of a file one names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from discreet.budget import Cost
from discreet.curator.request import Request
from discreet.lab.report.meaning import as_read
from discreet.rows.schema import Schema

NEEDED = ("Cost", "Curator", "Dataset", "LocalSource", "Schema", "SessionLedger")
PUBLIC = {*NEEDED, "Filter", "Relation", "Request"}  # what a script imports from the package itself
Imports = set[tuple[str, str]]  # modules, and the names that are taken from them
SCRIPT = '''"""Ask one question of a file: python ask.py people.csv"""

import sys

{imports}

SCHEMA = {schema!r}

dataset = Dataset(LocalSource(sys.argv[1]), Schema.from_json(SCHEMA))
curator = Curator(dataset, SessionLedger(Cost.of({limit})))
request = {question}
release = curator.ask(request)
print(release.answer, release.interval, release.cost)
print({read!r})
'''


def script(request: Request, schema: Schema, limit: Cost) -> str:
    """Return a Python script that asks the same question of the core, of a file one names."""
    imports: Imports = {("discreet", name) for name in NEEDED}
    question = _code(request, imports)
    parts = [str(limit.epsilon), *([str(limit.delta)] if limit.delta_units else [])]
    return SCRIPT.format(
        imports=_imported(imports),
        schema=schema.to_json(),
        limit=", ".join(map(repr, parts)),
        question=question,
        read=f"As read: {'; '.join(as_read(request, schema))}.",
    )


def _imported(imports: Iterable[tuple[str, str]]) -> str:
    by_module = groupby(sorted(imports), itemgetter(0))
    return "\n".join(f"from {module} import {', '.join(name for _, name in names)}" for module, names in by_module)


def _code(thing: Any, imports: Imports) -> str:
    """Write a frozen value as the expression that makes it."""
    if isinstance(thing, Fraction):
        imports.add(("fractions", "Fraction"))
        return f"Fraction({thing.numerator}, {thing.denominator})"
    if isinstance(thing, tuple):
        inner = ", ".join(_code(item, imports) for item in thing)
        return f"({inner},)" if thing else "()"
    if is_dataclass(thing) and not isinstance(thing, type):
        kind = type(thing)
        imports.add(("discreet" if kind.__name__ in PUBLIC else kind.__module__, kind.__name__))
        values = (f"{f.name}={_code(getattr(thing, f.name), imports)}" for f in fields(thing) if f.init)
        return f"{kind.__name__}({', '.join(values)})"
    return repr(thing)
