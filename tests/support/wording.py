"""Wording: which phrases no screen, report or command shows, and how often they still are in sentences and documents.

`python tests/support/wording.py` prints the counts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.spoken import bare, spoken  # noqa: E402

LONG = 25  # words of a sentence that one reads twice
# what the product does not say, each with what it says instead
NEVER = {
    r"\b(tell|tells|told|telling)\b": "show, report, reveal",
    r"\b(some|no|every|any)body\b": "someone, no one, everyone, or the role",
    r"\b(whoever|whomever|whom|whose)\b": "the role, or another sentence",
    r"\banew\b": "again, new",
    r"\bat once\b": "immediately, together",
    r"\bfor good\b": "permanently",
    r"\bfor nothing\b": "free of charge",
    r"\bas read\b": "after reading",
    r"\bin (the|whose|their) stead\b": "for",
    r"\bthe house\b": "the server, the organisation",
    r"\bdo(es)? not exist\b.*\b(people|person)\b|\b(people|person)\b[^.]*\bdo(es)? not exist\b": "simulated",
    r"\b19 (times )?(in|out of|of) 20\b": "95%",
    r"\b(is|are|was|were) no\b(?! (longer|more|one\b))": "is not a",
    r"(^|[.!?] )(Of|Else|Then|So many)\b": "a sentence with a subject",
    r"\b(lies|stands|stood)\b": "is",
    r"\bodds of 1 to 1\b": "a 50% guess",
    r"\b(epsilon|delta)\b": "ε, δ",
    r"\d %|\} %": "a percent sign without a space",
}
# the field's own words: they are to be found
WANTED = ("query", "result", "margin of error", "privacy budget", "dataset", "95% interval", "audit log")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part for part in re.split(r"(?<=[.!?:])\s+", text) if part]


def long_ones(texts: Iterable[str]) -> list[str]:
    """Return the texts with a sentence that is too long."""
    return [text for text in texts if any(len(bare(part).split()) > LONG for part in _safe(text))]


def _safe(text: str) -> list[str]:
    """Return the sentences that can be read without their fields: a field may hold a full stop."""
    return sentences(re.sub(r"\{[^}]*\}", "x", text))


def found(pattern: str, texts: Iterable[str]) -> list[str]:
    """Return the texts in which a phrase is."""
    return [text for text in texts if re.search(pattern, text, re.IGNORECASE | re.MULTILINE)]


def documents() -> dict[str, str]:
    """Return the text of the documents in English, without code."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files if "zh" not in path.parts}
    return {name: re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL) for name, text in texts.items()}


def report() -> str:
    """Return the counts as people read them."""
    shown, papers = sorted(spoken()), list(documents().values())
    lines = [f"{len(shown)} sentences, {sum(len(text.split()) for text in papers):,} words of documents", ""]
    lines += ["| phrase | sentences | documents |", "|---|---|---|"]
    for pattern in NEVER:
        times = sum(len(re.findall(pattern, text, re.IGNORECASE | re.MULTILINE)) for text in papers)
        lines.append(f"| `{pattern.replace('|', chr(92) + '|')}` | {len(found(pattern, shown))} | {times} |")
    lines.append(f"| over {LONG} words | {len(long_ones(shown))} | |")
    for word in WANTED:
        times = sum(len(re.findall(re.escape(word), text, re.IGNORECASE)) for text in papers)
        lines.append(f"| *{word}* | {len(found(re.escape(word), shown))} | {times} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
