"""What all tests share: the same examples every time, without a clock; a house of their own."""

import os
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, settings
from soak import SOAKS

settings.register_profile(
    "discreet", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("discreet")
os.environ["DISCREET_HOME"] = mkdtemp(prefix="discreet-tests-")  # never the user's own house
os.environ.pop("DISCREET_DATABASE", None)
os.environ["DISCREET_DATABASES"] = "sqlite:/* *:*/*"
os.environ["DISCREET_FOLDERS"] = "/"


# files that take minutes, or wait for a clock: none of them is to be begun when a worker has nothing else to do
LONG = {"test_divergence", "test_kills", "test_leaks", "test_many_processes", "test_package", "test_whole_road"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with browsers, then with other screens: they take longest, and a worker takes a file whole.

    What only `make soak` runs is left out: its docstring names who catches the same in `make test`.
    """
    alone = [item for item in items if not SOAKS and item.get_closest_marker("soak_alone")]
    config.hook.pytest_deselected(items=alone)
    items[:] = [item for item in items if item not in alone]
    long = {item.path for item in items if "chromium" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: (item.path not in long, item.path.parent.name != "ui", item.path.stem not in LONG))
