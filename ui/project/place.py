"""Place: the file in which work is saved, and whether this server may save it: not if other machines can reach it."""

from __future__ import annotations

import os
from pathlib import Path

from discreet.office.house.house import home
from discreet.office.running import settings
from discreet.ui.gate.addresses import only_here
from discreet.ui.session.project_file import ProjectFile, unreadable


def path() -> Path:
    """Return the file in which work is saved."""
    named = os.environ.get(settings.PROJECT)
    return Path(named) if named else home(os.environ) / "project.sqlite"


def private() -> bool:
    """Whether only this machine can reach the server, and no sign-in is required."""
    return settings.mode() == settings.OPEN and only_here()


def begun() -> ProjectFile | None:
    """Open the file if there is one; None if no work is saved."""
    try:
        there = private() and path().exists()
    except OSError as wrong:  # the folder may not be read: no file is created beside it
        raise unreadable(path(), wrong) from None
    return ProjectFile(path()) if there else None
