"""Again: a whole plan as a script and as a notebook that ask it of a file one names, after an install."""

from __future__ import annotations

from discreet.budget import Cost
from discreet.curator.fixed import FixedPlan
from discreet.lab.report.notebook import notebook, program, text
from discreet.lab.report.script import NEEDED, Imports, code, code_of_cost, code_of_file, imported
from discreet.lab.report.titles import titled
from discreet.rows.files import Layout
from discreet.rows.schema import Schema

MORE = {
    ("discreet.lab.report.html_report", "html_report"),
    ("discreet.lab.report.publication", "publication"),
    ("discreet.lab.report.sheets", "releases_csv"),
}
READ = """dataset = Dataset(LocalSource({file}), Schema.from_json(SCHEMA))
curator = Curator(dataset, SessionLedger(Cost.of({limit})))"""
RUN = """answers = curator.run(PLAN)
print(releases_csv(answers.releases, dataset.schema))
print(answers.cost, "proven by:", PLAN.total.proof)"""
KEEP = """with open("report.html", "w", encoding="utf-8") as file:
    file.write(html_report(publication([(release, dataset.schema) for release in answers.releases], PLAN.total)))"""
SCRIPT = '''"""Ask a plan of a file, and write its report: python ask_plan.py people.csv"""

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
    return SCRIPT.format(schema=schema.to_json(), run=RUN, keep=KEEP, **pieces)


def plan_notebook(plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None = None) -> str:
    """Return a notebook that does the same, step by step."""
    pieces = _pieces(plan, schema, limit, layout, "FILE")
    questions = "\n".join(f"    {number}. {' '.join(titled(row).split())}" for number, row in enumerate(plan.rows, 1))
    cells = [
        text(ABOUT),
        program(f'{pieces["imports"]}\n\nFILE = "people.csv"  # your file'),
        text("## The declaration of its columns"),
        program(f"SCHEMA = {schema.to_json()!r}\n{pieces['read']}"),
        text(f"## The plan\n\n{questions}"),  # indented: nobody's text becomes a picture or a link
        program(pieces["plan"]),
        text("## The answers, under one charge"),
        program(RUN),
        text("## The report"),
        program(KEEP),
    ]
    return notebook(cells)


def _pieces(plan: FixedPlan, schema: Schema, limit: Cost, layout: Layout | None, file: str) -> dict[str, str]:
    """Return the parts that a script and a notebook are made of."""
    imports: Imports = {("discreet", name) for name in NEEDED} | MORE
    rows = "".join(f"        {code(row, imports)},\n" for row in plan.rows)
    imports.add((FixedPlan.__module__, FixedPlan.__name__))
    read = READ.format(file=code_of_file(file, layout, imports), limit=code_of_cost(limit))
    return {"plan": f"PLAN = FixedPlan(\n    (\n{rows}    ),\n    {plan.delta!r},\n)", "read": read} | {
        "imports": imported(imports)
    }
