"""Markup: HTML and SVG that is built of tags, so that no text of anybody becomes one."""

from __future__ import annotations

import html


class Markup(str):
    """Text that is markup already, because `tag` or `joined` made it."""


def tag(name: str, *inner: str | None, **attributes: object) -> Markup:
    """Return an element; whatever is inside and no markup is text, and attributes are quoted.

    A name with a trailing `_` is that of a word of Python, `_` inside is a hyphen; None leaves it out.
    """
    written = (
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{''.join(written)}>{joined(*inner)}</{name}>")


def joined(*inner: str | None) -> Markup:
    """Return several pieces one after the other; what is no markup is text."""
    return Markup("".join(each if isinstance(each, Markup) else html.escape(each) for each in inner if each))
