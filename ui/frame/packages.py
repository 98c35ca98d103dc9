"""Packages beside the house: what each of them adds to the server. The house names them, and imports none.

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

    shell: str  # file that Streamlit runs
    lifespan: Any
    known: Callable[[Scope], Awaitable[bool]]  # whether a request is of somebody who is let in


@dataclass(frozen=True)
class Package:
    """What the module `offer` of a package says that it adds, as OFFER."""

    section: Phrase
    screens: Sequence[Screen]
    unlisted: Sequence[Screen]  # screens with an address and no entry in the navigation
    routes: Sequence[Route]
    above: Callable[[], None]  # draws what stands above every screen
    alone: Callable[[], Alone | None]  # the server that this process was started for, if it is the package's own


@cache
def packages() -> tuple[Package, ...]:
    """Return those that are installed."""
    return tuple(import_module(f"{name}.offer").OFFER for name in NAMES if find_spec(name))
