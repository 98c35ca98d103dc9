"""The commands say whether a chain holds; a backup comes back whole, or says what it would lose."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.budget import Cost
from discreet.budget.durable import Store, open_budget, open_ledger
from discreet.budget.durable.__main__ import main
from discreet.budget.durable.budget_file import NAME
from discreet.budget.durable.ledger import DurableLedger

pytestmark = pytest.mark.long

TENTH = Cost.of("0.1")


def test_verification_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sound chain with its head, then one that lacks a known line, then no budget."""
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    assert main(["prepare", url]) == 0
    ledger = open_budget(Store(url), "b", Cost.of(1))
    ledger.charge("r", TENTH)
    assert main(["verify", url, "b", f"0:{ledger.head}"]) == 0
    assert f"1 lines, head 0:{ledger.head}. The chain holds." in capsys.readouterr().out
    assert main(["verify", url, "b", f"1:{ledger.head}"]) == 1
    assert "anchor" in capsys.readouterr().out
    for head in ("nonsense", f"-1:{ledger.head}", f"--0:{ledger.head}", "0:"):
        assert main(["verify", url, "b", "--", head]) == 1
        assert "LINE:HASH" in capsys.readouterr().out, head
    assert main(["verify", url, "unknown"]) == 1
    assert "This budget does not exist" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["verify", url])


def test_a_backup_comes_back_in_another_database_and_goes_on(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From SQLite and from PostgreSQL: the same lines, answers and head; charges go on."""
    store, file = Store(url).prepare(), tmp_path / "backup.jsonl"
    ledger = open_budget(store, "b", Cost.of(1))
    ledger.charge("r", TENTH, TENTH)
    ledger.release("r", taken=False, body="42")
    assert main(["backup", url, str(file)]) == 0
    assert f"head 2:{ledger.head}" in capsys.readouterr().out
    assert file.stat().st_mode & 0o777 == 0o600
    there = f"sqlite:///{tmp_path / 'there' / 'ledger.db'}"
    assert main(["restore", there, str(file), f"b=2:{ledger.head}"]) == 0
    again = DurableLedger(Store(there), "b")
    assert again.lines == ledger.lines and again.answer("r") == "42"
    again.charge("s", TENTH)
    assert main(["verify", there, "b", f"2:{ledger.head}"]) == 0


def test_a_restored_budget_file_knows_its_results(tmp_path: Path) -> None:
    """The secret of which their ids are made comes back with them."""
    ledger = open_ledger(tmp_path / "ledger.db", Cost.of(1))
    secret, file, there = ledger.secret, tmp_path / "backup.jsonl", tmp_path / "there" / "ledger.db"
    assert len(secret) == 64 and secret != open_ledger(tmp_path / "other.db", Cost.of(1)).secret
    assert main(["backup", f"sqlite:///{tmp_path / 'ledger.db'}", str(file)]) == 0
    assert main(["restore", f"sqlite:///{there}", str(file), f"{NAME}=unknown"]) == 0
    assert open_ledger(there).secret == secret == open_ledger(tmp_path / "ledger.db").secret


def test_a_restore_never_returns_budget_in_silence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An older backup is refused by a newer head, without a head only on purpose, never twice."""
    url, file = f"sqlite:///{tmp_path / 'ledger.db'}", tmp_path / "old.jsonl"
    ledger = open_budget(Store(url).prepare(), "b", Cost.of(1))
    ledger.charge("r", TENTH)
    assert main(["backup", url, str(file)]) == 0
    ledger.charge("s", TENTH)
    there = f"sqlite:///{tmp_path / 'there' / 'ledger.db'}"
    capsys.readouterr()
    assert main(["restore", there, str(file), f"b=1:{ledger.head}"]) == 1
    assert "later spending would be lost" in capsys.readouterr().out
    assert main(["restore", there, str(file)]) == 1
    assert "Give the latest known hash of each budget," in capsys.readouterr().out
    assert main(["restore", url, str(file), "b=unknown"]) == 1
    assert "empty" in capsys.readouterr().out
    assert main(["restore", there, str(file), "b=unknown"]) == 0
    assert "not known" in capsys.readouterr().out
    assert main(["restore", there, str(file), "b=unknown"]) == 1
    with pytest.raises(FileExistsError):
        main(["backup", url, str(file)])


def test_a_damaged_backup_is_not_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A changed answer is found by its digest in the chain."""
    url, file = f"sqlite:///{tmp_path / 'ledger.db'}", tmp_path / "backup.jsonl"
    ledger = open_budget(Store(url).prepare(), "b", Cost.of(1))
    ledger.charge("r", TENTH)
    ledger.release("r", taken=True, body="the answer is 42")
    assert main(["backup", url, str(file)]) == 0
    file.write_text(file.read_text().replace("the answer is 42", "the answer is 43"))
    there = f"sqlite:///{tmp_path / 'there' / 'ledger.db'}"
    assert main(["restore", there, str(file), f"b=2:{ledger.head}"]) == 1
    assert "damaged" in capsys.readouterr().out
    with Store(there).reading() as connection:
        assert not connection.exec_driver_sql("SELECT * FROM budgets").all()
