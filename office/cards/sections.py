"""Sections of a card: about each query by itself, and about all rows of a plan together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from discreet.budget import Phrase, plugins
from discreet.curator.plan import FixedPlan
from discreet.curator.release import Question
from discreet.curator.request import Request, kinds, plain
from discreet.curator.result import Release
from discreet.lab.program import program
from discreet.office.cards.card import Answered, Jointly, OwnTerms, Row, Terms, Together
from discreet.office.cards.method import accuracy, method, unprotected
from discreet.office.cards.proof import audit
from discreet.office.cards.review_case import Snapshot
from discreet.office.rules.registration import OF_A_WAVE, PERSON, ROW, UNITS, Registration
from discreet.report.export import plain_answer
from discreet.report.words import ROW as ONE_ROW
from discreet.report.words import as_read, neighbours, no_interval, parts, rank_error, titled
from discreet.rows.engines.registry import sources
from discreet.rows.files import formats
from discreet.rows.schema import Schema

# Particulars: what a card says of each question by itself: statistic, privacy unit, method and accuracy.


def particulars(snapshot: Snapshot) -> tuple[Row, ...]:
    """Return what is said of each row of a plan, or of the one question."""
    asked = snapshot.asked
    said = snapshot.data.registration
    said = replace(said, schema=said.schema.read_as(snapshot.data.versions[-1].layout))
    answers = asked.answers or (None,) * len(asked.request.rows)
    read_by = readers(snapshot.data.versions[-1].format)
    return tuple(_of_row(row, answer, said, read_by) for row, answer in zip(asked.request.rows, answers, strict=True))


def _of_row(request: Request, release: Release | None, said: Registration, read_by: tuple[type, ...]) -> Row:
    unit = said.protected
    cost = request.cost() if release is None else release.cost
    packages = plugins.named_with((*kinds(request), *read_by)) if release is None else release.packages
    return Row(
        release=_release(request, release, said.schema),
        guarantee=OwnTerms(
            epsilon=cost.epsilon,
            delta=cost.delta,
            neighbours=neighbours(request, unit),
            privacy_unit_details=_details(request, said),
            data_domain=_domain(request),
            unprotected_quantities=tuple(unprotected(request, said)),
        ),
        mechanism=method(request, program(), tuple(packages)),
        accuracy=accuracy(request, said),
        evidence=audit(request.mechanism.slug),
    )


def readers(format: str) -> tuple[type, ...]:
    """Return the kinds that read rows of a format: of files, or of addresses where the rows stay where they are."""
    return (sources[format],) if format in sources else (type(formats[format]),) if format in formats else ()


def _release(request: Request, release: Release | None, schema: Schema) -> Answered:
    """Return the question, and what came out if something did."""
    return Answered(
        question=titled(request),
        identity=request.identity,
        plain=plain(request),
        answer=None if release is None else plain_answer(release.answer),
        refused=None if release is None else release.refused,
        interval=None if release is None else plain_answer(release.interval),
        rank_error=plain_answer(rank_error(request, schema)),
        parts=parts(request, schema),
        as_read=as_read(request, schema),
        no_interval=no_interval(request),
    )


def _domain(request: Request) -> Phrase:
    """Return the sentence about the tables that the guarantee covers."""
    size = request.mechanism.neighbours.size
    if size is None:
        return Phrase(
            "all tables with the declared columns, with any number of rows; other values are read by the declared rules"
        )
    return Phrase(
        "all tables with the declared columns in which {size} rows are counted; other values are "
        "read by the declared rules",
        size=size,
    )


def _details(request: Request, said: Registration) -> Phrase:
    """Return the sentence about the privacy unit; for data with a budget for each wave also what a wave is."""
    if said.unit != OF_A_WAVE:
        return details(request, said.schema, said.protected)
    person = details(request, said.schema, said.protected if said.protects == ROW else UNITS[PERSON])
    return Phrase("{person} {promise}", person=person, promise=Phrase("A wave is: “{wave}”.", wave=said.wave))


def details(request: Request, schema: Schema, unit: Phrase) -> Phrase:
    """Return the sentence about the privacy unit, and how many of its rows count."""
    if schema.person is None and unit == ONE_ROW:
        return Phrase(
            "This protects one row, not one person. If a person has several rows, each row is "
            "protected separately, and all of them together less."
        )
    if schema.person is None:
        return Phrase("Every row is treated as {unit}, separate from all others.", unit=unit)
    name, person = schema.person
    if request.mechanism.view.in_blocks:
        return Phrase(
            "Column {name} identifies {unit}. All of its rows are in the same block, chosen at random.",
            name=name,
            unit=unit,
        )
    if person.reduce is not None:
        return Phrase("Column {name} identifies {unit}. All of its rows are reduced to one.", name=name, unit=unit)
    return Phrase(
        "Column {name} identifies {unit}. A result uses at most {rows} of its rows, chosen at "
        "random. The other rows are left out.",
        name=name,
        unit=unit,
        rows=person.rows,
    )


# Jointly: what a card says of all rows of a plan: they are asked together, and promised together.


def jointly(plan: FixedPlan, rows: Sequence[Row]) -> Jointly:
    """Return what is said of a plan as a whole, from what is said of its rows."""
    refused = [row.release.refused for row in rows]
    terms = [row.guarantee for row in rows]
    return Jointly(
        release=Together(
            question=titled(plan),
            identity=plan.identity,
            plain=plain(plan),
            refused=None if None in refused else all(refused),
        ),
        guarantee=Terms(
            neighbours=in_one(each.neighbours for each in terms),
            privacy_unit_details=in_one(each.privacy_unit_details for each in terms),
            data_domain=in_one(each.data_domain for each in terms),
            unprotected_quantities=tuple(dict.fromkeys(fact for each in terms for fact in each.unprotected_quantities)),
        ),
    )


def in_one(sentences: Iterable[Phrase]) -> Phrase:
    """Say each of some sentences once, one after the other."""
    each = dict.fromkeys(sentences)
    return reduce(lambda first, second: Phrase("{first} {second}", first=first, second=second), each)


def of_whom(question: Question, schema: Schema, unit: Phrase) -> Phrase:
    """Return the sentences about the privacy unit, one for each way in which questions of a plan use it."""
    return in_one(details(row, schema, unit) for row in question.rows)
