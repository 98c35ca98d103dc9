"""Phrases: what no screen, report or command shows, how long a sentence may be, and what a help text is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from support.floors import FLOORS
from support.rename import renamed
from support.spoken import ROOT, spoken
from support.wording import NEVER, found, long_ones

from discreet.mechanisms import former, registry
from discreet.mechanisms.base.mechanism import parts
from discreet.ui.frame.families import FACES

# a sentence may have one of the phrases, for a reason
EXCEPT = {
    "Counts of queries {numbers} are also given as whole numbers that are at least 0 and add up. They are sums of the "
    "one table whose sums are closest to the released counts. Each difference is measured by its interval, as if all "
    "queries had counted the same rows. Rows without an allowed value belong to no group, so groups may add up to less "
    "than the total. These counts are derived from the released values only and cost nothing. Intervals are those of "
    "the released values.": "a table is not a person"
}
# what mechanisms are proven by is mathematics in the names of their code: long, and with its own words
FORMAL = ("(epsilon", "|whose)", "|stands", "(Of")
FEWEST = 5  # words of a help text
BADLY = re.compile(r"(Of|In|Else|Best)\b")  # what goes on from a label, and says nothing without it


def proofs() -> set[str]:
    """Return the parts of the docstrings of mechanisms."""
    return {text for kind in (*registry.values(), *former.values()) for text in parts(kind).values()}


def files() -> Iterator[Path]:
    """Yield the modules whose sentences are shown."""
    yield ROOT / "app.py"
    for floor in FLOORS:
        yield from sorted((ROOT / floor).rglob("*.py"))


@cache
def shown() -> frozenset[str]:
    """Return the sentences of all screens, reports and commands."""
    return frozenset(spoken())


def phrases(texts: Iterable[str], patterns: Iterable[str] = NEVER) -> list[str]:
    """Return the texts that have one of the phrases; what a field is called is not shown."""
    without = {text: re.sub(r"\{[^}]*\}", "x", text) for text in texts}
    return sorted(text for text, bare in without.items() if any(found(pattern, [bare]) for pattern in patterns))


def helps(source: str) -> Iterator[str]:
    """Yield the help texts of the widgets of one module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from (text for word in node.keywords if word.arg == "help" for text in _literals(word.value))
        elif isinstance(node, ast.Assign) and any(getattr(name, "id", "") == "help" for name in node.targets):
            yield from _literals(node.value)


def _literals(value: ast.AST) -> Iterator[str]:
    """Yield the texts of a help: what a call in it is given by name is filled in, or names a thing."""
    if isinstance(value, ast.Constant):
        yield from (value.value,) if isinstance(value.value, str) else ()
    elif isinstance(value, ast.Call):
        yield from (text for each in value.args for text in _literals(each))
    elif isinstance(value, ast.IfExp):
        yield from (text for each in (value.body, value.orelse) for text in _literals(each))
    elif isinstance(value, ast.BoolOp):
        yield from (text for each in value.values for text in _literals(each))


def unclear(texts: Iterable[str]) -> list[str]:
    """Return the help texts that are no sentence, or go on from their label."""
    return sorted(text for text in texts if text and (len(text.split()) < FEWEST or BADLY.match(text)))


def entries() -> dict[str, str]:
    """Return the pages that a menu lists by the names of their files, each with its name there."""
    listed = {face.page: str(family.name) for family, face in FACES.items() if face.icon}
    for shell in ("ui/menu.py", "course/offer.py"):
        for node in ast.walk(ast.parse((ROOT / shell).read_text(encoding="utf-8"))):
            match node:
                case ast.Tuple([ast.Constant(str(page)), ast.Call(ast.Name("Phrase"), [ast.Constant(str(title))]), _]):
                    listed[page] = title
    return {page: title for page, title in listed.items() if (ROOT / "pages" / f"{page}.py").exists()}


def titles(page: str) -> set[str]:
    """Return what a page may be titled, as its own file or the module that it shows writes it."""
    own = (ROOT / "pages" / f"{page}.py").read_text(encoding="utf-8")
    imported = [
        ROOT.joinpath(*(node.module or "").split(".")[1:], f"{name.name}.py")
        for node in ast.walk(ast.parse(own))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    ]
    sources = [own, *(path.read_text(encoding="utf-8") for path in imported if path.exists())]
    return {title for source in sources for title in titled(source)}


def shows_title(function: ast.expr) -> bool:
    """Whether a call writes the title of a page: `st.title`, `paying` on a page that can spend, or `head`."""
    return getattr(function, "attr", "") == "title" or getattr(function, "id", "") in ("paying", "head")


def titled(source: str) -> Iterator[str]:
    """Yield the titles of a page that a module writes."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args and shows_title(node.func):
            yield from (str(each.value) for each in ast.walk(node) if isinstance(each, ast.Constant))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "MechanismPage":
            yield from (str(ast.literal_eval(word.value)) for word in node.keywords if word.arg == "title")


def test_every_page_is_titled_as_the_menu_names_it() -> None:
    """A screen that is called one thing in the menu and another above itself is two; Home says what this is for."""
    named = entries()
    assert len(named) > 15 and named.pop("home") == "Home"
    assert {page: title for page, title in named.items() if title not in titles(page)} == {}


def test_no_sentence_has_a_phrase_that_is_never_shown() -> None:
    """What mechanisms are proven by may have the words of mathematics, and no others of them."""
    formal = proofs()
    assert phrases(shown() - formal - set(EXCEPT)) == []
    strict = [pattern for pattern in NEVER if not any(word in pattern for word in FORMAL)]
    assert len(NEVER) - len(strict) == len(FORMAL) and phrases(formal, strict) == []


def test_every_exception_is_needed() -> None:
    """A sentence that is no more, or that has none of the phrases, needs none."""
    assert set(phrases(shown() & set(EXCEPT))) == set(EXCEPT)


def test_no_sentence_is_longer_than_one_reads_at_once() -> None:
    """Counted between full stops."""
    assert long_ones(shown() - proofs()) == []


def test_every_help_says_something_without_its_label() -> None:
    """Those of widgets and columns, and those of the settings of mechanisms."""
    widgets = [text for path in files() for text in helps(path.read_text(encoding="utf-8"))]
    settings = [each.help for kind in (*registry.values(), *former.values()) for each in kind.parameters().values()]
    assert len(widgets) > 50 and len(settings) > 50
    assert unclear([*widgets, *settings]) == []


@pytest.mark.parametrize(
    "broken",
    ["Somebody reads it.", "It is right 19 times in 20.", "There is no table.", "A small epsilon.", "It is 95 % sure."],
)
def test_a_broken_sentence_is_found(broken: str) -> None:
    """Each by one of the phrases; the same words as a field, or without them, are not."""
    assert phrases([broken]) == [broken]
    assert phrases(["It needs ε = {epsilon}.", "There are no more rows.", "It is 95% sure."]) == []


def test_a_broken_length_and_a_broken_help_are_found() -> None:
    """Too long by one word; too short, or begun in the middle of a sentence."""
    assert long_ones(["word " * 25 + "word."]) and not long_ones(["word " * 24 + "word. Another one."])
    source = 'st.text_input(say("Age"), help=say("Of the person.") if ready else None)\n'
    source += 'help = say("Best for counts of all rows.")'
    assert unclear(helps(source)) == ["Best for counts of all rows.", "Of the person."]
    assert unclear(["Enter the largest age that can occur."]) == []


def test_a_sentence_is_renamed_where_it_is_shown_and_nowhere_else() -> None:
    """In calls, within f-strings too; in tests also as a part of a text, but never in a docstring."""
    of, new = "There are two rows.", "2 rows remain."
    source = 'def f():\n    """Says that {0}"""\n    return f"{{say(\'{0}\')}}!" + say("{0}") + "Ah: {1}"\n'
    assert renamed(source.format(of, of), {of: new}) == source.format(new, of).replace(
        f"Says that {new}", f"Says that {of}"
    )
    assert renamed(source.format(of, of), {of: new}, parts=True) == source.format(new, new).replace(
        f"Says that {new}", f"Says that {of}"
    )
