"""Start the app on this machine.

`--port 8600` and `--address 127.0.0.1` say where it listens. Further options are passed on to Streamlit:
`discreet run --server.headless true`. If the settings of the server are invalid, it ends with exit code 78.

example:
  discreet run
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from discreet.command.words import FINE, MISCONFIGURED, installed_with

HERE = Path(__file__).resolve().parents[1]
SHORT = {"--port": "--server.port", "--address": "--server.address"}


def main(words: Sequence[str]) -> int:
    """Become the server: signals and exit codes are the server's own."""
    if {"-h", "--help"} & set(words):
        print(__doc__)
        return FINE
    if any(find_spec(name) is None for name in ("streamlit", "plotly", "argon2")):
        print(f"The app is not installed. {installed_with('app')}", file=sys.stderr)
        return MISCONFIGURED
    command = [sys.executable, "-m", "streamlit", "run", str(app()), *map(_spelled, words)]
    os.execv(sys.executable, command)


def _spelled(word: str) -> str:
    """Return an option as Streamlit spells it."""
    name, sign, value = word.partition("=")
    return f"{SHORT.get(name, name)}{sign}{value}"


def app() -> Path:
    """Return the file that the server runs: in an installed package, or beside it in a checkout."""
    return next(path for path in (HERE / "app.py", HERE.parent / "app.py") if path.is_file())
