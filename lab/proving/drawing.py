"""Drawing: attacks on answers that are drawn, by simulation and by the noise that releases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from discreet.curator import ReleaseNoise
from discreet.curator.request import Request
from discreet.lab.audit import Event, Finding, black_box
from discreet.lab.experiment import simulate
from discreet.lab.proving.comparing import worst_of
from discreet.lab.proving.floating_point import falls, falls_naively
from discreet.lab.proving.layer import Layer
from discreet.lab.proving.twin import Twin
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.composed import Gated, Product
from discreet.mechanisms.laws import Law, Noisy
from discreet.rows.schema import Schema

SAMPLES, DRAWS, SEED = 40_000, 1_000, 20261123
MISTAKEN = 1e-6  # chance that a right claim is refuted, or a right sampler is said to be wrong
APART = math.sqrt(math.log(2 / MISTAKEN) / (2 * DRAWS))  # of a cdf from that of so many draws (Massart 1990)


def attack(request: Request, schema: Schema) -> Layer:
    """Try to refute the claim from simulated answers on the worst pair, and that of the twin likewise."""
    mechanism, twin = request.mechanism, Twin(request.mechanism)
    own, loud, views = worst_of(request, schema)
    cost, claim = mechanism.cost(), twin.cost()
    here = own.pair or views[0]
    result = _refuted(mechanism.law(here[0]), mechanism.law(here[1]), cost.epsilon, cost.delta)
    there = loud.pair or views[0]
    broken = _refuted(twin.law(there[0]), twin.law(there[1]), claim.epsilon, claim.delta)
    numbers = {"samples": 2 * SAMPLES, "epsilon": cost.epsilon, "least_epsilon": result.epsilon}
    return Layer("black_box", not result.refuted, broken.refuted, numbers | {"twin_least_epsilon": broken.epsilon})


def _refuted(first: Law, second: Law, epsilon: float, delta: float) -> Finding:
    """Attack each number of an answer by itself; what was proven by any of them counts."""
    noise = SimulationNoise(SEED)
    samples = [np.atleast_2d(simulate(law, SAMPLES, noise)) for law in (first, second)]
    parts = [pair for pair in zip(*samples, strict=True) if not np.array_equal(pair[0], pair[1])]
    sure = 1 - MISTAKEN / max(len(parts), 1)
    results = [black_box(p, q, epsilon, delta, sure) for p, q in parts]
    return max(results, key=lambda each: (each.refuted, each.epsilon), default=Finding(0.0, 0.0, Event(), False))


def sampler(request: Request, schema: Schema) -> Layer:
    """Draw as a release does: the draws follow the law that was compared, and their last digits tell nothing."""
    twin, noise = Twin(request.mechanism), ReleaseNoise()
    own, loud, views = worst_of(request, schema)
    numbers: dict[str, Any] = {"draws": DRAWS, "allowed_gap": APART}
    parts = list[tuple[bool, bool]]()
    for view in loud.pair or own.pair or views[0]:
        law, broken = request.mechanism.law(view), twin.law(view)
        answers = [_numbers(law.draw(noise)) for _ in range(DRAWS)]
        gaps = _gap(law, answers), _gap(broken, answers)
        if gaps[0] is not None and gaps[1] is not None:
            numbers["gap"] = max(gaps[0], numbers.get("gap", 0.0))
            parts.append((gaps[0] <= APART, gaps[1] > APART))
    floats = next((leaf for leaf in leaves(law) if isinstance(leaf, Noisy)), None)
    if floats is not None:
        numbers["float_attack"] = falls(floats, noise)
        parts.append((not numbers["float_attack"], falls_naively(floats)))
    if not parts:
        return Layer("sampler", None, None)
    return Layer("sampler", all(holds for holds, _ in parts), any(caught for _, caught in parts), numbers)


def leaves(law: Law) -> Iterator[Law]:
    """Yield the laws of single numbers inside of one."""
    if isinstance(law, Product):
        for part in law.parts:
            yield from leaves(part)
    elif isinstance(law, Gated):
        yield from leaves(law.inner)
    else:
        yield law


def _numbers(answer: Any) -> list[float] | None:
    """Return an answer as numbers; None where it is a refusal, or no number."""
    parts = answer if isinstance(answer, tuple) else (answer,)
    if not all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts):
        return None
    return [float(part) for part in parts]


def _gap(law: Law, answers: list[list[float] | None]) -> float | None:
    """Return how far the draws are from the law at most; None where they are no numbers, or it has no cdf of them."""
    given = [answer for answer in answers if answer is not None]
    parts = list(leaves(law))
    if not given or any(len(answer) != len(parts) for answer in given):
        return None
    sample = np.sort(np.array(given).T, axis=1)
    try:
        ideal = np.stack([part.cdf(row) * _answered(law) for part, row in zip(parts, sample, strict=True)])
    except (NotImplementedError, TypeError, ValueError):
        return None
    # at a number that was drawn several times the share at or below it counts
    shares = np.stack([np.searchsorted(row, row, side="right") for row in sample]) / len(answers)
    return float(np.abs(shares - ideal).max())


def _answered(law: Law) -> float:
    """Return the chance of the test in front of an answer, whose own law knows nothing of it."""
    return float(law.test.chance) if isinstance(law, Gated) else 1.0
