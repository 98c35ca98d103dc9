"""Write the pages of `docs/reference` that follow from the code: `python -m docs.make_reference`.

A test compares what is committed with what this returns.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import discreet
from discreet import command
from discreet.course.contents import TERMS
from discreet.course.lessons.laplace.numbers import DEPLOYMENTS, right, yearly
from discreet.mechanisms import former, registry
from discreet.mechanisms.base.mechanism import Mechanism, parts
from discreet.mechanisms.base.vocabulary import Public, Topic, labelled
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.office.__main__ import _parser
from discreet.office.api.openapi import openapi
from discreet.office.running import settings
from discreet.plans.methods import by_blocks, plannable
from discreet.plans.plan import SCHEMA
from discreet.queries import ADD_REMOVE, Bounds, Relation
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.rows import Category, Date, Difference, Ignored, Meets, Number, Person, Ratio, Schema, YesNo

USED = (
    "Analysis",
    "Cost",
    "Curator",
    "Dataset",
    "OpenData",
    "Release",
    "Request",
    "Schema",
    "SessionLedger",
)  # members are listed
FOLDER = Path(__file__).resolve().parent / "reference"
CATALOGUE = Path(__file__).resolve().parents[1] / "ui" / "catalogue" / "zh.json"
MADE = "<!-- Made by `python -m docs.make_reference`: change the code, or that script. -->"
MEANINGS = {
    "DISCREET_HOME": (
        "Private folder of the server: `vault/` with the registered rows and a key, and `ledger.db` where there is no "
        "other database. Default: `~/.discreet`."
    ),
    "DISCREET_DATABASE": "Address of the database (`postgresql+psycopg://...`). Default: a SQLite file in the folder.",
    "DISCREET_KEYS": (
        "Private folder for one encryption key per registered file, best on another disk. It is not in backups. "
        "Default: none; rows are not encrypted."
    ),
    "DISCREET_SEAL": "File of the key that seals ledgers and audit log. Default: `seal.key` in the folder.",
    "DISCREET_HEADS": (
        "File to which the latest hash of each ledger and of the audit log is added at every write. Default: "
        "`heads.txt` in the folder."
    ),
    "DISCREET_SIGN_IN": (
        "`required`: without a sign-in only the sign-in page and the published results can be seen. `open` (default): "
        "samples and own files can be used without an account."
    ),
    "DISCREET_SECOND_FACTOR": (
        "`required`: officers and administrators with a password need two-factor authentication; an account without "
        "it must set it up after the password. `optional` (default): each account decides."
    ),
    "DISCREET_DATABASES": (
        "Databases whose tables officers may register: `HOST:PORT/DATABASE` or `sqlite:/FILE`, separated by spaces; "
        "`*` matches anything. Default: none."
    ),
    "DISCREET_FOLDERS": (
        "Folders in and below which officers may register folders of Parquet files, separated by spaces. Default: none."
    ),
    "DISCREET_CLUSTERS": (
        "Spark clusters whose tables officers may register: `HOST:PORT`, separated by spaces; `*` matches anything. "
        "Other machines are reached over verified TLS only. Default: none."
    ),
    "DISCREET_SOURCES": (
        "Patterns of addresses that other packages may read (`acme://store.inside/*`), separated by spaces. "
        "Default: none."
    ),
    "DISCREET_PLUGINS": (
        "Other packages to load, separated by spaces ([extending](../extending.md)). They run as a part of the server. "
        "Default: none, whatever is installed."
    ),
    "DISCREET_PROJECT": (
        "File of the project that a person saves without an account. It is used only where the server cannot be "
        "reached from other machines and no sign-in is required. Default: `project.sqlite` in the folder."
    ),
    "DISCREET_UPLOADS": (
        "Most MiB of uploaded files held in memory at once; one browser may use a fourth. Their rows may take as much "
        "for one browser, and twice as much for all. Default: follows the memory of the machine."
    ),
    "DISCREET_HOOK": (
        "One https address that is notified of events: the kind of the act, the request, and a link. No query, "
        "result, comment or name is sent; redirects are not followed. Default: none."
    ),
    "DISCREET_HOOK_KEY": (
        "File of 32 bytes or more. `X-Discreet-Signature` is `sha256=` and the HMAC-SHA256, with this key, of the "
        "`X-Discreet-Time` header, a point and the body."
    ),
    "DISCREET_MAIL": (
        "The same by mail: `smtps://user@host:465?from=a@b&to=c@d,e@f`, or `smtp://` with mandatory STARTTLS. "
        "Certificates are verified. `to` is the office as a whole and may be left out. Default: none."
    ),
    "DISCREET_MAIL_PASSWORD": "File with the password of that mail user.",
    "DISCREET_METRICS": (
        "Port of this machine (`9464`) or `ADDRESS:PORT` for Prometheus metrics at `/metrics`. Anyone who can reach it "
        "can read them. Default: none."
    ),
}
OTHERS = {
    "STREAMLIT_SERVER_ADDRESS": "Address to listen on. Default: `127.0.0.1`.",
    "STREAMLIT_SERVER_ALLOWED_HOSTS": (
        "Names that people type, separated by spaces, without wildcards; every other name is refused. `name` means "
        "ports 80, 443 and the server's own; `name:9000` means port 9000. Loopback names work at the own port."
    ),
    "STREAMLIT_BROWSER_SERVER_ADDRESS": "Name with which links in mail begin.",
    "STREAMLIT_SECRETS_FILES": "File that names an OpenID Connect provider.",
    "FORWARDED_ALLOW_IPS": (
        "Address of the proxy whose word about a visitor's address is taken. Default: `127.0.0.1`; empty: no one's, as "
        "in `make run`."
    ),
    "PGSSLROOTCERT": (
        "Certificate authority of the databases in `DISCREET_DATABASES`: connections to other machines are verified. "
        "Default: `~/.postgresql/root.crt`."
    ),
}


def page(title: str, about: str, *sections: str) -> str:
    """Put a page together."""
    return "\n\n".join([f"# {title}", MADE, about, *sections]).rstrip() + "\n"


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Write a table; a line break or a bar in a cell does not end it."""
    head = list(heads)
    lines = [head, ["---"] * len(head), *([_cell(part) for part in row] for row in rows)]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _cell(part: object) -> str:
    return " ".join(str(part).split()).replace("|", "\\|")


def plain(text: str) -> str:
    """Return a text of the code as Markdown that shows it letter by letter."""
    return re.sub(r"([*_<>\[\]])", r"\\\1", text)


# Commands: what `--help` prints.


def printed(words: list[str]) -> str:
    """Return what a command prints."""
    out = io.StringIO()
    around = mock.patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"})
    with around, contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        if words[0] == "office":
            _parser().parse_args(words[1:])
        else:
            command.main(words)
    return "\n".join(line.rstrip() for line in out.getvalue().strip().split("\n"))


def commands() -> str:
    """Return the help of every command."""
    about = (
        "`pip install .` in a checkout installs the command `discreet`; without installing it is "
        "`.venv/bin/python -m discreet`. This page is what `--help` prints. How-to: "
        "[use the command line](../how-to/use-the-command-line.md), "
        "[administer a server](../how-to/administer-a-server.md)."
    )
    sections = [f"## discreet\n\n```text\n{printed(['--help'])}\n```"]
    for verb in command.VERBS:
        sections.append(f"## discreet {verb}\n\n```text\n{printed([verb, '--help'])}\n```")
    for name in re.findall(r"^    ([a-z]+) ", _parser().format_help(), re.MULTILINE):
        sections.append(f"### discreet office {name}\n\n```text\n{printed(['office', name, '--help'])}\n```")
    return page("Commands", about, *sections)


# Settings: every variable of the environment.


def environment() -> str:
    """Return the variables that a server reads, each once."""
    strange = set(MEANINGS) ^ set(settings.KNOWN)
    if strange:
        raise ValueError(f"Say what these settings mean, or take them out: {sorted(strange)}")
    about = (
        "A server reads its settings from the environment. Every other name that begins with `DISCREET_` stops the "
        "start with a sentence, except names that Kubernetes sets for services called `discreet` or `discreet-db`, and "
        "`DISCREET_TOKEN`, in which a program keeps its token. `discreet office` reads the same variables. "
        "`make class` reads none of them."
    )
    rows = lambda listed: ((f"`{name}`", meaning) for name, meaning in listed.items())  # noqa: E731
    return page(
        "Settings",
        about,
        f"## Settings of Discreet\n\n{table(['Name', 'Meaning'], rows(MEANINGS))}",
        f"## Settings of the programs beneath\n\n{table(['Name', 'Meaning'], rows(OTHERS))}",
    )


# Mechanisms: what each file of `mechanisms/` says of itself.


def mechanisms() -> str:
    """Return every mechanism by its family, with its docstring and its parameters."""
    about = (
        "Every mechanism that can be used in a query: what it is for, its name for the command line and plans, its "
        "class, its parameters and its guarantee. A *95% interval* is valid for every dataset. The proofs in full are "
        "in [guarantees](../guarantees.md). "
        "Which one to take: [choose a mechanism](../how-to/choose-a-mechanism.md)."
    )
    every = [kind for kind in registry.values() if ours(kind)]
    live = [kind for kind in every if not kind.open_only]
    families = sorted({kind.family.key: str(kind.family.name) for kind in live}.items(), key=lambda pair: pair[1])
    sections = []
    for key, name in families:
        sections.append(f"## {name}")
        sections += [mechanism(kind) for kind in live if kind.family.key == key]
    sections.append("## Textbook versions (not private)\n\nThey run on public data only, in the course and in Compare.")
    sections += [mechanism(kind) for kind in every if kind.open_only]
    if former:
        rows = ((f"`{slug}`", plain(kind.title), plain(str(kind.instead))) for slug, kind in sorted(former.items()))
        words = "Their results open; a new query is refused."
        sections.append(f"## No longer used\n\n{words}\n\n{table(['Name', 'Mechanism', 'Instead'], rows)}")
    return page("Mechanisms", about, *sections)


def ours(thing: Any) -> bool:
    """Say whether something is Discreet's own, and not of another package."""
    return str(thing.__module__).startswith("discreet.")


def mechanism(kind: type[Mechanism]) -> str:
    """Return what one mechanism says."""
    facts = [f"`{kind.slug}` · `{kind.__module__}.{kind.__name__}`", f"Noise: {kind.noise.name}."]
    if kind.refines:
        facts.append("Its results can be made more precise later.")
    said = dict(parts(kind))
    lines = [f"### {plain(kind.title)}", use(kind), "  \n".join(facts), plain(said.pop("Statement"))]
    listed = list(parameters(kind))
    if listed:
        lines.append(table(["Parameter", "Label", "Range", "Default", "Meaning"], listed))
    lines.append(f"**Guarantee.** {plain(said.pop('Guarantee'))}")
    lines.append("#### Proof and details")
    lines += [f"**{name}.** {plain(text)}" for name, text in said.items()]
    return "\n\n".join(line for line in lines if line)


def use(kind: type[Mechanism]) -> str:
    """Return in one sentence what a mechanism is for; nothing of a textbook version."""
    topics = [topic.label[0].lower() + topic.label[1:] for topic in kind.topics()]
    if kind.open_only:
        return ""
    interval = "yes" if any(gives_interval(kind, topic.name) for topic in kind.topics()) else "no"
    if kind.interval_of is not None:
        interval += f" ({kind.interval_of})"
    return f"Use it for {plain(', '.join(topics))}; 95% interval: {interval}; needs δ: {yes_no(needs_delta(kind))}."


def yes_no(holds: bool) -> str:
    """Return a word."""
    return "yes" if holds else "no"


def needs_delta(kind: type[Mechanism]) -> bool:
    """Say whether a mechanism spends delta."""
    return "delta" in kind.parameters()


PUBLIC = Public(Bounds(0, 100, integer=True), size_guess=1000, labels=4)


def gives_interval(kind: type[Any], topic: str) -> bool:
    """Say whether a result has an interval: drawn with it, of a rule of its own, or as wide as is forecast exactly."""
    if kind.spanned or kind.interval is not Mechanism.interval:
        return True
    if "query" not in {field.name for field in fields(kind)}:
        forecast = kind().forecast(PUBLIC)
    else:
        relation = Relation(1000) if statistics[topic].name == "trimmed-mean" else ADD_REMOVE
        forecast = kind(query=statistics[topic](relation=relation)).forecast(PUBLIC)
    return forecast.exact and forecast.half_width is not None


def parameters(kind: type[Mechanism]) -> Iterator[tuple[object, ...]]:
    """Yield what can be set of a mechanism."""
    declared = kind.parameters()
    for field in fields(kind):
        if field.name in declared:
            known = declared[field.name]
            span = ", ".join(map(str, known.choices)) if known.choices else f"{known.low:g} to {known.high:g}"
            default = "" if field.default is None else f"{field.default}"
            yield f"`{field.name}`", plain(known.label), span, default, plain(known.help)
        elif labelled(field) is not None:
            yield f"`{field.name}`", plain(str(labelled(field).label)), "", "", ""  # type: ignore[union-attr]


# Statistics: what each file of `queries/` says of itself.


def queries() -> str:
    """Return every statistic and every estimator."""
    about = (
        "Statistics of one column, by the name that plans and requests use. Each knows its sensitivity and its local "
        "sensitivity at distance k, A(k). (δ) marks mechanisms that need δ. "
        "What an interval is about, if not the value of the rows, stands in *Mechanisms*."
    )
    sections = ["## Statistics"]
    able_ones = {slug: kind for slug, kind in registry.items() if ours(kind) and not kind.open_only}
    for name, kind in statistics.items():
        if not ours(kind):
            continue
        first, _, rest = " ".join((inspect.getdoc(kind) or "").split()).partition(". ")
        facts = f"`{name}` · `{kind.__module__}.{kind.__name__}`"
        able = [each for each in able_ones.values() if each.can_answer(name)]
        lines = [f"### {plain(kind.label)}", f"{plain(first.removesuffix('.'))}.", facts, *answering(able, name)]
        sections.append("\n\n".join([*lines, *(["#### Details and sensitivity", plain(rest)] if rest else [])]))
    rows = (
        (
            f"`{name}`",
            plain(each.label),
            each.columns,
            ", ".join(f"`{slug}`" for slug in of_all_rows(name, each.columns)),
        )
        for name, each in estimators.items()
        if ours(each.function)
    )
    words = (
        "Functions of the rows of one block, for sample and aggregate. They need no sensitivity. The last column has "
        "the mechanisms that answer them for all rows at once, with a 95% interval."
    )
    heads = ["Name", "Estimator", "Columns", "Of all rows"]
    sections.append(f"## Estimators for blocks\n\n{words}\n\n{table(heads, rows)}")
    return page("Statistics", about, *sections)


def of_all_rows(name: str, columns: int) -> list[str]:
    """Return the mechanisms that answer an estimator of two columns without blocks."""
    kinds = (kind for kind in registry.values() if ours(kind) and not issubclass(kind, SampleAggregate))
    return [kind.slug for kind in kinds if columns == 2 and kind.can_answer(name)]


def answering(able: list[type[Mechanism]], topic: str) -> list[str]:
    """Return the mechanisms that answer a statistic, those with an interval first; (δ) marks what needs it."""
    lines = []
    for words, wanted in (("With a 95% interval", True), ("Without an interval", False)):
        names = [
            f"`{each.slug}`{' (δ)' if needs_delta(each) else ''}"
            for each in able
            if gives_interval(each, topic) == wanted
        ]
        if names:
            lines.append(f"{words}: {', '.join(names)}.")
    return lines


# Python: the names of `discreet`.


def names() -> str:
    """Return the public names with their signatures, docstrings and methods."""
    about = (
        "The names that `from discreet import ...` gives. Mechanisms are in `discreet.mechanisms` "
        "([list](mechanisms.md)), statistics in `discreet.queries` ([list](statistics.md)), plans in "
        "`discreet.plans`, reports in `discreet.report`. First steps: "
        "[your first result in Python](../tutorials/first-python.md)."
    )
    return page("Python names", about, *(described(name, getattr(discreet, name)) for name in discreet.__all__))


def described(name: str, thing: Any) -> str:
    """Return one name: how it is called, what it is, what it can do."""
    lines = [f"## {name}", f"`{thing.__module__}`"]
    if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception)):
        lines.append(f"```text\n{name}{signature(thing)}\n```")
    lines.append(plain(" ".join((inspect.getdoc(thing) or "").split())))
    if name in USED:
        methods = [
            (f"`{found}`", plain((inspect.getdoc(method) or "").split("\n")[0]))
            for found, method in inspect.getmembers(thing)
            if not found.startswith("_") and (callable(method) or isinstance(method, property)) and method.__doc__
        ]
        if methods:
            lines.append(table(["Member", "Meaning"], methods))
    return "\n\n".join(line for line in lines if line)


def signature(thing: Any) -> str:
    """Return how a thing is called, one argument a line where there are several."""
    try:
        found = inspect.signature(thing)
    except ValueError:
        return "(...)"
    given = [str(part) for part in found.parameters.values()]
    given = [re.sub(r"<[^>]*>", "...", part) for part in given]
    short = f"({', '.join(given)})"
    return short if len(short) < 80 else "(\n    " + ",\n    ".join(given) + ",\n)"


# Methods: one for each statistic that a plan can ask, as Python that editors read.

METHODS = "../../discreet/asked.py"
SHORT = {"standard-deviation": ("sd", "std"), "counts": ("histogram",)}  # other names of methods
OWN = {
    "quantile": ("level", "float | Sequence[float]", ""),
    "counts": ("bins", "int | None", " = None"),
    "detail": ("bins", "int | None", " = None"),
    "prediction": ("at", "float", ""),
}
COMMON = ("by: By = None", "where: Where = None", "epsilon: float | None = None")
WIDEST = 120
HEAD = '''"""Asked: one method for each statistic that a plan can ask.

Made by `python -m docs.make_reference` from the statistics and mechanisms that are registered: change these, or that
script. What a package brings has no method; it is asked by its name, with `ask`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from discreet.rows.columns.grouping import Grouping
from discreet.rows.filters import Where

By = Grouping | Sequence[Grouping] | None
T_co = TypeVar("T_co", covariant=True)


class Asked(ABC, Generic[T_co]):
    """What can be asked of a dataset: each statistic by its name.

    `by` is a category or bands to group by, or several of them. `where` keeps the rows that meet a condition, such as
    ("age", ">=", 18) or {"sex": "F"}, or all of several. `epsilon` is the cost. A `level` is that of a quantile, 0.9 or
    several of them, or the value of `column` at which `second` is predicted; `bins` are those of a histogram. `second`
    is the other one of two columns: a slope is that of `second` on `column`. `weight` is a number column, and the upper
    bound of it is the largest weight: a larger one counts as that, and a row without a weight above 0 is left out.
    """

    @abstractmethod
    def ask(
        self,
        statistic: str,
        column: str | None = None,
        by: By = None,
        where: Where = None,
        epsilon: float | None = None,
        level: float | Sequence[float] | None = None,
        bins: int | None = None,
        *,
        second: str | None = None,
    ) -> T_co:
        """Ask a statistic by its name, such as "mean"."""
'''


def methods() -> str:
    """Return the module that has a method for each statistic."""
    answered = {topic.name for kind in registry.values() if ours(kind) for topic in kind.topics()}
    return HEAD + "".join(method(topic) for name, topic in plannable().items() if name in answered)


def method(topic: Topic) -> str:
    """Return the method of one statistic, and its other names."""
    name = topic.name.replace("-", "_")
    own = OWN.get(topic.name)
    column = "column: str | None = None" if topic.name == "count" else "column: str"
    weighs = topic.columns == 2 and estimators[topic.name].weighs
    second = "weight" if weighs else "second"
    both = [f"{second}: str"] if topic.columns == 2 else []
    given = ["self", column, *both, *([f"{own[0]}: {own[1]}{own[2]}"] if own else []), *COMMON]
    of = ", with the weight of each row in another column" if weighs else " of two columns" if both else ""
    statement = statistics[topic.name].__doc__ if topic.name in statistics else f"{topic.label}{of}."
    if by_blocks(topic.name):
        statement = f"{topic.label}, estimated from random blocks of rows; it takes no groups."
    passed = f", {'level' if own[0] == 'at' else own[0]}={own[0]}" if own else ""
    passed += f", second={second}" if both else ""
    lines = [
        *defined(f"    def {name}(", given, ") -> T_co:"),
        f'        """{(statement or "").strip().splitlines()[0]}"""',
        f'        return self.ask("{topic.name}", column, by, where, epsilon{passed})',
        *(line for other in SHORT.get(topic.name, ()) for line in ("", f"    {other} = {name}")),
    ]
    return "\n".join(["", *lines, ""])


def defined(start: str, given: list[str], end: str) -> list[str]:
    """Return the head of a method in as few lines as its width allows, as the formatter has it."""
    inner = ", ".join(given)
    if len(start + inner + end) <= WIDEST:
        return [start + inner + end]
    inside = [inner] if len(inner) + 8 <= WIDEST else [f"{each}," for each in given]
    return [start, *(f"        {each}" for each in inside), f"    {end}"]


# Glossary: the terms of the course.


def glossary() -> str:
    """Return the terms in both languages, as the course has them."""
    said = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    about = (
        "The terms of the course in English and Chinese, and the name that the Chinese textbook uses "
        "(教材中的名称). The course shows the same list under *Glossary*."
    )
    rows = (
        (f"**{term}**", said.get(str(term), ""), book, plain(str(meaning)), plain(said.get(str(meaning), "")))
        for term, book, meaning in TERMS
    )
    return page("Glossary", about, table(["Term", "中文", "教材", "Meaning", "含义"], rows))


# API: the operations of `openapi.json`.


def programs() -> str:
    """Return the operations for programs."""
    whole = openapi()
    about = (
        "A server answers programs under `/api/v1`, on the port of its pages. The description with all schemas is "
        "[openapi.json](../openapi.json); a server gives the same file at `/api/v1/openapi.json`. How-to: "
        "[use the API](../how-to/use-the-api.md)."
    )
    sections = []
    for path, methods in whole["paths"].items():
        for method, operation in methods.items():
            lines = [f"### {method.upper()} `{path}`", plain(operation["summary"]), plain(operation["description"])]
            taken = [part for part in operation["parameters"] if part["in"] == "query"]
            rows = [(f"`{part['name']}`", "in the address", plain(part.get("description", ""))) for part in taken]
            rows += list(body(operation))
            if rows:
                lines.append(table(["Field", "Where", "Meaning"], rows))
            sections.append("\n\n".join(lines))
    return page("HTTP API", about, "## Operations", *sections)


def body(operation: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of what is sent."""
    shape = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    needed = shape.get("required", [])
    for name, field in shape.get("properties", {}).items():
        kind = field.get("type") or field.get("$ref", "").rpartition("/")[2]
        word = f"{'' if name in needed else 'optional '}{kind if isinstance(kind, str) else ' or '.join(kind)}"
        yield f"`{name}`", f"in the body: {word.strip()}", plain(field.get("description", ""))


# Deployments: which ε others have published with.


def deployments() -> str:
    """Return what others have chosen, with what it means for a guess."""
    about = (
        "What others published with, for which unit of privacy, and where that is written down. *Right guesses*: "
        "someone with a 50% chance of guessing whether the data of one unit is included is right in at most this many "
        "of 100 cases (without δ). *A year*: the ε of a year of one person, if each unit is charged separately and "
        "costs add up. How to use it: [choosing ε](../explanation/choosing-epsilon.md)."
    )
    rows = (
        (
            f"{one.name} ({one.year})",
            f"{one.epsilon:g}",
            f"{one.delta:g}",
            one.unit,
            "local" if one.local else "central",
            "over 99" if right(one.epsilon) > 0.99 else math.ceil(100 * right(one.epsilon)),
            f"{yearly(one):g}",
            one.source,
        )
        for one in DEPLOYMENTS
    )
    heads = ["Release", "ε", "δ", "Unit of privacy", "Model", "Right guesses", "A year", "Source"]
    return page("Published uses of differential privacy", about, table(heads, rows))


# Files: what the app, the command and the library exchange.


def files() -> str:
    """Return what stands in a schema and in a plan."""
    about = (
        "The files that the app, the command line and the library exchange. The app exports all of them; "
        "[use the command line](../how-to/use-the-command-line.md) shows how they are used."
    )
    example = Schema(
        {
            "id": Person(rows=1),
            "age": Number(lower=0, upper=100, integer=True, unit="years"),
            "group": Category(levels=("a", "b"), other=True),
            "smokes": YesNo(),
            "since": Date("2020-01-01", "2025-12-31", grain="month"),
            "note": Ignored(),
            "old": Meets("age", ">=", 65),
        }
    )
    columns = [
        "## Schema (columns.json)",
        "One entry for each column, with one of the kinds below. The page *Dataset* exports it with *Export schema*.",
        f"```json\n{example.to_json()}\n```",
        *(f"### {kind.__name__}\n\n{kind_table(kind)}" for kind in KINDS),
    ]
    whole: dict[str, Any] = SCHEMA["properties"]
    rows: dict[str, Any] = whole["rows"]["items"]["properties"]
    needed = rows and SCHEMA["properties"]["rows"]["items"]["required"]
    plan = [
        "## Plan (plan.json)",
        "Several queries under one total. `discreet plan --schema` prints the JSON Schema.",
        table(["Field", "Needed", "Values", "Meaning"], shaped(whole, SCHEMA["required"])),
        "### One query of a plan (an entry of `rows`)",
        table(["Field", "Needed", "Values", "Meaning"], shaped(rows, needed)),
    ]
    record = [
        "## Release record",
        "Deployment records for public registries follow "
        "[deployment-record.schema.json](../deployment-record.schema.json). What each part of a result is made of: "
        "[what is public](../what-is-public.md).",
    ]
    return page("Files", about, *columns, *plan, *record)


KINDS = (Number, Category, Date, YesNo, Person, Ignored, Difference, Ratio, Meets)


def kind_table(kind: Any) -> str:
    """Return the fields of one kind of column, as its docstring explains them."""
    text = plain(" ".join((inspect.getdoc(kind) or "").split()))
    rows = []
    for field in fields(kind):
        if field.name == "sources":  # a schema adds them
            continue
        default = "" if "MISSING" in repr(field.default) else repr(field.default)
        rows.append((f"`{field.name}`", plain(str(field.type)), f"`{default}`" if default else "needed"))
    return f"{text}\n\n{table(['Field', 'Type', 'Default'], rows)}" if rows else text


def shaped(properties: dict[str, Any], needed: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the fields of a shape of JSON."""
    for name, field in properties.items():
        yield (f"`{name}`", "yes" if name in needed else "", plain(values(field)), plain(field.get("description", "")))


def values(field: dict[str, Any]) -> str:
    """Say which values a field of JSON takes."""
    if "enum" in field:
        return ", ".join(map(str, field["enum"]))
    if "const" in field:
        return str(field["const"])
    kinds = field.get("type") or [each.get("type") for each in field.get("anyOf", []) if each.get("type")]
    word = kinds if isinstance(kinds, str) else " or ".join(dict.fromkeys(map(str, _flat(kinds))))
    low = field.get("minimum", field.get("exclusiveMinimum"))
    high = field.get("maximum", field.get("exclusiveMaximum"))
    return word + (f", from {low}" if low is not None else "") + (f" to {high}" if high is not None else "")


def _flat(kinds: Iterable[Any]) -> Iterator[Any]:
    for kind in kinds:
        yield from kind if isinstance(kind, list) else [kind]


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "settings.md": environment,
    "mechanisms.md": mechanisms,
    "statistics.md": queries,
    "python.md": names,
    METHODS: methods,
    "glossary.md": glossary,
    "published-uses.md": deployments,
    "api.md": programs,
    "files.md": files,
}


def main() -> None:
    """Write all pages."""
    import_module("discreet.evidence")
    FOLDER.mkdir(exist_ok=True)
    for name, text in PAGES.items():
        (FOLDER / name).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
