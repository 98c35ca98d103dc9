"""State: what a browser works on, and what outlives it in the server process.

A workspace belongs to a browser (a cookie that scripts cannot read), not to one connection, so that
a reload, a second tab and a lost connection come back to the same data, answers and budget.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from uuid import uuid4

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from budget import Cost, ParameterError, Rule, SessionLedgers
from curator import Curator, Dataset, Release, Request
from curator.office import Desk, Person
from curator.office.people import Denied
from curator.samples import SAMPLES
from ui.cookies import BROWSER, LIFETIME
from ui.office import door
from ui.opened import Draft, Opened

LIMIT = Cost.of("3.0", "1e-5")
LANGUAGES = {"en": "English", "zh": "中文"}
KEY = "browser"
MOST_BROWSERS = 500
REGISTERED = "registered:"


@dataclass
class Workspace:
    """Everything one browser works on."""

    browser: str
    opened: dict[str, Opened] = field(default_factory=dict)
    desks: dict[str, Opened] = field(default_factory=dict)
    current: str = next(iter(SAMPLES))
    draft: Draft | None = None
    uploads: int = 0
    rounds: dict[str, int] = field(default_factory=dict)
    next_cost: Cost | None = None
    notice: str | Exception = ""
    done: str = ""
    language: str = ""
    seen: float = field(default_factory=time.monotonic)

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

    def _desk(self, who: Person | None) -> Opened:
        """Sit down at the desk of a registered dataset, anew for whoever looks."""
        house = door.house()
        if house is None or who is None:
            raise Denied
        desk = Desk(house, who, self.current.removeprefix(REGISTERED))
        kept = self.desks.setdefault(
            self.current, Opened(desk.registered.name, desk.declared, desk)
        )
        kept.curator = desk
        return kept

    @property
    def dataset(self) -> Dataset:
        """The rows behind their declaration."""
        return self.here.dataset

    @property
    def curator(self) -> Curator:
        """Who answers."""
        return self.here.curator

    def open(self, name: str, dataset: Dataset) -> None:
        """Work on a dataset from now on; another one of the same name gets a number."""
        base, n = name, 2
        while name in self.opened and self.opened[name].dataset.digest != dataset.digest:
            name, n = f"{base} ({n})", n + 1
        self.opened[name] = Opened(name, dataset, server().curator(dataset, self.browser))
        self.current = name

    def nonce(self, request: Request) -> str:
        """Return what tells this browser's draws of one question apart."""
        key = f"{self.dataset.digest}:{request.identity}"
        return f"{self.browser}:{self.rounds.get(key, 0)}"

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


class Server:
    """What all browsers share: budgets by content, curators, and the workspaces themselves."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lock = Lock()
        self._ledgers = SessionLedgers()
        self._curators: dict[tuple[str, str, bool, str], Curator] = {}
        self._workspaces: OrderedDict[str, Workspace] = OrderedDict()

    def workspace(self, browser: str) -> Workspace:
        """Return a browser's workspace; those nobody used for long are forgotten."""
        with self._lock:
            found = self._workspaces.setdefault(browser, Workspace(browser))
            found.seen = time.monotonic()
            self._workspaces.move_to_end(browser)
            self._forget()
            return found

    def curator(self, dataset: Dataset, browser: str) -> Curator:
        """Return who answers for this browser; answers are a browser's own, the budget is not."""
        key = (dataset.digest, dataset.schema.digest, dataset.protected, browser)
        with self._lock:
            if key not in self._curators:
                ledger = self._ledgers.open(self.owner(dataset, browser), LIMIT)
                self._curators[key] = Curator(dataset, ledger)
            return self._curators[key]

    def owner(self, dataset: Dataset, browser: str) -> str:
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
            for (digest, _, protected, who), curator in self._curators.items():
                same = (digest, protected) == (dataset.digest, dataset.protected)
                if same and (protected or who == browser):
                    curator.ledger = ledger

    def _forget(self) -> None:
        old = time.monotonic() - LIFETIME
        while self._workspaces:
            browser, oldest = next(iter(self._workspaces.items()))
            if len(self._workspaces) <= MOST_BROWSERS and oldest.seen > old:
                return
            del self._workspaces[browser]
            for key in [key for key in self._curators if key[3] == browser]:
                del self._curators[key]


@st.cache_resource
def server() -> Server:
    """Return what the whole process shares."""
    return Server()


def workspace() -> Workspace:
    """Return the workspace of the browser that is looking; without a cookie, of this session."""
    if KEY not in st.session_state:
        cookie = st.context.cookies.get(BROWSER)
        st.session_state[KEY] = cookie if isinstance(cookie, str) else uuid4().hex
    return server().workspace(st.session_state[KEY])


def language() -> str:
    """Return the language of whoever looks: as chosen, else as their browser says."""
    if get_script_run_ctx() is None:
        return next(iter(LANGUAGES))
    space = workspace()
    if not space.language:
        wish = (st.context.locale or "").partition("-")[0]
        space.language = wish if wish in LANGUAGES else next(iter(LANGUAGES))
    return space.language


def speak(chosen: str) -> None:
    """Use a language from now on, in every tab of this browser."""
    if chosen in LANGUAGES:
        workspace().language = chosen


def follow_address(key: str, known: Collection[str], default: str) -> None:
    """Let a new choice start from the address, whatever language its labels are in.

    Later the choice leads and the address follows: a click that overtakes the last change of the
    address brings the old one along, which must not undo it. An unknown name is ignored.
    """
    if st.session_state.get(key) not in known:
        found = st.query_params.get(key)
        st.session_state[key] = found if found in known else default
        st.session_state[f"address:{key}"] = found


def tell_address(key: str, value: str, default: str) -> None:
    """Write a choice into the address when it has changed; the default needs no words there."""
    told = None if value == default else value
    if told == st.session_state.get(f"address:{key}"):
        return
    if told is None:
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = told
    st.session_state[f"address:{key}"] = told


def base_of(key: str, latest: Any) -> Any:
    """Return the table that an editor starts from: the latest one whenever the editor is new.

    An editor keeps its own edits, so the table under it must not change while it lives.
    """
    if key not in st.session_state:
        st.session_state[f"base:{key}"] = latest
    return st.session_state[f"base:{key}"]


def preset(key: str, value: Any) -> None:
    """Remember what a widget of a lesson starts from, so that a reset can put it back."""
    st.session_state.setdefault("presets", {})[key] = value


def reset(prefix: str) -> None:
    """Put every widget whose key begins so back to where it started."""
    for key, value in st.session_state.get("presets", {}).items():
        if key.startswith(prefix) and key in st.session_state:
            st.session_state[key] = value


def chosen(key: str, absent: Any = None) -> Any:
    """Return what a widget is set to, inside a callback; something else where there is none."""
    return st.session_state.get(key, absent)


def settings(prefix: str, but: Collection[str]) -> dict[str, Any]:
    """Return what the widgets of a form are set to, but for those that only act or show."""
    told = {str(key): value for key, value in st.session_state.items()}
    mine = {key: told[key] for key in told if key.startswith(f"{prefix}:")}
    return {k: v for k, v in mine.items() if k.removeprefix(f"{prefix}:").split(":")[0] not in but}


def choose(key: str, value: Any) -> None:
    """Set a widget from the outside, as a callback of another one."""
    st.session_state[key] = value
