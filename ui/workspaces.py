"""Workspaces: what somebody works on in a browser, and what the server process keeps of all.

A workspace belongs to a browser (a cookie that scripts cannot read) and to one stay of one person
in it: signing in, signing out and the end of a session each lead to an empty one. All of it lies
in plain memory of the process, in no cache that a message from outside could clear.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from threading import RLock
from uuid import uuid4

from discreet.budget import Cost, ParameterError, Rule, SessionLedgers
from discreet.curator import Curator, Dataset, Release, Request
from discreet.curator.terms import Declared, Road
from discreet.lab.samples import SAMPLES
from discreet.office import Account, Desk, sessions, settings
from discreet.office.roles import Denied
from discreet.ui.cookies import LIFETIME
from discreet.ui.office import door
from discreet.ui.opened import Draft, Opened, Shown

LIMIT = Cost.of("3.0", "1e-5")
REGISTERED = "registered:"
MOST_EMPTY = MOST_WORKED = 500
MOST_SPEAKERS = 5000
MIB = 1 << 20
MOST = 2048  # of files, if nothing is said
LOOK_EVERY = 60.0


@dataclass
class Workspace:
    """Everything somebody works on in one browser, for as long as they stay the same person."""

    browser: str
    session: str = ""  # the stay of whoever is signed in; empty: nobody is
    opened: dict[str, Opened] = field(default_factory=dict)
    desks: dict[str, Opened] = field(default_factory=dict)
    current: str = next(iter(SAMPLES))
    draft: Draft | None = None  # to be worked on
    registration: Draft | None = None  # to be registered, and nothing else
    uploads: int = 0
    weights: dict[tuple[str, str, bool], int] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    next_cost: Cost | None = None
    notice: str | Exception = ""
    done: str = ""
    language: str = ""
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

    def _desk(self, who: Account | None) -> Opened:
        """Sit down at the desk of a registered dataset, anew for whoever looks."""
        house = door.house()
        if house is None or who is None:
            raise Denied
        desk = Desk(house, who, self.current.removeprefix(REGISTERED))
        kept = self.desks.setdefault(self.current, Opened(desk.registered.name, desk.declared, desk))
        kept.curator = kept.desk = desk
        return kept

    @property
    def dataset(self) -> Declared:
        """What is declared of the data in use."""
        return self.here.dataset

    @property
    def curator(self) -> Road:
        """Where one asks of them."""
        return self.here.curator

    def open(self, name: str, dataset: Dataset, size: int = 0, weight: int = 0) -> None:
        """Work on a dataset from now on; another one of the same name gets a number.

        What was declared otherwise before stays with its answers, and counts as long.
        """
        base, n = name, 2
        while name in self.opened and self.opened[name].dataset.digest != dataset.digest:
            name, n = f"{base} ({n})", n + 1
        curator = server().curator(dataset, self.browser, self.session)
        self.weights[dataset.digest, dataset.schema.digest, dataset.protected] = size + weight
        declared = Declared(dataset.schema, dataset.digest, dataset.protected)
        shown = None if dataset.protected else Shown(dataset, curator)
        self.opened[name] = Opened(name, declared, curator, size, shown)
        self.current = name

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

    def nonce(self, request: Request) -> str:
        """Return what tells draws of one question apart: whose, by which declaration, which one."""
        key = f"{self.dataset.digest}:{request.identity}"
        return f"{self.mark}:{self.dataset.schema.digest}:{self.rounds.get(key, 0)}"

    def prepare(self, request: Request) -> None:
        """Let the next release of this question be a new, charged draw."""
        key = f"{self.dataset.digest}:{request.identity}"
        self.rounds[key] = self.rounds.get(key, 0) + 1

    def stored(self, request: Request) -> Release | None:
        """Return the answer this browser has of the question as prepared."""
        return self.curator.stored(request, self.nonce(request))

    def replace_budget(self, limit: Cost, rule: Rule) -> None:
        """Start a new budget for the dataset in use: an act that the person has confirmed."""
        server().replace(self.here, self.browser, limit, rule)

    @property
    def worked(self) -> bool:
        """Whether anything would be lost with it."""
        answers = any(one.curator.releases for one in self.opened.values())
        return bool(self.uploads or self.draft or self.registration or self.rounds or answers)

    @property
    def held(self) -> int:
        """How many bytes of files it keeps in memory."""
        drafts = sum(len(one.data) for one in (self.draft, self.registration) if one is not None)
        return drafts + sum(one.size for one in self.opened.values())

    @property
    def weight(self) -> int:
        """How many bytes rows take in memory, which a small file may hold many of."""
        drafts = (one.weight for one in (self.draft, self.registration) if one is not None)
        return sum(drafts) + sum(self.weights.values())


def most() -> int:
    """Return how many bytes of files the server holds at most."""
    return int(os.environ.get(settings.UPLOADS) or MOST) * MIB


class Server:
    """What all browsers share: budgets by content, curators, and the workspaces themselves."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lock = RLock()
        self.clear()

    def clear(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._ledgers = SessionLedgers()
            self._curators: dict[tuple[str, str, bool, str, str], Curator] = {}
            self._workspaces: dict[tuple[str, str], Workspace] = {}
            self._languages: dict[str, str] = {}
            self._looked = time.monotonic()

    def workspace(self, browser: str, session: str = "") -> Workspace:
        """Return what a browser works on in one stay; forget what nobody used for long."""
        with self._lock:
            found = self._workspaces.get((browser, session))
            late = time.monotonic() > self._looked + LOOK_EVERY
            if found is None or late:
                self._forget_old()
                found = self._workspaces.get((browser, session))
            if found is None:
                self._make_room()
                found = self._workspaces[browser, session] = Workspace(browser, session)
            found.seen = time.monotonic()
            return found

    def cut(self, browser: str) -> None:
        """Forget all that was worked on in a browser: it changes hands."""
        with self._lock:
            for key in [key for key in self._workspaces if key[0] == browser]:
                self._drop(key)

    def held(self, browser: str | None = None) -> int:
        """Return how many bytes of files are kept in memory, for one browser or for all."""
        with self._lock:
            spaces = list(self._workspaces.values())
        return sum(one.held for one in spaces if browser in (None, one.browser))

    def room(self, browser: str) -> int:
        """Return how many bytes of rows fit in: as many as of files for one, twice that for all."""
        with self._lock:
            held = [(one.browser == browser, one.weight) for one in self._workspaces.values()]
        mine, everything = sum(w for own, w in held if own), sum(w for _, w in held)
        return min(most() - mine, 2 * most() - everything)

    def takes(self, browser: str, weight: int) -> bool:
        """Say whether more rows fit into memory."""
        return weight <= self.room(browser)

    def tell(self, browser: str, notice: str) -> None:
        """Leave a notice in a browser, whoever is signed in."""
        with self._lock:
            for one in self._workspaces.values():
                if one.browser == browser:
                    one.notice = notice

    def speaks(self, browser: str, language: str = "") -> str:
        """Return the language a browser speaks, whoever is signed in; remember a new one."""
        with self._lock:
            if language:
                self._languages.pop(browser, None)
                self._languages[browser] = language
                if len(self._languages) > MOST_SPEAKERS:
                    del self._languages[next(iter(self._languages))]
            return self._languages.get(browser, "")

    def curator(self, dataset: Dataset, browser: str, session: str = "") -> Curator:
        """Return who answers: answers are somebody's own in a browser, the budget is not."""
        key = (dataset.digest, dataset.schema.digest, dataset.protected, browser, session)
        with self._lock:
            if key not in self._curators:
                ledger = self._ledgers.open(self.owner(dataset, browser), LIMIT)
                self._curators[key] = Curator(dataset, ledger)
            return self._curators[key]

    def owner(self, dataset: Dataset | Declared, browser: str) -> str:
        """Name the owner of a budget: the content, and for open data the browser too.

        The budget of protected data is one for the whole server, whoever uploads them again. Open
        data protect nobody, so in a workshop every participant spends a budget of their own.
        """
        return dataset.digest if dataset.protected else f"{dataset.digest}:{browser}"

    def replace(self, opened: Opened, browser: str, limit: Cost, rule: Rule) -> None:
        """Close a budget and open another one for the same owner, answers kept."""
        ledger = self._ledgers.replace(self.owner(opened.dataset, browser), limit, rule)
        dataset = opened.dataset
        with self._lock:
            for (digest, _, protected, who, _), curator in self._curators.items():
                same = (digest, protected) == (dataset.digest, dataset.protected)
                if same and (protected or who == browser):
                    curator.ledger = ledger

    def _drop(self, key: tuple[str, str]) -> None:
        del self._workspaces[key]
        for found in [found for found in self._curators if found[3:] == key]:
            del self._curators[found]

    def _forget_old(self) -> None:
        """Forget what nobody has used for as long as a stay may last."""
        now = self._looked = time.monotonic()
        for key, one in list(self._workspaces.items()):
            if one.seen < now - (sessions.IDLE if one.session else LIFETIME):
                self._drop(key)
        for found in [found for found in self._curators if found[3:] not in self._workspaces]:
            del self._curators[found]  # of a tab that was still at work when its stay ended

    def _make_room(self) -> None:
        """Make room for one more: empty ones go for empty ones, so that a flood throws out none."""
        kept = sorted(self._workspaces.items(), key=lambda told: told[1].seen)
        empty = [key for key, one in kept if not one.worked]
        worked = [key for key, one in kept if one.worked]
        worked.sort(key=lambda key: bool(key[1]))  # first those of nobody in particular
        for keys, most in ((empty, MOST_EMPTY - 1), (worked, MOST_WORKED)):
            for key in keys[: max(0, len(keys) - most)]:
                self._drop(key)


_SERVER = Server()


def server() -> Server:
    """Return what the whole process shares."""
    return _SERVER
