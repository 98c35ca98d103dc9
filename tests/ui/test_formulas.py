"""Formulas of guarantees: typed in plain signs where the code states them, read as formulas on a screen."""

from __future__ import annotations

import re

import pytest

from discreet.course.whole_course import places
from discreet.mechanisms import registry
from discreet.mechanisms.base.mechanism import parts
from discreet.ui.frame.catalogue import said_in
from discreet.ui.frame.formulas import lettered, powers, raised, typeset

TYPED = re.compile(r"\b(epsilon|delta|beta|rho|sigma|tau|kappa|sqrt)\b|\^-?\d|(?<![A-Za-z])e[12](?!\w)| - |\+-|\w_\d")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1e-6", "10⁻⁶"),
        ("δ = 6.7e-9, then 2e12", "δ = 6.7·10⁻⁹, then 2·10¹²"),
        ("0.001", "0.001"),
        ("row 1e6b, 4a1e-6, v1e-6", "row 1e6b, 4a1e-6, v1e-6"),
    ],
)
def test_a_small_number_has_a_power_of_ten(typed: str, read: str) -> None:
    """And names that look alike stay."""
    assert powers(typed) == read


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("e2 = epsilon - e1", "e₂ = ε − e₁"),
        ("epsilon^2/8-zCDP", "ε²/8-zCDP"),
        ("2^-40 of it, |f(x) - f(x')|", "2⁻⁴⁰ of it, |f(x) − f(x′)|"),
        ("D(b_1) <= D(b_2), picks g_j", "D(b₁) <= D(b₂), picks gⱼ"),
        ("exp(-beta) +- 1", "exp(−β) ± 1"),
        ("a row moves f; f is a sum", "A row moves f; f is a sum"),
        ("folklore; see above", "Folklore; see above"),
        ("f moves by at most GS", "f moves by at most GS"),
        ("k times that of one quantile.", "k times that of one quantile."),
        ("`true_guarantee`, L1 and L2, post-processing, rho^tau", "`true_guarantee`, L1 and L2, post-processing, ρ^τ"),
    ],
)
def test_what_is_typed_in_plain_signs_is_read_as_a_formula(typed: str, read: str) -> None:
    """Letters, powers, indices and signs; words and names stay."""
    assert lettered(typed) == read


@pytest.mark.parametrize(
    ("typed", "shown", "drawn"),
    [
        ("at most e^ε times", "at most $e^{ε}$ times", "at most e<sup>ε</sup> times"),
        ("权重乘以e^(−βk)。", "权重乘以$e^{−βk}$。", "权重乘以e<sup>−βk</sup>。"),
        ("e^(−|a − f(x)|/b) / 2b", r"$e^{−|a\,−\,f(x)|/b}$ / 2b", "e<sup>−|a − f(x)|/b</sup> / 2b"),
        ("20 e^ε/(1 + e^ε₁)", "20 $e^{ε}$/(1 + $e^{ε₁}$)", "20 e<sup>ε</sup>/(1 + e<sup>ε₁</sup>)"),
        ("e^(ε·票数), e^0.5.", r"$e^{ε·\text{票数}}$, $e^{0.5}$.", "e<sup>ε·票数</sup>, e<sup>0.5</sup>."),
    ],
)
def test_powers_of_a_lesson_are_typeset(typed: str, shown: str, drawn: str) -> None:
    """In its text as formulas, in the letters of its figures raised."""
    assert typeset(typed) == shown
    assert raised(typed) == drawn


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_power_of_the_course_stands_as_it_is_typed(language: str) -> None:
    """Of everything that a step or an exercise says."""
    texts: list[str] = []
    for place in places().values():
        step = place.step
        texts += map(str, (step.tell, step.attempt, step.page.meaning, step.page.differs))
        texts += map(str, (step.prediction.ask, step.prediction.why))
    left = [
        text for text in (typeset(said_in(language, text)) for text in texts) if "^" in re.sub(r"\$[^$]*\$", "", text)
    ]
    assert len(texts) > 200 and left == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_guarantee_of_the_house_is_read_as_it_was_typed(language: str) -> None:
    """Of every mechanism, each part, in both languages."""
    texts = [lettered(said_in(language, text)) for kind in registry.values() for text in parts(kind).values()]
    assert len(texts) > 100
    assert [typed[0] for text in texts if (typed := TYPED.search(text))] == []
