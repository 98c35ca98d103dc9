"""Help: the documents of the project, to search and to read without another machine."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import streamlit as st

from discreet.budget import Phrase
from discreet.ui.frame.links import link, view
from discreet.ui.frame.words import quoted, say
from discreet.ui.session.state import language

DOCS = Path(__file__).resolve().parents[1] / "docs"
SECTIONS = {
    "tutorials": Phrase("Tutorials"),
    "how-to": Phrase("How-to"),
    "explanation": Phrase("Explanation"),
    "reference": Phrase("Reference"),
}
ALSO = {"guarantees": "explanation", "what-is-public": "reference"}  # documents outside of the folders
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]*?)\.md(?:#[^)\s]*)?\)")
IMAGE = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+)\)$", re.MULTILINE)
AROUND = 70  # characters of a text on each side of a word that was found


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


def excerpt(name: str, words: str) -> str:
    """Return the text around the first place of a word behind the title, in one line of plain text."""
    text = " ".join(re.sub(r"[#*`|>]|\]\([^)]*\)|\[", " ", documents()[name].partition("\n")[2]).split())
    at = max(0, text.casefold().find(words.casefold().split()[0]))
    return f"… {text[max(0, at - AROUND) : at + AROUND].strip()} …"


def linked(name: str) -> str:
    """Return a document whose links to other documents stay within the help; those to none are plain text."""

    def target(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), link[2]))
        return f"[{link[1]}](?topic={path})" if path in documents() else link[1]

    return LINK.sub(target, documents()[name])


def show() -> None:
    """Show the search and a document, or the list of a section."""
    st.title(say("Help"), anchor=False)
    words = st.text_input(say("Search the help pages"), key="help:words", icon=":material/search:", max_chars=100)
    topic = st.query_params.get("topic", "")
    if words.strip():
        _results(words)
    elif topic in documents():
        _document(spoken(topic, language()))
    else:
        of = view(say("Section"), SECTIONS, "help-section")
        _links(listed(of, language()))


def _results(words: str) -> None:
    names = found(words, language())
    if not names:
        st.info(say("No help page contains these words. Try fewer or other words."))
    for name in names:
        _links([name], f"help-links-{name}")
        st.caption(quoted(excerpt(name, words)))


def _links(names: Iterable[str], key: str = "help-links") -> None:
    with st.container(key=key, gap="xsmall"):
        for name in names:
            foreign = language() not in ("en", name.partition("/")[0])
            words = say("{title} (in English)", title=title(name)) if foreign else title(name)
            link("help", words, "article", at={"topic": name})


def _document(name: str) -> None:
    link("help", say("All help pages"), "arrow_back")
    with st.container(width=760):
        parts = IMAGE.split(linked(name))
        for text, about, file in zip(parts[::3], [*parts[1::3], ""], [*parts[2::3], ""], strict=True):
            st.markdown(text)
            picture = DOCS / posixpath.dirname(name) / file
            if file and picture.resolve().is_relative_to(DOCS) and picture.is_file():
                st.image(str(picture), caption=about)
