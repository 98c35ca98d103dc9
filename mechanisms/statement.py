"""Statement: a mechanism's docstring, cut into what it states and its named parts."""

from __future__ import annotations

import inspect
import re

from discreet.mechanisms.mechanism import Mechanism

HEADINGS = ("Guarantee", "Claim", "Proof", "Reference", "Complexity", "Corner cases")


def parts(kind: type[Mechanism]) -> dict[str, str]:
    """Cut a docstring into its statement and its named parts."""
    text = " ".join((inspect.getdoc(kind) or "").split())
    pieces = re.split(rf"\b({'|'.join(HEADINGS)}): ", text)
    return {"Statement": pieces[0].strip()} | {
        name: section.strip() for name, section in zip(pieces[1::2], pieces[2::2], strict=True)
    }
