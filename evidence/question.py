"""Question: the five layers of evidence, run for a query as it was asked, row by row for a plan.

Nothing here reads protected rows and nothing is charged: anyone with the declaration and the query can run it. The
results are counts of pairs, distances of laws, and whether each layer detected its twin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.budget import Phrase
from discreet.curator.release import Question
from discreet.curator.request import Request
from discreet.evidence.attacks import attack, sampler, whole_road
from discreet.evidence.layers import BROKE_OFF, LAYERS, Layer, certificates, coarse, divergence
from discreet.lab.sweeps import Compute, at_once
from discreet.report.words import titled
from discreet.rows.intake.opening import silent
from discreet.rows.intake.parser import Report
from discreet.rows.schema import Schema

RUNS: dict[str, Callable[[Request, Schema], Layer]] = {
    "certificates": certificates,
    "divergence": divergence,
    "black_box": attack,
    "sampler": sampler,
    "whole_road": whole_road,
}
assert RUNS.keys() == LAYERS.keys()


@dataclass(frozen=True)
class RowProof:
    """What the layers say of one row: its question in words, and the layers in their order."""

    question: str
    layers: tuple[Layer, ...]

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> RowProof:
        """Read one as it was written down."""
        layers = (Layer(each["name"], each["holds"], each["caught"], each["numbers"]) for each in plain["layers"])
        return cls(plain["question"], tuple(layers))

    def plain(self) -> dict[str, Any]:
        """Return it as it is written down."""
        return {"question": self.question, "layers": [layer.plain() for layer in self.layers]}


def prove(
    question: Question, schema: Schema, report: Report = silent, compute: Compute = at_once
) -> tuple[RowProof, ...]:
    """Run all layers for every row; return for each its title and the results of the layers, as plain values."""
    rows = question.rows
    steps = len(question.rows) * len(RUNS)
    proofs = []
    for at, row in enumerate(rows):
        layers = []
        for place, name in enumerate(RUNS):
            report((at * len(RUNS) + place) / steps)
            layers.append(compute(run, name, row, schema))
        proofs.append(RowProof(str(titled(row)), tuple(layers)))
    report(1.0)
    return tuple(proofs)


def run(name: str, request: Request, schema: Schema) -> Layer:
    """Run one layer; if it raises an error, it is unknown whether the claim is valid."""
    try:
        return RUNS[name](*coarse(request, schema))
    except Exception as failed:  # whatever it was: it says nothing of the claim
        return Layer(name, None, None, {BROKE_OFF: type(failed).__name__})


def summary(proofs: Sequence[RowProof]) -> Phrase:
    """Return a one-line summary of all layers."""
    layers = [layer for proof in proofs for layer in proof.layers]
    ran = [layer for layer in layers if layer.holds is not None]
    off = [layer for layer in layers if layer.broke_off]
    wrong = [layer for layer in ran if not layer.holds]
    deaf = [layer for layer in ran if layer.caught is not None and not layer.caught]
    if wrong:
        return Phrase("The claim FAILED in {wrong} of {ran} tests.", wrong=len(wrong), ran=len(ran))
    if off or not ran:
        return Phrase("Inconclusive: {off} tests did not finish.", off=len(off))
    if deaf:
        return Phrase(
            "No test failed, but {deaf} of {ran} did not catch the broken control.", deaf=len(deaf), ran=len(ran)
        )
    return Phrase("All {ran} tests passed. Each test also caught the broken control.", ran=len(ran))
