"""For each: one test of many cases that are quick, and of which all that fail are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def for_each(cases: Iterable[T]) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """Make one test of a test of a case; parametrizing would set up, report and count every case."""
    given = list(cases)
    assert given, "There are no cases."

    def made(test: Callable[[T], None]) -> Callable[[], None]:
        def every() -> None:
            wrong: list[tuple[T, BaseException]] = []
            for case in given:
                try:
                    test(case)
                except (Exception, pytest.fail.Exception) as error:
                    wrong.append((case, error))
            if wrong:
                said = "\n".join(f"{case}: {type(error).__name__}: {error}" for case, error in wrong)
                raise AssertionError(f"{len(wrong)} of {len(given)} fail:\n{said}") from wrong[0][1]

        every.__name__ = test.__name__
        every.__qualname__ = test.__qualname__
        every.__module__ = test.__module__
        every.__doc__ = test.__doc__
        return every

    return made
