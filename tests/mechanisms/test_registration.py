"""Registration: a mechanism that does not say what a card must know is refused with its file."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import pytest
from support.for_each import for_each

from discreet.budget import Phrase
from discreet.mechanisms import known_families, registry
from discreet.mechanisms.base.mechanism import SAID, Mechanism, OneStatistic
from discreet.mechanisms.base.vocabulary import GLOBAL, LAPLACE, Family, Topic, parameter, statistic
from discreet.mechanisms.exhibits.exhibit import Exhibit
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries.mean import Mean

WORDS: dict[str, Any] = {
    "title": "New",
    "family": GLOBAL,
    "noise": LAPLACE,
    "after": Phrase("Nothing."),
    "answers": (Topic("new", "New"),),
}


def declared(base: type[Mechanism] = Mechanism, **words: Any) -> type[Mechanism]:
    """Read a file with one mechanism in it."""
    return type("New", (base,), {"slug": "new", "__annotations__": {}, **words})


@pytest.fixture(autouse=True)
def _unknown_afterwards() -> Any:
    yield
    registry.pop("new", None)


def test_a_mechanism_that_says_everything_is_registered() -> None:
    """Nothing else is needed."""
    kind = declared(**WORDS)
    assert registry["new"] is kind


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("wrong", [None, "noise", 3])
def test_one_that_does_not_say_a_word_is_refused_by_its_name(word: str, wrong: Any) -> None:
    """At once, not by the officer who reads its card; what is no family is no word either."""
    if (word, wrong) in (("title", "noise"), ("answers", "noise"), ("answers", 3)):
        return  # a text is a title; what is answered is only asked to be something
    words = {name: attribute for name, attribute in WORDS.items() if name != word}
    with pytest.raises(TypeError, match=f"New must say {word}"):
        declared(**words, **({word: wrong} if wrong is not None else {}))
    assert "new" not in registry


def test_one_that_takes_a_statistic_must_be_one_that_does() -> None:
    """A field alone would leave its neighbours, its rows and its questions unsaid."""
    words = {name: attribute for name, attribute in WORDS.items() if name != "answers"}
    field = {"__annotations__": {"query": "Query"}, "query": statistic(Mean)}
    with pytest.raises(TypeError, match="OneStatistic"):
        declared(**words, **field)
    assert declared(OneStatistic, **words, **field).topics()


def test_an_exhibit_must_say_beside_what_it_is_shown() -> None:
    """Its family decides on which page it stands."""
    with pytest.raises(TypeError, match="New must say family"):
        declared(Exhibit, title="New")
    kind = declared(Exhibit, title="New", family=GLOBAL)
    assert registry["new"] is kind


def test_a_field_without_a_label_is_refused() -> None:
    """A card names every setting; one that is inherited is named already."""
    bare = {"__annotations__": {"size": "int", "slug": "ClassVar[str]"}, "size": 3}
    with pytest.raises(TypeError, match="New must label size"):
        declared(GlobalLaplace, **WORDS, **bare)
    body = bare | {"size": parameter("Size", 1, 9, default=3, help="Public.")}
    assert "size" in dataclass(frozen=True)(declared(GlobalLaplace, **WORDS, **body)).labels()


@for_each(registry)
def test_everything_that_is_registered_has_its_words(slug: str) -> None:
    """All of them are sentences, and every public field has its label."""
    kind = registry[slug]
    assert all(isinstance(getattr(kind, name), expected) for name, expected in SAID.items())
    for text in (kind.family.name, kind.family.follows, kind.noise.name, kind.noise.source):
        assert re.search(r"\w", text)
    assert list(kind.labels()) == [field.name for field in fields(kind)]


def test_families_are_those_of_what_releases() -> None:
    """By key, in its order; a family is one value however many mechanisms name it."""
    families = known_families()
    assert list(families) == sorted(families) and len(set(families.values())) == len(families)
    assert all(isinstance(family, Family) and family.key == key for key, family in families.items())


class _Twin(GlobalLaplace):
    """A twin in a test: without a slug nothing is registered and nothing is asked."""

    note: ClassVar[str] = "unsaid"


def test_a_twin_without_a_slug_is_not_registered() -> None:
    """Tests break mechanisms without adding to what can be asked."""
    assert _Twin not in registry.values()
