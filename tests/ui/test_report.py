"""A report opened from a folder: nothing is loaded and nothing runs, on a phone and on A4, in two languages."""

from __future__ import annotations

import re
import zlib
from functools import partial
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from support.publications import HOSTILE, PLAN, SCHEMA, curator
from support.soak import some

from discreet.budget.composition import Proven
from discreet.report.html import html_report
from discreet.report.publication import publication
from discreet.ui.frame.catalogue import said_in

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}}

CUT = """[...document.querySelectorAll('.fig :is(.name, .number, .tick:not(.room), figcaption)')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < 0 || box.right > window.innerWidth + 0.5) }).map(text => text.textContent)"""
CROSSED = """[...document.querySelectorAll('.fig .rows')].flatMap(rows => {
    const boxes = [...rows.querySelectorAll('.name, .number')].map(each => [each, each.getBoundingClientRect()]);
    return boxes.flatMap(([one, a], at) => boxes.slice(at + 1).filter(([other, b]) =>
        a.width && b.width && a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([other]) => one.textContent + ' / ' + other.textContent)) })"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write a report in both languages; its names and levels are hostile."""
    total: Proven = PLAN.total
    report = publication([(given, SCHEMA) for given in curator().run(PLAN).releases], total)
    folder = tmp_path_factory.mktemp("reports")
    paths = {language: folder / f"report-{language}.html" for language in ("en", "zh")}
    for language, path in paths.items():
        path.write_text(html_report(report, partial(said_in, language), language), encoding="utf-8")
    return paths


def words_of(printed: bytes) -> list[str]:
    """Return the words of each page of a printed file, whose letters are numbered by its fonts."""
    whole = {int(name): text for name, text in re.findall(rb"\n(\d+) 0 obj(.*?)endobj", printed, re.S)}

    def unpacked(name: bytes) -> bytes:
        body = whole[int(name)].split(b"stream", 1)[1].lstrip(b"\r\n")
        return zlib.decompressobj().decompress(body)

    fonts = {}
    for text in whole.values():
        for font, name in re.findall(rb"/(F\d+) (\d+) 0 R", text):
            (letters,) = re.findall(rb"/ToUnicode (\d+) 0 R", whole[int(name)])
            fonts[font] = letters_of(unpacked(letters))
    pages = []
    for text in whole.values():
        for name in re.findall(rb"/Type /Page\n.*?/Contents (\d+) 0 R", text, re.S):
            words = ""
            used = dict[bytes, str]()
            for font, drawn in re.findall(rb"/(F\d+) [\d.]+ Tf|<([0-9A-F]+)> Tj", unpacked(name)):
                used = fonts[font] if font else used
                size = len(next(iter(used)))
                words += "".join(used[drawn[at : at + size]] for at in range(0, len(drawn), size))
            pages.append(words)
    return pages


def letters_of(font: bytes) -> dict[bytes, str]:
    """Return the letters of a font by number."""
    letters = {}
    for first, last, code in re.findall(rb"\n<([0-9A-F]+)> <([0-9A-F]+)> <([0-9A-F]+)>", font):
        for at in range(int(last, 16) - int(first, 16) + 1):
            letters[b"%0*X" % (len(first), int(first, 16) + at)] = chr(int(code, 16) + at)
    for number, code in re.findall(rb"\n<([0-9A-F]+)> <([0-9A-F]{4,})>(?=\n)", font):
        letters[number] = bytes.fromhex(code.decode()).decode("utf-16-be")
    return letters


@pytest.mark.soak
@pytest.mark.parametrize(
    ("language", "scheme", "width"), some([("en", "light", 1280), ("en", "dark", 390), ("zh", "dark", 390)], 2)
)
def test_a_report_from_disk_asks_nobody_and_axe_finds_nothing(
    chromium: Browser, files: dict[str, Path], language: str, scheme: str, width: int
) -> None:
    """One request, for the file itself; nothing is wider than the window; no alert; the language is named."""
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    asked, said = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: said.append(message.text))
    page.goto(files[language].as_uri())
    assert asked == [files[language].as_uri()] and not said
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("h1").count() == 1 and page.locator("h2").count() == len(PLAN.rows) + 2
    assert page.evaluate(CUT) == [] and page.evaluate(CROSSED) == []  # names do not run into numbers
    assert page.get_by_text(HOSTILE).count() > 0
    violations = Axe().run(page, options=RULES).response["violations"]
    context.close()
    assert [(rule["id"], rule["nodes"][0]["html"][:120]) for rule in violations] == []


def test_a_report_prints_on_a4_from_top_to_bottom(chromium: Browser, files: dict[str, Path]) -> None:
    """Pages of 210 by 297 mm, as the style says, and no part of a table that only scrolls."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page.goto(files["en"].as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    boxes = {tuple(map(float, box)) for box in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)}
    assert boxes and all(abs(width - 595.3) < 1 and abs(height - 841.9) < 1 for width, height in boxes)
    pages = words_of(printed)
    assert len(pages) > 1 and all("Released statistics" in text for text in pages)
    assert [text.count(f"{at} / {len(pages)}") for at, text in enumerate(pages, 1)] == [1] * len(pages)
    assert "All values were released" in "".join(pages) and "of 100 cases" in "".join(pages)  # folded on a screen
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('.wide')).overflowX") == "visible"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.close()
