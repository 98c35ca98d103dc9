"""Grids: privacy loss distributions as the accounting library keeps them, on a grid of losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.budget.account import Floats

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution


def through(step: float, last: int, deltas: Floats) -> PrivacyLossDistribution:
    """Return the distribution on a grid around 0 that has these δ there, and no smaller ones between."""
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    falling = np.minimum.accumulate(np.clip(deltas, 0.0, 1.0))
    return PrivacyLossDistribution(pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(step, -last, last, falling))


def response(epsilon: float, delta: float, step: float) -> PrivacyLossDistribution:
    """Return the loss of whatever (ε, δ)-DP alone allows (Kairouz, Oh and Viswanath 2015)."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    return pld.from_privacy_parameters(
        DifferentialPrivacyParameters(epsilon, delta), value_discretization_interval=step
    )
