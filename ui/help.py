"""Help: the documents of the project, to search and to read without another machine."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.frame import scrolling
from discreet.ui.frame.formulas import LETTERS
from discreet.ui.frame.links import link, view
from discreet.ui.frame.words import quoted, say
from discreet.ui.session.state import language, replaced

DOCS = Path(__file__).resolve().parents[1] / "docs"
SECTIONS = {
    "tutorials": Phrase("Tutorials"),
    "how-to": Phrase("How-to"),
    "explanation": Phrase("Explanation"),
    "reference": Phrase("Reference"),
}
ALSO = {"guarantees": "explanation", "what-is-public": "reference"}  # documents outside of the folders
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]*?)\.md(?:#[^)\s]*)?\)")
GREEK = {"varepsilon": "ε", "le": "≤", "ge": "≥", "cdot": "·", "infty": "∞", "neq": "≠", "times": "×", "approx": "≈"}
SENTENCE = re.compile(r"[.?!:]\s+|[。？！：]")
IMAGE = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+)\)$", re.MULTILINE)
BEFORE, LONGEST = 40, 140  # characters of an excerpt: before the word that was found, and in all
TOPIC, PLACE = "topic", "place"  # in the address: a document, and which of its parts is scrolled to
KEY, FOUND = "help:words", "help-found"


@cache
def documents() -> dict[str, str]:
    """Return the documents by their paths without ending, in the order of the site."""
    ordered = re.findall(r"([\w/-]+)\.md$", (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    names = [name for name in ordered if name in ALSO or name.partition("/")[0] in (*SECTIONS, "zh")]
    return {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in names}


def title(name: str) -> str:
    """Return the title of a document."""
    return documents()[name].partition("\n")[0].removeprefix("#").strip()


def section(name: str) -> str:
    """Return the section of a document; that of a translation is no section."""
    return ALSO.get(name, name.partition("/")[0])


def listed(of: str, code: str) -> list[str]:
    """Return the documents of a section, translated where there is a translation."""
    return [spoken(name, code) for name in documents() if section(name) == of]


def spoken(name: str, code: str) -> str:
    """Return a document in a language, if it exists in it."""
    translated = f"{code}/{name.partition('/')[2]}"
    return translated if translated in documents() else name


def found(words: str, code: str) -> list[str]:
    """Return the documents that contain all words, those with most of them in the title first."""
    wanted = words.casefold().split()
    here = [name for of in SECTIONS for name in listed(of, code)]
    having = [name for name in here if all(word in documents()[name].casefold() for word in wanted)]
    return sorted(having, key=lambda name: -sum(word in title(name).casefold() for word in wanted))


def parted(text: str) -> list[str]:
    """Return the paragraphs, tables and lists of a document; what is fenced or indented stays with what is before."""
    parts: list[str] = []
    for part in text.split("\n\n"):
        whole = not parts or not (parts[-1].count("```") % 2 or parts[-1].count("$$") % 2 or part[:1].isspace())
        parts = [*parts, part] if whole else [*parts[:-1], f"{parts[-1]}\n\n{part}"]
    return parts


def place_of(name: str, words: str) -> int:
    """Return which part of a document behind its title has most of the words, best as they were typed."""
    texts = [plain(part).casefold() for part in parted(documents()[name])]
    return max(range(1, len(texts)), key=lambda at: sum(word in texts[at] for word in _wanted(words)))


def _wanted(words: str) -> list[str]:
    each = words.casefold().split()
    return [" ".join(each), *each]


def plain(part: str) -> str:
    """Return a part of a document in one line, without its marks; formulas in the letters that they have."""
    text = re.sub(
        r"```\w*|^[#>|\s:-]+$|^\s*(#+|>|[*-]|\d+\.)\s|!\[[^\]]*\]\([^)]*\)|<!--.*-->", " ", part, flags=re.MULTILINE
    )
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\\(\w+)", lambda name: LETTERS.get(name[1], GREEK.get(name[1], "")), text)
    text = re.sub(r"[*`$\\{}]", "", text)
    return " ".join(re.sub(r"\s*(\|\s*)+", " · ", text).split()).strip("· ")


def excerpt(name: str, words: str) -> str:
    """Return the sentence of that part in which a word stands, from a word's beginning."""
    text = plain(parted(documents()[name])[place_of(name, words)])
    at = next((place for word in _wanted(words) if (place := text.casefold().find(word)) >= 0), 0)
    first = max((end.end() for end in SENTENCE.finditer(text, 0, at)), default=0)
    before = ""
    if at - first > BEFORE:
        before, first = "… ", text.rfind(" ", first, at - BEFORE) + 1 or at
    last = len(text) if len(text) <= first + LONGEST else text.rfind(" ", at, first + LONGEST)
    return f"{before}{text[first : last if last > at else first + LONGEST].strip()}{' …' if last < len(text) else ''}"


def linked(name: str) -> str:
    """Return a document whose links to other documents stay within the help; those to none are plain text."""

    def target(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), link[2]))
        return f"[{link[1]}](?topic={path})" if path in documents() else link[1]

    return LINK.sub(target, documents()[name])


def show() -> None:
    """Show the search and a document, or the list of a section."""
    st.title(say("Help"), anchor=False)
    words = st.text_input(
        say("Search the help pages"), key=KEY, icon=":material/search:", max_chars=100, on_change=_searched
    )
    topic = st.query_params.get(TOPIC, "")
    if topic in documents():
        _document(spoken(topic, language()), bool(words.strip()))
        return
    replaced(FOUND, "")
    if words.strip():
        _results(words)
    else:
        of = view(say("Section"), SECTIONS, "help-section")
        _links(listed(of, language()))


def _searched() -> None:
    """Leave the document for what is found."""
    for name in (TOPIC, PLACE):
        st.query_params.pop(name, None)


def _results(words: str) -> None:
    names = found(words, language())
    if not names:
        st.info(say("No help page contains these words. Try fewer or other words."))
    for name in names:
        _links([name], f"help-links-{name}", words)
        st.caption(quoted(excerpt(name, words)))


def _links(names: Iterable[str], key: str = "help-links", words: str = "") -> None:
    with st.container(key=key, gap="xsmall"):
        for name in names:
            foreign = language() not in ("en", name.partition("/")[0])
            label = say("{title} (in English)", title=title(name)) if foreign else title(name)
            link("help", label, "article", at={TOPIC: name} | ({PLACE: str(place_of(name, words))} if words else {}))


def _document(name: str, found: bool) -> None:
    """Show a document, from the place in its address, with the way back to what was found or to all."""
    link("help", say("Search results") if found else say("All help pages"), "arrow_back")
    parts = parted(linked(name))
    place = st.query_params.get(PLACE, "")
    at = int(place) if place.isdecimal() and int(place) < len(parts) else 0
    with st.container(width=760):
        _shown(name, "\n\n".join(parts[: at or None]))
        if at:
            with st.container(key=FOUND):
                _shown(name, "\n\n".join(parts[at:]))
            _scroll(f"{name}:{at}")


def _scroll(place: str) -> None:
    """Scroll to the place once, each time it is opened."""
    if replaced(FOUND, place) != place:
        scrolling.made(place)
    scrolling.bring(place, f".st-key-{FOUND}")


def _shown(name: str, text: str) -> None:
    parts = IMAGE.split(text)
    for words, about, file in zip(parts[::3], [*parts[1::3], ""], [*parts[2::3], ""], strict=True):
        st.markdown(words)
        picture = DOCS / posixpath.dirname(name) / file
        if file and picture.resolve().is_relative_to(DOCS) and picture.is_file():
            st.image(str(picture), caption=about)
