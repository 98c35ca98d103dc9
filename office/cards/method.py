"""Method: how an answer is made, what of it depends on the data, and what nothing protects."""

from __future__ import annotations

from importlib.metadata import version

from discreet.budget import Phrase
from discreet.curator.request import Request, plain
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.mechanism import parts as cut
from discreet.office.cards.card import Accuracy, Method, Parameter
from discreet.office.rules.registration import Registration
from discreet.rows.schema import Schema

PROOFS = "docs/guarantees.md"
USELESS = Phrase(
    "Warning: the noise is as large as the declared range. The result would carry almost no "
    "information at the same cost."
)
MITIGATIONS = {
    "floating_point": Phrase(
        "Values are whole steps of a public grid, and sums are exact. Noise is sampled exactly "
        "and rounded once at the end. Every scale is rounded towards more noise."
    ),
    "timing": Phrase(
        "The time of a result is rounded up to one, two, four, eight and so on tenths of a "
        "second. This happens before any timestamp or write. Only the order of magnitude of the "
        "time is visible."
    ),
    "platform": Phrase(
        "The operating system supplies the randomness, which cannot be seeded. After the charge, "
        "any error ends without a result and reveals nothing. This does not protect against "
        "anyone who can read the server's memory or disk."
    ),
}


def statement(kind: type[Mechanism]) -> dict[str, str]:
    """Return a mechanism's own words, under the names that a card gives them."""
    words = cut(kind)
    return {"description": words.pop("Statement")} | {
        name.lower().replace(" ", "_"): text for name, text in words.items()
    }


def parameters(request: Request) -> tuple[Parameter, ...]:
    """Return every public parameter of a question's mechanism, with the label a form shows."""
    labels = type(request.mechanism).labels()
    values = plain(request.mechanism)
    return tuple(Parameter(name=name, value=values[name], label=label) for name, label in labels.items())


def method(request: Request, program: str, packages: tuple[str, ...] = ()) -> Method:
    """Return how the answer is made, with the packages that brought any part of it."""
    kind = type(request.mechanism)
    parts = statement(kind)
    return Method(
        name=Phrase(kind.title),
        slug=kind.slug,
        program=program,
        description=Phrase(parts["description"]),
        guarantee=Phrase(parts["guarantee"]),
        proof=Phrase(parts["proof"]),
        full_proof=PROOFS,
        parameters=parameters(request),
        depends_on_the_data=kind.family.follows,
        noise=kind.noise.name,
        noise_source=kind.noise.source,
        opendp=version("opendp"),
        mitigations=MITIGATIONS,
        post_processing=kind.after,
        packages=packages,
    )


def unprotected(request: Request, registration: Registration) -> list[Phrase]:
    """Return what this release publishes without any noise."""
    facts = [
        Phrase("the declared columns: names, bounds and allowed values"),
        Phrase("the query: its columns, filters, groups, mechanism and settings"),
        Phrase("the fact that the result was requested and released, the time and the cost"),
        Phrase("whether a result was released"),
    ]
    for shown, value in request.mechanism.given_away():
        facts.append(Phrase(shown.template, value=plain(value)))
    size = request.mechanism.neighbours.size or request.public_rows
    if size is not None:
        facts.append(Phrase("the number of rows that the query declares as public, {size}", size=size))
    return facts + _registered(registration)


def _registered(registration: Registration) -> list[Phrase]:
    """Return what the registration admits."""
    facts = []
    if registration.people is not None:
        facts.append(
            Phrase(
                "the public number of people, {people}, which does not come from the data", people=registration.people
            )
        )
    if registration.looked:
        facts.append(Phrase("bounds that were chosen by looking at the data: {why}", why=registration.looked))
    if registration.others:
        facts.append(Phrase("other releases of the same dataset: {others}", others=registration.others))
    return facts


def _hides_all(request: Request, registration: Registration, width: float | None) -> bool:
    """Return whether the noise of a place within the bounds is as wide as the bounds themselves."""
    declared = registration.schema.numbers.get(request.columns[0])
    if width is None or declared is None or not request.mechanism.view.place:
        return False
    return width >= (declared.bounds.upper - declared.bounds.lower) / 2


def accuracy(request: Request, registration: Registration) -> Accuracy:
    """Return the 95 % half width where it is the same for all data, else why there is none."""
    forecast = request.mechanism.forecast(request.public(registration.schema))
    stated = forecast.exact and forecast.half_width is not None
    width = forecast.half_width if stated else None
    return Accuracy(
        half_width=width,
        warning=USELESS if _hides_all(request, registration, width) else None,
        confidence=0.95,
        note=Phrase(forecast.note) if stated else Phrase("Not available. {reason}", reason=Phrase(forecast.note)),
        clipping=_clipping(request, registration.schema),
        utility=Phrase(
            "The pages where settings are chosen show no rows. They use only the schema, simulated "
            "data and earlier results."
        ),
    )


def _clipping(request: Request, schema: Schema) -> Phrase | None:
    """Return what clipping does to a result, of the values and of their weights; None where nothing is clipped."""
    values = (
        None
        if request.columns[0] not in schema.numbers
        else Phrase(
            "Values outside the declared bounds count as the nearest bound. If many values are "
            "outside, the result may be biased, and no interval shows this."
        )
    )
    if not request.mechanism.view.weighs:
        return values
    bounds = schema.bounds(request.columns[1])
    weights = Phrase(
        "Weights above {cap:.15g} count as {cap:.15g}. If many weights are above, the result may be biased, and no "
        "interval shows this.",
        cap=bounds.value(bounds.top),
    )
    return weights if values is None else Phrase("{first} {second}", first=values, second=weights)
