"""Documents: the pages that people read, and the snippets in them that are run."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# how a fence begins: test_package.py runs these beside a small file of people, and test_programs.py those for programs
RUN = ("python", "shell")
OTHERS = ("sh", "r", "json", "toml", "text", "")


def page_name(path: Path) -> str:
    """Return the name of a page, from the top of the repository."""
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, language: str) -> list[str]:
    """Return what stands in the fences of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def with_code(language: str) -> list[Path]:
    """Return the pages that have such fences."""
    return [path for path in PAGES if blocks(path, language)]
