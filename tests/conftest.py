"""What all tests share: the same examples every time, without a clock; a house of their own."""

import os
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "discreet", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("discreet")
os.environ["DISCREET_HOME"] = mkdtemp(prefix="discreet-tests-")  # never the user's own house
os.environ.pop("DISCREET_DATABASE", None)
os.environ["DISCREET_DATABASES"] = "sqlite:/* *:*/*"
os.environ["DISCREET_FOLDERS"] = "/"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with browsers, then with other screens: they take longest, and a worker takes a file whole."""
    long = {item.path for item in items if "chromium" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: (item.path not in long, item.path.parent.name != "ui"))
