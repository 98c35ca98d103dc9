"""Opened: a dataset in use, and an upload that is on its way to become one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from discreet.curator import Release
from discreet.lab.contest import Ground
from discreet.lab.experiment import NoRows
from discreet.lab.preview import ground
from discreet.lab.terms import Road
from discreet.mechanisms import Mechanism
from discreet.office import Desk
from discreet.office.likeness import Alike
from discreet.rows import OpenData, Schema
from discreet.rows.declared import Declared
from discreet.rows.elsewhere import Address, LiveSource, is_live
from discreet.rows.files import Layout
from discreet.rows.source import LocalSource

T = TypeVar("T")
AnySource = LocalSource | LiveSource  # what a draft is read from
MOST_KEPT = 200
CAUTION = 0.7


@dataclass(frozen=True)
class Shown:
    """Open data: their rows, and the truth about them, may be shown."""

    dataset: OpenData


@dataclass
class Opened:
    """A dataset in use: what is declared of it, where one asks of it, and what may be shown.

    `shown` is there for open data alone, `desk` for registered ones.
    """

    name: str
    dataset: Declared
    curator: Road
    size: int = 0  # of the file it came from, in bytes
    shown: Shown | None = None
    desk: Desk | None = None
    source: AnySource | None = field(default=None, repr=False)  # of data that somebody brought along
    earlier: tuple[Opened, ...] = field(default=(), repr=False)  # the same data, declared otherwise before
    layout: Layout | None = None  # how their file is read, where the declaration does not say it
    path: str = ""  # where their file is on this machine, where somebody said so
    unchecked: bool = False  # somebody did not want to know how the rows are read
    shelved: bool = False  # answers and budget are here, rows are not
    forms: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)  # as they were left, by their keys
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def answered(self) -> list[tuple[Release, Schema]]:
        """All answers about these data here, each with the declaration under which it was given, oldest first."""
        if self.desk is not None:
            return self.desk.answered
        mine = [(release, each.dataset.schema) for each in (*self.earlier, self) for release in each.curator.releases]
        return sorted(mine, key=lambda pair: pair[0].at)

    def layout_of(self, release: Release) -> Layout | None:
        """Return how the file was read when an answer was given."""
        here = (each for each in (self, *self.earlier) if release.id in {given.id for given in each.curator.releases})
        return next(here, self).read_as

    @property
    def read_as(self) -> Layout | None:
        """How their file is read."""
        return self.dataset.schema.layout or self.layout

    def ground(self, column: str) -> Ground | None:
        """Return a number column of open data as ground for forecasts; None if protected, or of no rows."""
        shown = self.shown
        try:
            return None if shown is None else self.remember(column, lambda: ground(shown.dataset, column))
        except NoRows:
            return None

    def remember(self, key: Any, make: Callable[[], T]) -> T:
        """Return what was computed before on public ground, or compute it."""
        if key not in self._kept:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[key] = make()
        thing: T = self._kept[key]
        return thing

    def tuned(self, mechanism: Mechanism, stand: Ground) -> Mechanism:
        """Return the settings that do best on public ground, remembered.

        A guess of how many people there are may be too high, and a proposal tuned to it would then
        be refused: so a scenario is tuned for fewer people than guessed.
        """
        if stand.scenario is not None:
            stand = stand.resized(max(1, int(CAUTION * stand.column.n)))
        return self.remember((mechanism, stand.name, stand.bounds), lambda: stand.tuned(mechanism))


@dataclass
class Draft:
    """An upload that is being declared: it outlives leaving the page.

    What it was made for never changes: one that is to be registered cannot be worked on, or be
    called public, on another page. Rows that stay where they are can be registered, and nothing else.
    """

    name: str
    data: bytes = field(repr=False)
    layout: Layout | None  # none for rows that stay where they are
    source: AnySource | None
    lines: Any = field(default=None, repr=False)
    version: int = 0
    wrong: str | Exception = ""
    number: int = 0
    address: Address | None = field(default=None, repr=False)
    through: str = ""  # the connection of the house by which it is reached
    registering: bool = False
    weight: int = 0  # of its rows in memory, in bytes
    complete: bool = False  # a whole declaration was imported: what it does not say is not so
    proposed: tuple[str, ...] = ()  # columns whose lines nobody has typed
    earlier: Opened | None = field(default=None, repr=False)  # the same data, as they were declared before
    notes: dict[str, Any] = field(default_factory=dict)  # what its file says beside its columns
    likely: Layout | None = None  # how its rows look, where it could not be read as its beginning says
    unread: str | Exception = ""  # why a declaration that was brought could not be read
    hint: str = ""  # what to look at before it is used
    numbers: str = ""  # how numbers are written where a column does not say it, by an example
    dates: str = ""  # the order of dates, likewise
    resembling: tuple[Alike, ...] = ()  # registered data that the core takes for the same, when it last refused

    def __post_init__(self) -> None:
        """Let no rows that stay where they are be meant for anything but registration."""
        self.registering = self.registering or is_live(self.source)

    @property
    def textual(self) -> bool:
        """Whether cells are text as somebody wrote it, so that it must be said how numbers are written."""
        return isinstance(self.source, LocalSource) and self.source.textual

    def begin_anew(self) -> None:
        """Let the fields start from the lines as they are."""
        self.version += 1

    def take(self, lines: Any, complete: bool) -> None:
        """Take other lines; a whole declaration says of everything else that it is not so."""
        self.lines, self.complete, self.proposed = lines, complete, ()
        self.version += 1
