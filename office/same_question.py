"""Same question: what is asked, whatever its epsilon and by whichever mechanism; answers to it can be averaged."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from discreet.curator.release import Question
from discreet.curator.request import Request, plain
from discreet.lab.report.titles import statistic

# settings of a mechanism that say what is asked, not how it is answered
ASKED = ("queries", "levels", "bins", "threshold", "most", "least", "yes")
NAMED = ("kind", "relation", "q")  # of a statistic: in its words, or a rule of persons


@lru_cache(maxsize=4096)
def subjects(question: Question) -> frozenset[str]:
    """Return what a question asks, of a plan what each of its rows does.

    The statistic with its own settings, the columns, the filter in any order, the groups in any order, and how many
    rows of a person count.
    """
    return frozenset(map(_subject, question.rows))


def alike(one: Question, other: Question) -> bool:
    """Say whether two questions ask the same, or some of it."""
    return not subjects(one).isdisjoint(subjects(other))


class Same:
    """Many questions of some data, each found by what it asks."""

    def __init__(self, questions: Iterable[tuple[str, Question]]) -> None:
        """Take questions, each with its dataset."""
        self._places = defaultdict[tuple[str, str], list[int]](list)
        for at, (dataset, question) in enumerate(questions):
            for subject in subjects(question):
                self._places[dataset, subject].append(at)

    def of(self, dataset: str, question: Question) -> list[int]:
        """Return the places of those that ask the same of a dataset, or some of it."""
        return sorted({at for subject in subjects(question) for at in self._places.get((dataset, subject), ())})


def _subject(row: Request) -> str:
    settings, view = plain(row.mechanism), plain(row.mechanism.view)
    own = _own(view.get("query") or settings.get("query") or {})
    asked = {name: _settings(settings[name]) for name in ASKED if settings.get(name) is not None}
    where = sorted(json.dumps(plain(condition), sort_keys=True) for condition in row.where)
    rows = row.mechanism.neighbours.rows
    return json.dumps([str(statistic(row)), own, asked, row.columns, where, sorted(row.groups), rows], sort_keys=True)


def _settings(value: Any) -> Any:
    """Return a setting without the rules of persons of the statistics in it."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_own(each) | {"kind": each["kind"]} if isinstance(each, Mapping) else each for each in value]
    return value


def _own(query: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if name not in NAMED}
