"""Document: the list of what is public, for people to read."""

from __future__ import annotations

from discreet.report.public import CARD, CARD_PARTS, ERRORS, OUTPUTS, SHAPES, SOURCES, Listed

HEAD = """# What is public

The result is the only thing that is drawn from rows; a card has a keyed hash of them beside it. Everything else
that leaves the curator is made of what is public: this is the whole list, as `python -m discreet.report.document`
prints it. Tests walk the fields, forms, errors, log lines and addresses, and fail on what is not here.
"""
RESULTS = """## What a result looks like

Which of these it is follows from the query alone.
"""
ERROR = """## An error

Its sentence is a constant of the program. These values are filled in:
"""


def document() -> str:
    """Write the list as a document."""
    parts = [HEAD, _table("Source", "What it is", SOURCES), RESULTS, _table("Query", "What leaves", SHAPES)]
    for title, listed in OUTPUTS.items():
        parts += [f"## {title}\n", _table("Part", "Made of", _coded(listed))]
    for section, listed in CARD.items():
        parts += [f"## A card: {section}\n", _table("Part", "Made of", _coded(listed))]
    parts += ["## A card: inside\n", _table("Part", "Made of", _coded(CARD_PARTS))]
    parts += [ERROR, _table("Part", "Made of", _coded(ERRORS))]
    return "\n".join(parts)


def _coded(listed: Listed) -> Listed:
    return {f"`{name}`": source for name, source in listed.items()}


def _table(first: str, second: str, rows: Listed) -> str:
    lines = [f"| {first} | {second} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {source} |" for name, source in rows.items())]) + "\n"


if __name__ == "__main__":
    print(document(), end="")
