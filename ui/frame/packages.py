"""Packages: what optional packages beside the core add to the server. They are named here and imported only on demand.

A package that is not installed adds nothing: the server starts without it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from starlette.routing import Route
from starlette.types import Scope

from discreet.budget import Phrase

NAMES = ("discreet.course",)
Screen = tuple[str, Phrase, str]  # file in pages/, title, icon


@dataclass(frozen=True)
class Alone:
    """A server that shows one package and nothing else."""

    shell: str  # script that Streamlit runs
    lifespan: Any
    known: Callable[[Scope], Awaitable[bool]]  # whether a request belongs to an admitted participant


@dataclass(frozen=True)
class Package:
    """What a package adds, as declared by OFFER in its module `offer`."""

    section: Phrase
    screens: Sequence[Screen]
    unlisted: Sequence[Screen]  # screens with an address but no entry in the navigation
    routes: Sequence[Route]
    above: Callable[[], None]  # draws the part above every screen
    alone: Callable[[], Alone | None]  # set if this process serves only this package


@cache
def packages() -> tuple[Package, ...]:
    """Return the packages that are installed."""
    return tuple(import_module(f"{name}.offer").OFFER for name in NAMES if find_spec(name))
