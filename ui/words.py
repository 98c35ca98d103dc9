"""Words: every sentence of a screen goes through here; a person's own text is quoted."""

from __future__ import annotations

import html
import re

MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!$:<>~|^=])")

LINKS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
UNSEEN = "\u2060"  # a word joiner: takes no room, and no address survives it


def say(text: str, **values: object) -> str:
    """Return a sentence of the catalogue with its values filled in."""
    return text.format(**values) if values else text


def quoted(name: object) -> str:
    """Write somebody's own text so that Markdown shows it as it is, and makes no link of it."""
    return MARKDOWN.sub(r"\\\1", LINKS.sub(UNSEEN, " ".join(str(name).split())))


def drawn(name: object) -> str:
    """Write somebody's own text so that a chart shows it as it is."""
    return html.escape(" ".join(str(name).split()), quote=False)


def number(value: object, digits: int = 4) -> str:
    """Write a number with sensible digits, a whole number with all of them."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if value != value:
        return "–"
    if isinstance(value, int) or (abs(value) >= 10 ** (digits - 1) and abs(value) < 1e15):
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"
