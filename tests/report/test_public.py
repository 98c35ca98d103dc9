"""Public: everything that leaves the curator is on one list, and nothing else leaves it."""

from __future__ import annotations

import ast
import csv
import io
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest
from support.floors import FLOORS
from support.for_each import for_each

from discreet.budget import Cost, Entry, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.curator.records import text_of
from discreet.mechanisms import registry
from discreet.mechanisms.base.vocabulary import PTR
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.office.api.forms import SHAPES as CALLS_GIVE
from discreet.office.api.operations import BASE, OPERATIONS
from discreet.queries.mean import Mean
from discreet.report.document import document
from discreet.report.export import release_record
from discreet.report.numbers import Datum
from discreet.report.public import CARD, ERRORS, OUTPUTS, SHAPES, SOURCES, strangers
from discreet.report.publication import Chapter, Publication
from discreet.report.tables import ledger_csv, releases_csv
from discreet.rows import Category, Dataset, LocalSource, Number, Schema
from discreet.ui.office.programs import CALLS
from discreet.ui.office.routes import ROUTES
from discreet.ui.office.startup import CHECKS

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = Schema({"age": Number(0, 90, integer=True), "town": Category(("north", "south"))})
OFFERED = {slug: kind for slug, kind in registry.items() if not kind.open_only}


def curator(far: bool = False) -> Curator:
    """Return who answers for a hundred people, or for one."""
    rows = "90,north\n" if far else "".join(f"{i % 80},{('north', 'south')[i % 2]}\n" for i in range(100))
    dataset = Dataset(LocalSource(f"age,town\n{rows}".encode()), SCHEMA)
    return Curator(dataset, SessionLedger(Cost.of(50, "1e-2")), tick=0)


def question(slug: str) -> Request:
    """Return the plainest question by a mechanism."""
    kind = OFFERED[slug]
    return Request(kind(), ("town" if kind().view.category else "age",) * kind().view.columns)


def sources() -> list[str]:
    """Return the source of every Python file of the floors."""
    paths = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]
    return [path.read_text(encoding="utf-8") for path in [*paths, ROOT / "app.py"]]


def calls(source: str, *names: str) -> Iterator[ast.Call]:
    """Yield the calls of functions or methods by their names."""
    if not any(name in source for name in names):
        return  # it need not be parsed
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
            yield node


def filled_in(source: str) -> set[str]:
    """Return what the errors of a module fill in, values that cannot be seen included."""
    names = set()
    for call in calls(source, "ParameterError"):
        names |= {str(word.arg) for word in call.keywords}
        first = call.args[0] if call.args else None
        literal = isinstance(first, ast.Constant) or (
            isinstance(first, ast.Call) and getattr(first.func, "id", "") == "Phrase"
        )
        names |= set() if literal or isinstance(first, (ast.Name, ast.Attribute)) else {"a sentence"}
    return names


def logged(source: str) -> set[str]:
    """Return the templates of what a module writes into a log."""
    templates = set()
    for call in calls(source, "debug", "info", "warning", "error", "exception", "critical"):
        owner = getattr(call.func, "value", None)
        if isinstance(owner, ast.Call) and getattr(owner.func, "attr", "") == "getLogger":
            first = call.args[0]
            templates.add(first.value if isinstance(first, ast.Constant) else ast.unparse(first))
    return templates


def of_release(kind: type[Any]) -> list[str]:
    """Return what is on a release and on no list."""
    return strangers([f.name for f in fields(kind)], OUTPUTS["A result (`Release`)"])


def test_every_field_of_a_release_is_listed() -> None:
    """Nothing but the answer is drawn; a twin that says how many rows there were is caught."""

    @dataclass(frozen=True)
    class Telling(Release):
        """A release with the number of rows on it."""

        n: int = 0

    assert of_release(Release) == [] and of_release(Telling) == ["n"]


@for_each(OFFERED)
def test_every_form_of_every_answer_is_listed(slug: str) -> None:
    """As JSON, as CSV, as it is kept, and on the ledger; for every mechanism."""
    road = curator()
    release = road.ask(question(slug))
    forms = {
        "A result as JSON": list(json.loads(json.dumps(release_record(release, SCHEMA)))),
        "A result as a line of CSV": next(csv.reader(io.StringIO(releases_csv([release], SCHEMA)))),
        "A result as it is stored": list(json.loads(text_of(release))),
        "An entry of a ledger": [f.name for f in fields(Entry)],
        "An entry of a ledger as CSV": next(csv.reader(io.StringIO(ledger_csv(road.ledger.entries)))),
    }
    assert {title: strangers(names, OUTPUTS[title]) for title, names in forms.items()} == {title: [] for title in forms}


@pytest.mark.parametrize("kind", [Publication, Chapter, Datum])
def test_every_part_of_a_report_is_listed(kind: type[Any]) -> None:
    """A report is made of these values, and its files of nothing else."""
    assert strangers([f.name for f in fields(kind)], OUTPUTS["A report of results"]) == []


def shape(release: Release) -> str:
    """Return what an answer looks like, a refusal like the answer that there could have been."""
    if isinstance(release.answer, tuple):
        return "several"
    if isinstance(release.answer, str):
        return "choice"
    if release.answer is None and release.request.mechanism.family == PTR:
        return "refused"
    return "uncertain" if release.interval is None else "certain"


@for_each(OFFERED)
def test_what_an_answer_looks_like_follows_from_the_question_alone(slug: str) -> None:
    """A hundred people and a single one are answered in the same shape, or refused by a test."""
    shapes = {shape(curator(far).ask(question(slug))) for far in (False, True)}
    assert len(shapes - {"refused"}) <= 1
    assert shapes <= {*SHAPES, "refused"}


def test_groups_are_the_declared_ones_whoever_is_there() -> None:
    """All levels, in declared order, each with its interval: also those that nobody names."""
    asked = Request(GlobalLaplace(query=Mean()), ("age",), by="town")
    for far in (False, True):
        release = curator(far).ask(asked)
        assert isinstance(release.answer, tuple)
        assert [level for level, _ in release.answer] == ["north", "south"]
        assert [level for level, _ in release.interval] == ["north", "south"]


def test_asking_writes_nothing_into_a_log(caplog: pytest.LogCaptureFixture) -> None:
    """Neither an answer nor a failure inside of the road."""
    caplog.set_level(logging.DEBUG)
    for slug in OFFERED:
        curator().ask(question(slug))
    broken = curator()
    broken._dataset.column = None  # type: ignore[assignment,method-assign]
    assert broken.ask(question("laplace")).refused
    assert caplog.records == []


def test_a_log_holds_constants_of_the_program_only() -> None:
    """The two places that write into one; a twin that writes a value is caught."""
    templates = {text for source in sources() for text in logged(source)}
    assert strangers(templates, {name.replace(" ", "_"): "" for name in OUTPUTS["A line of the log"]}) == []
    assert logged("logging.getLogger('x').error(f'{n} rows')") - set(OUTPUTS["A line of the log"])


def test_an_error_fills_in_nothing_that_is_not_listed() -> None:
    """Its template is a constant; a twin that counts rows is caught, and so is a made sentence."""
    names = {name for source in sources() for name in filled_in(source)}
    assert strangers(names, ERRORS) == []
    assert strangers(filled_in("ParameterError('{n} rows are too few.', n=n)"), ERRORS) == ["n"]
    assert strangers(filled_in("ParameterError(f'{n} rows')"), ERRORS) == ["a_sentence"]


def test_every_address_is_listed() -> None:
    """Routes beside the screens, and what the program itself reads from an address."""
    listed = OUTPUTS["An address"]
    assert strangers([route.path for route in [*ROUTES, *CALLS, *CHECKS]], listed) == []
    read = {
        call.args[0].value
        for source in sources()
        if "query_params" in source
        for call in calls(source, "get", "pop")
        if "query_params" in ast.unparse(call.func) and isinstance(call.args[0], ast.Constant)
    }
    assert read and strangers(read, listed) == []


def test_every_address_for_programs_and_every_part_of_an_answer_to_them_is_listed() -> None:
    """A call gives what its shape says, and its shape says what is listed; a twin that counts rows is caught."""
    paths = {BASE + operation.path for operation in OPERATIONS}
    assert paths == set(OUTPUTS["An address for programs"])
    parts = {part for shape in CALLS_GIVE.values() for listed in shape.values() for part in listed.split()}
    assert strangers(parts, OUTPUTS["A reply to a program"]) == []
    assert strangers({*parts, "rows"}, OUTPUTS["A reply to a program"]) == ["rows"]


def test_every_part_is_made_of_what_is_public() -> None:
    """Each names its sources, and only the answer is drawn from rows."""
    lists = [*OUTPUTS.values(), *CARD.values(), ERRORS]
    assert {s for listed in lists for origin in listed.values() for s in origin.split(" + ")} <= set(SOURCES)


def test_the_document_is_the_list() -> None:
    """What people read is what the tests walk: `python -m discreet.report.document` prints it."""
    assert (ROOT / "docs" / "what-is-public.md").read_text(encoding="utf-8") == document()


def test_a_release_is_what_it_was_asked_for() -> None:
    """The list is of something: a release has each of its listed fields."""
    release = curator().ask(Request(GlobalLaplace(query=Mean()), ("age",)))
    assert all(hasattr(release, name) for name in OUTPUTS["A result (`Release`)"])
