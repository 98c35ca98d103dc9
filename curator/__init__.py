"""Floor 4: the curator, the only holder of rows, ledger and noise. No screens."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.curator.plan import Answers, FixedPlan
    from discreet.curator.refining import refine
    from discreet.curator.release import Curator
    from discreet.curator.request import Request
    from discreet.curator.result import Release
    from discreet.noise.source import ReleaseNoise

__all__ = ["Answers", "Curator", "FixedPlan", "Release", "ReleaseNoise", "Request", "refine"]
_MODULES = {
    "discreet.curator.plan": ("Answers", "FixedPlan"),
    "discreet.curator.refining": ("refine",),
    "discreet.curator.release": ("Curator",),
    "discreet.curator.result": ("Release",),
    "discreet.curator.request": ("Request",),
    "discreet.noise.source": ("ReleaseNoise",),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


if not TYPE_CHECKING:  # a type checker sees the imports above, and no others

    def __getattr__(name: str) -> Any:
        """Import a name on first use: code that needs only a request does not load the noise."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_PLACES[name]), name)


if __name__ != "discreet.curator":  # a second import name would create every class twice
    raise ImportError("Write discreet.curator: this folder is a part of the package discreet.")
