"""The start: a server that cannot work says why in one sentence, and ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.soak import some
from support.visitor import ROOT, free_port

MISCONFIGURED = 78


@pytest.mark.soak
@pytest.mark.parametrize("wrong", some(["key", "address"], 2))
def test_a_server_that_cannot_work_says_why_and_ends(wrong: str, tmp_path: Path) -> None:
    """No traceback, no address to visit, and an exit that a restart does not mend.

    In `make test` tests/office/test_commands.py refuses the address by the same sentence.
    """
    home = tmp_path / "home"
    variables = {"DISCREET_HOME": str(home), "DISCREET_DATABASE": ""}
    says = "The vault key is missing."
    if wrong == "address":
        variables["DISCREET_DATABASE"], says = "mysql://a:b@host/c", "DISCREET_DATABASE is not a supported address"
    else:
        (home / "vault").mkdir(parents=True)
        (home / "vault" / "rows").write_bytes(b"a,b\n1,2\n")
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port"]
    ended = subprocess.run(
        [*command, str(free_port())],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == MISCONFIGURED
    assert says in ended.stderr and "Traceback" not in ended.stderr + ended.stdout
