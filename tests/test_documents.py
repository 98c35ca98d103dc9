"""Documents are true: snippets run, links lead somewhere, reference is what the code says, labels stand on screens."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest
import yaml
from support.documents import OTHERS, PAGES, ROOT, RUN, blocks, page_name, with_code

from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.queries import ADD_REMOVE, Column, Relation
from discreet.queries import registry as statistics
from docs.make_reference import PAGES as MADE
from docs.make_reference import PUBLIC, gives_interval, ours

DOCS = ROOT / "docs"
GUIDES = [path for path in PAGES if path.parent.name in ("tutorials", "how-to", "zh") or path.name == "reviewing.md"]
LABEL = re.compile(r"(?<![*\w])\*(?!\s)([^*\n]+)(?<!\s)\*(?!\*)")  # a bullet is none
LONGEST = 420  # words under one heading; a table is looked up, and not read


@pytest.mark.soak_alone
@pytest.mark.parametrize("path", with_code("python"), ids=page_name)
def test_the_python_of_a_document_runs_as_it_stands(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks run from top to bottom in one namespace, beside a small file of people.

    In `make test` test_package.py runs the same blocks after an install.
    """
    ages = "\n".join(f"{i},{18 + i % 60},{'ab'[i % 2]}" for i in range(500))
    (tmp_path / "people.csv").write_text(f"id,age,group\n{ages}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": path.name}
    for block in blocks(path, "python"):
        exec(compile(block, path.name, "exec"), namespace)


def test_every_snippet_is_run_or_says_by_its_fence_that_it_is_not() -> None:
    """The test above cannot pass by finding nothing, and no snippet escapes by another name."""
    assert {"README.md", "use-python.md"} <= {path.name for path in with_code("python")}
    assert {"README.md", "use-the-command-line.md"} <= {path.name for path in with_code("shell")}
    for path in PAGES:
        fences = re.findall(r"^```(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(fences[::2]) <= {*RUN, *OTHERS} and not any(fences[1::2]), page_name(path)


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_links_between_documents_lead_to_a_file(path: Path) -> None:
    """A relative link names a file of the project, and a heading of it."""
    for target, _, anchor in re.findall(r"\]\(([^)#\s]*)(#([^)]+))?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            found = path.parent / target if target else path
            assert found.exists(), target
            assert not anchor or anchor in anchors(found), f"{target}#{anchor}"


def anchors(path: Path) -> set[str]:
    """Return what the headings of a page are called in an address."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", head).strip().lower()) for head in heads}


def test_every_statement_of_the_guarantees_names_what_is_not_proven() -> None:
    """The proofs end with what is missing."""
    assert "## What is not proven" in (DOCS / "guarantees.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", MADE)
def test_the_reference_is_what_the_code_says(page: str) -> None:
    """`python -m docs.make_reference` writes it."""
    assert (DOCS / "reference" / page).read_text(encoding="utf-8") == MADE[page]()


def listed(nav: object) -> list[str]:
    """Return the pages of a navigation in their order."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [page for part in parts for page in listed(part)]  # type: ignore[attr-defined]


STATISTICS = ("count", "mean", "median", "trimmed-mean")


@pytest.mark.parametrize("topic", STATISTICS)
def test_what_is_said_of_intervals_is_what_a_result_has(topic: str) -> None:
    """Of every mechanism of all rows that takes such a statistic: a result is drawn, and has an interval or none."""
    column = Column.from_values(PUBLIC.bounds, np.arange(1000) % 101)
    relation = Relation(1000) if topic == "trimmed-mean" else ADD_REMOVE
    seen = set()
    for kind in registry.values():
        named = set(kind.__dataclass_fields__)
        taken = kind.can_answer(topic) and not kind.open_only and "estimator" not in named  # those need blocks
        if taken and ours(kind):
            query = {"query": statistics[topic](relation=relation)} if "query" in named else {}
            mechanism = kind(**query, epsilon=10)
            answer = mechanism.law(column).draw(SimulationNoise(1))
            if answer is not None:  # some propose a bound, and refuse where it does not hold
                has = mechanism.interval(answer, PUBLIC) is not None
                assert has == gives_interval(kind, topic), kind.slug
                seen.add(has)
    assert seen == {True, False}


def test_every_page_is_in_the_navigation_once() -> None:
    """The site has all pages, and no other."""
    pages = listed(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert sorted(pages) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def spoken() -> tuple[dict[str, str], set[str]]:
    """Return the catalogue, and what else is written on screens without a sentence of its own."""
    return json.loads((ROOT / "ui" / "catalogue" / "zh.json").read_text(encoding="utf-8")), {"Excel", "JSON", "CSV"}


def shown(label: str, sentences: Collection[str]) -> bool:
    """Say whether a label is a whole sentence, or a button without its cost; slots may be filled in."""
    if label in sentences:
        return True
    begun = {*sentences, *(re.split(r" \(|（| #\{", each)[0] for each in sentences)}
    slots = (re.sub(r"\\{[^}]*\\}", ".+?", re.escape(each)) for each in begun if re.sub(r"\{[^}]*\}|\W", "", each))
    return any(re.fullmatch(slot, label) for slot in slots)


@pytest.mark.parametrize("path", GUIDES, ids=page_name)
def test_a_label_in_a_guide_stands_on_a_screen(path: Path) -> None:
    """What stands between single asterisks is a label: when a screen calls it otherwise, the page has to follow."""
    catalogue, more = spoken()
    sentences = {*(catalogue.values() if path.parent.name == "zh" else catalogue), *more}
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    missing = [label for label in LABEL.findall(text) if not shown(label, sentences)]
    assert not missing


def test_a_label_that_no_screen_has_is_found() -> None:
    """The test above is able to fail: also where a label is only a part of a sentence, or stands in a list."""
    button = {"Release {number} results (spends {cost})"}
    assert shown("Release 4 results (spends ε = 0.5)", button) and shown("Release 4 results", button)
    assert not shown("Spend it", {"Spend {cost}!"}) and not shown("results", button) and not shown("End", {"End tour"})
    assert LABEL.findall("* *Undo* and *Total ε*\n* **bold**") == ["Undo", "Total ε"]


def sections(text: str) -> list[tuple[str, int]]:
    """Return each heading with the number of words until the next one; tables and fences are not counted."""
    prose = re.sub(r"^(```[\s\S]*?^```|\|.*)$", "", text, flags=re.MULTILINE)
    parts = re.split(r"^#+ (.*)$", prose, flags=re.MULTILINE)
    return [(head, len(body.split())) for head, body in zip(parts[1::2], parts[2::2], strict=True)]


@pytest.mark.parametrize("path", [path for path in PAGES if path.parent.name != "reference"], ids=page_name)
def test_no_section_is_longer_than_one_reads_at_once(path: Path) -> None:
    """Where a reader would stop, there is a heading; the changelog and what is made stay as they are."""
    if path.name not in ("CHANGELOG.md", "what-is-public.md", "perimeter.md"):
        long = [found for found in sections(path.read_text(encoding="utf-8")) if found[1] > LONGEST]
        assert not long


DIALECT = re.compile(
    r"\b(told|somebody|nobody|everybody|whoever|anew|kept work|the house|in the stead|19 (times )?in 20)\b", re.I
)
WRITTEN = [path for path in PAGES if path.parent.name in ("tutorials", "how-to", "explanation")]


@pytest.mark.parametrize("path", [ROOT / "README.md", DOCS / "index.md", *WRITTEN], ids=page_name)
def test_a_page_uses_the_words_of_the_field(path: Path) -> None:
    """But for labels, which say what the screens say."""
    text = LABEL.sub("", path.read_text(encoding="utf-8"))
    assert not DIALECT.findall(text)


@pytest.mark.parametrize("path", [path for path in GUIDES if path.parent.name != "zh"], ids=page_name)
def test_a_guide_is_short_enough_for_one_sitting(path: Path) -> None:
    """One task on one page; the longest sets up three machines."""
    assert len(path.read_text(encoding="utf-8").split()) < 1000
