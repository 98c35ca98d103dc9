"""Typeset: formulas become MathML while the site is built, so that a page needs no script and no network."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)


def on_page_content(text: str, **page: Any) -> str:
    """Write every formula of a page; one that cannot be written ends the build."""
    return FORMULA.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    display = "block" if found[2] == "[" else "inline"
    return convert(html.unescape(found[3]).strip(), display=display)
