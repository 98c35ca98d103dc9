"""Checklist: seventeen points before a release; what is found out now, what people answer.

What is false may be approved all the same, but the officer has to write down why: `to_answer`. Answers
are kept under the names of the points, so that a new point changes no old answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version

from discreet.budget import ParameterError, Phrase
from discreet.mechanisms.base.counts import COUNTS
from discreet.office.cards import cards, proof, sections
from discreet.office.cards.cards import forecast_of_use
from discreet.office.cards.review_case import Dossier
from discreet.office.house import acts
from discreet.office.requests.request import subjects
from discreet.office.requests.states import ALLOWED, WAITING
from discreet.office.rules.registration import PERSON, ROW, UNITS

# Points: what the system finds out about a request, one function for each point of the checklist.

STILL = timedelta(days=90)  # so long what was said at registration about other releases is taken
LONG = 10  # years for which rows are kept without a question
SAID = True  # it rests on a statement of the registering officer
Found = tuple[bool | None, Phrase] | tuple[bool | None, Phrase, bool]


def unit(dossier: Dossier) -> Found:
    """Look at who is protected."""
    person = dossier.said.schema.person
    unit = dossier.said.protects
    if unit == ROW:
        return False, Phrase("One row is protected, not one person: no column shows which rows belong to one person.")
    if unit != PERSON:
        return False, Phrase("The unit of privacy is not a person.")
    if min(each.neighbours.rows for each in dossier.mechanisms) < dossier.said.schema.rows_per_person:
        return False, Phrase("The query assumes fewer rows per person than may be counted.")
    if person is None:
        word = Phrase("{name} stated at registration that every row is a different person.", name=dossier.registrar)
        return True, word, SAID
    return True, sections.of_whom(dossier.asked.request, dossier.said.schema, UNITS[unit])


def limits(dossier: Dossier) -> Found:
    """Look at the policy, and at delta."""
    cost = dossier.asked.cost
    most = dossier.said.most_delta
    outside = _outside(dossier)
    if outside is not None:
        return False, outside
    if cost.delta > most:
        return False, Phrase(
            "δ is {delta:.3g}, above {most:.3g}. The limit is the smaller of 1e-6 and 1 / (number of people)².",
            delta=cost.delta,
            most=most,
        )
    if cost.delta_units and dossier.said.people is None:
        return None, Phrase("No public number of people is declared. Is δ small enough?")
    return True, Phrase(
        "{cost} is within the policy limit of this dataset for one release, ε = {most:g}.",
        cost=cost,
        most=dossier.data.policy.most,
    )


def _outside(dossier: Dossier) -> Phrase | None:
    """Return why the policy of today does not allow the question."""
    try:
        dossier.data.policy.check(dossier.asked.request, dossier.asked.cost, dossier.today)
    except ParameterError as refused:
        why: Phrase = refused.args[0]
        if dossier.asked.state != WAITING.name:
            return why
        return Phrase(
            "{why} The policy was changed after this request was sent, so an approval needs your reason.", why=why
        )
    return None


def public(dossier: Dossier) -> Found:
    """Look at where bounds and settings come from."""
    if dossier.said.looked:
        return False, Phrase("Bounds were chosen by looking at the data: {why}", why=dossier.said.looked)
    if blank := ", ".join(dossier.said.schema.unsourced):
        return False, Phrase("The schema gives no source for the allowed values of {columns}.", columns=blank)
    word = Phrase(
        "{name} gave a source for all bounds and allowed values, and stated that nothing was "
        "chosen by looking at the data. Settings are chosen on pages that show no rows.",
        name=", ".join(dict.fromkeys([dossier.registrar, *dossier.declared_later])),
    )
    return True, word, SAID


def total(dossier: Dossier) -> Found:
    """Look at the budget."""
    place = dossier.snapshot.place
    limit = dossier.snapshot.place.limit
    counted = place.net.loss > 0 or forecast_of_use(dossier.snapshot).more_like_this > 0
    if not counted or not place.after.fits_in(limit):
        return False, Phrase("The request does not fit in the budget of {limit}.", limit=limit)
    return True, Phrase(
        "With this request, {after} of {limit} is spent or reserved. The same file or table can "
        "be registered only once, and registering a similar one prompts for an explanation. The "
        "system cannot recognise the same people in a very different file, or releases made "
        "elsewhere.",
        after=place.after,
        limit=limit,
    )


def others(dossier: Dossier) -> Found:
    """Look at releases that the ledger does not know."""
    if dossier.said.others:
        return True, Phrase("The release card lists them: {others}", others=dossier.said.others)
    day = dossier.data.at[:10]
    age = dossier.snapshot.now - datetime.fromisoformat(dossier.data.at)
    word = Phrase("{name} stated at registration, on {day}, that there are none.", name=dossier.registrar, day=day)
    if age < STILL:
        return True, word, SAID
    return None, Phrase("{said} Is this still true?", said=word)


def method(dossier: Dossier) -> Found:
    """Look at the mechanism, and audit it."""
    if {each.family.key for each in dossier.mechanisms} - set(dossier.data.policy.families):
        return False, Phrase("The policy of this dataset does not allow this mechanism.")
    audits = [proof.checked(slug) for slug in {each.slug for each in dossier.mechanisms}]
    if not all(each.worst.holds for each in audits):
        return False, Phrase("The claim FAILS on a neighbouring pair.")
    pairs = sum(each.pairs for each in audits)
    return True, Phrase(
        "The mechanism is allowed, and its claim was confirmed on all {pairs} neighbouring pairs "
        "of small example datasets.",
        pairs=pairs,
    )


def pure(dossier: Dossier) -> Found:
    """Look at whether delta is needed."""
    cost = dossier.asked.cost
    if not cost.delta_units:
        return True, Phrase("δ is 0.")
    return None, Phrase("δ is {delta:.3g}. Would a mechanism without δ be enough?", delta=cost.delta)


def noise(dossier: Dossier) -> Found:
    """Look at the library that draws."""
    installed = version("opendp")
    locked = proof.locked("opendp")
    if locked and locked != installed:
        return False, Phrase(
            "The installed noise library is {installed}, but the tested version is {locked}.",
            installed=installed,
            locked=locked,
        )
    return True, Phrase(
        "OpenDP {installed} and exact samplers draw the noise from the system's randomness. "
        "Protected datasets refuse every other source.",
        installed=installed,
    )


def silent(dossier: Dossier) -> Found:
    """Look for what a card must not hold."""
    card = cards.card(dossier.snapshot)
    strange = cards.strange_parts(card.to_json())
    for row, shown in zip(dossier.asked.request.rows, card.rows, strict=True):
        exact = row.mechanism.forecast(row.public(dossier.said.schema)).exact
        strange += [] if exact or shown.accuracy.half_width is None else ["accuracy.half_width"]
    if strange:
        return False, Phrase("The card contains items that may not be shown: {what}", what=", ".join(strange))
    return True, Phrase(
        "The card contains only declared items, the ledger and the protected result. The ledger "
        "and the audit log contain no value of any row."
    )


def after(dossier: Dossier) -> Found:
    """Look at what happens after the noise."""
    if any(row.groups or row.where for row in dossier.asked.request.rows):
        return None, Phrase("The query uses groups or a filter. Could results about few people be misread?")
    what = sections.in_one(each.after for each in dossier.mechanisms)
    if any(COUNTS in each.topics() for each in dossier.mechanisms):
        return None, Phrase("The query counts groups. {after}", after=what)
    return True, Phrase("The query uses all rows together, without groups. {after}", after=what)


def trust(dossier: Dossier) -> Found:
    """Look at who runs the server."""
    if dossier.said.access:
        word = Phrase("{name} stated at registration: {access}", name=dossier.registrar, access=dossier.said.access)
        return True, word, SAID
    return None, Phrase("The server administrator could read the rows. The registration does not name this person.")


def apart(dossier: Dossier) -> Found:
    """Look at who asks, and who decides."""
    asked = dossier.asked
    decider = dossier.who.id if dossier.who is not None else dossier.asked.decided_by
    if decider == asked.analyst:
        return False, Phrase("The analyst and the approver are the same person.")
    if asked.state != ALLOWED.name:
        return True, Phrase("Officers who have sent requests for this dataset cannot decide on requests for it.")
    ruled = [act.who for act in dossier.trail if act.what == acts.POLICY.name and act.about == dossier.data.name][-1:]
    if asked.analyst in (ruled or [dossier.data.by]):
        return False, Phrase("The analyst set the policy that allowed this request without approval.")
    return True, Phrase("The policy allowed this request, and another person set the policy.")


def readable(dossier: Dossier) -> Found:
    """Leave the answer to the reader."""
    return None, Phrase("People in the dataset may ask what this means for them.")


def purpose(dossier: Dossier) -> Found:
    """Leave the comparison of purpose and legal basis to the officer."""
    return None, Phrase("The stated legal basis for collection is: “{basis}”", basis=dossier.said.basis)


def deletion(dossier: Dossier) -> Found:
    """Look at the day on which the rows go."""
    until = dossier.said.keep_until
    if not until and dossier.said.forever:
        word = Phrase(
            "{name} stated at registration why no deletion date is set: {why}",
            name=dossier.registrar,
            why=dossier.said.forever,
        )
        return True, word, SAID
    if not until:
        return False, Phrase(
            "No deletion date was registered, and none can be added later. Approve with a reason, and "
            "add a note to the dataset with the date."
        )
    if dossier.data.state != "deleted" and until < dossier.today:
        return False, Phrase("The rows should have been deleted on {day}.", day=until)
    years = int(until[:4]) - dossier.snapshot.now.year
    if years > LONG:
        return None, Phrase(
            "The rows are kept until {day}, for {years} years. Is this necessary?", day=until, years=years
        )
    return True, Phrase("The rows are kept until {day}.", day=until)


def chains(dossier: Dossier) -> Found:
    """Look at the ledger and the trail."""
    if dossier.verdict.wrong is not None:
        return False, dossier.verdict.wrong
    if dossier.unfit is not None:
        return False, Phrase("The audit log was changed.")
    return True, Phrase(
        "All {lines} ledger entries and the new audit log entries were just verified.", lines=dossier.verdict.lines
    )


def unseen(dossier: Dossier) -> Found:
    """Look at whether there was an answer before."""
    asked = dossier.asked
    earlier = [other for other in dossier.snapshot.same if other.number < asked.number]
    if asked.release is not None and asked.decided_by is not None:
        when = {act.what: act.seq for act in dossier.trail[::-1] if act.about == f"#{asked.number}"}
        approved = when.get(acts.APPROVED.name)
        if approved is None or when.get(acts.ANSWERED.name, approved) < approved:
            return False, Phrase("A result was released before the decision.")
    answered = frozenset[str]().union(*(subjects(other.request) for other in earlier if other.release is not None))
    if subjects(asked.request) <= answered:
        return None, Phrase("This query already has a result. Why is another result needed?")
    if not subjects(asked.request).isdisjoint(answered):
        return None, Phrase("Some queries of this plan already have results. Why are other results needed?")
    return True, Phrase("No one saw a result of this query before the decision.")


@dataclass(frozen=True)
class Item:
    """One point: its question, what was found (None: a person says), a note, and its source.

    `said` is true where it rests on what was said when the data were registered. The number is
    where it stands on the list today.
    """

    name: str
    number: int
    question: Phrase
    verified: bool | None
    note: Phrase
    said: bool = False


def checklist(dossier: Dossier) -> list[Item]:
    """Return the seventeen points for a request as it stands."""
    return [
        Item(name, number, question, *point(dossier))
        for number, (name, (question, point)) in enumerate(POINTS.items(), start=1)
    ]


def to_answer(items: Sequence[Item]) -> tuple[str, ...]:
    """Return which points need a person's word before an approval: all that are not true."""
    return tuple(item.name for item in items if item.verified is not True)


POINTS: dict[str, tuple[Phrase, Callable[[Dossier], Found]]] = {
    "unit": (Phrase("Are all rows of a person protected together?"), unit),
    "limits": (Phrase("Are ε and δ small enough?"), limits),
    "public": (Phrase("Do bounds, allowed values and settings come from public knowledge?"), public),
    "total": (Phrase("Does the budget cover this and all other releases of this dataset?"), total),
    "others": (Phrase("Are all other releases of this dataset known and listed?"), others),
    "method": (Phrase("Is the mechanism allowed, and did it pass its privacy tests?"), method),
    "pure": (Phrase("Is δ zero, or is there a good reason for it?"), pure),
    "noise": (Phrase("Does the noise come from a secure random source?"), noise),
    "silent": (Phrase("Are the card, ledger and audit log free of individual data?"), silent),
    "after": (Phrase("Is the post-processing fair to small groups?"), after),
    "trust": (Phrase("Is it known who administers the server and could read the rows?"), trust),
    "apart": (Phrase("Are the analyst and the approver different people?"), apart),
    "readable": (Phrase("Could you explain the privacy guarantee to someone in the dataset?"), readable),
    "deletion": (Phrase("Is a deletion date set for the rows?"), deletion),
    "chains": (Phrase("Do the ledger and the audit log pass verification?"), chains),
    "unseen": (Phrase("Is this decision about the query, made before any result?"), unseen),
    "purpose": (Phrase("Does the purpose agree with the legal basis for collection?"), purpose),
}
