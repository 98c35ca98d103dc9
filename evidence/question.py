"""Question: the five layers of evidence, run for a query as it was asked, row by row for a plan.

Nothing here reads protected rows and nothing is charged: anyone with the declaration and the query can run it. The
results are counts of pairs, distances of laws, and whether each layer detected its twin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discreet.budget import Phrase
from discreet.curator.release import Question
from discreet.curator.request import Request
from discreet.evidence.attacks import attack, sampler, whole_road
from discreet.evidence.layers import LAYERS, Layer, certificates, coarse, divergence
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


def prove(question: Question, schema: Schema, report: Report = silent, compute: Compute = at_once) -> list[Any]:
    """Run all layers for every row; return for each its title and the results of the layers, as plain values."""
    rows = question.rows
    steps = len(question.rows) * len(RUNS)
    proofs = []
    for at, row in enumerate(rows):
        layers = []
        for place, name in enumerate(RUNS):
            report((at * len(RUNS) + place) / steps)
            layers.append(compute(run, name, row, schema).plain())
        proofs.append({"question": str(titled(row)), "layers": layers})
    report(1.0)
    return proofs


def run(name: str, request: Request, schema: Schema) -> Layer:
    """Run one layer; if it raises an error, it is unknown whether the claim is valid."""
    try:
        return RUNS[name](*coarse(request, schema))
    except Exception as failed:  # any error: it gives no information about the claim
        return Layer(name, None, None, {"broke_off": type(failed).__name__})


def summary(proofs: list[Any]) -> Phrase:
    """Return a one-line summary of all layers."""
    layers = [layer for proof in proofs for layer in proof["layers"]]
    ran = [layer for layer in layers if layer["holds"] is not None]
    off = [layer for layer in layers if "broke_off" in layer["numbers"]]
    wrong = [layer for layer in ran if not layer["holds"]]
    deaf = [layer for layer in ran if layer["caught"] is False]
    if wrong:
        return Phrase("The claim FAILS in {wrong} of {ran} checks.", wrong=len(wrong), ran=len(ran))
    if off or not ran:
        return Phrase("It is not known whether the claim holds: {off} checks broke off.", off=len(off))
    if deaf:
        return Phrase(
            "Nothing speaks against the claim, but {deaf} of {ran} checks did not see what was broken on purpose.",
            deaf=len(deaf),
            ran=len(ran),
        )
    return Phrase("The claim holds in all {ran} checks, and each saw what was broken on purpose.", ran=len(ran))
