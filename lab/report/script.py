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
from discreet.rows.files import Layout
from discreet.rows.schema import Schema

NEEDED = ("Cost", "Curator", "Dataset", "LocalSource", "Schema", "SessionLedger")
PUBLIC = {*NEEDED, "Either", "Filter", "Relation", "Request"}  # what a script imports from the package itself
Imports = set[tuple[str, str]]  # modules, and the names that are taken from them
SCRIPT = '''"""Ask one question of a file: python ask.py people.csv"""

import sys

{imports}

SCHEMA = {schema!r}

dataset = Dataset(LocalSource({file}), Schema.from_json(SCHEMA))
curator = Curator(dataset, SessionLedger(Cost.of({limit})))
request = {question}
release = curator.ask(request)
print(release.answer, release.interval, release.cost)
print({read!r})
'''


def script(request: Request, schema: Schema, limit: Cost, layout: Layout | None = None) -> str:
    """Return a Python script that asks the same question of the core, of a file one names.

    A layout is there where somebody corrected how the file is read; else its own bytes suggest it.
    """
    imports: Imports = {("discreet", name) for name in NEEDED}
    question = code(request, imports)
    return SCRIPT.format(
        file=code_of_file("sys.argv[1]", layout, imports),
        imports=imported(imports),
        schema=schema.to_json(),
        limit=code_of_cost(limit),
        question=question,
        read=f"As read: {'; '.join(as_read(request, schema))}.",
    )


def code_of_file(name: str, layout: Layout | None, imports: Imports) -> str:
    """Write where a file is, and how it is read where somebody said so."""
    return name if layout is None else f"{name}, {code(layout, imports)}"


def code_of_cost(cost: Cost) -> str:
    """Write a cost as what `Cost.of` takes."""
    return ", ".join(map(repr, [str(cost.epsilon), *([str(cost.delta)] if cost.delta_units else [])]))


def imported(imports: Iterable[tuple[str, str]]) -> str:
    """Write the imports of a script."""
    by_module = groupby(sorted(imports), itemgetter(0))
    return "\n".join(f"from {module} import {', '.join(name for _, name in names)}" for module, names in by_module)


def code(thing: Any, imports: Imports) -> str:
    """Write a frozen value as the expression that makes it."""
    if isinstance(thing, Fraction):
        imports.add(("fractions", "Fraction"))
        return f"Fraction({thing.numerator}, {thing.denominator})"
    if isinstance(thing, tuple):
        inner = ", ".join(code(item, imports) for item in thing)
        return f"({inner},)" if thing else "()"
    if is_dataclass(thing) and not isinstance(thing, type):
        kind = type(thing)
        imports.add(("discreet" if kind.__name__ in PUBLIC else kind.__module__, kind.__name__))
        values = (f"{f.name}={code(getattr(thing, f.name), imports)}" for f in fields(thing) if f.init)
        return f"{kind.__name__}({', '.join(values)})"
    return repr(thing)
