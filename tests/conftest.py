"""What all tests share: the same examples every time, without a clock; a house of their own; and their order."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from support.fast import hurry
from support.sharing import Shared
from support.soak import SOAKS, times
from xdist.remote import Producer

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


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Shared | None:
    """Let one worker have what opens a browser; in `make soak` that is too much for one."""
    return None if SOAKS else Shared(config, log)


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
    """Leave out what only `make soak` runs, and begin with what takes longest."""
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


def pytest_collection_finish() -> None:
    """Do once what each test would do anew."""
    hurry()
