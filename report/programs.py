"""Programs: a query or a plan as a Python script and as a notebook that ask it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any

from discreet.budget import Cost
from discreet.curator.plan import FixedPlan
from discreet.curator.request import Request
from discreet.report.words import as_read, titled
from discreet.rows.dataset import Dataset
from discreet.rows.files import Layout
from discreet.rows.schema import Schema

# --- Script: a query as a Python script that asks it of a file given by name ---

NEEDED = ("Cost", "Curator", "Dataset", "LocalSource", "Schema", "SessionLedger")
PUBLIC = {*NEEDED, "Either", "Filter", "Relation", "Request"}  # what a script imports from the package itself
Imports = set[tuple[str, str]]  # modules, and the names that are imported from them
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
    """Return a Python script that asks this query of the core, about a file given by name.

    A layout is given if the user changed how the file is read; otherwise the file's own bytes suggest it.
    """
    imports: Imports = {("discreet", name) for name in NEEDED}
    question = code(request, imports)
    return SCRIPT.format(
        file=code_of_file("sys.argv[1]", layout, imports),
        imports=imported(imports),
        schema=schema.to_json(),
        limit=code_of_cost(limit),
        question=question,
        read=f"Data handling: {'; '.join(as_read(request, schema))}.",
    )


LINES = """{imports}

{opened}
curator = Curator(dataset, SessionLedger(Cost.of({limit})))
release = curator.ask({question})
print(release.answer, release.interval, release.cost)
"""


def lines(request: Request, limit: Cost, kind: type[Dataset], layout: Layout | None = None, sample: str = "") -> str:
    """Return the lines of Python that ask this query of a file and its exported schema, or of a sample."""
    imports: Imports = {("discreet", name) for name in ("Cost", "Curator", "SessionLedger")}
    if sample:
        imports.add(("discreet.lab.samples", "SAMPLES"))
        opened = f"dataset = SAMPLES[{sample!r}]()"
    else:
        imports |= {("discreet", name) for name in (kind.__name__, "LocalSource", "Schema")}
        file = code_of_file("'people.csv'", layout, imports)
        opened = (
            "with open('declaration.json', encoding='utf-8') as file:\n    schema = Schema.from_json(file.read())\n"
            f"dataset = {kind.__name__}(LocalSource({file}), schema)"
        )
    question = code(request, imports)
    return LINES.format(imports=imported(imports), opened=opened, limit=code_of_cost(limit), question=question)


def code_of_file(name: str, layout: Layout | None, imports: Imports) -> str:
    """Return the code for the path of a file, and for how it is read if a layout is given."""
    return name if layout is None else f"{name}, {code(layout, imports)}"


def code_of_cost(cost: Cost) -> str:
    """Return the code for the arguments of `Cost.of`."""
    return ", ".join(map(repr, [str(cost.epsilon), *([str(cost.delta)] if cost.delta_units else [])]))


def imported(imports: Iterable[tuple[str, str]]) -> str:
    """Return the import statements of a script."""
    by_module = groupby(sorted(imports), itemgetter(0))
    return "\n".join(f"from {module} import {', '.join(name for _, name in names)}" for module, names in by_module)


def code(thing: Any, imports: Imports) -> str:
    """Return a frozen value as the expression that builds it."""
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


# --- Notebook: cells of text and of code, as a file that Jupyter opens ---

Cell = dict[str, Any]


def text(source: str) -> Cell:
    """Return a cell of text."""
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def program(source: str) -> Cell:
    """Return a cell of code."""
    cell: Cell = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    return {**cell, "source": source.splitlines(keepends=True)}


def notebook(cells: Sequence[Cell]) -> str:
    """Serialise the cells as a notebook; each has an id by its place."""
    named = [{"id": sha256(f"{at}".encode()).hexdigest()[:8], **cell} for at, cell in enumerate(cells)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    book = {"cells": named, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


# --- Plan again: a whole plan as a script and as a notebook that ask it of a file given by name ---

MORE = {
    ("discreet.report.html", "html_report"),
    ("discreet.report.publication", "publication"),
    ("discreet.report.tables", "releases_csv"),
}
READ = """dataset = Dataset(LocalSource({file}), Schema.from_json(SCHEMA))
curator = Curator(dataset, SessionLedger(Cost.of({limit})))"""
RUN = """answers = curator.run(PLAN)
print(releases_csv(answers.releases, dataset.schema))
print(answers.cost, "composition:", PLAN.total.proof)"""
KEEP = """with open("report.html", "w", encoding="utf-8") as file:
    file.write(html_report(publication([(release, dataset.schema) for release in answers.releases], PLAN.total)))"""
PLAN_SCRIPT = '''"""Ask a plan of a file, and write its report: python ask_plan.py people.csv"""

import sys

{imports}

SCHEMA = {schema!r}
{plan}
{read}
{run}
{keep}
'''
ABOUT = """# A plan of differentially private statistics

It needs Python with Discreet installed, and a file with the declared columns. Whoever runs it has the rows.
The budget is that of this session: each run of the notebook from its beginning spends it anew."""


def plan_script(plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None = None) -> str:
    """Return a Python script that asks all rows of a plan under one charge, and writes the report."""
    pieces = _pieces(plan, schema, limit, layout, "sys.argv[1]")
    return PLAN_SCRIPT.format(schema=schema.to_json(), run=RUN, keep=KEEP, **pieces)


def plan_notebook(plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None = None) -> str:
    """Return a notebook with the steps of that script."""
    pieces = _pieces(plan, schema, limit, layout, "FILE")
    questions = "\n".join(f"    {number}. {' '.join(titled(row).split())}" for number, row in enumerate(plan.rows, 1))
    cells = [
        text(ABOUT),
        program(f'{pieces["imports"]}\n\nFILE = "people.csv"  # your file'),
        text("## The declaration of its columns"),
        program(f"SCHEMA = {schema.to_json()!r}\n{pieces['read']}"),
        text(f"## The plan\n\n{questions}"),  # indented: no user's text becomes a picture or a link
        program(pieces["plan"]),
        text("## The answers, under one charge"),
        program(RUN),
        text("## The report"),
        program(KEEP),
    ]
    return notebook(cells)


def _pieces(plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None, file: str) -> dict[str, str]:
    """Return the parts from which a script and a notebook are built."""
    imports: Imports = {("discreet", name) for name in NEEDED} | MORE
    rows = "".join(f"        {code(row, imports)},\n" for row in plan.rows)
    imports.add((FixedPlan.__module__, FixedPlan.__name__))
    read = READ.format(file=code_of_file(file, layout, imports), limit=code_of_cost(limit))
    return {"plan": f"PLAN = FixedPlan(\n    (\n{rows}    ),\n    {plan.delta!r},\n)", "read": read} | {
        "imports": imported(imports)
    }
