"""What tests lean on can fail."""

from __future__ import annotations

import pytest
from support.for_each import for_each


def test_every_case_that_fails_is_named_and_some_there_must_be() -> None:
    """And the first of them is shown where it failed."""

    def small(number: int) -> None:
        assert number < 3, "too large"
        with pytest.raises(ZeroDivisionError):
            _ = 1 / max(0, number - 1)

    for_each([0, 1])(small)()
    with pytest.raises(AssertionError, match=r"(?s)3 of 5 fail:\n2: .*DID NOT RAISE.*\n3: .*too large.*\n4: ") as wrong:
        for_each(range(5))(small)()
    assert isinstance(wrong.value.__cause__, pytest.fail.Exception)
    with pytest.raises(AssertionError, match="no cases"):
        for_each([])(small)
