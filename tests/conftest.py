"""What all tests share: the same examples every time, without a clock; a house of their own; and their order."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from support.fast import hurry
from support.soak import SOAKS, times

pytest_plugins = ["support.databases", "support.progress"]
settings.register_profile(
    "discreet",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=times(40, 300),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("discreet")
HOME = TemporaryDirectory(prefix="discreet-tests-")
os.environ["DISCREET_HOME"] = HOME.name  # never the user's own house
os.environ.pop("DISCREET_DATABASE", None)
os.environ["DISCREET_DATABASES"] = "sqlite:/* *:*/*"
os.environ["DISCREET_FOLDERS"] = "/"


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let each worker that reads all tests begin with other files.

    In a new clone Python's assertions are rewritten file by file, for 14 s of processor: by one worker, not by each.
    """
    worker = getattr(config, "workerinput", None)
    if worker and config.args == config.getini("testpaths"):
        files = sorted(map(str, Path(__file__).parent.rglob("test_*.py")))
        begin = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args = files[begin:] + files[:begin]


def _mark(item: pytest.Item) -> None:
    """Add the markers that follow from what a test asks for."""
    if "chromium" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.browser)
    if is_hypothesis_test(getattr(item, "obj", None)):
        item.add_marker(pytest.mark.soak)  # with more examples
    params = getattr(getattr(item, "callspec", None), "params", {})
    on_server = item.path.parent.name == "office" and "postgresql" in params.values()
    if on_server and not item.get_closest_marker("both_databases"):
        item.add_marker(pytest.mark.soak_alone)  # the same test on SQLite catches what is wrong in the office


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make soak` runs; begin with what takes longest; keep a file together.

    A worker takes a file whole, because tests of a file share what they prepare. What opens a browser goes to one
    worker, which needs one browser and one server; `make soak` has too much of that for one.
    """
    for item in items:
        _mark(item)
    alone = [item for item in items if not SOAKS and item.get_closest_marker("soak_alone")]
    config.hook.pytest_deselected(items=alone)
    left = {id(item) for item in alone}
    items[:] = [item for item in items if id(item) not in left]
    items.sort(
        key=lambda item: (
            not item.get_closest_marker("browser"),
            item.path.parent.name != "ui",
            not item.get_closest_marker("long"),
            item.path,
        )
    )
    for item in items:
        together = item.get_closest_marker("browser") and not SOAKS
        item.add_marker(pytest.mark.xdist_group("browser" if together else item.nodeid.partition("::")[0]))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Name tests as they are called, once their groups have been told; do once what each test would do anew."""
    for item in session.items:
        for group in item.iter_markers("xdist_group"):
            item._nodeid = item.nodeid.removesuffix(f"@{group.args[0]}")
    hurry()
