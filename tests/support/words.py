"""What stands on a screen in a language, and how one chooses there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from inspect import getclosurevars, isfunction
from typing import Any

from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

# two English words in a row; names of columns, samples' levels and formulas are none
ENGLISH = re.compile(r"\b[A-Za-z]?[a-z]{2,}(?:[ ,]+[a-z]{2,})+\b")


NAMES = re.compile(  # what stays in Latin script: people, titles of papers, formulas, one script
    r"[A-Z][a-z]+(?:,? (?:and |et al)?[A-Z][a-z]+)*|[“\"][^”\"]*[”\"]|"
    r"exp\\?\(.*?\)|export default.*"
)


MUTE = {"Html", "Code"}  # a style says nothing, and a program is in no language


SILENT = {"id", "formId", "data", "config", "icon", "url", "key", "mimeType", "js", "jsContent", "cssContent", "name"}


def texts(app: AppTest) -> Iterator[str]:
    """Yield every text of a screen: labels, helps, tables' heads, figures and their words."""

    def walk(block: Any) -> Iterator[str]:
        for child in block.children.values():
            if hasattr(child, "children"):
                yield from walk(child)
            message = None if type(child).__name__ in MUTE else getattr(child, "proto", None)
            if message is not None and hasattr(message, "DESCRIPTOR"):
                yield from strings(MessageToDict(message))

    yield from walk(app._tree)


def strings(message: Any) -> Iterator[str]:
    """Yield the strings of a message that somebody may read."""
    if isinstance(message, str):
        yield message
    elif isinstance(message, list):
        for part in message:
            yield from strings(part)
    elif isinstance(message, dict):
        for key, part in message.items():
            if key == "spec":
                yield from strings(json.loads(part))
            elif key not in SILENT:
                yield from strings(part)


def english(app: AppTest) -> list[str]:
    """Return what a screen says in English, other than the title of a document that is marked as English."""
    return [text for text in texts(app) if ENGLISH.search(NAMES.sub("", text)) and not text.endswith("（英文）")]


def choose(app: AppTest, key: str, option: str) -> None:
    """Choose a part of a screen, if it is offered now."""
    for group in [group for group in app.button_group if group.key == key]:
        group.set_value(option).run()


def choices(app: AppTest) -> dict[str, list[str]]:
    """Return the parts that a screen offers, by the names that the address gives them."""
    formats = {str(g.key): g.format_func for g in app.button_group if isfunction(g.format_func)}
    inside = {key: getclosurevars(formats[key]).nonlocals.get("options", {}) for key in formats}
    return {key: list(options) for key, options in inside.items()}
