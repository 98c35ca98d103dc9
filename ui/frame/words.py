"""Words: every sentence of a screen goes through here; a person's own text is quoted."""

from __future__ import annotations

import html
import re

from discreet.lab.samples import SAMPLES
from discreet.ui.frame.catalogues import said_in
from discreet.ui.state import language

MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!$:<>~|^=])")
POWER = re.compile(r"(e[+-])0+")

LINKS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
UNSEEN = "\u2060"  # a word joiner: takes no room, and no address survives it


def say(text: str | Exception, **values: object) -> str:
    """Return a sentence in the language of the person who looks, with its values filled in; an error says its own."""
    if isinstance(text, Exception):
        text = text.args[0] if text.args else ""
    return said_in(language(), text, **values)


def named(dataset: str) -> str:
    """Return the name of a dataset: a sample's in the language of the screen, else as it is."""
    return say(dataset) if dataset in SAMPLES else dataset


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
    return POWER.sub(r"\1", f"{value:.{digits}g}")  # 1e-6, as a cost is written, and not 1e-06
