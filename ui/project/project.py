"""Project: the work that is kept, who may see it, and the word that lets another browser in."""

from __future__ import annotations

import hmac
from hashlib import sha256
from uuid import uuid4

from discreet.ui.project.project_file import ProjectFile
from discreet.ui.project.remembering import restored, state_of
from discreet.ui.roads import Roads
from discreet.ui.workspace import Workspace

MOST_BROWSERS = 20


class Project:
    """One file, and the browsers of the person whose work it is."""

    def __init__(self, file: ProjectFile) -> None:
        """Look at a file; the word that lets a browser in is another one at each start."""
        self.file, self.word = file, uuid4().hex
        self._browsers: list[str] = list(map(str, file.state.get("browsers", [])))

    def has(self, browser: str) -> bool:
        """Say whether a browser sees this work."""
        return _hashed(browser) in self._browsers

    def admit(self, browser: str, word: str) -> bool:
        """Let a browser see it that knows the word."""
        if not hmac.compare_digest(word.encode(), self.word.encode()):
            return False
        if not self.has(browser):
            self._browsers = [*self._browsers, _hashed(browser)][-MOST_BROWSERS:]
            self.file.write(self.file.state | {"browsers": self._browsers})
        return True

    def save(self, space: Workspace) -> None:
        """Write down what is worked on, where that changed."""
        self.file.write(state_of(space) | {"browsers": self._browsers})

    def workspace(self, roads: Roads) -> Workspace:
        """Return what was worked on."""
        return restored(self.file.state, roads)


def _hashed(browser: str) -> str:
    return sha256(browser.encode()).hexdigest()
