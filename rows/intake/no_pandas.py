"""No pandas: keeps pandas out of the parsing process. Arrow would import it to check objects for being frames."""

from __future__ import annotations

import sys


class _Absent:
    """An import finder that hides one package."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == self.package:
            raise ModuleNotFoundError(f"No module named {name!r} here", name=name)


def without(package: str) -> None:
    """Prevent the import of a package in this process; it must not be loaded yet."""
    assert package not in sys.modules
    sys.meta_path.insert(0, _Absent(package))
