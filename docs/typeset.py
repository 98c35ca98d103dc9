"""Typeset: what the site needs of other machines is put into it while it is built.

Formulas become MathML, so that a page needs no script for them; the search takes its helper from the own folder.
"""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert
from mkdocs.utils import get_relative_url

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)
ELSEWHERE = "https://unpkg.com/iframe-worker/shim"
HERE = "worker.js"


def on_page_content(text: str, **around: Any) -> str:
    """Write every formula of a page; one that cannot be written ends the build."""
    return FORMULA.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    display = "block" if found[2] == "[" else "inline"
    return convert(html.unescape(found[3]).strip(), display=display)


def on_post_page(output: str, page: Any, **around: Any) -> str:
    """Take the helper of the search from the site's own folder."""
    return output.replace(ELSEWHERE, get_relative_url(HERE, page.url))


def on_post_template(output: str, **around: Any) -> str:
    """Do the same on the page of what was not found."""
    return output.replace(ELSEWHERE, HERE)
