"""Workspace: what somebody works on in a browser.

A workspace belongs to a browser (a cookie that scripts cannot read) and to one stay of one person
in it: signing in, signing out and the end of a session each lead to an empty one.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import uuid4

from discreet.budget import Cost, ParameterError, Rule
from discreet.curator import Release, Request
from discreet.curator.fixed import FixedPlan
from discreet.lab.lessons.guesses import GuessBook
from discreet.lab.lessons.own_table import OwnTable
from discreet.lab.samples import SAMPLES
from discreet.lab.terms import Road
from discreet.office import Desk, Member
from discreet.office.roles import Denied
from discreet.rows import Dataset, LocalSource, OpenData, Schema
from discreet.rows.declared import Declared
from discreet.rows.elsewhere import is_live
from discreet.rows.files import likely
from discreet.rows.refusals import FULL
from discreet.rows.scanned import Keeping
from discreet.rows.turns import brought_by
from discreet.ui.office import door
from discreet.ui.opened import AnySource, Draft, Opened, Shown
from discreet.ui.roads import Roads
from discreet.ui.sheet import Common, Sheet

REGISTERED = "registered:"


@dataclass
class Workspace:
    """Everything somebody works on in one browser, for as long as they stay the same person."""

    browser: str
    roads: Roads = field(repr=False)
    session: str = ""  # the stay of whoever is signed in; empty: nobody is
    opened: dict[str, Opened] = field(default_factory=dict)
    desks: dict[str, Opened] = field(default_factory=dict)
    current: str = next(iter(SAMPLES))
    draft: Draft | None = None  # to be worked on
    registration: Draft | None = None  # to be registered, and nothing else
    extension: Draft | None = None  # more of what is registered
    uploads: int = 0
    weights: dict[tuple[str, str, bool], int] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    next_cost: Cost | None = None
    sheets: dict[tuple[str, str], Sheet] = field(default_factory=dict)
    following: dict[str, str] = field(default_factory=dict)  # dataset, and the request that the next one replaces
    refill: str = ""  # the request to which a form is to be set
    notice: str | Exception = ""
    done: str = ""
    language: str = ""
    touring: bool = False  # somebody is on the tour of the screens
    declined: bool = False  # somebody does not want it kept
    guesses: GuessBook = field(default_factory=GuessBook)  # in the course
    own_table: OwnTable | None = None  # open data on which lessons may stand
    seen: float = field(default_factory=time.monotonic)
    mark: str = field(default_factory=lambda: uuid4().hex)  # no other workspace draws under it

    @property
    def here(self) -> Opened:
        """The dataset in use; a registered one for as long as an analyst is signed in."""
        if self.current.startswith(REGISTERED):
            with suppress(ParameterError):
                return self._desk(door.who())
            self.current = next(iter(SAMPLES))
        if self.current not in self.opened:
            self.open(self.current, SAMPLES[self.current]())
        return self.opened[self.current]

    def _desk(self, who: Member | None) -> Opened:
        """Sit down at the desk of a registered dataset, anew for whoever looks."""
        house = door.house()
        if house is None or who is None:
            raise Denied
        desk = Desk(house, who, self.current.removeprefix(REGISTERED))
        opened = self.desks.get(self.current)
        if opened is None or opened.dataset != desk.declared:  # more of it is declared since
            opened = self.desks[self.current] = Opened(desk.registered.name, desk.declared, desk)
        opened.curator = opened.desk = desk
        return opened

    @property
    def dataset(self) -> Declared:
        """What is declared of the data in use."""
        return self.here.dataset

    @property
    def curator(self) -> Road:
        """Where one asks of them."""
        return self.here.curator

    def open(
        self, name: str, dataset: Dataset, size: int = 0, weight: int = 0, source: AnySource | None = None
    ) -> None:
        """Work on a dataset from now on; another one of the same name gets a number.

        What was declared otherwise before stays with its answers, and counts as long.
        """
        base, n = name, 2
        while name in self.opened and self.opened[name].dataset.digest != dataset.digest:
            name, n = f"{base} ({n})", n + 1
        curator = self.roads.curator(dataset, self.browser, self.session)
        key = dataset.digest, dataset.schema.digest, dataset.protected
        self.weights[key] = max(self.weights.get(key, 0), size + weight)
        declared = Declared(dataset.schema, dataset.digest, dataset.protected)
        shown = Shown(dataset) if isinstance(dataset, OpenData) else None
        earlier = self._earlier(name, declared)
        path = self.opened[name].path if name in self.opened else ""
        self.opened[name] = Opened(name, declared, curator, size, shown, source=source, earlier=earlier, path=path)
        self.current = name

    def turn_to(self, dataset: str) -> None:
        """Work on a registered dataset from now on."""
        self.current = f"{REGISTERED}{dataset}"

    def bring(self, table: Opened, data: bytes, room: int) -> None:
        """Read the rows of a table again, as they were read before, and work on them."""
        with brought_by(self.browser, room):
            source = LocalSource(data, table.read_as or likely(data), keeping=Keeping(again=True))
        if source.weight > room:
            raise ParameterError(FULL)
        kind = Dataset if table.dataset.protected else OpenData
        self.open(table.name, kind(source, table.dataset.schema), len(data), source.weight, source)
        self.here.layout = source.layout

    def _earlier(self, name: str, now: Declared) -> tuple[Opened, ...]:
        """Return the same data as they were declared before: their answers stay."""
        before = self.opened.get(name)
        if before is None or before.dataset.protected != now.protected:
            return ()
        return tuple(each for each in (*before.earlier, before) if each.dataset.schema.digest != now.schema.digest)

    def keep(self, draft: Draft) -> None:
        """Keep a draft, beside one that is made for something else."""
        if draft.registering:
            self.registration = draft
        else:
            self.draft = draft

    def drop(self, draft: Draft) -> None:
        """Forget a draft."""
        if self.draft is draft:
            self.draft = None
        if self.registration is draft:
            self.registration = None
        if self.extension is draft:
            self.extension = None

    def _question(self, request: Request | FixedPlan) -> str:
        """Return the name under which the rounds of a question are counted."""
        return f"{self.dataset.digest}:{request.identity}"

    def nonce(self, request: Request | FixedPlan) -> str:
        """Return what tells draws of one question apart: whose, by which declaration, which one."""
        return f"{self.mark}:{self.dataset.schema.digest}:{self.rounds.get(self._question(request), 0)}"

    def otherwise(self, schema: Schema) -> tuple[Road, str]:
        """Return who answers about the same rows declared otherwise, and the nonce of what is asked there once.

        They answer out of the same budget: it belongs to the content, whatever is said of it.
        """
        source = self.here.source
        if source is None or is_live(source):
            raise ParameterError("These data cannot be declared otherwise.")
        dataset = Dataset(source, schema)
        return self.roads.curator(dataset, self.browser, self.session), f"{self.mark}:{schema.digest}:0"

    @property
    def sheet(self) -> Sheet:
        """The plan that is written for the data in use, as they are declared; a known number of people is no guess."""
        key, names = (self.current, self.dataset.schema.digest), list(self.dataset.schema.numbers)
        if key not in self.sheets:
            ground, desk = self.here.ground(names[0]) if names else None, self.here.desk
            people = desk.registered.registration.people if desk is not None else None
            people = people if ground is None else max(1, ground.column.n)
            self.sheets[key] = Sheet(common=Common() if people is None else Common(people=people))
        return self.sheets[key]

    def prepare(self, request: Request) -> None:
        """Let the next release of this question be a new, charged draw."""
        question = self._question(request)
        self.rounds[question] = self.rounds.get(question, 0) + 1

    def stored(self, request: Request) -> Release | None:
        """Return the answer this browser has of the question as prepared."""
        return self.curator.stored(request, self.nonce(request))

    def replace_budget(self, limit: Cost, rule: Rule) -> None:
        """Start a new budget for the dataset in use: an act that the person has confirmed."""
        self.roads.replace(self.dataset, self.browser, limit, rule)

    @property
    def may_begin_anew(self) -> bool:
        """Whether the data in use may have another budget."""
        return self.roads.may_begin_anew(self.dataset.protected)

    @property
    def before(self) -> tuple[Cost, ...]:
        """What was spent of each budget that the one of the data in use was put in the place of."""
        return () if self.registered else self.roads.before(self.dataset, self.browser)

    @property
    def worked(self) -> bool:
        """Whether anything would be lost with it."""
        answers = any(opened.curator.releases for opened in self.opened.values())
        return bool(self.uploads or self.draft or self.registration or self.extension or self.rounds or answers)

    @property
    def registered(self) -> bool:
        """Whether the data in use are registered ones."""
        return self.current.startswith(REGISTERED)

    @property
    def held(self) -> int:
        """How many bytes of files it keeps in memory."""
        files = sum(len(draft.data) for draft in (self.draft, self.registration) if draft is not None)
        own = 0 if self.own_table is None else self.own_table.size
        return files + own + sum(opened.size for opened in self.opened.values())

    @property
    def weight(self) -> int:
        """How many bytes rows take in memory, which a small file may hold many of."""
        rows = sum(draft.weight for draft in (self.draft, self.registration) if draft is not None)
        own = 0 if self.own_table is None else self.own_table.weight
        return rows + own + sum(self.weights.values())
