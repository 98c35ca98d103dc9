"""Program: the version of this software, as cards and reports show it."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@lru_cache(maxsize=1)
def program() -> str:
    """Return the version of this program, empty if it is unknown."""
    path = ROOT / "pyproject.toml"
    if path.is_file():
        return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["version"])
    try:
        return version("discreet")  # installed, not a checkout
    except PackageNotFoundError:
        return ""
