"""Waking: a loop is woken once for all that waits for it.

A page is some fifty messages, each of which would write a byte to the loop and wait until it has been read.
"""

from __future__ import annotations

from typing import Any


def wake_once(loop: Any) -> None:
    """Write to a loop of asyncio only where nothing that was written before is still unread.

    What is to be done is queued before the loop is woken, so a byte that is unread wakes it for that, too. While it is
    read the loop is awake, and looks at the queue before it sleeps.
    """
    write, read = getattr(loop, "_write_to_self", None), getattr(loop, "_read_from_self", None)
    if write is None or read is None or not hasattr(loop, "_ssock"):
        return  # another kind of loop wakes in its own way
    unread = False

    def write_once() -> None:
        nonlocal unread
        if not unread:
            unread = True
            write()

    def read_all() -> None:
        nonlocal unread
        read()
        unread = False  # not before: a byte that is written and read in between would count as unread for ever

    loop.remove_reader(loop._ssock.fileno())
    loop._write_to_self, loop._read_from_self = write_once, read_all
    loop._add_reader(loop._ssock.fileno(), read_all)
