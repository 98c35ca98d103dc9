"""The commands say whether a chain holds, and the exit code says it to a script."""

from __future__ import annotations

from pathlib import Path

import pytest

from budget import Cost
from budget.durable import Store, open_budget
from budget.durable.__main__ import main


def test_verification_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sound chain with its anchors, then one that lacks an anchored line, then no budget."""
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    assert main(["prepare", url]) == 0
    ledger = open_budget(Store(url), "b", Cost.of(1))
    ledger.charge("r", Cost.of("0.1"))
    assert main(["verify", url, "b", f"0:{ledger.head}"]) == 0
    assert f"1 lines, head 0:{ledger.head}" in capsys.readouterr().out
    assert main(["verify", url, "b", f"1:{ledger.head}"]) == 1
    assert "anchor" in capsys.readouterr().out
    assert main(["verify", url, "unknown"]) == 1
    assert "no such budget" in capsys.readouterr().out
