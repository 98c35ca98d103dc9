"""Later bounds: a later last day, or a higher upper bound, that an officer declares for the next requests.

Data that grow with time leave their bounds behind. What is declared is public knowledge and never looked up in
the rows. Each request is asked, computed and read under the bounds that held for it: the old answers keep theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from discreet.budget import ParameterError, Phrase
from discreet.office.datasets.registry import Registered
from discreet.rows.schema import Schema

FEWEST = 3
LONGEST = 200


@dataclass(frozen=True)
class Later:
    """The columns that go further, each with its new end, and the public source of that."""

    ends: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    @property
    def wanted(self) -> dict[str, Any]:
        """What a second officer has to want as well; nothing where all bounds hold."""
        return {"bounds": dict(sorted(self.ends.items())), "source": self.source} if self.ends else {}

    @property
    def words(self) -> str:
        """The columns with their new ends."""
        return ", ".join(f"{name}: {end}" for name, end in sorted(self.ends.items()))


NONE = Later()


def grown(schema: Schema, later: Later) -> Schema:
    """Return a declaration with the later bounds; refuse a bound that is not later."""
    source = " ".join(later.source.split())
    if later.ends and not FEWEST <= len(source) <= LONGEST:
        raise ParameterError("Enter the public source of the later bounds. Never take it from the rows.")
    columns = dict(schema.columns)
    for name, end in later.ends.items():
        if name not in columns:
            raise ParameterError("This dataset has no column {name!r}.", name=name)
        try:
            columns[name] = columns[name].until(end, source)
        except ParameterError as wrong:
            raise ParameterError("Column {name!r}: {error}", name=name, error=wrong.args[0]) from None
    return replace(schema, columns=columns)


def history(data: Registered) -> list[Phrase]:
    """Say which bounds are later ones, since which version, and what they were."""
    said = list[Phrase]()
    before = data.first.ends
    for edition in data.later:
        now = edition.schema.ends
        said += [
            Phrase(
                "Column {name} is declared up to {end} from version {version} on. Before that it was "
                "declared up to {before}.",
                version=data.version_at(edition.since).number,
                name=name,
                end=end,
                before=before[name],
            )
            for name, end in now.items()
            if name in before and end != before[name]
        ]
        before = now
    return said
