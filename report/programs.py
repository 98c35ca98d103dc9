"""Programs: results as a notebook that shows them, and a query or a plan as a script that asks it again."""

from __future__ import annotations

import json
import math
import platform
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from operator import itemgetter
from typing import Any

from discreet.budget import Cost
from discreet.curator.plan import FixedPlan
from discreet.curator.request import Request
from discreet.lab.program import program as our_version
from discreet.report.html import english, marks_of, name_of, rule_words, tag
from discreet.report.publication import WARNINGS, Publication
from discreet.report.tables import grouping, lines_of
from discreet.report.words import as_read, in_a_line
from discreet.rows.files import Layout
from discreet.rows.schema import Schema

# --- Script: a query as a Python script that asks it of a file given by name ---

NEEDED = ("Cost", "Curator", "Dataset", "LocalSource", "Schema", "SessionLedger")
PUBLIC = {
    *NEEDED,
    "Bands",
    "Either",
    "Filter",
    "Recode",
    "Relation",
    "Request",
}  # what a script imports from the package itself
Imports = set[tuple[str, str]]  # modules, and the names that are imported from them
EXAMPLE = "people.csv"
SCRIPT = '''"""Release one query of a dataset: python ask.py{example}

Each run spends a new privacy budget. No ledger adds it to what was spent before.

{install}
"""

{imports}

{opened}
curator = Curator(dataset, SessionLedger(Cost.of({limit})))
request = {question}
release = curator.ask(request)
print(release.answer, release.interval, release.cost)
print({read!r})
'''


def installing(extra: str = "") -> str:
    """Return how to install what a program needs, and the versions it was made with."""
    every = [f"Discreet {our_version()}", f"Python {platform.python_version()}"]
    every += [f"{name} {version(name)}" for name in ("numpy", "opendp")]
    return f"Install: pip install {extra or '.'}   (in a checkout of Discreet)\nMade with: {', '.join(every)}"


def quoted_file(name: str) -> str:
    """Return the name of a file as a shell takes it, with no sign that could end a docstring."""
    return shlex.quote("".join(each if each.isprintable() and each not in '\\"' else "_" for each in name))


def script(
    request: Request, schema: Schema, limit: Cost, layout: Layout | None = None, file: str = EXAMPLE, sample: str = ""
) -> str:
    """Return a Python script that asks this query of the core, about a file given by name, or about a sample.

    A layout is given if the user changed how the file is read; otherwise the file's own bytes suggest it. `file` is the
    name that the script shows as an example.
    """
    imports: Imports = {("discreet", name) for name in ("Cost", "Curator", "SessionLedger")}
    question = code(request, imports)
    opened = _sample(sample, imports) if sample else _file(schema, layout, imports)
    return SCRIPT.format(
        example="" if sample else f" {quoted_file(file)}",
        install=installing(),
        imports=("" if sample else "import sys\n\n") + imported(imports),
        opened=opened,
        limit=code_of_cost(limit),
        question=question,
        read=f"Data handling: {'; '.join(as_read(request, schema))}.",
    )


def _sample(name: str, imports: Imports) -> str:
    """Return the lines that open a sample."""
    imports.add(("discreet.lab.samples", "SAMPLES"))
    return f"dataset = SAMPLES[{name!r}]()"


def _file(schema: Schema, layout: Layout | None, imports: Imports) -> str:
    """Return the lines that open the file named in the command, with its schema."""
    imports |= {("discreet", name) for name in NEEDED}
    file = code_of_file("sys.argv[1]", layout, imports)
    return f"SCHEMA = {schema.to_json()!r}\n\ndataset = Dataset(LocalSource({file}), Schema.from_json(SCHEMA))"


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
    ("discreet.report.html", "Inline"),
    ("discreet.report.html", "html_report"),
    ("discreet.report.publication", "publication"),
    ("discreet.report.tables", "releases_csv"),
}
READ = """dataset = Dataset(LocalSource({file}), Schema.from_json(SCHEMA))
curator = Curator(dataset, SessionLedger(Cost.of({limit})))"""
RUN = """answers = curator.run(PLAN)
print(releases_csv(answers.releases, dataset.schema))
print(answers.cost, "composition:", PLAN.total.proof)"""
KEEP = """report = html_report(publication([(release, dataset.schema) for release in answers.releases], PLAN.total))
with open("report.html", "w", encoding="utf-8") as file:
    file.write(report)"""
PLAN_SCRIPT = '''"""Release a plan of a file and write its report: python ask_plan.py {example}

{install}
"""

import sys

{imports}

SCHEMA = {schema!r}
{plan}
{read}
{run}
{keep}
'''
AGAIN = """## Run it again

The cells below read the rows and draw new noise: the values will differ from those above, and privacy budget is spent.
They need the data file. Its budget is that of this session: each run from the beginning spends it anew."""


def plan_script(plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None = None, file: str = EXAMPLE) -> str:
    """Return a Python script that asks all rows of a plan under one charge, and writes the report."""
    pieces = _pieces(plan, schema, limit, layout, "sys.argv[1]")
    about = {"example": quoted_file(file), "install": installing()}
    return PLAN_SCRIPT.format(schema=schema.to_json(), run=RUN, keep=KEEP, **about, **pieces)


def plan_notebook(
    plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None, edition: Publication, file: str = EXAMPLE
) -> str:
    """Return a notebook that shows the results of a plan, and then has the steps of that script."""
    pieces = _pieces(plan, schema, limit, layout, "FILE")
    questions = "\n".join(f"    {number}. {in_a_line(row, schema)}" for number, row in enumerate(plan.rows, 1))
    cells = [
        *_showing(edition),
        text(AGAIN),
        program(f"{pieces['imports']}\n\nFILE = {file!r}"),
        text("### The declaration of its columns"),
        program(f"SCHEMA = {schema.to_json()!r}\n{pieces['read']}"),
        text(f"### The plan\n\n{questions}"),  # indented: no user's text becomes a picture or a link
        program(pieces["plan"]),
        text("### New results, under one charge"),
        program(RUN),
        text("### Their report, also saved as a file"),
        program(f"{KEEP}\nInline(report)"),
    ]
    return notebook(cells)


# --- Results: a notebook that shows released results: as a table, as charts, with nothing spent ---

SHOWN = (
    "query",
    "statistic",
    "columns",
    "part",
    "where",
    "answer",
    "low",
    "high",
    "quality",
    "unit",
    "note",
    "status",
    "name",
)
TABLE = """import pandas as pd

RESULTS = [
{rows}]
results = pd.DataFrame(RESULTS)
results = results.loc[:, results.ne("").any()]
results.drop(columns="name")"""
CHARTS = """from html import escape

import plotly.graph_objects as go


def chart(rows):
    \"\"\"Draw the values of a query with their 95% intervals.\"\"\"
    value, low, high = (pd.to_numeric(rows[name], errors="coerce") for name in ("answer", "low", "high"))
    names = [escape(name, quote=False) for name in rows["name"]]
    dots = go.Scatter(x=value, y=names, mode="markers", error_x={"array": high - value, "arrayminus": value - low})
    title = escape(f"{rows['statistic'].iloc[0]}: {rows['columns'].iloc[0]}", quote=False)
    return go.Figure(dots, {"title": {"text": title}, "yaxis": {"autorange": "reversed"}})


for _, rows in results.groupby("query"):
    if pd.to_numeric(rows["answer"], errors="coerce").notna().any():
        chart(rows).show()"""


def results_notebook(edition: Publication) -> str:
    """Return a notebook that shows released results; it reads no row."""
    return notebook(_showing(edition))


def _showing(edition: Publication) -> list[Cell]:
    """Return the cells that show results; the table is there before anything is run."""
    cover = edition.cover
    days = " – ".join(dict.fromkeys(f"{moment:%Y-%m-%d}" for moment in edition.released))
    by = " · ".join(plain_text(each) for each in (cover.office, cover.contact) if each)
    warning = f"**{WARNINGS[cover.status]}**" if cover.status else ""
    about = f"Released {days} with a total of {edition.total.cost}. Nothing here reads a row or spends anything."
    install = "\n".join(f"    {line}" for line in installing('".[app]" notebook').splitlines())
    notes = [plain_text(line) for line in cover.note.splitlines() if line.strip()]
    title = f"# {plain_text(cover.title) or 'Released statistics'}"
    lines = list(_lines(edition))
    rows = "".join(f"    {line!r},\n" for line in lines)
    table = program(TABLE.format(rows=rows)) | {"execution_count": 1, "outputs": [_output(lines)]}
    marks = "" if edition.rule is None else f"Quality by the margin of error: {rule_words(edition.rule)}."
    return [
        text("\n\n".join(filter(None, (title, warning, by, *notes, about, marks, install)))),
        table,
        text("## Charts\n\nEach value with its 95% interval, which covers the noise and no sampling error."),
        program(CHARTS),
    ]


def _lines(edition: Publication) -> Iterator[dict[str, Any]]:
    """Yield each number by column name, with the number of its query and a name for a chart."""
    answers = edition.own
    groups = list(grouping(answers).values())
    data = (
        (number, datum, mark)
        for number, each in enumerate(edition.chapters, 1)
        for datum, mark in zip(each.data, marks_of(each, edition.rule), strict=True)
    )
    every = lines_of(answers, edition.at_once, edition.statuses)
    for (number, datum, mark), line in zip(data, every, strict=True):
        whole = line | {"query": number, "quality": mark, "name": name_of((datum,), english) or str(line["statistic"])}
        at = SHOWN.index("part")
        cells = {name: whole[name] for name in (*SHOWN[:at], *groups, *SHOWN[at:])}
        yield {name: _literal(cell) for name, cell in cells.items()}


def _literal(cell: Any) -> Any:
    """Return a cell that Python reads back as it is written."""
    if isinstance(cell, (bool, int)):
        return cell
    return cell if isinstance(cell, float) and math.isfinite(cell) else "" if cell is None else str(cell)


def _output(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the table of results as a cell shows it once it was run."""
    names = [name for name in lines[0] if name != "name" and any(line[name] != "" for line in lines)]
    head = tag("tr", *(tag("th", name) for name in names))
    body = [tag("tr", *(tag("td", str(line[name])) for name in names)) for line in lines]
    page = tag("table", tag("thead", head), tag("tbody", *body))
    plain = "\n".join("\t".join(" ".join(str(line[name]).split()) for name in names) for line in lines)
    data = {"text/html": [str(page)], "text/plain": ["\t".join(names) + "\n" + plain]}
    return {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}


def plain_text(words: str) -> str:
    """Escape a person's own text for Markdown, so that it is shown unchanged."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(words.split()))


def _pieces(plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None, file: str) -> dict[str, str]:
    """Return the parts from which a script and a notebook are built."""
    imports: Imports = {("discreet", name) for name in NEEDED} | MORE
    rows = "".join(f"        {code(row, imports)},\n" for row in plan.rows)
    imports.add((FixedPlan.__module__, FixedPlan.__name__))
    read = READ.format(file=code_of_file(file, layout, imports), limit=code_of_cost(limit))
    return {"plan": f"PLAN = FixedPlan(\n    (\n{rows}    ),\n    {plan.delta!r},\n)", "read": read} | {
        "imports": imported(imports)
    }
