"""Notation: YAML and sentences of records; lines stay lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import yaml


def points_of(texts: list[str]) -> str:
    """Write texts as a list."""
    return "\n".join(f"- {text}" for text in texts)


def cost_words(cost: Mapping[str, float]) -> str:
    """Write a cost."""
    delta = f", delta {cost['delta']:.6g}" if cost["delta"] else ""
    return f"epsilon {cost['epsilon']:.9g}{delta}"


def yaml_of(thing: Any) -> str:
    """Write YAML; phrases become plain texts first, and lines stay lines."""
    plain = json.loads(json.dumps(thing))
    return str(yaml.dump(plain, Dumper=_Lines, sort_keys=False, allow_unicode=True, width=100))


class _Lines(yaml.SafeDumper):
    """The safe dumper, with texts of several lines as they are."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Lines.add_representer(str, _text)
