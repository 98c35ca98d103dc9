"""Server: the workspaces of all browsers, kept by the server process.

They are in plain memory of the process, not in a cache that a message from outside could clear.
"""

from __future__ import annotations

import os
import time
from threading import RLock

from discreet.office.people import signing_in
from discreet.office.running import settings
from discreet.rows.capacity import MIB, share
from discreet.ui.session.budgets import PROJECT, Roads, Stay
from discreet.ui.session.cookies import LIFETIME
from discreet.ui.session.project import Project
from discreet.ui.session.project_file import ProjectFile, unreadable
from discreet.ui.session.workspace import Workspace

MOST_EMPTY = MOST_WORKED = 500
MOST_SPEAKERS = 5000
MOST = 2048  # MiB of files, unless configured or limited by memory
LOOK_EVERY = 60.0


def most() -> int:
    """Return the largest number of bytes of files that the server holds."""
    said = os.environ.get(settings.UPLOADS)
    return int(said) * MIB if said else share(12, MOST * MIB)


class Server:
    """The state that all browsers share: curators and budgets by content, and the workspaces."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lock = RLock()
        self.roads = Roads()
        self.clear()

    def clear(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self.roads.clear()
            self._workspaces: dict[Stay, Workspace] = {}
            self._languages: dict[str, str] = {}
            self._looked = time.monotonic()
            self.project: Project | None = None

    def workspace(self, browser: str, session: str = "") -> Workspace:
        """Return the workspace of a browser in one stay; forget workspaces that were not used for long."""
        with self._lock:
            browser = browser if session else self._name(browser)
            space = self._workspaces.get((browser, session))
            late = time.monotonic() > self._looked + LOOK_EVERY
            if space is None or late:
                self._forget_old()
                space = self._workspaces.get((browser, session))
            if space is None:
                self._make_room()
                space = self._workspaces[browser, session] = self._new(browser, session)
            space.seen = time.monotonic()
            return space

    def _new(self, browser: str, session: str) -> Workspace:
        if browser == PROJECT and self.project is not None:
            return self.project.workspace(self.roads)
        return Workspace(browser, self.roads, session)

    def _name(self, browser: str) -> str:
        """Return the key of a browser's workspace; the browsers of a project share one."""
        return PROJECT if self.project is not None and self.project.has(browser) else browser

    def begin(self, file: ProjectFile) -> Project:
        """Open a project file and read its state; a file that this program did not write stops the start."""
        with self._lock:
            with self.roads.begin(file):
                pass
            try:
                self.project = Project(file)
                self._workspaces[PROJECT, ""] = self.project.workspace(self.roads)
            except Exception as wrong:
                raise unreadable(file.path, wrong) from wrong
            return self.project

    def keep(self, file: ProjectFile, browser: str) -> None:
        """Save in a new file what a browser has worked on so far, and everything from now on."""
        with self._lock:
            space = self.workspace(browser)
            project = Project(file)
            with self.roads.begin(file, (browser, "")):
                project.admit(browser, project.word)
                project.save(space)
            self.project = project
            space.browser = PROJECT
            self._workspaces[PROJECT, ""] = self._workspaces.pop((browser, ""))

    def cut(self, browser: str) -> None:
        """Forget all work in a browser, because its user changes."""
        with self._lock:
            for stay in [stay for stay in self._workspaces if stay[0] == browser]:
                self._drop(stay)

    def held(self, browser: str | None = None) -> int:
        """Return how many bytes of files are in memory, for one browser or for all."""
        with self._lock:
            spaces = list(self._workspaces.values())
            name = None if browser is None else self._name(browser)
        return sum(space.held for space in spaces if name in (None, space.browser))

    def room(self, browser: str) -> int:
        """Return how many more bytes of rows fit in memory.

        One browser may hold as many bytes of rows as of files, all browsers together twice that.
        """
        with self._lock:
            name = self._name(browser)
            held = [(space.browser == name, space.weight) for space in self._workspaces.values()]
        mine = sum(w for own, w in held if own)
        everything = sum(w for _, w in held)
        return min(most() - mine, 2 * most() - everything)

    def takes(self, browser: str, weight: int) -> bool:
        """Whether more rows fit in memory."""
        return weight <= self.room(browser)

    def tell(self, browser: str, notice: str) -> None:
        """Leave a notice in a browser, whoever is signed in there."""
        with self._lock:
            for space in self._workspaces.values():
                if space.browser == self._name(browser):
                    space.notice = notice

    def speaks(self, browser: str, language: str = "") -> str:
        """Return the language of a browser, independent of who is signed in; remember a new one."""
        with self._lock:
            if language:
                self._languages.pop(browser, None)
                self._languages[browser] = language
                if len(self._languages) > MOST_SPEAKERS:
                    del self._languages[next(iter(self._languages))]
            return self._languages.get(browser, "")

    def _drop(self, stay: Stay) -> None:
        del self._workspaces[stay]
        self.roads.drop(stay)

    def _forget_old(self) -> None:
        """Forget workspaces that were not used for the longest duration of a stay."""
        now = self._looked = time.monotonic()
        for stay, space in list(self._workspaces.items()):
            if space.seen < now - (signing_in.IDLE if space.session else LIFETIME):
                self._drop(stay)
        self.roads.drop_others(self._workspaces)

    def _make_room(self) -> None:
        """Make room for one more workspace; empty ones only replace empty ones, so that a flood evicts no work."""
        stays = sorted(self._workspaces, key=lambda stay: self._workspaces[stay].seen)
        busy = {stay: self._workspaces[stay].worked for stay in stays}
        empty = [stay for stay in stays if not busy[stay]]
        worked = [stay for stay in stays if busy[stay]]
        worked.sort(key=lambda stay: bool(stay[1]))  # first the stays without a signed-in person
        for oldest, most_of_them in ((empty, MOST_EMPTY - 1), (worked, MOST_WORKED)):
            for stay in oldest[: max(0, len(oldest) - most_of_them)]:
                self._drop(stay)


_SERVER = Server()


def server() -> Server:
    """Return the state shared by the whole process."""
    return _SERVER
