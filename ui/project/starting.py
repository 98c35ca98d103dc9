"""Starting: kept work is opened with the server, and only its person learns how another browser gets in."""

from __future__ import annotations

from discreet.budget import ParameterError
from discreet.ui.office import startup
from discreet.ui.project import place
from discreet.ui.project.offering import WORD
from discreet.ui.workspaces import server


def begin(address: str) -> None:
    """Open the kept work, where there is some, and print the link to it; what is damaged ends the server."""
    try:
        file = place.begun()
        project = None if file is None else server().begin(file)
    except ParameterError as wrong:
        startup.refuse(wrong)
    if project is not None:
        link = f"{address}/?{WORD}={project.word}"
        print(f"\n  Your kept work, for a browser that does not know it yet:\n  {link}\n", flush=True)
