"""Through: by which session or token somebody came in; a mark of it stands with what they do on the trail.

The mark is a hash of what the browser or the program carries: it tells two sessions apart, and opens none.
It counts for the person who carries it and for nobody else, whatever a thread did before.
"""

from __future__ import annotations

from contextvars import ContextVar
from hashlib import sha256

SESSION, TOKEN = "session", "token"
LENGTH = 8
_CAME: ContextVar[tuple[str, str]] = ContextVar("came", default=("", ""))


def came(person: str, way: str, secret: str) -> None:
    """Remember how somebody came in, for what this thread does next."""
    _CAME.set((person, f"{way} {sha256(f'{way}:{secret}'.encode()).hexdigest()[:LENGTH]}"))


def mark(person: str) -> dict[str, str]:
    """Return what the trail says of how a person came in; nothing where that is not known."""
    who, way = _CAME.get()
    return {"through": way} if way and who == person else {}
