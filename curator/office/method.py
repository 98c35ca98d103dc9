"""Method: how an answer is made, what of it depends on the data, and what nothing protects."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from budget import Phrase
from curator.office.registration import Registration
from curator.request import Request, plain
from curator.schema import Number
from mechanisms import Mechanism
from mechanisms.statement import parts as cut
from queries.query import Location

PROOFS = "docs/guarantees.md"
FOLLOWS = {
    "global": Phrase("Only the value of the statistic. How much noise there is, is public."),
    "smooth": Phrase(
        "The value, and the size of the noise: it follows a smooth bound of the local sensitivity, "
        "which one person changes by a public factor only. The size stays secret."
    ),
    "ptr": Phrase(
        "The value, and how far the data are from breaking the proposed bound. That distance gets "
        "noise of its own; only whether the test was passed can be seen."
    ),
    "blocks": Phrase(
        "The estimate of every block. Who is in which block is drawn secretly for each release, "
        "and one person is in one block only."
    ),
    "selection": Phrase("How well each candidate fits. Only the choice is shown, no score."),
    "sparse": Phrase("The counts. Only what stands out is shown, no count."),
    "local": Phrase("Every report, which is flipped by chance before it is counted."),
}
USELESS = Phrase(
    "The noise is as wide as the declared bounds: the answer will say almost nothing, and costs "
    "the same."
)
OPENDP = Phrase("noise of the OpenDP library, exact to its finest step")
EXACT = Phrase("an exact sampler of this program: secret bits, refined until the answer is decided")
CHOICE = Phrase("a choice with exact chances, drawn from secret bits by this program")
COINS = Phrase("one secret coin of 62 bits for each report")
LAPLACE, GAUSSIAN = Phrase("Laplace noise"), Phrase("Gaussian noise")
GEOMETRIC = Phrase("two-sided geometric noise")
NOISES = {  # a test fails on a mechanism that is not here
    **dict.fromkeys(
        ("laplace", "several-laplace", "two-counts", "sum-over-count", "textbook-mean",
         "smooth-laplace", "propose-grid", "blocks-mean", "above-threshold", "private-upper-bound",
         "noisy-max"), (LAPLACE, OPENDP),
    ),
    **dict.fromkeys(("gaussian", "counts-gaussian", "several-gaussian"), (GAUSSIAN, OPENDP)),
    **dict.fromkeys(("geometric", "counts-geometric", "histogram-bounds"), (GEOMETRIC, OPENDP)),
    **dict.fromkeys(
        ("smooth-core-tail", "blocks-smooth-median"), (Phrase("core-tail noise"), EXACT)
    ),
    "smooth-student": (Phrase("Student noise"), EXACT),
    **dict.fromkeys(
        ("exponential-mechanism", "quantile-exponential", "blocks-median"),
        (Phrase("the exponential mechanism"), CHOICE),
    ),
    "permute-and-flip": (Phrase("permute-and-flip"), CHOICE),
    "randomized-response": (Phrase("randomized response"), COINS),
    "propose-test-release": (
        Phrase("Laplace noise, and a test whose chances are exact"), OPENDP
    ),
}  # fmt: skip
MITIGATIONS = {
    "floating_point": Phrase(
        "Values are whole ticks of a public grid and sums are exact. Noise is drawn exactly and "
        "rounded once at the end, and every scale is rounded towards more noise."
    ),
    "timing": Phrase(
        "The time of an answer is rounded up to one, two, four, eight and so on tenths of a "
        "second, before anything is stamped or written: only its order of size can be seen."
    ),
    "platform": Phrase(
        "Randomness comes from the operating system and cannot be seeded. Whatever goes wrong "
        "after the charge is a refusal that says nothing. Whoever can read the memory or the disk "
        "of the server is not kept out by this."
    ),
}
NAMES = {  # of the settings that are no parameters of a form
    "query": Phrase("Statistic"),
    "queries": Phrase("Statistics"),
    "estimator": Phrase("Estimator"),
    "default": Phrase("For blocks without estimate"),
    "bins": Phrase("Bins"),
    "relation": Phrase("Neighbours"),
    "yes": Phrase("Counted as yes"),
}
# which public settings of a mechanism an answer gives away, besides those of every release
SHOWN = {
    "k": Phrase("the number of blocks, {value}"),
    "b": Phrase("the proposed bound b, {value}"),
    "threshold": Phrase("the threshold, {value}"),
    "bins": Phrase("the edges of the bins"),
    "people": Phrase("how many people were asked, {value}"),
}


def statement(kind: type[Mechanism]) -> dict[str, str]:
    """Return a mechanism's own words, under the names that a card gives them."""
    told = cut(kind)
    return {"description": told.pop("Statement")} | {
        name.lower().replace(" ", "_"): text for name, text in told.items()
    }


def parameters(request: Request) -> list[dict[str, Any]]:
    """Return every public parameter of a question's mechanism, with the label a form shows."""
    labels = type(request.mechanism).parameters()
    told = plain(request.mechanism)
    return [
        {"name": name, "value": value,
         "label": Phrase(labels[name].label) if name in labels else NAMES.get(name, name)}
        for name, value in told.items() if name != "kind"
    ]  # fmt: skip


def method(request: Request, program: str) -> dict[str, Any]:
    """Return how the answer is made."""
    mechanism = request.mechanism
    kind, parts = type(mechanism), statement(type(mechanism))
    noise, source = NOISES[kind.slug]
    return {
        "name": Phrase(kind.title),
        "slug": kind.slug,
        "program": program,
        "description": Phrase(parts["description"]),
        "guarantee": Phrase(parts["guarantee"]),
        "proof": Phrase(parts["proof"]),
        "full_proof": PROOFS,
        "parameters": parameters(request),
        "depends_on_the_data": FOLLOWS[kind.family],
        "noise": noise,
        "noise_source": source,
        "opendp": version("opendp"),
        "mitigations": dict(MITIGATIONS),
        "post_processing": after(request),
    }


def after(request: Request) -> Phrase:
    """Return what happens to an answer once it is protected."""
    kind = type(request.mechanism)
    if kind.view == "scores" and kind.topics() == ("counts",):
        return Phrase(
            "Counts below 0 become 0. Small groups are not hidden: their noise hides them."
        )
    if kind.family == "local":
        return Phrase("The share is corrected for the flips, so it may lie below 0 or above 1.")
    if kind.slug == "histogram-bounds":
        return Phrase("The two bounds are read off the noisy counts, which are not shown.")
    if kind.family in ("selection", "sparse"):
        return Phrase("None: the choice is shown as it was drawn.")
    if kind.slug == "geometric":
        return Phrase("None: the number is shown as it was drawn, also below 0.")
    if kind.slug == "blocks-median":
        return Phrase("None: the answer is drawn from the declared range of an estimate.")
    if kind.family == "blocks":
        return Phrase("Answers outside of the declared range of an estimate move to its end.")
    return Phrase(
        "Answers outside of what the statistic can be, by its declared bounds, move to the nearest "
        "possible number, which draws answers near an end to it."
    )


def unprotected(request: Request, registration: Registration) -> list[Phrase]:
    """Return what this release tells to everybody, without any noise."""
    found = [
        Phrase("the declared columns: what they are called, their bounds and levels"),
        Phrase("the question: its columns, filters, groups, mechanism and settings"),
        Phrase("that it was asked and released, when, and what it cost"),
        Phrase("whether there is an answer or a refusal"),
    ]
    values = vars(request.mechanism)
    for name, phrase in SHOWN.items():
        if values.get(name) is not None:
            found.append(Phrase(phrase.template, value=plain(values[name])))
    size = request.mechanism.neighbours.size or request.public_rows
    if size is not None:
        found.append(Phrase("the number of rows that the question declares as public, {size}",
                            size=size))  # fmt: skip
    return found + _registered(registration)


def _registered(registration: Registration) -> list[Phrase]:
    """Return what the registration admits."""
    found = []
    if registration.people is not None:
        found.append(Phrase("the public number of people, {people}, from outside of the data",
                            people=registration.people))  # fmt: skip
    if registration.looked:
        found.append(Phrase("bounds that were chosen by looking at the data: {why}",
                            why=registration.looked))  # fmt: skip
    if registration.others:
        found.append(Phrase("other releases of the same data: {others}",
                            others=registration.others))  # fmt: skip
    return found


def _hides_all(request: Request, registration: Registration, width: float | None) -> bool:
    """Say whether the noise of a place within the bounds is as wide as the bounds themselves."""
    declared = registration.schema.columns.get(request.columns[0])
    query = getattr(request.mechanism, "query", None)
    if width is None or not isinstance(declared, Number) or query is None:
        return False
    return isinstance(query, Location) and width >= (declared.upper - declared.lower) / 2


def accuracy(request: Request, registration: Registration) -> dict[str, Any]:
    """Return the 95 % half width where it is the same for all data, else why there is none."""
    forecast = request.mechanism.forecast(request.public(registration.schema))
    known = forecast.exact and forecast.half_width is not None
    width = forecast.half_width if known else None
    numbers = isinstance(registration.schema.columns.get(request.columns[0]), Number)
    return {
        "half_width": width,
        "warning": USELESS if _hides_all(request, registration, width) else None,
        "confidence": 0.95,
        "note": Phrase(forecast.note) if known else Phrase(
            "Not stated. {reason}", reason=Phrase(forecast.note)
        ),
        "clipping": Phrase(
            "Values outside of the declared bounds count as the nearest bound. Where there are "
            "many of them, the answer may be shifted, and no interval shows it."
        ) if numbers else None,
        "utility": Phrase(
            "The screens on which the settings were chosen hold no rows: they know the "
            "declaration, made-up data, and earlier answers."
        ),
    }  # fmt: skip
