"""The package: one wheel, one name for each module; what documents print runs after an install."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.documents import blocks, page_name, with_code
from support.visitor import free_port, served

import discreet
from discreet import Category, Cost, Curator, Dataset, LocalSource, Number, Request, SessionLedger
from discreet.curator.plan import FixedPlan
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.plans import Plan, Wanted, plan_text
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.report.export import release_record
from discreet.report.programs import plan_notebook, plan_script, script
from discreet.report.publication import publication
from discreet.rows.schema import Schema

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {path.parent.name for path in ROOT.glob("*/__init__.py")}
FLOORS = (*sorted(PACKAGES - {"discreet", "tests", "benchmarks"}), "pages")
AGES = "\n".join(f"{i},{18 + i % 60},{'ab'[i % 2]}" for i in range(500))
TABLE = f"id,age,group\n{AGES}\n"


def tracked() -> list[str]:
    """Return the files that git knows, and those that it will."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listing.split("\n") if name and (ROOT / name).is_file()]


# What starts a program of the environment is the same for all: importing. One process does it, with nothing of the
# checkout around it; each program is a copy of it that has done nothing yet.
NURSE = """
import json, os, runpy, sys
import discreet.command.ask, discreet.command.run_plan, discreet.report.programs
for line in iter(sys.stdin.readline, ""):
    words, log, where = json.loads(line)
    pid = os.fork()
    if pid:
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        continue
    os.chdir(where)
    for sink in (1, 2):
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), sink)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = words
    if words[0] == "discreet":
        sys.exit(discreet.command.main())
    if words[1] != "-c":
        sys.argv = words[1:]
        runpy.run_path(words[1], run_name="__main__")
    else:
        exec(words[2], {"__name__": "__main__"})
    break
"""


def alien() -> dict[str, str]:
    """Return an environment in which nothing of the checkout is on the path."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@dataclass
class Place:
    """An empty folder, and an environment with nothing of this checkout but its wheel."""

    folder: Path
    programs: Path
    nurse: subprocess.Popen[str]

    def page(self, path: Path) -> Path:
        """Return a folder of a document's own, with a small file of people."""
        folder = self.folder / page_name(path).replace("/", "-")
        folder.mkdir(exist_ok=True)
        (folder / "people.csv").write_text(TABLE, encoding="utf-8")
        return folder

    def run(self, *words: str, where: Path | None = None) -> str:
        """Run `discreet` or `python` of the environment in a folder, as a process; return what it printed."""
        assert self.nurse.stdin is not None and self.nurse.stdout is not None
        log = self.programs / "log.txt"
        log.unlink(missing_ok=True)
        self.nurse.stdin.write(json.dumps([words, str(log), str(where or self.folder)]) + "\n")
        self.nurse.stdin.flush()
        code = self.nurse.stdout.readline()
        said = log.read_text(encoding="utf-8")
        assert code == "0\n", said
        return said


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy, as `pip install .` does, without a network."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    words = ["wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, *words, "--wheel-dir", str(target), str(source)], check=True)
    (file,) = target.glob("discreet-*.whl")
    return file


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Install the wheel into a fresh environment that borrows the packages of this one."""
    home = tmp_path_factory.mktemp("fresh")
    venv.create(home / "env", with_pip=False)
    python = home / "env" / "bin" / "python"
    (site,) = (home / "env" / "lib").glob("python*/site-packages")
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    (site / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    words = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
    subprocess.run([*pip, *words], check=True)
    folder = home / "empty"
    folder.mkdir()
    (folder / "people.csv").write_text(TABLE, encoding="utf-8")
    command = [str(python), "-c", NURSE]
    with subprocess.Popen(
        command, cwd=folder, env=alien(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as nurse:
        yield Place(folder, python.parent, nurse)


def test_the_wheel_holds_all_that_runs_and_nothing_else(wheel: Path) -> None:
    """Every module, page, migration, catalogue and picture; no tests, no benchmarks."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name.removeprefix("discreet/") for name in archive.namelist() if ".dist-info/" not in name}
        assert all(name.startswith(("discreet/", "discreet-")) for name in archive.namelist())
    wanted = {name for name in tracked() if name.split("/")[0] in (*FLOORS, "deploy")}
    wanted |= {name.removeprefix("discreet/") for name in tracked() if name.startswith("discreet/")}
    wanted |= {"app.py", "requirements.txt", ".streamlit/config.toml", "mkdocs.yml"}
    wanted |= {name for name in tracked() if name.startswith("docs/") and name.endswith((".md", ".png"))}
    assert held == wanted


def test_an_installed_package_is_not_the_checkout(place: Place) -> None:
    """What the next tests run lies in the fresh environment."""
    said = "import discreet, discreet.ui.frame.words, discreet.budget; print(discreet.budget.__file__)"
    assert place.run("python", "-c", said).startswith(str(place.programs.parent))


@pytest.mark.parametrize("path", with_code("python"), ids=page_name)
def test_the_python_of_a_document_runs_after_an_install(path: Path, place: Place) -> None:
    """From top to bottom, beside a small file of people, where no checkout is."""
    place.run("python", "-c", "\n".join(blocks(path, "python")), where=place.page(path))


def question(folder: Path) -> tuple[Request, Schema]:
    """Ask once, and leave what the app exports of it in a folder."""
    schema = Schema({"age": Number(0, 100, integer=True)})
    request = Request(GlobalLaplace(query=Mean(), epsilon=0.5), ("age",))
    asked = Curator(Dataset(LocalSource(TABLE.encode()), schema), SessionLedger(Cost.of(1)), tick=0)
    record = release_record(asked.ask(request), schema)
    (folder / "answer.json").write_text(json.dumps(record), encoding="utf-8")
    (folder / "columns.json").write_text(schema.to_json(), encoding="utf-8")
    plan = Plan((Wanted("mean", "age", wish=0.5), Wanted("median", "age")), Cost.of(1, "1e-6"), 2000)
    (folder / "plan.json").write_text(plan_text(plan), encoding="utf-8")
    return request, schema


@pytest.mark.soak_alone
def test_an_exported_script_runs_after_an_install(place: Place) -> None:
    """As a person would: python ask.py people.csv.

    In `make test` tests/report/test_export.py runs a script from the checkout.
    """
    code = script(*question(place.folder), Cost.of(5))
    (place.folder / "ask.py").write_text(code, encoding="utf-8")
    assert "ε = 0.5" in place.run("python", "ask.py", "people.csv")


@pytest.mark.soak_alone
def test_an_exported_plan_runs_after_an_install(place: Place) -> None:
    """As a script with the name of a file, and as the cells of a notebook; each writes the report beside itself.

    In `make test` tests/report/test_bundle.py runs the script of a plan from the checkout.
    """
    question(place.folder)
    schema = Schema({"age": Number(0, 100, integer=True), "group": Category(("a", "b"))})
    mean = Request(SmoothCoreTail(query=Median(), epsilon=0.2), ("age",), by="group")
    plan = FixedPlan((mean, Request(CountsGeometric(epsilon=0.3), ("group",))), 1e-6)
    limit = Cost.of(5, "1e-5")
    (place.folder / "ask_plan.py").write_text(plan_script(plan, schema, limit), encoding="utf-8")
    answered = Curator(Dataset(LocalSource(place.folder / "people.csv"), schema), SessionLedger(limit)).run(plan)
    edition = publication([(release, schema) for release in answered.releases], plan.total)
    cells = json.loads(plan_notebook(plan, schema, limit, None, edition, "people.csv"))["cells"]
    program = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    (place.folder / "book.py").write_text("\n".join(program), encoding="utf-8")
    for words in (("ask_plan.py", "people.csv"), ("book.py",)):
        assert str(plan.total.cost) in place.run("python", *words)
        report = place.folder / "report.html"
        assert "Counts of all categories" in report.read_text(encoding="utf-8")
        report.unlink()


@pytest.mark.parametrize("path", with_code("shell"), ids=page_name)
def test_the_commands_of_a_document_run_after_an_install(path: Path, place: Place) -> None:
    """Line by line, beside what the app exports."""
    question(folder := place.page(path))
    lines = [line for block in blocks(path, "shell") for line in block.splitlines() if line]
    assert len(lines) > 3 and all(line.startswith("discreet ") for line in lines)
    for line in lines:
        place.run(*shlex.split(line, comments=True), where=folder)


def test_the_app_runs_after_an_install(place: Place, tmp_path: Path) -> None:
    """With its gate, its settings and its pages, from a folder that holds nothing of it."""
    port = free_port()
    command = [str(place.programs / "discreet"), "run", "--server.port", str(port)]
    server = served(command, tmp_path / "log.txt", port, place.folder)
    try:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Accept": "text/html"})
        headers = urllib.request.urlopen(request).headers
        assert headers["x-frame-options"] == "DENY"
    finally:
        server.terminate()
        server.wait()
    assert "http://127.0.0.1" in (tmp_path / "log.txt").read_text(encoding="utf-8")


@pytest.mark.soak_alone
def test_a_server_that_its_settings_do_not_let_start_ends_with_78(place: Place) -> None:
    """The command hands the exit code on.

    In `make test` tests/ui/test_start.py holds the same of the checkout.
    """
    command = [str(place.programs / "discreet"), "run", "--server.port", str(free_port())]
    around = alien() | {"DISCREET_DATABASE": "mysql://a:b@host/c"}
    done = subprocess.run(command, cwd=place.folder, env=around, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 78 and "DISCREET_DATABASE is not a supported address" in said and "Traceback" not in said


SECOND = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError as wrong:
        print(name, wrong)
"""


def test_a_second_name_is_refused() -> None:
    """Beside a checkout a folder could be found by itself: it says what to write instead."""
    names = [*FLOORS[:-1], "queries" + ".count"]
    done = subprocess.run([sys.executable, "-c", SECOND, *names], cwd=ROOT, capture_output=True, text=True, check=True)
    said = [line.partition(" ")[::2] for line in done.stdout.splitlines()]
    assert [name for name, _ in said] == names and all(wrong.startswith("Write discreet") for _, wrong in said)


def alone(source: str) -> list[str]:
    """Return imports of a floor without the package."""
    imports = []
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        imports += [name for name in names if name.split(".")[0] in FLOORS]
    return imports


def test_every_import_names_the_package() -> None:
    """In the code, tests, benchmarks and documents; the check is able to fail."""
    assert alone("import pages.data") and not alone("import discreet.ui.session.state")
    suspect = re.compile(rf"(?:import|from|,)\s+(?:{'|'.join(FLOORS)})\b")  # others need no parsing
    for name in tracked():
        if name.endswith(".py") and suspect.search(source := (ROOT / name).read_text(encoding="utf-8")):
            assert not alone(source), name


def test_some_thirty_names_are_public_and_each_is_there() -> None:
    """`from discreet import ...` gives what it lists; asking for another name is an error."""
    assert len(discreet.__all__) == 34 and list(discreet.__all__) == sorted(discreet.__all__)
    assert all(getattr(discreet, name) is not None for name in discreet.__all__)
    assert dir(discreet) == discreet.__all__ and not hasattr(discreet, "nothing")
    assert re.fullmatch(r"\d+\.\d+\.\d+", discreet.__version__)
