"""Floor 4: the curator, the only holder of rows, ledger and noise. No screens."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.curator.fixed import Answers, FixedPlan
    from discreet.curator.noise import ReleaseNoise
    from discreet.curator.release import Curator
    from discreet.curator.released import Release
    from discreet.curator.request import Request

__all__ = ["Answers", "Curator", "FixedPlan", "Release", "ReleaseNoise", "Request"]
_PLACES = {
    "Answers": "fixed",
    "Curator": "release",
    "FixedPlan": "fixed",
    "Release": "released",
    "ReleaseNoise": "noise",
    "Request": "request",
}


if not TYPE_CHECKING:  # a type checker sees the imports above, and no others

    def __getattr__(name: str) -> Any:
        """Import what is asked for: whoever needs a request does not wait for noise."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


if __name__ != "discreet.curator":  # under a second name every class would be there twice
    raise ImportError("Write discreet.curator: this folder is a part of the package discreet.")
