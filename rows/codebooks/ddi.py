"""DDI Codebook: variables with their ranges and categories, as survey archives write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar
from xml.etree import ElementTree

from discreet.rows.codebooks.codebook import Codebook, Noted, said
from discreet.rows.columns import Kind

ORIGIN = "DDI"


class Ddi(Codebook):
    """`var` elements with `valrng/range` and `catgry/catValu`, in the name space of any version."""

    name: ClassVar[str] = "ddi"
    title: ClassVar[str] = "DDI"
    rank: ClassVar[int] = 3

    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Read ranges of values and lists of categories; a document with entities of its own is not read."""
        if not text.lstrip().startswith("<") or "<!DOCTYPE" in text or "<!ENTITY" in text:
            return None
        try:
            root = ElementTree.fromstring(text.lstrip())
        except (ElementTree.ParseError, ValueError):
            return None
        variables = list(_variables(root))
        return said({element.get("name", ""): _noted(element) for element in variables}) if variables else None


def _variables(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Yield variables; one inside another is skipped, so that no part is visited twice."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if _bare(element) == "var":
            yield element
        else:
            waiting += reversed(element)


def _bare(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _noted(variable: ElementTree.Element) -> Noted:
    ranges = [element for element in variable.iter() if _bare(element) == "range"]
    lower, upper = (ranges[0].get("min"), ranges[0].get("max")) if ranges else (None, None)
    levels = tuple(_levels(variable))
    continuous = variable.get("intrvl") == "contin"
    return Noted(lower, upper, () if continuous and ranges else levels, _whole(lower, upper), "", ORIGIN)


def _levels(variable: ElementTree.Element) -> list[str]:
    """Return the values of the categories that are not marked as missing."""
    groups = [e for e in variable.iter() if _bare(e) == "catgry" and e.get("missing", "N") != "Y"]
    values = [inner.text or "" for group in groups for inner in group if _bare(inner) == "catValu"]
    return [value.strip() for value in values if value.strip()]


def _whole(*limits: str | None) -> bool:
    return all((limit or "").lstrip("-").isdigit() for limit in limits)
