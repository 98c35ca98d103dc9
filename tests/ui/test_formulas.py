"""Formulas of guarantees: typed in plain signs where the code states them, read as formulas on a screen."""

from __future__ import annotations

import re

import pytest

from discreet.mechanisms import registry
from discreet.mechanisms.base.mechanism import parts
from discreet.ui.frame.catalogue import said_in
from discreet.ui.frame.formulas import lettered

TYPED = re.compile(r"\b(epsilon|delta|beta|rho|sigma|tau|kappa|sqrt)\b|\^-?\d|(?<![A-Za-z])e[12](?!\w)| - |\+-|\w_\d")


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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_guarantee_of_the_house_is_read_as_it_was_typed(language: str) -> None:
    """Of every mechanism, each part, in both languages."""
    texts = [lettered(said_in(language, text)) for kind in registry.values() for text in parts(kind).values()]
    assert len(texts) > 100
    assert [typed[0] for text in texts if (typed := TYPED.search(text))] == []
