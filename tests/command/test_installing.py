"""Installing: an extra that is missing is named by where the program came from, and by no name of an index."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.visitor import ROOT

from discreet.command import run as start_app
from discreet.command import words
from discreet.command.words import MISCONFIGURED, installed_with

SOMEWHERE = Path("/srv/programs/lib/discreet/command/words.py")


class Installed:
    """A package as pip has written down where it came from."""

    def __init__(self, came: dict[str, Any] | None) -> None:
        """Take what is written there; nothing where it came from an index."""
        self.came = came

    def read_text(self, name: str) -> str | None:
        """Return it."""
        return None if self.came is None else json.dumps(self.came)


@pytest.mark.parametrize(
    ("came", "said"),
    [
        ({"url": "file:///srv/check%20out", "dir_info": {}}, "Run: pip install '/srv/check out[app]'"),
        (
            {"url": "file:///srv/discreet-0.1.0-py3-none-any.whl", "archive_info": {}},
            "Run: pip install '/srv/discreet-0.1.0-py3-none-any.whl[app]'",
        ),
        (
            {"url": "https://host.example/x", "vcs_info": {"vcs": "git", "commit_id": "ab12"}},
            "Run: pip install 'discreet[app] @ git+https://host.example/x@ab12'",
        ),
        (None, "Install it again from its original source, with the extra [app]."),
        ({"url": "https://host.example/x.whl"}, "Install it again from its original source, with the extra [app]."),
    ],
)
def test_an_extra_comes_from_where_the_program_came(
    monkeypatch: pytest.MonkeyPatch, came: dict[str, Any] | None, said: str
) -> None:
    """A folder, a file, a repository; an index by whose name it is not known here."""
    monkeypatch.setattr(words, "__file__", str(SOMEWHERE))
    monkeypatch.setattr(words, "distribution", lambda name: Installed(came))
    assert installed_with("app") == said


def test_a_checkout_names_itself() -> None:
    """Also where an older version is installed."""
    assert installed_with("office") == f"Run: pip install '{ROOT}[office]'"


@pytest.mark.parametrize(("verb", "extra"), [("run", "app"), ("class", "app"), ("office", "office")])
def test_a_verb_whose_extra_is_missing_says_so(verb: str, extra: str) -> None:
    """As on a machine on which only the core is installed."""
    hide = f"import sys; sys.modules['argon2'] = None; sys.argv = ['discreet', '{verb}']"
    start = "from discreet.command import main; sys.exit(main())"
    run = subprocess.run([sys.executable, "-c", f"{hide}; {start}"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == MISCONFIGURED, run.stderr
    assert f"[{extra}]" in run.stderr and str(ROOT) in run.stderr and "'discreet[" not in run.stderr


@pytest.mark.parametrize("said", [("--port", "8720", "--address", "127.0.0.1"), ("--port=8720", "--address=127.0.0.1")])
def test_the_place_of_the_server_has_short_names(said: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit reads them as its own."""
    became: list[str] = []
    monkeypatch.setattr(os, "execv", lambda _, command: became.extend(command))
    start_app.main(said)
    read = "=".join(became[became.index(str(start_app.app())) + 1 :]).split("=")
    assert read == ["--server.port", "8720", "--server.address", "127.0.0.1"]
