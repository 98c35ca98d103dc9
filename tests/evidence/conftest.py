"""Columns of the small worlds are shared by all audits: each keeps every ladder that it was asked for."""

from __future__ import annotations

import pytest

from discreet.queries import column


@pytest.fixture(autouse=True)
def remembering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep ladders for all statistics, where the program keeps few for the sake of memory."""
    monkeypatch.setattr(column, "MOST", 1000)
