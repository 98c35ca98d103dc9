"""Spoken: every sentence that a screen can show, found in the source and in the registries.

`python tests/support/spoken.py zh` prints as JSON what a catalogue lacks and what it contains needlessly.
"""

from __future__ import annotations

import ast
import json
import string
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.floors import FLOORS  # noqa: E402

# which argument of a call is a sentence: by position or name
SENTENCES: dict[str, tuple[int | str, ...]] = {
    "say": (0,),
    "Phrase": (0,),
    "ParameterError": (0,),
    "Unreachable": (0,),
    "Forecast": (1,),
    "Guarantee": (2,),
    "MechanismPage": ("title", "idea"),
    "View": (0, 4),
    "Number": ("unit",),
    "_whole": (2,),
}


def written() -> Iterator[str]:
    """Yield the sentences that are literals in the source."""
    yield from sentences((ROOT / "app.py").read_text(encoding="utf-8"))
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            yield from sentences(path.read_text(encoding="utf-8"))


def sentences(source: str) -> Iterator[str]:
    """Yield the literal sentences of one module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            for place in SENTENCES.get(name, ()):
                yield from _literal(node, place)


def _literal(call: ast.Call, place: int | str) -> Iterator[str]:
    if isinstance(place, int):
        arguments = call.args[place : place + 1]
    else:
        arguments = [word.value for word in call.keywords if word.arg == place]
    for node in arguments:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def registered() -> Iterator[str]:
    """Yield the sentences of the registries: titles, labels, helps, choices, and the docstrings' parts."""
    from discreet.budget.rules import RULES
    from discreet.lab.contest import SHAPES
    from discreet.mechanisms import former, registry
    from discreet.mechanisms.base.mechanism import parts
    from discreet.queries import registry as statistics
    from discreet.queries.estimators import registry as estimators
    from discreet.rows.columns import kinds
    from discreet.ui.data.table import choices

    for kind in (*registry.values(), *former.values()):
        yield kind.title
        for parameter in kind.parameters().values():
            yield from (parameter.label, parameter.help, *(c for c in parameter.choices if isinstance(c, str)))
        for name, text in parts(kind).items():
            yield from (name, text)
    yield from (entry.label for entry in (*statistics.values(), *estimators.values()))
    yield from (*SHAPES, *kinds, *choices(), *(rule.name for rule in RULES.values()))


def spoken() -> set[str]:
    """Return every sentence that needs a translation: those with a letter in them."""
    texts = {*written(), *registered()}
    return {text for text in texts if any(c.isalpha() for c in bare(text))}


def bare(text: str) -> str:
    """Return a template without its fields."""
    return "".join(before for before, *_ in string.Formatter().parse(text)) if "{" in text else text


def slots(text: str) -> list[tuple[str, str, str]]:
    """Return the fields of a template: each name with its format and its conversion."""
    parts = string.Formatter().parse(text)
    return sorted((name, form or "", how or "") for _, name, form, how in parts if name is not None)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    catalogue = ROOT / "ui" / "catalogue" / f"{sys.argv[1]}.json"
    translations = json.loads(catalogue.read_text(encoding="utf-8")) if catalogue.exists() else {}
    report = {"missing": sorted(spoken() - set(translations)), "unused": sorted(set(translations) - spoken())}
    print(json.dumps(report, ensure_ascii=False, indent=1))
