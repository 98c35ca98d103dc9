"""Catalogue: what the house says in each language, for screens and for files that leave them."""

from __future__ import annotations

import json
from pathlib import Path

from discreet.budget import Phrase

CATALOGUES: dict[str, dict[str, str]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "catalogue").glob("*.json"))
}


def said_in(language: str, text: str, **values: object) -> str:
    """Return a sentence in a language with its values filled in; English is its own key.

    A phrase brings its values along; one that brings none is filled in with those that are given.
    """
    if isinstance(text, Phrase):
        brought = {k: said_in(language, v) if isinstance(v, Phrase) else v for k, v in text.values.items()}
        text, values = text.template, values | brought
    sentence = CATALOGUES.get(language, {}).get(str(text), str(text))
    return sentence.format(**values) if values else sentence
