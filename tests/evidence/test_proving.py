"""The five layers, run for a question as it was asked: right claims hold, and what is broken is caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.soak import some

from discreet.budget import Cost
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.evidence import question
from discreet.evidence.layers import LAYERS, Layer, coarse
from discreet.evidence.question import prove, summary
from discreet.mechanisms import registry
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.quartile_range import QuartileRange
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.queries import Relation
from discreet.queries.mean import Mean
from discreet.rows import Bands, Category, Filter, Number, Person, Recode, Schema
from discreet.rows.columns.date import Date

SCHEMA = Schema(
    {
        "age": Number(0, 120, integer=True),
        "day": Date("2020-01-01", "2021-01-01"),
        "town": Category(("north", "south"), other=True),
        "who": Person(rows=2),
    }
)
TWO = Relation(rows=2)
NORTH = (Filter("town", "=", "north"),)
QUESTIONS = {
    "a mean by town": Request(GlobalLaplace(Mean(TWO), 0.3), ("age",), by="town"),
    "a mean by bands": Request(GlobalLaplace(Mean(TWO), 0.3), ("age",), by=("town", Bands("age", every=40))),
    "a mean by merged levels": Request(GlobalLaplace(Mean(TWO), 0.3), ("age",), by=Recode("town", (("north", "n"),))),
    "a mean of dates": Request(GlobalLaplace(Mean(TWO), 1.0), ("day",), NORTH),
    "counts": Request(CountsGeometric(epsilon=0.5, relation=TWO), ("town",)),
    "many blocks": Request(BlocksMean(k=40, upper=120.0, epsilon=1.0), ("age",)),
}


def layers(asked: Any, schema: Schema = SCHEMA) -> dict[str, Layer]:
    """Return what the layers say of one question, by name."""
    (proof,) = prove(asked, schema)
    return {layer.name: layer for layer in proof.layers}


@pytest.mark.soak
@pytest.mark.parametrize("name", some(QUESTIONS, 2))
def test_every_layer_holds_and_catches_its_twin(name: str) -> None:
    """With the very settings, declared columns, groups and filters of the question."""
    said = layers(QUESTIONS[name])
    assert list(said) == list(LAYERS)
    ran = [layer for layer in said.values() if layer.holds is not None]
    assert len(ran) >= 4 and all(layer.holds and layer.caught for layer in ran), said
    assert "broke_off" not in str(said)


def test_edges_that_are_on_no_coarse_grid_are_left_out_of_the_examination() -> None:
    """Answers of a fine grid are too many to enumerate; bands of another column stay."""
    day, age = Bands("day", every="month"), Bands("age", (18, 65))
    asked = Request(QuartileRange(epsilon=1.0, relation=TWO), ("age",), by=(day, age))
    request, schema = coarse(asked, SCHEMA)
    request.check(schema)
    assert request.groups == (day,) and coarse(replace(asked, by=age), SCHEMA)[0].groups == ()
    assert all(layer.holds is not False and not layer.broke_off for layer in layers(asked).values())


def test_a_mechanism_that_claims_too_little_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its price is halved and its noise is not doubled: comparison, attack and road say so, and so does the line."""
    asked, half = QUESTIONS["a mean by town"], Cost.of("0.15")
    loud = replace(asked, mechanism=GlobalLaplace(Mean(TWO), 2.0))
    monkeypatch.setattr(GlobalLaplace, "cost", lambda _: half)
    (proof,) = prove(loud, SCHEMA)
    wrong = {layer.name for layer in proof.layers if layer.holds is not None and not layer.holds}
    assert wrong == {"divergence", "black_box", "whole_road"}
    assert "FAILED in 3 of 5 tests" in str(summary([proof]))


def test_a_sampler_that_draws_another_law_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Laws can be right and draws wrong: half of the noise is seen by the layer that draws as releases do."""
    from discreet.curator import ReleaseNoise

    honest = ReleaseNoise.laplace
    monkeypatch.setattr(ReleaseNoise, "laplace", lambda self, centre, scale: honest(self, centre, scale / 2))
    said = {name: question.run(name, QUESTIONS["a mean by town"], SCHEMA) for name in ("divergence", "sampler")}
    assert said["sampler"].holds is False and said["divergence"].holds


def test_a_layer_that_breaks_off_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody takes silence for a proof: the line says that it is not known."""

    def broken(*_: Any) -> None:
        raise ArithmeticError

    monkeypatch.setitem(question.RUNS, "whole_road", broken)
    (proof,) = prove(QUESTIONS["counts"], SCHEMA)
    assert proof.layers[-1].holds is None and "Inconclusive" in str(summary([proof]))


def test_a_plan_is_looked_at_row_by_row_and_says_how_far_it_is() -> None:
    """Two rows, ten steps, all reported."""
    seen: list[float] = []
    rows = (QUESTIONS["counts"], replace(QUESTIONS["counts"], where=NORTH))
    proofs = prove(FixedPlan(rows), SCHEMA, seen.append)
    assert len(proofs) == 2 and seen[0] == 0 and seen[-1] == 1 and len(seen) == 11
    assert seen == sorted(seen) and "All 8 tests passed" in str(summary(proofs))


@pytest.mark.soak_alone
@pytest.mark.parametrize("slug", sorted(slug for slug, kind in registry.items() if not kind.open_only))
def test_every_registered_mechanism_can_be_examined(slug: str) -> None:
    """None fails, none breaks off. In `make test` QUESTIONS catch what goes wrong in a layer."""
    kind: Any = registry[slug]
    mechanism = kind(k=20) if "k" in kind.parameters() else kind()
    schema = Schema({"age": Number(0, 120, integer=True), "pay": Number(0, 1), "town": Category(("a", "b", "c"))})
    columns = ("town",) if mechanism.view.category else ("age", "pay")[: mechanism.view.columns]
    (proof,) = prove(Request(mechanism, columns), schema)
    assert all(layer.holds is None or layer.holds for layer in proof.layers), proof
    assert "broke_off" not in str(proof)
