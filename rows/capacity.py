"""Capacity: how large a file may be, what it may grow to, and how much memory is available for it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

MIB = 2**20
LARGEST_UPLOAD = 200 * MIB
MOST_COLUMNS = 2_000
MOST_CELLS = 400_000_000
ROW_BYTES = 64  # what a query keeps of one row, where rows of a person are distinguished
LOOK = 64 * 1024  # bytes from which a file's format is recognised
ITSELF = 512 * MIB  # what a server takes before the first visitor
GROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")


@cache
def memory() -> int:
    """Return the bytes of memory of this process: of the machine, or of its control group."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *_limits(GROUPS, OWN_GROUPS)])


def _limits(groups: Path, own: Path) -> list[int]:
    """Return the memory limits of a process's control groups, innermost first, in both of Linux's layouts."""
    try:
        lines = [line.split(":", 2) for line in own.read_text(encoding="ascii").splitlines()]
    except (OSError, ValueError):
        return []
    files = list[Path]()
    for _, kinds, name in lines:
        of_memory = "memory" in kinds.split(",")
        if not (of_memory or kinds == ""):
            continue
        root, file_name = (groups / "memory", "memory.limit_in_bytes") if of_memory else (groups, "memory.max")
        within = Path(name.lstrip("/"))
        files += [root / part / file_name for part in (within, *within.parents)]
    return [limit for file in files if (limit := _number(file)) is not None]


def _number(file: Path) -> int | None:
    """Return the number in a file, or None if it contains no limit."""
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def share(part: int, most: int) -> int:
    """Return one `part`-th of the memory that is left beside the server itself, at most `most`."""
    left = max(memory() - ITSELF, memory() // 4)
    return min(most, left // part // MIB * MIB)


# fractions of the memory: files a twelfth, their rows a sixth, four readers a tenth each and what they hold of a file,
# views a sixteenth, messages a thirty-second
LARGEST_UNPACKED = share(10, 2048 * MIB)
