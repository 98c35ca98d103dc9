"""Convened: the one class of this process, if it was started for one."""

from __future__ import annotations

import json
import os
from functools import lru_cache

from discreet.lab.classroom.meeting import Meeting, Rules
from discreet.office.settings import CLASS


def held() -> bool:
    """Say whether this server was started for a class: then it shows nothing else."""
    return bool(os.environ.get(CLASS))


@lru_cache(maxsize=1)
def meeting() -> Meeting:
    """Return the class, which began when this was asked first."""
    return Meeting(Rules(**json.loads(os.environ[CLASS])))
