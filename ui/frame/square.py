"""Square codes: a text that a telephone reads from the screen."""

from __future__ import annotations

import io
from base64 import b64encode

import segno


def square(text: str) -> str:
    """Return a square code as the source of an image: dark on white, whatever the theme."""
    image = io.BytesIO()
    segno.make(text, error="m").save(image, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return f"data:image/svg+xml;base64,{b64encode(image.getvalue()).decode()}"
