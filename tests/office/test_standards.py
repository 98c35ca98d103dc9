"""What holds for all registrations, by command: said, listed, tested, used and removed, and no password is printed."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from discreet.office import connections, registry
from discreet.office.__main__ import main
from discreet.office.letterhead import of_house
from discreet.office.registration_file import written
from tests.office.offices import ON_SQLITE, Office

pytestmark = ON_SQLITE


@pytest.fixture
def tell(office: Office, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return how to give a command, with what stands on standard input."""

    def give(*words: str, said: str = "") -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(said))
        capsys.readouterr()
        try:
            code: Any = main(["--home", str(office.home), "--database", office.url, *words])
        except SystemExit as ended:
            code = ended.code
        text = capsys.readouterr()
        return (1 if isinstance(code, str) else code), text.out + text.err + (code if isinstance(code, str) else "")

    return give


def test_the_house_is_said_by_command(office: Office, tell: Any) -> None:
    """One part at a time; for an account with its guards; a part that there is not is named."""
    assert tell("letterhead", "organisation", "Town Hospital") == (
        0,
        "organisation  Town Hospital\nkind  -\nsector  -\ncontact  -\nbasis  -\nregion  -\naccess  -\n",
    )
    assert tell("letterhead", "sector", "Healthcare", "--as", "adam")[0] == 0
    assert of_house(office.house).said == {"organisation": "Town Hospital", "sector": "Healthcare"}
    assert "There is no colour." in tell("letterhead", "colour", "red")[1]
    assert "Sector is one of: Technology" in tell("letterhead", "sector", "hospitals")[1]
    assert tell("letterhead", "region", "x", "--as", "olga") == (1, "Your role does not give you this.")


def test_a_connection_by_command(office: Office, tell: Any, tmp_path: Path) -> None:
    """From its address on standard input to a registered table, and never its password."""
    file = tmp_path / "folk.db"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE folk (age INTEGER, town TEXT, note TEXT)")
    assert tell("connection", "add", "register", "olga", said=f"sqlite:///{file}\n") == (0, "register is set up.\n")
    assert tell("connection", "list") == (0, f"register  sqlite:///{file}  olga\n")
    assert tell("connection", "test", "register") == (0, "register answers.\n")
    said = json.loads(written(registry.find(office.house, office.dataset))) | {"name": "folk", "source": "elsewhere"}
    said["apart"] = "they live in another town"
    (tmp_path / "folk.json").write_text(json.dumps(said))
    words = ("register", str(tmp_path / "folk.json"), "connection:register:folk")
    assert tell(*words, "--as", "otto")[1] == str(connections.ABSENT)
    assert tell(*words, "--as", "olga")[1].startswith("folk is registered.")
    assert "reached through this connection" in tell("connection", "remove", "register")[1]
    assert tell("erase", "folk", "--yes")[0] == 0
    assert tell("connection", "remove", "register") == (0, "register is removed.\n")
    assert tell("connection", "list") == (0, "")
    assert tell("connection", "list", "--as", "olga") == (1, "Your role does not give you this.")
    assert tell("connection", "mend", "x")[1] == "Say add, list, test or remove."
    secret = "postgresql+psycopg://reader:hunter2secret@localhost:1/x"
    assert tell("connection", "add", "far", said=secret)[0] == 0
    assert all("hunter2" not in tell("connection", *words)[1] for words in (("list",), ("remove", "far")))
