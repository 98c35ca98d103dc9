"""Catalogue: the translations of all sentences, for screens and for downloaded files."""

from __future__ import annotations

import json
from pathlib import Path

from discreet.budget import Phrase

CATALOGUES: dict[str, dict[str, str]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "catalogue").glob("*.json"))
}


def said_in(language: str, text: str, **values: object) -> str:
    """Return a sentence in a language with its values filled in; the English sentence is the key.

    A phrase brings its own values; a plain text is filled in with the values passed here.
    """
    if isinstance(text, Phrase):
        brought = {k: said_in(language, v) if isinstance(v, Phrase) else v for k, v in text.values.items()}
        text, values = text.template, values | brought
    sentence = CATALOGUES.get(language, {}).get(str(text), str(text))
    return sentence.format(**values) if values else sentence
