"""Scales: figures with two logarithmic axes, and errors of a share."""

from __future__ import annotations

from typing import Any

from discreet.ui.frame.words import number

EPSILONS = (0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
LOGARITHMIC: dict[str, Any] = {
    "xaxis_type": "log",
    "yaxis_type": "log",
    "xaxis_dtick": 1,
    "yaxis_dtick": 1,
    "xaxis_tickformat": ",",
}


def error(share: float) -> str:
    """Format an error of a share in percent."""
    return f"± {number(100 * share, 3)}%"
