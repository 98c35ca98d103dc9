"""What a card says of how exact its answer is: no sentence that the interval above it contradicts."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def worth(interval: tuple[float, float] | None, width: float | None) -> None:
    """Draw the lines of a card, as it is for a mean of two counts."""
    from types import SimpleNamespace
    from typing import Any

    from discreet.mechanisms.global_mean import TwoCounts
    from discreet.ui.office.requests.card import _worth

    row: Any = SimpleNamespace(
        accuracy=SimpleNamespace(warning=None, half_width=width),
        release=SimpleNamespace(interval=interval, no_interval=TwoCounts().no_interval()),
    )
    _worth(row)


@pytest.mark.parametrize(
    ("interval", "width", "lines"),
    [
        ((3.0, 4.0), None, []),
        (None, None, ["No interval: it is released with the result."]),
        ((3.0, 4.0), 0.5, ["With 95% probability, the result is within 0.5 of the value of the rows that were read."]),
    ],
    ids=str,
)
def test_a_card_with_an_interval_does_not_say_that_there_is_none(
    interval: tuple[float, float] | None, width: float | None, lines: list[str]
) -> None:
    """A mean of two counts, and a quantile with an interval, draw theirs with the answer."""
    app = AppTest.from_function(worth, args=(interval, width), default_timeout=60).run()
    assert not app.exception
    assert [line.value.replace("\\", "") for line in app.caption] == lines
