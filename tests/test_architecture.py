"""The house keeps its order: floors, randomness, rows, charges and words stay where they belong."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.floors import FLOORS
from support.for_each import for_each
from support.syntax import nodes

from discreet import mechanisms, queries
from discreet.budget import RULES
from discreet.office.house import acts, replay
from discreet.office.house.roles import ROLES
from discreet.office.notices import news
from discreet.office.requests import states
from discreet.office.rules import two_persons
from discreet.queries.estimators import registry as estimators
from discreet.rows.columns import Factor, Quantity
from discreet.rows.columns import kinds as columns
from discreet.rows.files import formats

ROOT = Path(__file__).resolve().parents[1]
CORE = FLOORS[:11]
# of ui and of office, as FLOORS are of the house
ROOMS = (
    "session",
    "frame",
    "figures",
    "kinds",
    "gate",
    "data",
    "office",
    "project",
    "ask",
    "answers",
    "budget",
    "compare",
    "plan",
)
DRAWERS = (
    "house",
    "rules",
    "people",
    "datasets",
    "requests",
    "cards",
    "decisions",
    "desk",
    "notices",
    "auditing",
    "running",
    "terminal",
    "api",
)
NAMESPACE = "discreet"  # the package of all floors, and the folder above them
ALL = (*FLOORS, NAMESPACE)
FORBIDDEN_NAMES = {"utils", "helpers", "common", "misc", "statistics", "secrets"}


def modules(*folders: str) -> list[Path]:
    """Return the Python files of folders."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def imported(source: str) -> Iterator[str]:
    """Yield every imported module, with dots."""
    for node in nodes(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor_of(name: str) -> str:
    """Return the floor of an imported module; what lies on none is the package itself."""
    first, _, rest = name.partition(".")
    below = rest.split(".")[0]
    return below if first == NAMESPACE and below in FLOORS else first


def climbs(source: str, folder: str) -> list[str]:
    """Return imports that point up."""
    above = ALL[ALL.index(folder) + 1 :]
    return [name for name in imported(source) if floor_of(name) in above]


def circles(imports: Mapping[str, set[str]]) -> list[str]:
    """Return the modules from which a way of imports leads back to themselves."""
    offenders = []
    for start in imports:
        seen, next_ = set[str](), set(imports[start])
        while next_:
            seen |= next_
            next_ = {far for module in next_ for far in imports.get(module, ())} - seen
        if start in seen:
            offenders.append(start)
    return sorted(offenders)


def named(path: Path) -> str:
    """Return the dotted name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == NAMESPACE else (NAMESPACE, *parts)).removesuffix(".__init__")


def climbs_rooms(source: str, room: str, floor: str = "ui", rooms: tuple[str, ...] = ROOMS) -> list[str]:
    """Return imports of a room of a floor that lies above another one."""
    above = [f"{NAMESPACE}.{floor}.{name}" for name in rooms[rooms.index(room) + 1 :]]
    return [name for name in imported(source) if any(f"{name}.".startswith(f"{far}.") for far in above)]


def draws(source: str) -> list[str]:
    """Return uses of randomness."""
    roots = [name for name in imported(source) if name.split(".")[0] in ("random", "secrets")]
    roots += [name for name in imported(source) if name.startswith(("numpy.random", "os.urandom"))]
    used = [
        ast.unparse(node)
        for node in nodes(source)
        if isinstance(node, ast.Attribute)
        and node.attr in ("random", "urandom")
        and ast.unparse(node) in ("np.random", "numpy.random", "os.urandom")
    ]
    return roots + used


def touches(source: str, *names: str) -> list[str]:
    """Return imports of the named packages."""
    return [name for name in imported(source) if name.split(".")[0] in names]


def calls(source: str, method: str) -> int:
    """Count calls of a method by name."""
    return sum(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method
        for node in nodes(source)
    )


def asks_which(source: str, *kinds: str) -> list[str]:
    """Return calls of isinstance or getattr about classes that share a protocol."""
    return [
        ast.unparse(node)
        for node in nodes(source)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "getattr", "hasattr", "issubclass")
        and {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & set(kinds)
    ]


@cache
def names() -> set[str]:
    """Return every slug, key of a family, statistic, estimator and topic."""
    kinds = mechanisms.registry.values()
    keys = {*mechanisms.registry, *queries.registry, *estimators, *mechanisms.known_families()}
    return keys | {topic.name for kind in kinds for topic in kind.topics()}


def lists(source: str) -> list[str]:
    """Return literals that hold two such names: a list by hand, which the next one is not on.

    The steps of a lesson are named for its address, in words of their own.
    """
    return listed(source, names())


def listed(source: str, words: set[str]) -> list[str]:
    """Return literals that hold two of some names."""
    literals = []
    for node in nodes(source):
        parts: list[Any] = []
        if isinstance(node, ast.Dict):
            parts = [*node.keys, *node.values]
        elif isinstance(node, (ast.Set, ast.Tuple, ast.List)):
            parts = node.elts
        if sum(isinstance(part, ast.Constant) and part.value in words for part in parts) > 1:
            literals.append(f"line {node.lineno}: {ast.unparse(node)[:60]}")
    return literals


# words that acts share with columns and pages, each with what it is there
SAME_WORDS = {
    frozenset({"policy", "published"}): "columns of a dataset",
    frozenset({"joined", "factor"}): "whether an account has a password and two-factor authentication",
    frozenset({"letterhead", "connection"}): "commands that went to the page Settings",
}


def listed_only(source: str, words: Collection[str], home: str = "") -> list[str]:
    """Return literals that hold two of some names and no other text; `home` is the module whose constants bear them."""
    constants = {name.rpartition(".")[2] for name in imported(source) if home and name.startswith(f"{home}.")}
    literals = []
    for node in nodes(source):
        each = [node.keys, node.values] if isinstance(node, ast.Dict) else [getattr(node, "elts", [])]
        for parts in each:
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            named = sum(_constant(part, home.rpartition(".")[2], constants) for part in parts)
            if len(texts) + named > 1 and set(texts) <= set(words) and frozenset(texts) not in SAME_WORDS:
                literals.append(f"line {node.lineno}: {ast.unparse(node)[:60]}")
    return literals


def _constant(part: ast.expr | None, home: str, constants: set[str]) -> bool:
    """Say whether a part of a literal is a constant of a module, or the name of one: `acts.ASKED`, `ASKED.name`."""
    if isinstance(part, ast.Attribute) and part.attr == "name":
        part = part.value
    if isinstance(part, ast.Attribute):
        return isinstance(part.value, ast.Name) and part.value.id == home and part.attr.isupper() and bool(home)
    return isinstance(part, ast.Name) and part.id in constants and part.id.isupper()


@cache
def fields_of_kinds() -> set[str]:
    """Return the name of every field of a mechanism or statistic."""
    kinds = [*mechanisms.registry.values(), *queries.registry.values()]
    return {field.name for kind in kinds for field in fields(kind)}


def asks_for_fields(source: str) -> list[str]:
    """Return getattr and hasattr of a mechanism: by the name of a field of one, or by its own."""
    lookups = []
    for node in nodes(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            thing, name = node.args[:2]
            named = isinstance(name, ast.Constant) and name.value in fields_of_kinds()
            if named or "mechanism" in ast.unparse(thing):
                lookups.append(f"line {node.lineno}: {ast.unparse(node)}")
    return lookups


@pytest.mark.parametrize("folder", ALL)
def test_imports_point_down_only(folder: str) -> None:
    """No floor knows what is above it."""
    assert modules(folder), folder
    for path in modules(folder):
        assert not climbs(path.read_text(encoding="utf-8"), folder), path


def test_an_import_is_seen_through_the_name_of_the_package() -> None:
    """The public names lie above all floors, too."""
    assert climbs("from discreet.curator import Curator", "mechanisms")
    assert climbs("import discreet.ui.x", "queries") and climbs("from discreet import Cost", "ui")
    assert not climbs("from discreet.ui.x import y", NAMESPACE)


def test_no_imports_run_in_a_circle() -> None:
    """Each file can be read after those that it names, types included."""
    paths = {named(path): path for path in modules(*ALL)}
    imports = {
        name: {module for module in imported(path.read_text("utf-8")) if module in paths}
        for name, path in paths.items()
    }
    own = {
        name: {module for module in targets if not name.startswith(f"{module}.")}  # its own folder's face
        for name, targets in imports.items()
    }
    assert circles(own) == []


def test_rooms_of_the_screens_know_only_rooms_below() -> None:
    """What several rooms share lies in the frame; the shell and the state stand on top of the folder."""
    assert {path.parent.name for path in (ROOT / "ui").glob("*/__init__.py")} | {"answers", "budget"} == set(ROOMS)
    for room in ROOMS:
        for path in [*modules(f"ui/{room}"), *(ROOT / "ui").glob(f"{room}.py")]:
            assert not climbs_rooms(path.read_text(encoding="utf-8"), room), path


def test_rooms_of_the_office_know_only_rooms_below() -> None:
    """A request is asked, described, decided: each knows what comes before it."""
    assert {path.parent.name for path in (ROOT / "office").glob("*/__init__.py")} == set(DRAWERS)
    for room in DRAWERS:
        for path in modules(f"office/{room}"):
            assert not climbs_rooms(path.read_text(encoding="utf-8"), room, "office", DRAWERS), path


def test_randomness_enters_in_one_place() -> None:
    """Only noise/source.py draws for a release; lab/simulation.py draws figures, from a seed."""
    for path in [*modules(*ALL), ROOT / "app.py"]:
        if path == ROOT / "lab" / "simulation.py":
            assert not touches(path.read_text(encoding="utf-8"), "secrets", "random", "os"), path
        elif path != ROOT / "noise" / "source.py":
            assert not draws(path.read_text(encoding="utf-8")), path


def test_screens_and_core_stay_apart() -> None:
    """Streamlit above, data frames and noise libraries where they belong."""
    for path in modules(*CORE):
        source = path.read_text(encoding="utf-8")
        assert not touches(source, "streamlit", "plotly"), path
        assert not touches(source, "pandas"), path
        if path.relative_to(ROOT).parts[0] not in ("rows", "lab", "evidence"):
            assert not touches(source, "pyarrow"), path
        if path != ROOT / "noise" / "source.py":
            assert not touches(source, "opendp"), path


def test_a_charge_is_made_in_one_place() -> None:
    """The one road charges; nobody else does, but for a ledger that passes a charge on to the one behind it."""
    charging = [p for p in modules(*ALL) if calls(p.read_text(encoding="utf-8"), "charge")]
    assert charging == [ROOT / "budget" / "durable" / "spent.py", ROOT / "curator" / "release.py"]


def test_session_state_lives_in_one_module() -> None:
    """Only ui/session/state.py touches it."""
    touching = [p for p in modules("ui", "pages") if "session_state" in p.read_text("utf-8")]
    assert touching == [ROOT / "ui" / "session" / "state.py"]


def inside_streamlit(source: str) -> list[str]:
    """Return imports of what Streamlit does not offer to others."""
    inner = tuple(f"streamlit.{name}" for name in ("config", "delta_generator", "net_util", "proto", "runtime", "web"))
    return [name for name in imported(source) if name.startswith(inner)]


def test_what_is_private_to_streamlit_is_imported_in_one_module() -> None:
    """`streamlit_seams` looks at the start whether all of it is there."""
    for path in [*modules(*ALL), ROOT / "app.py"]:
        if path != ROOT / "ui" / "session" / "streamlit_seams.py":
            assert not inside_streamlit(path.read_text(encoding="utf-8")), path


def test_no_state_lies_in_a_cache_of_streamlit() -> None:
    """Everybody shares such a cache, and a message from outside could clear it."""
    for path in [*modules("ui", "pages"), ROOT / "app.py"]:
        source = path.read_text(encoding="utf-8")
        assert "cache_data" not in source and "cache_resource" not in source, path


def test_no_user_text_is_ever_evaluated() -> None:
    """No eval, exec, query or pickle in the floors (P3, F1)."""
    for path in [*modules(*ALL), ROOT / "app.py"]:
        source = path.read_text(encoding="utf-8")
        names = {node.id for node in nodes(source) if isinstance(node, ast.Name)}
        assert not names & {"eval", "exec", "compile", "__import__"}, path
        assert not touches(source, "pickle", "marshal", "shelve"), path


def test_modules_are_plainly_named() -> None:
    """A reader sees what a file is for from its name."""
    for path in modules(*ALL):
        assert path.stem not in FORBIDDEN_NAMES, path


def test_nobody_asks_which_ledger_or_road_it_is() -> None:
    """Ledgers and roads are protocols: above their floors nobody looks behind them."""
    for path in modules(*ALL[1:]):
        source = path.read_text(encoding="utf-8")
        assert not asks_which(source, "SessionLedger", "DurableLedger"), path
    for path in [*modules("ui", "pages", NAMESPACE), ROOT / "app.py"]:
        source = path.read_text(encoding="utf-8")
        assert not asks_which(source, "Curator", "Desk", "Dataset", "Declared"), path


def test_nobody_asks_which_kind_of_column_it_is() -> None:
    """A kind says itself what can be done with it; a schema alone sorts columns into numbers, levels and persons."""
    kinds = {kind.__name__ for kind in (Quantity, Factor, *columns.values())}
    for path in [*modules(*ALL), ROOT / "app.py"]:
        if path != ROOT / "rows" / "schema.py":
            # a person of the office has the name of a column, too
            wanted = kinds - ({"Person"} if path.relative_to(ROOT).parts[0] == "office" else set())
            assert not asks_which(path.read_text(encoding="utf-8"), *wanted), path


def test_formats_kinds_and_rules_are_listed_by_nobody() -> None:
    """Each is found by lying in its folder: no literal elsewhere holds two of their names.

    A lesson compares accountings of its own choice, of which two are rules as well.
    """
    homes = ("rows/files", "rows/columns", "budget/rules", "ui/kinds", "course")
    for keys in (set(formats), set(columns), set(RULES)):
        for path in [*modules("budget", "rows", "curator", "office", "ui", "discreet"), ROOT / "app.py"]:
            if not path.relative_to(ROOT).as_posix().startswith(homes):
                assert not listed(path.read_text(encoding="utf-8"), keys), path


def test_acts_states_and_roles_are_listed_by_nobody() -> None:
    """What holds of some of them is said where each of them is: no other literal holds two of their names."""
    registries = (
        ("office/house/acts.py", acts.EVERY, "discreet.office.house.acts"),
        ("office/requests/states.py", states.EVERY, "discreet.office.requests.states"),
        ("office/house/roles.py", ROLES, ""),  # who may do something are named where it is done
    )
    for own, words, home in registries:
        for path in modules("office", "ui"):
            if path.relative_to(ROOT).as_posix() != own:
                assert not listed_only(path.read_text(encoding="utf-8"), words, home), path


def test_every_act_is_told_as_its_thing_is_kept() -> None:
    """Its constant is its name, and what it changes are parts of what it is of that may change."""
    for name, act in vars(acts).items():
        if isinstance(act, acts.Act):
            assert name == act.name.upper().replace(" ", "_") and acts.EVERY[act.name] is act
            assert set(act.changes) <= set(replay.FREE.get(act.of, ())), name
            assert act.of in ("", *replay.KINDS) and act.mail in ("", *news.KINDS), name
            assert not {act.fulfils, act.ends} - {"", *two_persons.SAID}, name
    for name, state in vars(states).items():
        assert not isinstance(state, states.State) or states.EVERY[name.lower()] is state


def test_what_is_known_of_mechanisms_is_said_by_mechanisms() -> None:
    """No list by hand above them: whatever registers next has its card, its words, its colour."""
    above = [*modules("budget", "curator", "ui", "pages"), ROOT / "app.py"]
    wrong = {path.name: lists(path.read_text(encoding="utf-8")) for path in above}
    assert not {name: literals for name, literals in wrong.items() if literals}


def test_nobody_feels_for_the_fields_of_a_mechanism() -> None:
    """What a mechanism may or may not have, it says in a property of the base class."""
    for path in [*modules(*ALL), ROOT / "app.py"]:
        assert not asks_for_fields(path.read_text(encoding="utf-8")), path


@for_each(mechanisms.registry)
def test_a_mechanism_states_its_guarantee_reference_and_corner_cases(slug: str) -> None:
    """The docstring is the statement that the evidence tests."""
    statement = mechanisms.registry[slug].__doc__ or ""
    proof = () if mechanisms.registry[slug].open_only else ("Proof: ",)
    for heading in ("Guarantee:", *proof, "Reference:", "Corner cases:"):
        assert heading in statement, heading


def test_every_statistic_says_what_it_is_on_no_rows_and_why_its_ladder_holds() -> None:
    """Registered queries carry their statement, and there are some."""
    assert len(queries.registry) >= 12 and len(mechanisms.registry) >= 20
    for name, query in queries.registry.items():
        statement = " ".join(kind.__doc__ or "" for kind in query.__mro__[:2])
        assert len(statement) > 120 and query.__doc__, name


def test_the_rules_catch_what_they_are_for() -> None:
    """Each rule fails on a small broken source."""
    assert climbs("from discreet.curator import Curator", "mechanisms")
    assert climbs("import discreet.ui.session.state", "curator") and climbs("from discreet.office import House", "lab")
    assert climbs_rooms("from discreet.ui.ask.form import question", "office")
    assert climbs_rooms("from discreet.office.desk import queue", "cards", "office", DRAWERS)
    assert climbs_rooms("from discreet.ui import ask", "frame") and not climbs_rooms("import discreet.ui.frame", "ask")
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]
    assert draws("import numpy as np\nnp.random.seed(0)") and draws("from random import random")
    assert draws("import secrets") and draws("import os\nos.urandom(3)")
    assert inside_streamlit("from streamlit import runtime") and not inside_streamlit("import streamlit as st")
    assert touches("import pandas as pd", "pandas") and touches("from opendp import x", "opendp")
    assert calls("ledger.charge(1)", "charge") == 1 and not calls("charge = 1", "charge")
    assert asks_which("if isinstance(space.curator, Desk): pass", "Desk")
    assert asks_which("found = getattr(ledger, 'answer', DurableLedger)", "DurableLedger")
    assert not asks_which("isinstance(terms, TooMuch) and desk is None", "Desk")
    assert asks_which("isinstance(declared, (Number, Category))", "Category")
    assert listed('ACCEPTED = ("text", "parquet")', set(formats)) and listed('{"number": 1, "person": 2}', set(columns))
    assert not listed('Layout("text")', set(formats))
    assert listed_only('DECISIONS = ("approved", "denied")', acts.EVERY)
    assert listed_only('WORDS = {"asked": "a", "renewed rows": "b"}', acts.EVERY)
    assert listed_only('if what in ["policy", "dropped"]: pass', acts.EVERY)
    assert listed_only('KIND_OF = {"a": "policy", "b": "roles"}', acts.EVERY)
    from_home = "from discreet.office.house.acts import ASKED, NOTED, those\n"
    assert listed_only(f"{from_home}BOTH = (ASKED.name, NOTED.name)", acts.EVERY, "discreet.office.house.acts")
    assert listed_only("BOTH = {acts.ASKED, acts.NOTED}", acts.EVERY, "discreet.office.house.acts")
    assert not listed_only(f"{from_home}ONE = (ASKED, name)", acts.EVERY, "discreet.office.house.acts")
    assert not listed_only('PARTS = ("policy", "state", "published")', acts.EVERY)
    assert not listed_only('row = {"policy": 1, "published": 2}', acts.EVERY)
    assert listed_only('LIVE = ("waiting", "allowed", "approved")', states.EVERY)
    assert listed_only('STATUS = {"waiting": 1, "changes": 2}', states.EVERY)
    assert listed_only("if state in (states.ALLOWED.name, states.APPROVED.name): pass", (), "x.states")
    assert not listed_only('state = "waiting"', states.EVERY)
    assert listed_only('KEEPING = {"officer", "administrator"}', ROLES) and not listed_only('("officer",)', ROLES)
    assert not climbs("from discreet.budget import Cost", "queries")
    assert lists('NOISES = {"laplace": "Laplace", "gaussian": "Gaussian"}')
    assert lists('slug in ("ptr", "smooth")') and lists('WAYS = ["counts", "most-common"]')
    assert lists('HUES = {"a": "mean", "b": "gini"}') and not lists('print("mean", "median")')
    assert asks_for_fields('getattr(made, "query", None)') and asks_for_fields('hasattr(x, "bins")')
    assert asks_for_fields("getattr(request.mechanism, name)")
    assert not asks_for_fields('getattr(wrong, "orig", 3)')
