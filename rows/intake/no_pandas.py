"""Lean: a process that only parses has no pandas. Arrow would load it, to ask of everything whether it is a frame."""

from __future__ import annotations

import sys


class _Absent:
    """A finder that finds one package nowhere."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == self.package:
            raise ModuleNotFoundError(f"No module named {name!r} here", name=name)


def without(package: str) -> None:
    """Let nothing import a package in this process; it must not be loaded yet."""
    assert package not in sys.modules
    sys.meta_path.insert(0, _Absent(package))
