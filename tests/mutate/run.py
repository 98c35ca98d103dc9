"""Plant each bug in a copy of the project, and run the tests that reach it until one fails: `make mutate`.

A test counts when it fails twice with the bug and passes without it. The table is also written to `.mutate/table.md`.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from typing import TypeVar

from planting import ROOT, Bug, bugs, edited, places, product
from reach import MAP, File, Reach, test_files
from trees import Tree

AT_ONCE = 2
NO_TESTS = 5  # as pytest says it
FIRST, MORE = 20.0, 3  # expected seconds of the first tests that share a process, and how many times as long the next
T = TypeVar("T")


@dataclass(frozen=True)
class Outcome:
    """What caught a bug, if anything did, after how many seconds."""

    bug: Bug
    test: str
    seconds: float
    tests: int  # in files that reach it

    def row(self) -> str:
        """Return a row of the table."""
        why = f" ({self.bug.survives})" if self.bug.survives else ""
        verdict = f"`{self.test}`" if self.test else f"SURVIVES{why} {self.tests} tests"
        return f"| {self.bug.name} | {self.bug.kind} | {self.bug.harm} | {verdict} | {self.seconds:.0f} |"


def chosen(words: str) -> list[Bug]:
    """Return the bugs of some kinds or, where not all words are kinds, those in whose names the words stand."""
    every, asked = bugs(), {words, *words.split()}
    by_kind = [bug for bug in every if bug.kind in asked]
    kinds = {bug.kind for bug in by_kind}
    named = [bug for bug in every if words in bug.name]
    return by_kind if words and (words in kinds or asked - {words} <= kinds) else named


def batches(files: list[File], bug: Bug, path: str) -> Iterator[list[str]]:
    """Yield tests that share a process: those that reach a bug, the nearest and quickest files first.

    Then come the others of the same files, whose fixtures may have reached it; and browsers if nobody else does.
    """
    reaching = [file for file in files if bug.key in file.reached]
    # what only a server noted, any test may have asked of it
    some = {file.path: set(file.reached[bug.key] or file.seconds) & set(file.seconds) for file in reaching}
    took = {file.path: sum(file.seconds[test] for test in some[file.path]) for file in reaching}
    reaching.sort(key=lambda file: took[file.path] * (1, 2, 6)[file.named_for(bug, path)])
    order = [(test, file.seconds[test]) for file in reaching for test in file.seconds if test in some[file.path]]
    order += [(test, file.seconds[test]) for file in reaching for test in file.seconds if test not in some[file.path]]
    batch, budget = list[tuple[str, float]](), FIRST
    for test, seconds in order or [(test, 10.0) for file in files for test in file.browser]:
        if batch and sum(took for _, took in batch) + seconds > budget:
            yield [test for test, _ in batch]
            batch, budget = [], budget * MORE
        batch.append((test, seconds))
    if batch:
        yield [test for test, _ in batch]


def caught(tree: Tree, bug: Bug, files: list[File], log: Path) -> str:
    """Return the first test that fails with the bug, again with it, and not without it."""
    text = product()
    place = places(bug, text)[0]
    took = {test: seconds for file in files for test, seconds in file.seconds.items()}

    def fails(tests: list[str]) -> str | None:
        among = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        seconds = 60 + 5 * sum(took.get(test, 10.0) for test in tests)
        ran = tree.run(among, tests, seconds, log, "-x")
        if ran.code in (0, NO_TESTS):
            return None
        whose = ran.failed or tests[0]  # of a file that cannot be read, any test
        return next((test for test in tests if test == whose or test.startswith(f"{whose}::")), tests[0])

    try:
        for batch in batches(files, bug, place.path):
            tree.write(place.path, edited(bug, place, text[place.path]))
            while batch and (test := fails(batch)):
                again = fails([test])
                tree.restore(place.path)
                if again and not fails([test]):
                    return test
                batch = batch[batch.index(test) + 1 :]
                tree.write(place.path, edited(bug, place, text[place.path]))
        return ""
    finally:
        tree.restore(place.path)


def side_by_side(
    folder: Path, prepare: Callable[[Tree], None], work: Callable[[Tree, T], None], things: list[T]
) -> None:
    """Work on things in several copies of the project at once."""
    trees: Queue[Tree] = Queue()
    for number in range(min(AT_ONCE, len(things))):
        tree = Tree(folder / str(number))
        prepare(tree)
        trees.put(tree)

    def with_tree(thing: T) -> None:
        tree = trees.get()
        try:
            work(tree, thing)
        finally:
            trees.put(tree)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(with_tree, things))


def main(words: str, under: list[str], stale: bool) -> int:
    """Map what is not mapped yet, plant bug after bug, and say which survive."""
    begun, lock = time.monotonic(), threading.Lock()
    mine, names = chosen(words), test_files(under)
    if not mine:
        raise SystemExit(f"No bug is of these kinds or called so: {words}.")
    MAP.parent.mkdir(exist_ok=True)
    reach, outcomes = Reach(mine, stale), list[Outcome]()
    missing = reach.missing(names)

    def say(line: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  {line}", flush=True)

    def visit(tree: Tree, name: str) -> None:
        reach.run(tree, name, say)
        with lock:
            reach.keep()

    def plant(tree: Tree, bug: Bug) -> None:
        start, log = time.monotonic(), MAP.parent / f"{bug.key}.log"
        log.unlink(missing_ok=True)
        test = caught(tree, bug, files, log)
        tests = sum(len(batch) for batch in batches(files, bug, ""))
        outcome = Outcome(bug, test, time.monotonic() - start, tests)
        with lock:
            outcomes.append(outcome)
            say(f"{len(outcomes)} of {len(mine)}: {outcome.row()}")

    with TemporaryDirectory(prefix="mutate-", ignore_cleanup_errors=True) as folder:
        if missing:
            side_by_side(Path(folder) / "reach", reach.prepare, visit, missing)
        files = reach.files(names)
        side_by_side(Path(folder) / "bugs", lambda tree: None, plant, mine)
    return report(outcomes, time.monotonic() - begun)


def report(outcomes: list[Outcome], seconds: float) -> int:
    """Write the table; fail if a bug survives that nobody has accepted."""
    order = [bug.name for bug in bugs()]
    outcomes.sort(key=lambda outcome: order.index(outcome.bug.name))
    alive = [outcome.bug for outcome in outcomes if not outcome.test]
    head = "| bug | kind | harm | caught by | seconds |\n|---|---|---|---|---|\n"
    total = f"{len(outcomes) - len(alive)} of {len(outcomes)} bugs are caught, in {seconds / 60:.0f} minutes."
    table = f"{head}{chr(10).join(outcome.row() for outcome in outcomes)}\n\n{total}\n"
    (ROOT / ".mutate" / "table.md").write_text(table, encoding="utf-8")
    print(f"\n{table}", flush=True)
    return int(any(not bug.survives for bug in alive))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="kinds, or words of a name")
    parser.add_argument("--files", default="", help="run these tests only: files or folders")
    parser.add_argument("--stale", action="store_true", help="take the map of files of tests that have not changed")
    arguments = parser.parse_args()
    sys.exit(main(arguments.only, arguments.files.split(), arguments.stale))
