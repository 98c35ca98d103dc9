"""The progress of a run, and its first failure at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = """
import pytest

@pytest.mark.parametrize("number", range(40))
def test_small(number):
    assert number != 3, "three is too many"

def test_last():
    assert False, "also wrong"
"""


def run(folder: Path, *words: str) -> list[str]:
    """Run these tests in a folder of their own; return the lines that were written."""
    (folder / "test_some.py").write_text(TESTS, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "support.progress",
        "-p",
        "no:cacheprovider",
        f"--basetemp={folder / 'base'}",  # never the folder of this run: it would shut out the database's own user
        *words,
        "test_some.py",
    ]
    around = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    around.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True).stdout.splitlines()


def test_a_run_says_how_far_it_is_and_ends_with_its_first_failure(tmp_path: Path) -> None:
    """In a log in some twenty lines; the closing line of pytest is the last one."""
    lines = run(tmp_path, "-n", "1", "--tb=short")
    progress = [line for line in lines if re.fullmatch(r"\[ *\d+ %] \d+ of 41, [012] failed, \d+:\d\d", line)]
    assert 15 <= len(progress) <= 25 and progress[-1].startswith("[100 %] 41 of 41, 2 failed")
    assert not [line for line in lines if re.match(r"[.F]{2}", line)]
    end = "\n".join(lines[-12:])
    assert "three is too many" in end.split("the first failure")[1]
    assert "also wrong" not in end.split("the first failure")[1]
    assert re.search(r"^Again: .*-m pytest -n 0 'test_some.py::test_small\[3]'$", end, re.MULTILINE)
    assert re.fullmatch(r"=+ 2 failed, 39 passed in .*=+", lines[-1])


def test_a_file_that_cannot_be_read_is_the_first_failure(tmp_path: Path) -> None:
    """Without workers as well."""
    (tmp_path / "conftest.py").write_text("", encoding="utf-8")
    (tmp_path / "test_broken.py").write_text("import nothing_of_this_name\n", encoding="utf-8")
    end = "\n".join(run(tmp_path, "-n", "0", "test_broken.py")[-12:])
    assert "No module named 'nothing_of_this_name'" in end and "Again: " in end and "test_broken.py" in end
