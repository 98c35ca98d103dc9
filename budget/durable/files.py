"""Files that only their owner can read, from their first moment: keys, backups, copies of rows."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from discreet.budget.errors import ParameterError

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


def created(path: Path, content: bytes) -> None:
    """Write a new file that only its owner can read, and that is whole once it is there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    part = path.with_name(f"{uuid4().hex}.part")
    try:
        with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "wb") as sink:
            sink.write(content)
            sink.flush()
            os.fsync(sink.fileno())
        os.link(part, path)
    finally:
        part.unlink(missing_ok=True)


def private(path: Path) -> Any:
    """Open a new file that only its owner can read, from its first moment."""
    return open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "wb")


@contextmanager
def copied(names: Sequence[str], source: Path, target: Path) -> Iterator[list[str]]:
    """Copy files into a folder without others; if something goes wrong later, they go again.

    Those that the source lacks are told.
    """
    if any(Path(name).name != name for name in names):
        raise ParameterError("This file is no backup, or it is damaged.")
    if {path.name for path in target.iterdir()} - set(names):
        raise ParameterError("This folder holds other files. Restore into an empty one.")
    try:
        for name in names:
            (target / name).unlink(missing_ok=True)
            if (source / name).is_file():
                with (source / name).open("rb") as rows, private(target / name) as sink:
                    shutil.copyfileobj(rows, sink)
                    sink.flush()
                    os.fsync(sink.fileno())
        yield [name for name in names if not (target / name).exists()]
    except BaseException:
        for name in names:
            (target / name).unlink(missing_ok=True)
        raise
