"""Packages of others: loaded where a setting names them, named with their version, held to the layers of evidence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.soak import SOAKS

ROOT = Path(__file__).resolve().parents[1]
ACME = Path(__file__).with_name("plugins") / "acme"
FORMAT = Path(__file__).with_name("new_files") / "rows" / "files" / "record_jar.py"  # as if it were one of ours
OFFERS = {
    "discreet.statistics": ("acme.upper_share:UpperShare", "acme.upper_share:Silent"),
    "discreet.mechanisms": ("acme.noises:Wide", "acme.noises:Narrow"),
    "discreet.formats": ("acme.record_jar:RecordJar",),
    "discreet.codebooks": ("acme.range_list:RangeList",),
    "discreet.sources": ("acme.store:Store",),
}
NAMED = "acme-discreet 1.2"
# what all that can register has loaded, and what it says of the packages that the settings name
LOADED = """
import json, sys
import discreet.mechanisms, discreet.rows.engines.registry, discreet.rows.codebooks, discreet.rows.files
from discreet.budget import ParameterError, plugins
try:
    plugins.check()
    said = ""
except ParameterError as wrong:
    said = str(wrong)
print(json.dumps([sorted(name for name in sys.modules if name.partition(".")[0] in sys.argv[1:]), said]))
"""
STATISTIC = """
from dataclasses import dataclass
from typing import ClassVar
from discreet.queries.mean import Mean

@dataclass(frozen=True)
class Other(Mean):
    "Another mean."
    name: ClassVar[str] = "{name}"
"""
# from bytes and addresses to answers, cards, records and reports, in a house of several people
ROAD = """
import json, os, sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from pyarrow import feather
from support import offices

from discreet.budget import Cost, ParameterError, SessionLedger, plugins
from discreet.budget.durable import open_ledger
from discreet.curator import Curator, Request
from discreet.curator.records import recall
from discreet.lab.contest import Ground, contenders
from discreet.report.export import release_record
from discreet.report.publication import publication
from discreet.report.public import strange_parts
from discreet.lab.contest import Scenario
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms import registry as mechanisms
from discreet.office.cards import cards
from discreet.office.datasets import registering as enrolment, registry
from discreet.office.desk import asking as submissions
from discreet.office.cards.review_case import snapshot
from discreet.queries import Bounds, registry as statistics
from discreet.queries.mean import Mean
from discreet.rows import Dataset, LocalSource, Number, OpenData, Schema
from discreet.rows.codebooks import brought
from discreet.rows.engines.registry import is_live, table_at
from discreet.rows.files import suggest

plugins.check()
folder, told = Path(sys.argv[1]), {}
JAR = ("%%\\n" + "%%\\n".join(f"age: {i % 90}\\n" for i in range(300))).encode()
CSV = ("age\\n" + "\\n".join(str(i % 90) for i in range(200))).encode()
asked = Request(GlobalLaplace(statistics["upper share"](), 0.1), ("age",))
plain = Request(GlobalLaplace(Mean(), 0.1), ("age",))
wide = Request(mechanisms["wide"](epsilon=0.1), ("age",))
narrow = Request(mechanisms["narrow"](epsilon=0.1), ("age",))
silent = Request(GlobalLaplace(statistics["silent share"](), 0.1), ("age",))


def refused(work):
    try:
        work()
    except ParameterError as wrong:
        return str(wrong)


# a codebook, read in the process that has limits
columns, _ = brought(b"age 0..120\\n", ["age"])
schema = Schema(columns)
told["codebook"] = schema.to_json()

# a file: its format is recognised, parsed in the process that has limits, and named on answers
assert suggest(JAR).format == "record-jar"
jar, csv = Dataset(LocalSource(JAR), schema), Dataset(LocalSource(CSV), schema)
store = Curator(jar, open_ledger(str(folder / "budget.db"), Cost.of(2)), tick=0)
first = store.ask(plain)
told["of a file"] = [first.packages, recall(store.ledger, first.id).packages]
told["of a file of ours"] = Curator(csv, SessionLedger(Cost.of(2)), tick=0).ask(plain).packages

# a statistic and a mechanism, kept and read back
second, third = store.ask(asked), store.ask(wide)
told["kept"] = [recall(store.ledger, each.id) == each for each in (second, third)]
told["record"] = release_record(second, schema)
told["methods"] = " ".join(map(str, publication([(first, schema), (second, schema)]).methods))

# what lacks evidence: on open data, on protected data, and that nothing is spent for it
left = store.ledger.left
told["lacking"] = [refused(lambda: store.ask(each)) for each in (narrow, silent)]
assert store.ledger.left == left
open_data = Curator(OpenData(LocalSource(CSV), schema), SessionLedger(Cost.of(2)), tick=0)
told["open"] = [open_data.ask(each).packages for each in (narrow, silent)]

# nobody is recommended what lacks evidence
stand = Ground.of(Scenario(Bounds(0, 120), 300))
told["compared"] = [one.slug for one in contenders(Mean(), Cost.of(1), stand)]

# a house: a file and a store are registered, asked, answered and told
offices.staffed(folder / "house", f"sqlite:///{folder / 'house.db'}")
office = offices.opened(folder / "house", f"sqlite:///{folder / 'house.db'}")
said = replace(offices.REGISTRATION, schema=schema, name="jar", source="a jar", apart=offices.APART)
data = enrolment.register(office.house, office.who["olga"], JAR, said, offices.POLICY)
offices.ruled(office.house, data.id, offices.POLICY)


def submit(dataset, question):
    return submissions.submit(office.house, office.who["bob"], dataset, question, offices.PURPOSE)


answered = submit(data.id, asked)
assert answered.release is not None
card = cards.card(snapshot(office.house, answered))
assert not strange_parts(card.to_json()), strange_parts(card.to_json())
told["card"] = card.rows[0].mechanism.packages
told["yaml"] = cards.card_yaml(card)
lines = len(registry.ledger(office.house, data.id).lines)
told["refused in the office"] = refused(lambda: submit(data.id, narrow))
assert len(registry.ledger(office.house, data.id).lines) == lines  # nothing is reserved for it
waiting = submit(data.id, replace(asked, mechanism=GlobalLaplace(statistics["upper share"](), 0.5)))
assert waiting.release is None
told["card before"] = cards.card(snapshot(office.house, waiting)).rows[0].mechanism.packages
ours = submit(office.dataset, plain)
told["card of ours"] = bool(cards.card(snapshot(office.house, ours)).rows[0].mechanism.packages)

feather.write_feather(pa.table({"age": [i % 90 for i in range(100)]}), folder / "people.feather")
where = table_at(f"acme://{folder}", "people")
said = replace(said, name="store", source="a store")
elsewhere = table_at("acme:///elsewhere", "x")
told["a place that is not named"] = refused(
    lambda: enrolment.register(office.house, office.who["olga"], elsewhere, said, offices.POLICY)
)
rows = enrolment.register(office.house, office.who["olga"], where, said, offices.POLICY)
offices.ruled(office.house, rows.id, offices.POLICY)
rows = registry.find(office.house, rows.id)
assert rows.remote and rows.table
live = submit(rows.id, plain)
assert live.release is not None
told["store"] = cards.card(snapshot(office.house, live)).rows[0].mechanism.packages
with open(folder / "told.json", "w") as file:
    json.dump(told, file)
"""


def lay(folder: Path, name: str, offers: Mapping[str, tuple[str, ...]], **files: str) -> Path:
    """Lay a distribution into a folder, as an installer would: its modules, and what is written of it."""
    module = next(iter(offers.values()))[0].partition(":")[0].partition(".")[0] if offers else name
    for file, text in files.items():
        (folder / module).mkdir(parents=True, exist_ok=True)
        (folder / module / f"{file}.py").write_text(text, encoding="utf-8")
    points = "".join(
        f"[{group}]\n" + "".join(f"thing-{at} = {value}\n" for at, value in enumerate(values))
        for group, values in offers.items()
    )
    info = folder / f"{name.replace('-', '_')}-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    return folder


def process(code: str, place: Path, named: str, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, beside what is installed in a folder."""
    around = {name: value for name, value in os.environ.items() if not name.startswith("DISCREET_")} | settings
    around |= {"DISCREET_PLUGINS": named, "PYTHONPATH": os.pathsep.join(map(str, (place, ROOT, ROOT / "tests")))}
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "discreet"]
    return subprocess.run([*command, *words], cwd=ROOT, env=around, capture_output=True, text=True, timeout=600)


def loaded(place: Path, named: str, *modules: str) -> tuple[list[str], str]:
    """Return which of some packages a process has loaded, and what it says is wrong."""
    done = process(LOADED, place, named, *modules)
    assert done.returncode == 0, done.stderr
    found, said = json.loads(done.stdout)
    return found, said


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package of somebody else, and another one that nobody names."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(ACME, folder / "acme", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(FORMAT, folder / "acme")
    lay(folder, "acme-discreet", OFFERS)
    body = "raise SystemExit('imported')"
    return lay(folder, "never", {"discreet.statistics": ("never.thing:Thing",)}, __init__=body, thing="")


@pytest.fixture(scope="module")
def told(place: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Go the whole road in one process; return what it told."""
    folder = tmp_path_factory.mktemp("road")
    for trace in (place / "acme").glob("loaded-*"):
        trace.unlink()
    done = process(ROAD, place, "acme-discreet", str(folder), DISCREET_SOURCES=f"acme://{folder}")
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads((folder / "told.json").read_text(encoding="utf-8"))
    return said | {"processes": len(list((place / "acme").glob("loaded-*")))}


def test_an_installed_package_that_no_setting_names_is_never_imported(place: Path) -> None:
    """Importing it would end the process; one that is named beside it is imported, and it alone."""
    assert loaded(place, "", "acme", "never") == ([], "")
    found, said = loaded(place, "Acme_Discreet", "acme", "never")  # names are compared as installers do
    assert said == "" and "acme.store" in found and not [name for name in found if name.startswith("never")]
    assert process(LOADED, place, "never").returncode != 0


def test_the_process_that_parses_files_loads_the_same_package(told: dict[str, Any]) -> None:
    """It read a format and a codebook that only the package knows; both processes left their trace."""
    assert told["processes"] == 2
    assert json.loads(told["codebook"])["columns"]["age"]["upper"] == 120


def test_an_answer_names_what_was_used_for_it_and_nothing_else(told: dict[str, Any]) -> None:
    """A format by which the rows were read, a statistic, a mechanism: kept, as JSON, and in a report."""
    assert told["of a file"] == [[NAMED], [NAMED]] and told["of a file of ours"] == []
    assert told["kept"] == [True, True]
    assert told["record"]["packages"] == [NAMED]
    assert told["record"]["question"]["mechanism"]["query"]["kind"] == "acme.upper_share.UpperShare"
    assert f"Queries 1, 2 used the package {NAMED}" in told["methods"]


def test_a_card_names_it_before_and_after_the_answer(told: dict[str, Any]) -> None:
    """With its version, also in the record of the registry; a card of what is our own says nothing of it."""
    assert told["card"] == told["card before"] == told["store"] == [NAMED]
    assert f"Additional package: {NAMED}" in told["yaml"] and not told["card of ours"]


def test_protected_data_are_not_asked_with_what_lacks_evidence(told: dict[str, Any]) -> None:
    """Too little noise, and a statistic that nothing is compared with; open data are asked with both."""
    narrow, silent = told["lacking"]
    assert "Narrow of the package acme-discreet 1.2" in narrow and "the claim FAILS" in narrow
    assert "no value in plain Python" in silent and "Nothing was spent" in silent
    assert told["refused in the office"] == narrow
    assert told["open"] == [[NAMED], [NAMED]]
    assert "wide" in told["compared"] and "narrow" not in told["compared"]


def test_a_place_that_no_setting_names_is_not_opened(told: dict[str, Any]) -> None:
    """Whatever the package could read there."""
    assert "DISCREET_SOURCES" in told["a place that is not named"]


def test_the_command_says_what_evidence_is_missing(place: Path) -> None:
    """Of each statistic and mechanism of a package; the exit code is 1 where something is."""
    done = process("", place, "acme-discreet", "audit", "acme-discreet", "--json")
    missing = json.loads(done.stdout)["missing"]
    assert done.returncode == 1, done.stderr
    assert {name for name, why in missing.items() if why} == {"Narrow", "Silent"}
    assert set(missing) == {"Narrow", "Silent", "Wide", "UpperShare"}


WRONG = {
    "not installed": ("nobody", {}, {}, "The package nobody is not installed"),
    "offers nothing": ("empty", {}, {}, "offers nothing to Discreet"),
    "breaks": ("broken", {"discreet.statistics": ("broken.a:A",)}, {"a": "1 / 0"}, "ZeroDivisionError"),
    "clashes": (
        "clash",
        {"discreet.statistics": ("clash.a:Other",)},
        {"a": STATISTIC.format(name="median")},
        "registers the name median, which is already used",
    ),
    "offers what it does not register": (
        "empty-handed",
        {"discreet.statistics": ("hands.a:Other",)},
        {"a": "class Other: pass"},
        "which the group discreet.statistics does not accept",
    ),
    "offers a module of Discreet": (
        "sly",
        {"discreet.statistics": ("discreet.queries.mean:Mean",)},
        {},
        "share the module discreet",
    ),
    "brings another package along": (
        "carrier",
        {"discreet.statistics": ("carrier.a:Other",)},
        {"a": "from stowaway.a import Other"},
        "Add that package to DISCREET_PLUGINS",
    ),
}


@pytest.mark.soak
@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_named_package_is_one_sentence(case: str, tmp_path: Path) -> None:
    """It stops a command with 78 before it does anything; in `make test` a command of one case is run."""
    name, offers, files, sentence = WRONG[case]
    if name != "nobody":
        lay(tmp_path, name, offers, **files)
    lay(tmp_path, "stowaway", {}, a=STATISTIC.format(name="stowaway"))
    assert sentence in loaded(tmp_path, name)[1]
    if not SOAKS and case != "clashes":
        return
    done = process("", tmp_path, name, "audit", "laplace")
    assert done.returncode == 78 and sentence in done.stderr and done.stderr.count("\n") == 1


def test_a_server_does_not_start_with_a_package_that_clashes(tmp_path: Path) -> None:
    """It ends with 78 and the sentence."""
    name, offers, files, sentence = WRONG["clashes"]
    lay(tmp_path, name, offers, **files)
    start = "from discreet.ui.office import startup; startup.announce('http://localhost')"
    done = process(start, tmp_path, name, DISCREET_HOME=str(tmp_path / "home"))
    assert done.returncode == 78 and f"Discreet does not start. The package {name}" in done.stderr
    assert sentence in done.stderr


def test_a_question_of_a_package_that_is_gone_is_one_sentence(place: Path, tmp_path: Path) -> None:
    """What was written down with it names its module, and the setting."""
    read = """
import sys
from discreet.budget import ParameterError
from discreet.command.questions import read
try:
    print(read(sys.argv[1]))
except ParameterError as wrong:
    print(wrong)
"""
    question = {
        "kind": "Request",
        "mechanism": {"kind": "acme.noises.Wide", "query": {"kind": "Mean"}},
        "columns": ["x"],
    }
    (tmp_path / "question.json").write_text(json.dumps(question), encoding="utf-8")
    assert (
        "acme.noises.Wide from a package that is not loaded"
        in process(read, place, "", str(tmp_path / "question.json")).stdout
    )
    assert "Wide(query=Mean" in process(read, place, "acme-discreet", str(tmp_path / "question.json")).stdout


def test_the_code_of_clusters_is_loaded_where_a_cluster_is_asked() -> None:
    """Its address is known everywhere; neither the kernels of executors nor pyspark are."""
    code = """
import sys
from discreet.office.datasets import registry
from discreet.office.desk import asking as desk
from discreet.rows.engines.registry import table_at
print(type(table_at("sc://host", "people")).__name__)
spark = ("discreet.rows.engines.spark", "discreet.rows.engines.cluster", "pyspark")
print(*sorted(name for name in sys.modules if name in spark))
"""
    assert process(code, ROOT, "").stdout.split() == ["Cluster"]
