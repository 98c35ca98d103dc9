"""Project: saved work, which browsers may see it, and the secret that admits another browser."""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn
from uuid import uuid4

from discreet.budget import Ledger, ParameterError, Phrase
from discreet.budget.ledger import Terms, TooMuch
from discreet.curator import Release, Request
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.records import recall, recalled
from discreet.curator.release import name_of
from discreet.curator.request import Finer
from discreet.lab.samples import SAMPLES
from discreet.plans import Plan, plan_from, plan_text
from discreet.report.publication import Cover
from discreet.rows import Schema
from discreet.rows.capacity import LARGEST_UPLOAD
from discreet.rows.dataset import Declared
from discreet.rows.files import Layout
from discreet.rows.source import of_bytes
from discreet.ui.session.budgets import PROJECT, Roads
from discreet.ui.session.project_file import ProjectFile
from discreet.ui.session.workspace import REGISTERED, Common, Opened, Run, Sheet, Workspace

# Shelved: the curator of a table whose rows are not loaded: earlier results remain, nothing new can be asked.

AWAY = Phrase("The data file is not loaded. Upload the same file again on the Dataset page to run more queries.")


@dataclass(frozen=True)
class Shelved:
    """The results of a table whose rows are not loaded, and its budget."""

    latest: Callable[[], Ledger]  # another browser may replace this budget
    asked: Collection[str]

    @property
    def ledger(self) -> Ledger:
        """The current ledger of the budget."""
        return self.latest()

    @property
    def releases(self) -> tuple[Release, ...]:
        """All results, oldest first."""
        return recalled(self.ledger, tuple(self.asked))

    @property
    def share(self) -> None:
        """None: there is no other analyst."""

    def terms(self, request: Request | FixedPlan) -> Terms:
        """Refuse every query: there are no rows."""
        return TooMuch(AWAY, self.ledger.left)

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the stored result of a query, if there is one."""
        release: Release | None = recall(self.ledger, name_of(request, nonce))
        return release

    def ask(self, request: Request | Finer, nonce: str = "", purpose: str = "") -> NoReturn:
        """Refuse: there are no rows."""
        raise ParameterError(AWAY)

    def run(self, plan: FixedPlan, nonce: str = "", purpose: str = "") -> NoReturn:
        """Refuse: there are no rows."""
        raise ParameterError(AWAY)

    def check_finer(self, question: Finer) -> NoReturn:
        """Refuse: there are no rows."""
        raise ParameterError(AWAY)


# State: the work as text and back. Rows are never part of it.

State = dict[str, Any]


def state_of(space: Workspace) -> State:
    """Return the work of a workspace as plain values."""
    sheets = [_sheet(*key, sheet) for key, sheet in list(space.sheets.items()) if sheet.items or sheet.answers]
    opened = dict(space.opened)  # another tab may open a dataset in the meantime
    return {
        "mark": space.mark,
        "current": space.current,
        "rounds": dict(space.rounds),
        "samples": [name for name in opened if name in SAMPLES],
        "tables": [_table(table) for name, table in opened.items() if name not in SAMPLES],
        "covers": {name: vars(cover) for name, cover in dict(space.covers).items() if name in opened},
        "sheets": [sheet for sheet in sheets if not sheet["of"].startswith(REGISTERED)],
    }


def _table(opened: Opened) -> State:
    said = [{"schema": each.dataset.schema.to_json(), "layout": _plain(each)} for each in (*opened.earlier, opened)]
    data = opened.dataset
    return {"name": opened.name, "digest": data.digest, "protected": data.protected, "path": opened.path, "said": said}


def _plain(opened: Opened) -> State | None:
    return None if opened.layout is None else vars(opened.layout)


def _sheet(name: str, declared: str, sheet: Sheet) -> State:
    runs = [{"id": run.answers.id, "asked": plan_text(run.plan)} for run in sheet.runs]
    return {"of": name, "declared": declared, "plan": _plan(sheet.items, sheet.common), "runs": runs}


def _plan(items: tuple[Any, ...], common: Common) -> str:
    return plan_text(Plan(items, **vars(common))) if items else ""


def restored(state: State, roads: Roads) -> Workspace:
    """Return a workspace from its saved state; rows follow when their file is loaded."""
    space = Workspace(PROJECT, roads)
    space.mark = state.get("mark", space.mark)
    space.rounds.update(state.get("rounds", {}))
    for name in (name for name in state.get("samples", ()) if name in SAMPLES):
        space.open(name, SAMPLES[name]())
    for table in state.get("tables", ()):
        space.opened[table["name"]] = _opened(table, roads)
    for sheet in state.get("sheets", ()):
        if sheet["of"] in space.opened:
            space.sheets[sheet["of"], sheet["declared"]] = _written(sheet, space.opened[sheet["of"]])
    space.covers.update({name: Cover(**cover) for name, cover in state.get("covers", {}).items()})
    current = state.get("current", "")
    space.current = current if current in space.opened else space.current
    return space


def _opened(table: State, roads: Roads) -> Opened:
    """Return a table without its rows, with its current schema and its earlier ones."""
    earlier: tuple[Opened, ...] = ()
    for said in table["said"]:
        declared = Declared(Schema.from_json(said["schema"]), table["digest"], table["protected"])
        layout = None if said["layout"] is None else Layout(**said["layout"])
        road = _road(declared, roads)
        shelf = {"layout": layout, "path": table["path"], "shelved": True}
        earlier = (*earlier, Opened(table["name"], declared, road, earlier=earlier, **shelf))
    return earlier[-1]


def _road(data: Declared, roads: Roads) -> Shelved:
    latest = partial(roads.budget, data.digest, data.protected, PROJECT)
    latest()  # a budget that cannot be opened stops the start
    return Shelved(latest, roads.asked(data.digest, data.schema.digest, data.protected))


def _written(sheet: State, opened: Opened) -> Sheet:
    """Return a plan as it was saved, and the results of its runs; earlier versions saved those of the last one."""
    written = Sheet()
    if sheet["plan"]:
        plan = plan_from(sheet["plan"])
        written = Sheet(plan.items, Common(**{name: getattr(plan, name) for name in vars(written.common)}))
    former = [{"id": sheet["last"], "asked": sheet["asked"]}] if sheet.get("last") else []
    for run in sheet.get("runs", former):
        answers = recall(opened.curator.ledger, run["id"])
        if isinstance(answers, Answers) and run["asked"]:
            written.keep(Run(plan_from(run["asked"]), answers))
    return written


# Reloading: the file that a table was declared from, at the path that a person has given.

OTHER = Phrase("No file was found at this path, or it differs from the file declared here. Check the path.")


def content(path: str, digest: str) -> bytes:
    """Return the file at a path if its content matches the digest; reveal nothing about any other file."""
    try:
        place = Path(path).expanduser()
        data = _read(place) if place.is_absolute() and place.is_file() else b""
    except (OSError, ValueError, RuntimeError):  # RuntimeError: a user unknown to this machine
        data = b""
    if not data or of_bytes(data) != digest:
        raise ParameterError(OTHER)
    return data


def _read(place: Path) -> bytes:
    """Read as many bytes as the file's size says: some system files have no end."""
    with place.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return file.read(size) if size <= LARGEST_UPLOAD else b""


MOST_BROWSERS = 20


class Project:
    """One project file, and the browsers of the person it belongs to."""

    def __init__(self, file: ProjectFile) -> None:
        """Open the project of a file; the secret that admits a browser is new at each start."""
        self.file = file
        self.word = uuid4().hex
        self._browsers: list[str] = list(map(str, file.state.get("browsers", [])))

    def has(self, browser: str) -> bool:
        """Whether a browser sees this project."""
        return _hashed(browser) in self._browsers

    def admit(self, browser: str, word: str) -> bool:
        """Admit a browser that presents the secret."""
        if not hmac.compare_digest(word.encode(), self.word.encode()):
            return False
        if not self.has(browser):
            self._browsers = [*self._browsers, _hashed(browser)][-MOST_BROWSERS:]
            self.file.write(self.file.state | {"browsers": self._browsers})
        return True

    def save(self, space: Workspace) -> None:
        """Save the state of the workspace if it has changed."""
        self.file.write(state_of(space) | {"browsers": self._browsers})

    def workspace(self, roads: Roads) -> Workspace:
        """Return the saved workspace."""
        return restored(self.file.state, roads)


def _hashed(browser: str) -> str:
    return sha256(browser.encode()).hexdigest()
