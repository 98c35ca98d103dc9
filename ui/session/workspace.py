"""Workspace: what a person works on in a browser.

A workspace belongs to a browser (a cookie that scripts cannot read) and to one stay of one person in it: signing in,
signing out and the end of a session each lead to an empty one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from uuid import uuid4

from discreet.budget import Cost, ParameterError, Phrase, Rule
from discreet.curator import Release, Request
from discreet.curator.plan import Answers, FixedPlan
from discreet.lab.contest import MOST_PEOPLE, Ground
from discreet.lab.experiment import NoRows
from discreet.lab.explain import ground
from discreet.lab.road import Road
from discreet.lab.samples import SAMPLES
from discreet.mechanisms import Mechanism
from discreet.office import Desk, Member
from discreet.office.datasets.likeness import Alike
from discreet.office.house.roles import Denied
from discreet.plans import Plan, Planned, Sizes, Wanted
from discreet.plans.profile import Profile, profile
from discreet.report.numbers import rows_behind
from discreet.report.publication import Cover
from discreet.report.words import PERSON
from discreet.rows import Dataset, OpenData, Schema
from discreet.rows.columns import Kind
from discreet.rows.dataset import Declared
from discreet.rows.engines.registry import Address, LiveSource, is_live
from discreet.rows.files import Layout, likely
from discreet.rows.filters import Condition
from discreet.rows.intake.opening import Keeping
from discreet.rows.intake.parser import FULL, brought_by
from discreet.rows.source import LocalSource
from discreet.ui.session import door
from discreet.ui.session.budgets import Roads
from discreet.ui.session.guesses import GuessBook
from discreet.ui.session.own_table import OwnTable

# Opened: a dataset in use, and an upload that becomes one once it is declared.

T = TypeVar("T")
AnySource = LocalSource | LiveSource  # the source of a draft's rows
MOST_KEPT = 200
CAUTION = 0.7


@dataclass(frozen=True)
class Shown:
    """Public data: the rows and exact values may be shown."""

    dataset: OpenData


@dataclass
class Opened:
    """A dataset in use: its schema, the curator or desk that takes queries about it, and what may be shown.

    `shown` is set for public data only, `desk` for registered data only.
    """

    name: str
    dataset: Declared
    curator: Road
    size: int = 0  # of its file, in bytes
    shown: Shown | None = None
    desk: Desk | None = None
    source: AnySource | None = field(default=None, repr=False)  # of an uploaded dataset
    earlier: tuple[Opened, ...] = field(default=(), repr=False)  # the same data under earlier schemas
    layout: Layout | None = None  # how their file is read, if the schema does not say it
    path: str = ""  # the path of their file on this machine, if given
    unchecked: bool = False  # the check of how the rows are read was skipped
    shelved: bool = False  # results and budget are loaded, rows are not
    forms: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)  # the last settings of each form, by key
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def unit(self) -> Phrase:
        """The unit of privacy: of registered data as stated there, else a person."""
        return PERSON if self.desk is None else self.desk.registered.registration.protected

    @property
    def answered(self) -> list[tuple[Release, Schema]]:
        """All results about these data, each with the schema it was released under, oldest first."""
        if self.desk is not None:
            return self.desk.answered
        mine = [(release, each.dataset.schema) for each in (*self.earlier, self) for release in each.curator.releases]
        return sorted(mine, key=lambda pair: pair[0].at)

    def counted(self, where: tuple[Condition, ...]) -> tuple[str, int] | None:
        """Return the latest result about the rows of these filters that released their number, and that number."""
        counted = (
            (release.id, rows_behind(release, schema))
            for release, schema in reversed(self.answered)
            if release.request.where == where
        )
        return next(((name, rows) for name, rows in counted if rows), None)

    @property
    def public_size(self) -> int | None:
        """The number of people or rows that is public, as far as forecasts take it: declared, or released; or None."""
        declared = None if self.desk is None else self.desk.registered.registration.people
        released = self.counted(()) if declared is None else None
        known = declared if released is None else released[1]
        return None if known is None else min(known, MOST_PEOPLE)

    def layout_of(self, release: Release) -> Layout | None:
        """Return the layout with which the file was read when a result was released."""
        here = (each for each in (self, *self.earlier) if release.id in {given.id for given in each.curator.releases})
        return next(here, self).read_as

    @property
    def read_as(self) -> Layout | None:
        """The layout with which their file is read."""
        return self.dataset.schema.layout or self.layout

    def ground(self, column: str) -> Ground | None:
        """Return a numeric column of public data as ground for forecasts; None if protected or without rows."""
        shown = self.shown
        try:
            return None if shown is None else self.remember(column, lambda: ground(shown.dataset, column))
        except NoRows:
            return None

    def remember(self, key: Any, make: Callable[[], T]) -> T:
        """Return a cached value computed on public ground, or compute it."""
        if key not in self._kept:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[key] = make()
        thing: T = self._kept[key]
        return thing

    def tuned(self, mechanism: Mechanism, stand: Ground) -> Mechanism:
        """Return the best settings on public ground, cached.

        A guess of the number of people may be too high, and a proposal tuned to it would then be refused: so a scenario
        is tuned for fewer people than guessed.
        """
        if stand.scenario is not None:
            stand = stand.resized(max(1, int(CAUTION * stand.column.n)))
        return self.remember((mechanism, stand.name, stand.bounds), lambda: stand.tuned(mechanism))


@dataclass
class Draft:
    """An upload that is being declared; it is kept when the person leaves the page.

    Its purpose never changes: a draft for registration cannot be worked on or be called public on another page. Rows
    that stay in a database can only be registered.
    """

    name: str
    data: bytes = field(repr=False)
    layout: Layout | None  # None for rows that stay in a database
    source: AnySource | None
    lines: Any = field(default=None, repr=False)
    version: int = 0
    wrong: str | Exception = ""
    number: int = 0
    address: Address | None = field(default=None, repr=False)
    through: str = ""  # the connection by which the database is reached
    registering: bool = False
    weight: int = 0  # of its rows in memory, in bytes
    complete: bool = False  # a complete schema was imported: what it leaves out does not apply
    proposed: tuple[str, ...] = ()  # columns whose lines are proposals, not typed
    earlier: Opened | None = field(default=None, repr=False)  # the same data under their previous schema
    notes: dict[str, Any] = field(default_factory=dict)  # what its file says beside its columns
    likely: Layout | None = None  # the layout its rows suggest, if it could not be read as its first lines suggest
    unread: str | Exception = ""  # why an imported schema could not be read
    hint: str = ""  # what to look at before it is used
    numbers: str = ""  # how numbers are written in columns that do not declare it, by an example
    dates: str = ""  # the order of dates, likewise
    derived: dict[str, Kind] = field(default_factory=dict)  # columns that follow from others of the row
    opened: dict[int, bool] = field(default_factory=dict)  # cards of columns that were opened or closed, by position
    resembling: tuple[Alike, ...] = ()  # similar registered datasets, found at the last refusal

    def __post_init__(self) -> None:
        """Refuse to use rows that stay in a database for anything but a registration."""
        self.registering = self.registering or is_live(self.source)

    @property
    def textual(self) -> bool:
        """Whether cells are text as written, so that the format of numbers must be declared."""
        return isinstance(self.source, LocalSource) and self.source.textual

    def begin_anew(self) -> None:
        """Reset the fields to the current lines."""
        self.version += 1
        self.opened = {}

    def take(self, lines: Any, complete: bool, derived: Mapping[str, Kind]) -> None:
        """Replace the lines and derived columns; a complete schema also resets everything that it leaves out."""
        self.lines = lines
        self.derived = dict(derived)
        self.complete = complete
        self.proposed = ()
        self.begin_anew()


# Sheet: the plan that is being written for one dataset, with its undo history.

MOST_STEPS = 100  # that can be undone
MOST_RUNS = 50  # whose results are shown as those of a plan
TOTAL = Cost.of("1", "1e-6")


@dataclass(frozen=True)
class Common:
    """The terms of all rows: the total, a public guess of the number of people, and the budget held back for later."""

    total: Cost = TOTAL
    people: int = 1000
    shape: str = "bell"
    reserve: float = 0.0
    name: str = ""
    sizes: tuple[Sizes, ...] = ()


@dataclass(frozen=True)
class Run:
    """The results of a plan, and the plan as it was then."""

    plan: Plan
    answers: Answers


@dataclass
class Sheet:
    """The editable rows of a plan, their common terms, and the results of its runs, oldest first."""

    items: tuple[Wanted, ...] = ()
    common: Common = field(default_factory=Common)
    version: int = 0  # an editor of an earlier version is outdated
    runs: tuple[Run, ...] = ()
    merged: tuple[Wanted, ...] = ()  # rows that the last change left out, because equal ones are there
    profile: Profile | None = None  # the last one that was added, for what it says is coarser or left out
    way: tuple[object, Planned] | None = None  # the last forecast and its key: a long plan is computed once
    _past: list[tuple[tuple[Wanted, ...], Common]] = field(default_factory=list, repr=False)

    @property
    def untouched(self) -> bool:
        """Whether nothing was written yet, so that a number that has become public since may be taken over."""
        return not (self.version or self.items or self.runs)

    @property
    def plan(self) -> Plan | None:
        """The current plan; None while it has no row."""
        return Plan(self.items, **vars(self.common)) if self.items else None

    @property
    def answers(self) -> Answers | None:
        """The results of the last run."""
        return self.runs[-1].answers if self.runs else None

    @property
    def asked(self) -> tuple[Wanted, ...]:
        """The rows that these results belong to."""
        return self.runs[-1].plan.items if self.runs else ()

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._past)

    def change(self, items: tuple[Wanted, ...] | None = None, **terms: Any) -> None:
        """Make a change, unless it changes nothing; raise an error if the plan would be invalid.

        Of rows with equal queries the first one stays.
        """
        kept: dict[object, Wanted] = {}
        merged = []
        for item in self.items if items is None else items:
            if kept.setdefault(item.query, item) is not item:
                merged.append(item)
        self.merged = tuple(merged)
        new = tuple(kept.values()), replace(self.common, **terms)
        if new == (self.items, self.common):
            return
        if new[0]:
            Plan(new[0], **vars(new[1]))
        self._past = [*self._past[-MOST_STEPS:], (self.items, self.common)]
        self._stand(new)

    def undo(self) -> None:
        """Undo the last change."""
        if self._past:
            self._stand(self._past.pop())

    def add(self, items: Collection[Wanted]) -> None:
        """Append rows."""
        self.change((*self.items, *items))

    def fill(self, schema: Schema) -> None:
        """Append the profile of a declaration, in place of what is left of the last one."""
        made = profile(schema, lambda items: Plan(items, **vars(self.common)))
        former = () if self.profile is None else self.profile.plan.items
        self.change((*(item for item in self.items if item not in former), *made.plan.items))
        self.profile = made

    def edit(self, number: int, **changes: Any) -> None:
        """Change one row."""
        items = list(self.items)
        items[number] = replace(items[number], **changes)
        self.change(tuple(items))

    def double(self, number: int, **changes: Any) -> None:
        """Insert a changed copy of a row behind it."""
        copy = replace(self.items[number], **changes)
        self.change((*self.items[: number + 1], copy, *self.items[number + 1 :]))

    def remove(self, numbers: Collection[int]) -> None:
        """Remove rows."""
        self.change(tuple(item for at, item in enumerate(self.items) if at not in numbers))

    def open(self, plan: Plan) -> None:
        """Replace the plan by another one."""
        terms = {name: getattr(plan, name) for name in vars(self.common)}
        self.change(plan.items, **terms)

    def forecast(self, key: object, make: Callable[[], Planned]) -> Planned:
        """Return the forecast of the current plan, computed once."""
        if self.way is None or self.way[0] != key:
            self.way = key, make()
        return self.way[1]

    def take(self, answers: Answers, items: tuple[Wanted, ...] | None = None) -> None:
        """Keep the results of some rows, or of all of them, once."""
        self.keep(Run(Plan(self.items if items is None else items, **vars(self.common)), answers))

    def keep(self, run: Run) -> None:
        """Keep the results of a run, once."""
        if all(each.answers.id != run.answers.id for each in self.runs):
            self.runs = (*self.runs[1 - MOST_RUNS :], run)

    def _stand(self, now: tuple[tuple[Wanted, ...], Common]) -> None:
        self.items, self.common = now
        self.version += 1


REGISTERED = "registered:"


@dataclass
class Workspace:
    """Everything a person works on in one browser, during one stay."""

    browser: str
    roads: Roads = field(repr=False)
    session: str = ""  # the session of the signed-in person; empty without one
    opened: dict[str, Opened] = field(default_factory=dict)
    desks: dict[str, Opened] = field(default_factory=dict)
    current: str = next(iter(SAMPLES))
    draft: Draft | None = None  # for work in this browser
    registration: Draft | None = None  # for a registration only
    extension: Draft | None = None  # for an extension of a registered dataset
    uploads: int = 0
    weights: dict[tuple[str, str, bool], int] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    sheets: dict[tuple[str, str], Sheet] = field(default_factory=dict)
    following: dict[str, str] = field(default_factory=dict)  # by dataset, the request that the next one replaces
    refill: str | Request = ""  # the query, or the request of it, whose settings the form will take
    notice: str | Exception = ""
    done: str = ""
    language: str = ""
    touring: bool = False  # the tour of the screens is running
    declined: bool = False  # the person does not want to save it
    covers: dict[str, Cover] = field(default_factory=dict)  # what is written on exported results, by dataset
    guesses: GuessBook = field(default_factory=GuessBook)  # in the course
    own_table: OwnTable | None = None  # public data that lessons can use
    seen: float = field(default_factory=time.monotonic)
    mark: str = field(default_factory=lambda: uuid4().hex)  # no other workspace draws noise under this mark

    @property
    def here(self) -> Opened:
        """The dataset in use; a registered one as long as an analyst is signed in."""
        if self.current.startswith(REGISTERED):
            with suppress(ParameterError):
                return self._desk(door.who())
            self.current = next(iter(SAMPLES))
        if self.current not in self.opened:
            self.open(self.current, SAMPLES[self.current]())
        return self.opened[self.current]

    def _desk(self, who: Member | None) -> Opened:
        """Open a registered dataset, again for each person."""
        house = door.house()
        if house is None or who is None:
            raise Denied
        desk = Desk(house, who, self.current.removeprefix(REGISTERED))
        opened = self.desks.get(self.current)
        if opened is None or opened.dataset != desk.declared:  # the dataset was extended since
            opened = self.desks[self.current] = Opened(desk.registered.name, desk.declared, desk)
        opened.curator = opened.desk = desk
        return opened

    @property
    def dataset(self) -> Declared:
        """The declared dataset in use."""
        return self.here.dataset

    @property
    def curator(self) -> Road:
        """The curator or desk that takes its queries."""
        return self.here.curator

    def open(
        self, name: str, dataset: Dataset, size: int = 0, weight: int = 0, source: AnySource | None = None
    ) -> None:
        """Work on a dataset from now on; a different one with an existing name gets a number.

        The same data under an earlier schema keep their results, and count in memory as long.
        """
        base = name
        n = 2
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
        """Read the rows of a table again, with the same layout, and work on them."""
        with brought_by(self.browser, room):
            source = LocalSource(data, table.read_as or likely(data), keeping=Keeping(again=True))
        if source.weight > room:
            raise ParameterError(FULL)
        kind = Dataset if table.dataset.protected else OpenData
        self.open(table.name, kind(source, table.dataset.schema), len(data), source.weight, source)
        self.here.layout = source.layout

    def _earlier(self, name: str, now: Declared) -> tuple[Opened, ...]:
        """Return the same data under their earlier schemas, with their results."""
        before = self.opened.get(name)
        if before is None or before.dataset.protected != now.protected:
            return ()
        return tuple(each for each in (*before.earlier, before) if each.dataset.schema.digest != now.schema.digest)

    def keep(self, draft: Draft) -> None:
        """Keep a draft; drafts for other purposes stay."""
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
        """Return the name under which the rounds of a query are counted."""
        return f"{self.dataset.digest}:{request.identity}"

    def nonce(self, request: Request | FixedPlan) -> str:
        """Return the nonce that separates draws of a query: by workspace, schema and round."""
        return f"{self.mark}:{self.dataset.schema.digest}:{self.rounds.get(self._question(request), 0)}"

    def otherwise(self, schema: Schema) -> tuple[Road, str]:
        """Return the curator of the same rows under another schema, and the nonce of what is asked there once.

        It spends the same budget, which belongs to the content, under whatever schema.
        """
        source = self.here.source
        if source is None or is_live(source):
            raise ParameterError("The schema of this dataset cannot be changed.")
        dataset = Dataset(source, schema)
        return self.roads.curator(dataset, self.browser, self.session), f"{self.mark}:{schema.digest}:0"

    @property
    def sheet(self) -> Sheet:
        """The plan for the dataset in use, which follows it to a new schema; a known number of people is no guess."""
        key = (self.current, self.dataset.schema.digest)
        before = self._sheet_before()
        if key not in self.sheets and before is not None:
            self.sheets[key] = self.sheets.pop(before)
        names = list(self.dataset.schema.numbers)
        if key not in self.sheets or self.sheets[key].untouched:
            ground = self.here.ground(names[0]) if names else None
            people = self.here.public_size if ground is None else min(max(1, ground.column.n), MOST_PEOPLE)
            common = Common() if people is None else Common(people=people)
            self.sheets.setdefault(key, Sheet()).common = common
        return self.sheets[key]

    def _sheet_before(self) -> tuple[str, str] | None:
        """Return the key of the plan that was written last for these data under an earlier schema."""
        earlier = {each.dataset.schema.digest for each in self.here.earlier}
        mine = [key for key in self.sheets if key[0] == self.current and (self.registered or key[1] in earlier)]
        return mine[-1] if mine else None

    def prepare(self, request: Request) -> None:
        """Make the next release of this query a new, charged draw."""
        question = self._question(request)
        self.rounds[question] = self.rounds.get(question, 0) + 1

    def stored(self, request: Request) -> Release | None:
        """Return this browser's result of the query in its current round."""
        return self.curator.stored(request, self.nonce(request))

    def replace_budget(self, limit: Cost, rule: Rule) -> None:
        """Replace the budget of the dataset in use, after the person has confirmed it."""
        self.roads.replace(self.dataset, self.browser, limit, rule)

    @property
    def may_begin_anew(self) -> bool:
        """Whether the dataset in use may get a new budget."""
        return self.roads.may_begin_anew(self.dataset.protected)

    @property
    def before(self) -> tuple[Cost, ...]:
        """What was spent of each earlier budget of the dataset in use."""
        return () if self.registered else self.roads.before(self.dataset, self.browser)

    @property
    def worked(self) -> bool:
        """Whether there is any work that would be lost."""
        answers = any(opened.curator.releases for opened in self.opened.values())
        return bool(self.uploads or self.draft or self.registration or self.extension or self.rounds or answers)

    @property
    def registered(self) -> bool:
        """Whether the dataset in use is registered."""
        return self.current.startswith(REGISTERED)

    @property
    def held(self) -> int:
        """The number of bytes of files in memory."""
        files = sum(len(draft.data) for draft in (self.draft, self.registration) if draft is not None)
        own = 0 if self.own_table is None else self.own_table.size
        return files + own + sum(opened.size for opened in self.opened.values())

    @property
    def weight(self) -> int:
        """The number of bytes of rows in memory; a small file may expand to many."""
        rows = sum(draft.weight for draft in (self.draft, self.registration) if draft is not None)
        own = 0 if self.own_table is None else self.own_table.weight
        return rows + own + sum(self.weights.values())
