"""Finding: every number that was released about the data in use, newest first, and what somebody looks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from discreet.curator import Release
from discreet.lab.report.meaning import condition_words
from discreet.lab.report.titles import statistic
from discreet.rows import Schema
from discreet.ui.frame.results import answer_lines
from discreet.ui.frame.words import number, say

Answered = tuple[Release, Schema]


@dataclass(frozen=True)
class FoundLine:
    """One number of an answer: which answer it is of, and the cells of its line."""

    of: int
    cells: dict[str, str]

    def holds(self, words: Sequence[str]) -> bool:
        """Say whether every word is somewhere in the line."""
        text = " ".join(self.cells.values()).casefold()
        return all(word in text for word in words)


def lines(answered: Sequence[Answered]) -> list[FoundLine]:
    """Return one line for each number, newest answer first."""
    newest = range(len(answered) - 1, -1, -1)
    return [FoundLine(at, cells) for at in newest for cells in _cells(*answered[at])]


def sought(every: Sequence[FoundLine], text: str) -> list[FoundLine]:
    """Return the lines that hold every word, in capitals or not."""
    words = text.casefold().split()
    return [line for line in every if line.holds(words)]


def _cells(release: Release, schema: Schema) -> Iterator[dict[str, str]]:
    request = release.request
    first = {
        say("What"): say(statistic(request)),
        say("Columns"): ", ".join(request.columns),
        say("Only where"): say(" and ").join(say(condition_words(each)) for each in request.where),
    }
    last = {
        say("ε"): f"{release.cost.epsilon:g}",
        say("Method"): say(request.mechanism.title),
        say("Released (UTC)"): f"{release.at:%Y-%m-%d %H:%M}",
    }
    for line in answer_lines(release, schema):
        yield first | line | last


def amount(lines: int, answers: int) -> str:
    """Say how many there are."""
    return say("Numbers: {lines}. Answers: {answers}.", lines=number(lines), answers=number(answers))
