"""Loops: an event loop of its own for a coroutine, also where a browser's loop runs in this thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run_alone(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread of its own, and return its result."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
