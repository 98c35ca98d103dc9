"""Lesson 5 shows what many answers cost, moves with its controls, and comes back."""

from __future__ import annotations

import json
import math

import pytest
from support.lessons import Pupil

from discreet.course.lessons.composition import numbers as composition
from discreet.course.lessons.laplace import numbers as two_laws
from discreet.ui.frame.words import number

PAGE = "lesson_5_composition"


def test_answers_add_up_and_groups_do_not() -> None:
    """10 answers of 0.1 cost 1, or 0.1 in separate groups; 30 cost 3; reset puts it back."""
    pupil = Pupil(PAGE)
    assert pupil.numbers() == {"Same people": "ε = 1", "Separate groups": "ε = 0.1"}
    pupil.move("sequential-answers", 30)
    assert pupil.numbers()["Same people"] == "ε = 3"
    pupil.move("sequential-epsilon", 0.5)
    assert pupil.numbers() == {"Same people": "ε = 15", "Separate groups": "ε = 0.5"}
    pupil.reset()
    assert pupil.numbers() == {"Same people": "ε = 1", "Separate groups": "ε = 0.1"}


def test_deltas_add_up_and_groups_pay_the_largest() -> None:
    """Ten results with δ = 10⁻⁶ each, by an address of an earlier version."""
    pupil = Pupil(PAGE, step="sequential", **{"sequential-delta": "1e-6"})
    assert pupil.numbers() == {"Same people": "ε = 1, δ = 10⁻⁵", "Separate groups": "ε = 0.1, δ = 10⁻⁶"}


def test_the_textbooks_conversions_are_drawn_beside_ours() -> None:
    """ρ + 2 √(ρ ln(1/δ)) is 8.43 for ρ = 1; each order proves more than ours; σ is 10.60 for s = 1 and ε = 0.5."""
    laplace, _ = composition.alike(0.2, 50)
    assert laplace.by_line(1e-6) == pytest.approx(1 + 2 * math.sqrt(math.log(1e6)))
    assert (laplace.printed(1e-6) >= laplace.proved(1e-6) - 1e-9).all()
    assert composition.printed_sigma(1.0, 0.5, 1e-6) == pytest.approx(10.598, abs=1e-3)
    (chart,) = Pupil(PAGE, step="curves").app.get("plotly_chart")
    assert "zCDP: 8.43" in [note["text"] for note in json.loads(chart.proto.spec)["layout"]["annotations"]]
    (chart,) = Pupil(PAGE, step="noise").app.get("plotly_chart")
    laplace_line, ours, printed = (line["y"] for line in json.loads(chart.proto.spec)["data"])
    assert len(laplace_line) == len(ours)
    assert all(book > mine for book, mine in zip(printed, ours, strict=True))


def test_a_rounded_answer_costs_the_same_and_tells_less() -> None:
    """The loss stays 0.1 while delta at half of epsilon falls with coarser rounding."""
    pupil = Pupil(PAGE, **{"sequential-show": "after"})
    numbers = pupil.numbers()
    exact = composition.afterwards(0.1, 10)
    assert numbers["Loss of the result"] == numbers["Loss after rounding"] == "0.1"
    assert numbers["δ at ε/2, rounded"] == number(exact.delta_after, 3)
    pupil.move("sequential-unit", 1)
    numbers = pupil.numbers()
    assert numbers["δ at ε/2, rounded"] == numbers["δ at ε/2"] == number(exact.delta_before, 3)


def test_divergences_of_two_densities_are_their_closed_forms() -> None:
    """Laplace of scale 2, then Gaussian: KL, largest loss and delta; the loss picture agrees."""
    pupil = Pupil(PAGE, step="divergences")
    numbers = pupil.numbers()
    assert numbers["KL divergence"] == number(0.5 + math.exp(-0.5) - 1, 3)
    assert numbers["Max divergence"] == "0.5"
    assert numbers["δ at claimed ε"] == number(1 - math.exp(-0.1), 3)
    pupil.move("divergences-epsilon", 0.5)
    assert pupil.numbers()["δ at claimed ε"] == "0"
    pupil.move("divergences-noise", "gaussian")
    pupil.move("divergences-show", "loss")
    numbers = pupil.numbers()
    assert numbers["KL divergence"] == "0.125" and numbers["Max divergence"] == "∞"
    assert numbers["δ at claimed ε"] == number(two_laws.pair("gaussian", 2.0).delta(0.5), 3)


def test_better_accounts_are_shown_at_the_chosen_delta() -> None:
    """The address opens step and settings; every account has its number."""
    pupil = Pupil(PAGE, step="accounts", **{"accounts-answers": "50"})
    totals = composition.totals("laplace", 0.1, 1e-6, 50)
    assert pupil.numbers()["Plain sum"] == "5"
    for name in ("Advanced", "Optimal", "zCDP", "Rényi"):
        assert pupil.numbers()[name] == number(totals[name], 3)
    pupil.move("accounts-noise", "gaussian")
    pupil.move("accounts-delta", 1e-9)
    totals = composition.totals("gaussian", 0.1, 1e-9, 50)
    assert pupil.numbers()["zCDP"] == number(totals["zCDP"], 3)
    pupil.reset()
    assert highest(pupil) == pytest.approx(1.08 * 20)
    pupil.move("accounts-room", "better")
    growth = composition.growth("laplace", 0.1, 1e-6)
    assert highest(pupil) == pytest.approx(
        1.08 * max(growth[name][-1] for name in ("Advanced", "Optimal", "zCDP", "Rényi"))
    )
    pupil.reset()
    pupil.move("step", "accounts")
    assert pupil.numbers()["Plain sum"] == "10"


def highest(pupil: Pupil) -> float:
    """Return up to where the figure has room."""
    (chart,) = pupil.app.get("plotly_chart")
    top: float = json.loads(chart.proto.spec)["layout"]["yaxis"]["range"][1]
    return top


def test_curves_convert_at_their_best_order() -> None:
    """rho of k answers, and epsilon at delta, for both noises and both pictures."""
    pupil = Pupil(PAGE, step="curves")
    numbers = pupil.numbers()
    assert numbers["Laplace: ρ"] == "1" and numbers["Gaussian: ρ"] == "0.5"
    pupil.move("curves-show", "proved")
    assert pupil.numbers() == numbers
    pupil.move("curves-answers", 100)
    laplace, gaussian = composition.alike(0.2, 100)
    numbers = pupil.numbers()
    assert numbers["Laplace: ρ"] == "2" and numbers["Gaussian: ρ"] == "1"
    assert numbers["Laplace: ε at δ"] == number(laplace.epsilon(1e-6), 3)
    assert numbers["Gaussian: ε at δ"] == number(gaussian.epsilon(1e-6), 3)


def test_gaussian_noise_follows_l2() -> None:
    """30 counts: 30 and root 30; a person in one count only brings both back to 1."""
    pupil = Pupil(PAGE, step="noise")
    numbers = pupil.numbers()
    assert numbers["L1 sensitivity"] == "30" and numbers["L2 sensitivity"] == "5.48"
    assert numbers["Laplace margin of error"] == f"± {number(30 * math.log(20), 3)}"
    pupil.move("noise-counts", 100)
    numbers, exact = pupil.numbers(), composition.at_once(100, True, 1.0, 1e-6)
    assert numbers["L2 sensitivity"] == "10"
    assert numbers["Gaussian margin of error"] == f"± {number(exact.gaussian, 3)}"
    pupil.move("noise-person", "one")
    numbers = pupil.numbers()
    assert numbers["L1 sensitivity"] == numbers["L2 sensitivity"] == "1"
    assert numbers["Laplace margin of error"] == f"± {number(math.log(20), 3)}"


def test_steps_for_mathematicians_are_behind_the_others() -> None:
    """The last step of the others leads to the next lesson; a step of these says that no other needs it."""
    pupil = Pupil(PAGE, step="noise")
    assert not [button for button in pupil.app.button if button.label == "Next step"]
    assert "Next lesson" in [link.proto.label for link in pupil.app.get("page_link")]
    assert not any("For mathematicians" in caption.value for caption in pupil.app.caption)
    pupil.move("step", "divergences")
    assert any("For mathematicians" in caption.value for caption in pupil.app.caption)
    pupil.press("Next step")
    assert "KL(P‖Q)" in pupil.numbers()
