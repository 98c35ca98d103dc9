"""People: the people of the town, each drawn the same in every figure; Mia is the one who may be left out."""

from __future__ import annotations

import re
from typing import Any

MIA = "Mia"
BEFORE_HER = ("Alo", "Bera", "Cuno", "Deka", "Elpi", "Fano", "Gira", "Hedu")
CAST = (*BEFORE_HER, MIA, "Ilva", "Jomi", "Kelu", "Lora", "Nalu", "Pavi", "Reda", "Suma")

# A person in pixels: feet at 0, upwards negative, 28 wide. Every part turns the same way, so that parts that overlap
# are filled. Absolute M, L, C and Z only: Plotly reads no others.
SHOULDERS = "M-13 0 C-13 -10 -7 -14 0 -14 C7 -14 13 -10 13 0 Z"
HEAD = "M-9 -24 C-9 -29 -5 -33 0 -33 C5 -33 9 -29 9 -24 C9 -19 5 -15 0 -15 C-5 -15 -9 -19 -9 -24 Z"
TOPKNOT = "M-4 -36 C-4 -38.2 -2.2 -40 0 -40 C2.2 -40 4 -38.2 4 -36 C4 -33.8 2.2 -32 0 -32 C-2.2 -32 -4 -33.8 -4 -36 Z"
HAIR = (
    "M-12 -28 C-10 -38 6 -40 13 -29 L8 -28 Z",  # a cap
    "M-7 -30 L-7 -38 L-2 -33 L1 -39 L4 -33 L8 -37 L7 -29 Z",  # tufts
    "M-13 -13 C-11 -18 -12 -34 0 -34 C12 -34 11 -18 13 -13 L7 -14 L7 -26 L-7 -26 L-7 -14 Z",  # long hair
    "",
)
EYES = " ".join(f"M{x - 1.3} -25 L{x} -26.6 L{x + 1.3} -25 L{x} -23.4 Z" for x in (-3.4, 3.4))
SIZE = 0.85  # of a person in a figure of Plotly
FACE = f"{EYES} M-4.5 -20.8 C-2.5 -17 2.5 -17 4.5 -20.8 C2.5 -18.8 -2.5 -18.8 -4.5 -20.8 Z"


def outline(name: str) -> str:
    """Return the outline of a person as an SVG path: only Mia wears a topknot."""
    hair = TOPKNOT if name == MIA else HAIR[sum(map(ord, name)) % len(HAIR)]
    return f"{SHOULDERS} {HEAD} {hair}".strip()


def cast() -> list[dict[str, str]]:
    """Return the people in their order, each with a name and an outline."""
    return [{"name": name, "outline": outline(name)} for name in CAST]


def shapes(
    name: str, at: float, height: float, colour: str, ground: str, gone: bool, shift: float, lift: float = 0.0
) -> list[dict[str, Any]]:
    """Return a person as shapes of Plotly at a position, moved by pixels; someone who is gone is an empty outline."""
    place = {"type": "path", "xsizemode": "pixel", "ysizemode": "pixel", "xanchor": at, "yanchor": height}
    line = {"color": colour, "width": 1.2, "dash": "dot"} if gone else {"width": 0}
    body = place | {"path": _upwards(outline(name), shift, lift), "line": line, "fillrule": "nonzero", "name": name}
    if gone:
        return [body]
    face = place | {"path": _upwards(FACE, shift, lift), "line": {"width": 0}, "fillcolor": ground}
    return [body | {"fillcolor": colour}, face]


def _upwards(path: str, shift: float, lift: float) -> str:
    """Return a path with heights that grow upwards, as Plotly counts them, and moved to the right and up."""

    def moved(pair: re.Match[str]) -> str:
        return f"{SIZE * float(pair[1]) + shift:.4g},{lift - SIZE * float(pair[2]):.4g}"

    return re.sub(r"(-?[\d.]+) (-?[\d.]+)", moved, path)
