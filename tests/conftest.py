"""What all tests share: the same examples every time, without a clock; a house of their own."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from support.once import once
from support.sharing import Shared, from_elsewhere
from support.soak import SOAKS, times
from xdist.remote import Producer

pytest_plugins = ["support.databases"]
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


# files that take minutes, or wait for a clock: none of them is to be begun when a worker has nothing else to do
LONG = {
    "test_commands",
    "test_divergence",
    "test_files",
    "test_kills",
    "test_leaks",
    "test_many_processes",
    "test_new_files",
    "test_package",
    "test_whole_road",
}


# what looks at guards of the database, at its locks or at what a kill leaves runs on both databases, always
BOTH = {"test_acts", "test_forgeries", "test_kills", "test_office_guards", "test_pairs", "test_two_officers"}


def _again_elsewhere(items: list[pytest.Item]) -> list[pytest.Item]:
    """Mark the office's tests that run on both databases; return those that `make test` leaves out: one of each two.

    The same test on either catches what is wrong in the office. Every eighth runs on PostgreSQL: with the files of BOTH
    and those of ledgers they catch what is wrong between the office and a server.
    """
    on_lite, on_server = dict[str, pytest.Item](), dict[Path, list[pytest.Item]]()
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        kind = {params.get("server"), params.get("url")} & {"sqlite", "postgresql"}
        if item.path.parent.name == "office" and item.path.stem not in BOTH and kind:
            if kind == {"sqlite"}:
                on_lite[item.nodeid] = item
            else:
                on_server.setdefault(item.path, []).append(item)
    again = []
    for of_file in on_server.values():
        both = [(item, on_lite.get(item.nodeid.replace("postgresql", "sqlite"))) for item in of_file]
        again += [item if at % 8 else twin for at, (item, twin) in enumerate(both) if twin is not None]
    for item in again:
        item.add_marker(pytest.mark.soak)
    return again


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let each worker that reads all tests begin with other files."""
    worker = getattr(config, "workerinput", None)
    if worker and config.args == config.getini("testpaths"):
        config.args = from_elsewhere(worker)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Shared | None:
    """Let one worker have what opens a browser; in `make soak` that is too much for one."""
    return None if SOAKS else Shared(config, log)


def pytest_collection_finish() -> None:
    """Do once what would be done for each test."""
    once()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with browsers, then with other screens: they take longest, and a worker takes a file whole.

    What only `make soak` runs is left out: its docstring names who catches the same in `make test`.
    """
    again = {id(item) for item in _again_elsewhere(items)}
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.soak)  # with more examples
    alone = [item for item in items if not SOAKS and (id(item) in again or item.get_closest_marker("soak_alone"))]
    config.hook.pytest_deselected(items=alone)
    left = {id(item) for item in alone}
    items[:] = [item for item in items if id(item) not in left]
    items.sort(
        key=lambda item: (
            "chromium" not in getattr(item, "fixturenames", ()),
            item.path.parent.name != "ui",
            item.path.stem not in LONG,
            item.path,
        )
    )
