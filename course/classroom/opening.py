"""Opening: a server that is started for a class, and that stops when the class has ended."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import Any

from starlette.types import Scope

from discreet.course.classroom.meeting import Meeting, Rules
from discreet.office.running.settings import CLASS
from discreet.ui.gate import stand
from discreet.ui.gate.browsers import cookie
from discreet.ui.session import own_table
from discreet.ui.session.cookies import BROWSER

# The one class of this process, if it was started for one.


def held() -> bool:
    """Whether this server was started for a class, and so shows nothing else."""
    return bool(os.environ.get(CLASS))


@lru_cache(maxsize=1)
def meeting() -> Meeting:
    """Return the class, which starts at the first call."""
    return Meeting(Rules(**json.loads(os.environ[CLASS])))


LOOK_EVERY = 2.0
FAREWELL = 30.0  # seconds in which participants still read that the class has ended


@asynccontextmanager
async def lessons_only(_: Any) -> AsyncIterator[dict[str, Any]]:
    """Start the class; no office, no saved project and no process that reads files is opened."""
    import plotly.graph_objects  # type: ignore[import-untyped]  # noqa: F401

    from discreet.lab.samples import census

    stand()
    meeting()
    census()
    if meeting().rules.file:
        own_table.LECTERN.table = own_table.read(Path(meeting().rules.file))
    Thread(target=_close_behind, daemon=True).start()
    gc.collect()
    gc.freeze()
    yield {}
    if not meeting().left:  # a normal end, for which no signal needs to be handled
        sys.stdout.flush()
        os._exit(0)


async def known(scope: Scope) -> bool:
    """Whether a request comes from a participant or the teacher."""
    browser = cookie(scope, BROWSER)
    return bool(browser) and (meeting().has(browser) or meeting().teaches(browser))


def _close_behind() -> None:
    """Wait for the end of the class, then stop the server as an administrator would."""
    while meeting().left:
        time.sleep(LOOK_EVERY)
    time.sleep(FAREWELL)
    os.kill(os.getpid(), signal.SIGTERM)
