"""Lesson 9 shows what every printed guarantee is worth, and moves with its controls."""

from __future__ import annotations

import json

import pytest
from support.lessons import Pupil

from discreet.course.lessons.mistakes import numbers as mistakes
from discreet.course.lessons.mistakes.numbers import Case
from discreet.ui.frame.formulas import powers
from discreet.ui.frame.words import number

PAGE = "lesson_9_mistakes"

FIRST: dict[str, Case] = {
    "global": mistakes.global_mean(1.0, 20),
    "local": mistakes.local_mean(1.0, -100, 40),
    "test": mistakes.tested(1.0, 1e-3, 2),
    "smooth": mistakes.smooth(6.0, 0.1),
    "chunks": mistakes.chunks(0.1, 20, 1),
}


def shows(pupil: Pupil, case: Case, form: str, seed: int = 1) -> None:
    """Compare the four numbers with the exact ones and with the same attack."""
    numbers = pupil.numbers()
    assert numbers["Claimed δ"] == powers(number(case.printed.claim.delta, 3))
    for label, variant in (("Textbook δ", "printed"), ("Corrected δ", "corrected")):
        delta = case.exact(variant).delta
        assert numbers[label] == (powers(number(delta, 3)) if delta > 2e-11 else "0")
    assert numbers["ε by attack"] == f"≥ {number(mistakes.attack(case, form, seed).epsilon, 3)}"


def verdict(pupil: Pupil) -> str:
    """Return the sentence below the numbers."""
    (sentence,) = [
        c.value for c in pupil.app.caption if "claim" in c.value or "efuted" in c.value or "exactly" in c.value
    ]
    return str(sentence)


@pytest.mark.parametrize("step", FIRST)
def test_every_step_refutes_the_printed_form_and_clears_the_corrected_one(step: str) -> None:
    """As it opens; then the corrected form through the same test."""
    pupil = Pupil(PAGE, step=step)
    shows(pupil, FIRST[step], "printed")
    assert verdict(pupil).startswith("**Refuted**")
    pupil.move(f"{step}-form", "corrected")
    shows(pupil, FIRST[step], "corrected")
    assert "attack finds nothing" in verdict(pupil)


@pytest.mark.parametrize("step", FIRST)
def test_the_attack_is_seen_where_it_looks(step: str) -> None:
    """Its answers are shaded on the figure, and how many fell there with and without the person is said."""
    pupil, case = Pupil(PAGE, step=step), FIRST[step]
    finding, bars = mistakes.attack(case, "printed", 1), mistakes.bars(case, "printed")
    without, within = (f"{hits:,}" for hits in finding.hits)
    assert f"{within} of 50,000 with Mia, {without} without" in verdict(pupil)
    shaded = mistakes.cells(bars, finding.event)
    (chart,) = pupil.app.get("plotly_chart")
    bands = [shape for shape in json.loads(chart.proto.spec)["layout"]["shapes"] if shape["type"] == "rect"]
    assert shaded and len(bands) == len(shaded)
    laws = case.laws("printed")
    chances = [sum(law.cdf(high) - law.cdf(low) for low, high in finding.event.spans) for law in laws]
    for hits, chance, law in zip(finding.hits, chances, laws, strict=True):
        assert abs(hits / 50_000 - chance - finding.event.refusal * law.refusal) < 0.01


def test_the_claim_for_u_holds_from_100_on_and_reset_puts_it_back() -> None:
    """The general truth follows: 3 epsilon for u = 20, epsilon for 100."""
    pupil = Pupil(PAGE)
    assert "(3, 0)-DP" in verdict(pupil)
    pupil.move("global-upper", 100)
    assert pupil.numbers()["Textbook δ"] == "0"
    assert verdict(pupil).startswith("**Satisfies its claim**") and "(1, 0)-DP" in verdict(pupil)
    pupil.move("global-draw", 5)
    shows(pupil, mistakes.global_mean(1.0, 100), "printed", 5)
    pupil.reset()
    shows(pupil, FIRST["global"], "printed")


def test_an_address_opens_a_step_with_its_settings() -> None:
    """The jump of the median, at a delta of 0.01, corrected."""
    pupil = Pupil(
        PAGE, step="test", **{"test-ones": "0", "test-delta": "0.01", "test-form": "corrected", "test-draw": "3"}
    )
    shows(pupil, mistakes.tested(1.0, 1e-2, 0), "corrected", 3)
    assert pupil.numbers()["Textbook δ"] == "0.0354"


def test_the_smooth_exhibit_is_only_loose_as_it_is_used() -> None:
    """Epsilon 1 and delta 1e-6: the claim is kept, and by far."""
    pupil = Pupil(PAGE, step="smooth")
    pupil.move("smooth-epsilon", 1.0)
    pupil.move("smooth-delta", 1e-6)
    shows(pupil, mistakes.smooth(1.0, 1e-6), "printed")
    assert pupil.numbers()["Textbook δ"] == "6.7·10⁻⁹"
    assert verdict(pupil).startswith("**Satisfies its claim**")


def test_more_people_hide_the_mistake_from_the_attack_and_not_from_the_exact_sum() -> None:
    """l = 0 and 1,000 people: delta is small, above 0, and too small for the samples."""
    pupil = Pupil(PAGE, step="local")
    pupil.move("local-lower", 0)
    pupil.move("local-people", 1000)
    shows(pupil, mistakes.local_mean(1.0, 0, 1000), "printed")
    assert verdict(pupil).startswith("The exact calculation shows that the claim is **false**")


def test_more_chunks_lose_more() -> None:
    """A strict epsilon of 0.01 and 600 chunks: nearly everything is told."""
    pupil = Pupil(PAGE, step="chunks")
    pupil.move("chunks-epsilon", 0.01)
    pupil.move("chunks-k", 600)
    shows(pupil, mistakes.chunks(0.01, 600, 1), "printed")
    assert "(6, 0)-DP" in verdict(pupil)
