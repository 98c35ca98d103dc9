"""Errors of the budget floor; their messages are built from public values only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

# --- Phrases: sentences that keep their template, so that a screen can translate them ---

LONGEST = 200  # characters of a word in a sentence from another process


class Phrase(str):
    """A sentence with its values filled in, which keeps its template and its values.

    The lower floors speak English. A screen looks the template up in its catalogue and fills in the values; a value
    that is a phrase itself is translated too.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        """Fill the values in; a template without values is used unchanged."""
        if isinstance(template, Phrase) and not values:
            return template
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template = str(template)
        phrase.values = values
        return phrase

    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from template and values, so that a phrase survives a process boundary."""
        return _rebuilt, (self.template, self.values)

    def plain(self) -> list[object]:
        """Return template and values as JSON; long texts are cut."""
        values = {
            name: each.plain() if isinstance(each, Phrase) else _value(each) for name, each in self.values.items()
        }
        return [self.template, values]

    @classmethod
    def of(cls, plain: object) -> Phrase:
        """Rebuild a phrase from its plain form; raise ValueError for anything else."""
        if not isinstance(plain, list) or len(plain) != 2 or not isinstance(plain[0], str):
            raise ValueError
        return cls(plain[0], **{name: cls.of(e) if isinstance(e, list) else e for name, e in dict(plain[1]).items()})


def printable(text: str) -> str:
    """Return a line that is safe to print on a terminal: unprintable characters of user-chosen names become "?"."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _value(value: object) -> object:
    return value if isinstance(value, (int, float)) else str(value)[:LONGEST]


def _rebuilt(template: str, values: dict[str, object]) -> Phrase:
    return Phrase(template, **values)


class ParameterError(ValueError):
    """A public parameter is out of range; the message names the range and what to do."""

    def __init__(self, template: str, /, **values: object) -> None:
        """Store the message as a phrase, so that a screen can translate it."""
        super().__init__(Phrase(template, **values))


class AlreadyCharged(Exception):
    """This request was charged (or its held part settled) before; nothing was charged again."""

    def __init__(self, request_id: str) -> None:
        """Keep the request's identifier, which is public."""
        self.request_id = request_id
        super().__init__(
            Phrase("Request {request} is already in the ledger. Read its result from the record.", request=request_id)
        )

    def __reduce__(self) -> tuple[type[AlreadyCharged], tuple[str]]:
        """Rebuild from the identifier, so that the error survives a process boundary."""
        return type(self), (self.request_id,)


def kind_of(given: object) -> str:
    """Return the name of the type of something that was given in place of another thing; a frame would show rows."""
    return given.__name__ if isinstance(given, type) else type(given).__name__


def listed(names: Sequence[str]) -> str | Phrase:
    """Return names as a list in words."""
    if len(names) < 2:
        return names[0] if names else ""
    *most, last = names
    return Phrase("{first} and {last}", first=commas(most), last=last)


def commas(names: Sequence[str]) -> str:
    """Return names separated by commas; those that are phrases stay phrases."""
    return reduce(lambda line, name: Phrase("{first}, {last}", first=line, last=name), names) if names else ""
