"""Methods: how released numbers were made, as a paragraph that a journal takes."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.budget import Phrase
from discreet.budget.plans import Proven
from discreet.curator.request import Request
from discreet.lab.program import program
from discreet.lab.report.protected import neighbours
from discreet.mechanisms.mechanism import CONFIDENCE, Mechanism
from discreet.rows.schema import Schema

PERSON = Phrase("a person")
MENDED = Phrase(
    "Counts are also given rounded to whole numbers and not below 0. That is made of the released numbers alone "
    "and costs nothing; the numbers as they were drawn stand beside."
)
Asked = Sequence[tuple[Request, Schema]]


def methods(asked: Asked, total: Proven, together: int) -> tuple[Phrase, ...]:
    """Say who drew which noise, what that guarantees of whom, how costs add up, and what intervals hold."""
    return (_program(), *_mechanisms(asked), _guarantee(total), *_neighbours(asked), *_intervals(together))


def of_others(packages: Sequence[Sequence[str]]) -> list[Phrase]:
    """Say which packages beside the program answered which questions, given those of each question."""
    every = sorted({name for each in packages for name in each})
    return [
        Phrase(
            "Questions {numbers} used the package {package}, which is not part of Discreet.",
            numbers=", ".join(str(number) for number, each in enumerate(packages, 1) if name in each),
            package=name,
        )
        for name in every
    ]


def mended(added: Sequence[int], rounded: bool) -> list[Phrase]:
    """Say what was made of counts afterwards: of those of some questions together, and of each by itself."""
    return ([_added(added)] if added else []) + ([MENDED] if rounded else [])


def _added(questions: Sequence[int]) -> Phrase:
    return Phrase(
        "Counts of questions {numbers} are also given as whole numbers that are not below 0 and add up: they are sums "
        "of the one table whose sums lie nearest to the released counts, each measured by its interval, as if all had "
        "counted the same rows. Rows without a declared level are in no group, so groups may add up to less than all. "
        "That is made of the released numbers alone and costs nothing; intervals are those of the numbers as they "
        "were drawn.",
        numbers=", ".join(map(str, questions)),
    )


def _program() -> Phrase:
    return Phrase(
        "All numbers were released with differential privacy by the program Discreet, version {version}; nothing else "
        "here was computed from rows. Bounds and levels of columns were declared before any row was read.",
        version=program() or "?",
    )


def _mechanisms(asked: Asked) -> list[Phrase]:
    """Return one sentence for each mechanism, with the questions that it answered."""
    by_kind: dict[type, list[int]] = {}
    for number, (request, _) in enumerate(asked, 1):
        by_kind.setdefault(type(request.mechanism), []).append(number)
    kinds = {type(request.mechanism): request.mechanism for request, _ in asked}
    return [_drawn(kinds[kind], ", ".join(map(str, numbers))) for kind, numbers in by_kind.items()]


def _drawn(mechanism: Mechanism, numbers: str) -> Phrase:
    """Say which mechanism answered, with which noise unless its title says that already, and who drew it."""
    title, noise = mechanism.title, mechanism.noise
    said = {"numbers": numbers, "title": Phrase(title), "source": noise.source}
    if str(noise.name).removeprefix("the ") in title:
        return Phrase("Questions {numbers}: {title} ({source}).", **said)
    return Phrase("Questions {numbers}: {title}, with {noise} ({source}).", noise=noise.name, **said)


def _guarantee(total: Proven) -> Phrase:
    return Phrase(
        "Together they are differentially private with {cost}, proven by: {proof}. The plain sum of all "
        "questions is {plain}.",
        cost=str(total.cost),
        proof=Phrase(total.proof),
        plain=str(total.plain),
    )


def _neighbours(asked: Asked) -> list[Phrase]:
    """Say of which tables that is promised: once for each promise, with its questions where there are several."""
    promises: dict[Phrase, list[int]] = {}
    for number, (request, schema) in enumerate(asked, 1):
        promises.setdefault(_tables(request, schema), []).append(number)
    if len(promises) == 1:
        return [Phrase("Nobody can tell two tables apart by more than that. {tables}", tables=next(iter(promises)))]
    return [
        Phrase(
            "Of questions {numbers} nobody can tell two tables apart by more than that. {tables}",
            numbers=", ".join(map(str, numbers)),
            tables=tables,
        )
        for tables, numbers in promises.items()
    ]


def _tables(request: Request, schema: Schema) -> Phrase:
    """Say which two tables are hard to tell apart, and whose rows are one person's where nothing names them."""
    tables = neighbours(request, PERSON)
    if schema.person is not None:
        return tables
    alone = Phrase("Every row is taken to be {unit} of its own.", unit=PERSON)
    return Phrase("{tables} {alone}", tables=tables, alone=alone)


def _intervals(together: int) -> tuple[Phrase, ...]:
    """Say what an interval is of, and how numbers are printed."""
    sure = f"{100 * CONFIDENCE:g}"
    each = Phrase("each interval by itself holds with {sure} % confidence", sure=sure)
    every = Phrase("all {number} intervals hold at once with {sure} % confidence", number=together, sure=sure)
    return (
        Phrase(
            "Intervals are of the noise alone: {how} the value of the rows as they were read, whatever the rows are. "
            "That the rows are a sample of a population is not in them.",
            how=each if together == 1 else every,
        ),
        Phrase(
            "A number is printed with the digits that its interval allows, and the ends of an interval are rounded "
            "outwards. Where an interval leaves less than a tenth out of what the statistic can be by the declared "
            "bounds, “too few to tell” stands in place of the number."
        ),
    )
