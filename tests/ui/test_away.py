"""The process pool: it belongs to the process, and a worker that breaks is replaced."""

from __future__ import annotations

import os
import sys
from concurrent.futures.process import BrokenProcessPool
from types import ModuleType

import pytest

from discreet.ui.frame import away


def test_workers_that_broke_are_replaced_and_the_question_is_answered_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that ends takes nobody along, and the next question finds new ones."""
    # a worker begins with the main module, and a page that was tested here may stand there
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    broken = away.pool()
    assert away.pool() is broken
    with pytest.raises(BrokenProcessPool):
        broken.submit(os._exit, 1).result()
    assert away.away(abs, -1) == 1
    assert away.pool() is not broken
    assert away.away(abs, -2) == 2
    away.pool().shutdown()
    away._POOLS.clear()
