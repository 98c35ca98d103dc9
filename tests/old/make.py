"""Make an archive of work as a version leaves it behind, which every later version has to open.

Run it in a checkout of that version, with an interpreter that has its packages:

    cd CHECKOUT && python PATH/tests/old/make.py NAME

It writes `NAME.tar.gz` beside itself, from public things alone: every row is counted up, every secret was made for
this. `notes.json` in it says what has to be found again, and `test_landed.py` opens each archive of this folder. A
version that has more than the one before adds it here, and keeps the archives that there are.

`house.py`, `tables.py` and `work.py` name the product's modules as that version calls them; `test_landed.py`
shares `texts.py` with them, which names none.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent


def main(name: str) -> None:
    """Make everything in a folder, and write it as one file."""
    sys.path[:0] = [str(Path.cwd()), str(HERE.parent)]
    with TemporaryDirectory() as folder:
        os.environ["DISCREET_HOME"] = f"{folder}/nobody"
        from old import house, work

        made = Path(folder, name)
        (made / "own").mkdir(parents=True)
        notes = {"house": house.fill(made / "home"), "project": work.keep(made / "own")}
        notes |= {"upload": work.upload(made / "server", made / "own"), "command": work.command(made / "own")}
        notes |= {"addresses": list(work.addresses())}
        Path(made, "notes.json").write_text(json.dumps(notes, indent=1, ensure_ascii=False), encoding="utf-8")
        for database in (*made.rglob("*.db"), *made.rglob("*.sqlite")):
            _settled(database)
        with tarfile.open(HERE / f"{name}.tar.gz", "w:gz") as archive:
            archive.add(made, name, filter=_nobody)


def _settled(database: Path) -> None:
    """Leave one file of a database, as where the last process has closed it."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _nobody(file: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Keep no name of whoever made it, and no hold of a process."""
    file.uid = file.gid = 0
    file.uname = file.gname = ""
    return None if file.name.endswith((".open", ".lock", "-shm", "-wal")) else file


if __name__ == "__main__":
    main(sys.argv[1])
