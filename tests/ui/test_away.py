"""The process pool: it belongs to the process, and a worker that breaks is replaced."""

from __future__ import annotations

import os
import sys
from concurrent.futures.process import BrokenProcessPool
from types import ModuleType

import pytest

from discreet.ui.frame import background


def test_workers_that_broke_are_replaced_and_the_question_is_answered_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that ends takes nobody along, and the next question finds new ones."""
    # a worker begins with the main module, and a page that was tested here may stand there
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    broken = background.pool()
    assert background.pool() is broken
    with pytest.raises(BrokenProcessPool):
        broken.submit(os._exit, 1).result()
    assert background.away(abs, -1) == 1
    assert background.pool() is not broken
    assert background.away(abs, -2) == 2
    background.pool().shutdown()
    background._POOLS.clear()
