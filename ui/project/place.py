"""Place: where work is kept, and on which servers: those that only this machine reaches."""

from __future__ import annotations

import os
from pathlib import Path

from discreet.office.house.house import home
from discreet.office.running import settings
from discreet.ui.gate.addresses import only_here
from discreet.ui.session.project_file import ProjectFile, unreadable


def path() -> Path:
    """Return the file in which work is kept."""
    named = os.environ.get(settings.PROJECT)
    return Path(named) if named else home(os.environ) / "project.sqlite"


def private() -> bool:
    """Say whether only this machine reaches the server, and nobody has to sign in."""
    return settings.mode() == settings.OPEN and only_here()


def begun() -> ProjectFile | None:
    """Open the file where one was begun; None where nothing is kept."""
    try:
        there = private() and path().exists()
    except OSError as wrong:  # a folder that may not be looked into: nothing is begun beside it
        raise unreadable(path(), wrong) from None
    return ProjectFile(path()) if there else None
