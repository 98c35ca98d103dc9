"""Page: the page of a mechanism, with its parts Ask, How it works and Guarantee."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.budget.errors import ParameterError
from discreet.evidence.certificate import Certificate, certificate
from discreet.lab.experiment import NoRows
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.base.mechanism import parts
from discreet.mechanisms.base.vocabulary import Family
from discreet.mechanisms.exhibits.exhibit import Exhibit
from discreet.queries import Bounds
from discreet.ui.ask import answers, forecast, refilling, spending
from discreet.ui.ask.forecast import picture
from discreet.ui.ask.form import Question, of_families, proposed, question
from discreet.ui.frame import formulas
from discreet.ui.frame.families import face
from discreet.ui.frame.links import to_dataset, view
from discreet.ui.frame.scrolling import bring
from discreet.ui.frame.strip import paying
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.session.state import workspace

# Asking: the form on the left; its cost and expected quality on the right, and the results below.


def ask(families: Sequence[Family], key: str) -> None:
    """Draw the part Ask of one page."""
    key, fresh = f"{key}:{workspace().dataset.schema.digest[:8]}", None
    refilling.refill(families, key)
    refilling.resume(key)
    left, right = st.columns([5, 6], gap="medium")
    with left, st.container(border=True):
        form = _form(families, key)
    with right:
        asked = None if form is None else _checked(form)
        if asked is not None:
            with st.container(border=True):
                fresh = _price(asked, key)
            picture(asked, key)
        with st.container(key="query-result"):
            st.header(say("Results"), anchor=False)
            answers.history(families, fresh)
    bring(fresh or "", ".st-key-query-result")
    refilling.remember(key)


def _form(families: Sequence[Family], key: str) -> Question | None:
    """Draw the form, or say why there is none."""
    space = workspace()
    try:
        asked = question(families, space.dataset.schema, space.here, key)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None
    if asked is None:
        st.info(say("No declared column can be queried here."))
        to_dataset(face(families[0]).page)
    return asked


def _checked(asked: Question) -> Question | None:
    """Return a query that fits the schema, or say why it does not."""
    try:
        asked.request.check(workspace().dataset.schema)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None
    return asked


def _price(asked: Question, key: str) -> str | None:
    """Show quality and cost of the result beside the buttons, visible without scrolling."""
    desk = workspace().here.desk
    for label, value in proposed(asked.request.mechanism).items():
        st.markdown(f"**{label}: {value}**")
    forecast.sentence(asked)
    if desk is None:
        fresh = spending.panel(asked.request, key)
    else:
        fresh = spending.request_panel(desk, asked.request, key, spending.unmoved(key))
    spending.to_plan(asked, key)
    return fresh


# Check: the exact audit of a small example, run on this server.


def check(kind: type[Mechanism], key: str) -> None:
    """Offer to compare every pair of neighbouring datasets, and show the outcome."""
    st.markdown(f"**{say('Evidence')}**")
    st.caption(
        say(
            "Compares the exact distributions of the results for every pair of neighbouring small example "
            "datasets, without sampling. The test suite does the same for more datasets."
        )
    )
    if st.button(say("Run the check"), key=f"{key}:check:{kind.slug}", icon=":material/verified:"):
        with st.spinner(say("Comparing all pairs")):
            audit = _audit(kind.slug)
        _verdict(audit)


def _verdict(audit: Certificate) -> None:
    holds = audit.worst.holds
    show = st.success if holds else st.error
    show(
        say(
            "{pairs} pairs checked. Largest δ: {found}; claimed δ: {claimed}. The claim {word}.",
            pairs=audit.pairs,
            found=number(audit.worst.delta),
            claimed=number(audit.worst.claimed),
            word=say("holds") if holds else say("FAILS"),
        )
    )


@lru_cache(maxsize=64)
def _audit(slug: str) -> Certificate:
    kind: Any = registry[slug]
    small = {"k": 3} if "k" in kind.parameters() else {}
    return certificate(kind(**small))


# Guarantee: the statement, its reason, its authors, and the textbook version.

CENSUS_AGE = Bounds(0, 100, integer=True)


def guarantee(families: Sequence[Family], key: str) -> None:
    """Show the statement of a mechanism of this page, and the textbook version beside it."""
    kinds = of_families(families)
    kind = st.selectbox(say("Mechanism"), kinds, format_func=lambda k: say(k.title), key=f"{key}:guarantee")
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        for name, text in parts(kind).items():
            st.markdown(f"**{say(name)}.** {quoted(formulas.lettered(say(text)))}")
        formulas.offer(key)
    with right:
        with st.container(border=True):
            check(kind, key)
        for exhibit in exhibits(families):
            with st.container(border=True):
                _exhibit(exhibit)


def exhibits(families: Sequence[Family]) -> list[type[Exhibit]]:
    """Return the textbook versions that belong to these families."""
    printed = [kind for kind in registry.values() if issubclass(kind, Exhibit)]
    return [kind for kind in printed if kind.family in families]


def _exhibit(kind: Any) -> None:
    """Show a textbook version, and what it truly guarantees for the bounds in use."""
    st.markdown(f"**{say(kind.title)}**")
    exhibit = kind(delta=1e-6) if "delta" in kind.parameters() else kind()
    truly = exhibit.true_guarantee(_public())
    claimed, held = st.columns(2)
    claimed.metric(say("Textbook ε"), number(exhibit.claim.epsilon))
    held.metric(say("True ε"), "∞" if truly.epsilon == float("inf") else number(truly.epsilon))
    if exhibit.claim.delta or truly.delta:
        claimed.metric(say("Textbook δ"), number(exhibit.claim.delta))
        held.metric(say("True δ"), number(truly.delta))
    st.caption(quoted(say(truly.text)))


def _public() -> Public:
    numbers = workspace().dataset.schema.numbers.values()
    bounds = next((declared.bounds for declared in numbers), CENSUS_AGE)
    return Public(bounds, 1000)


# Mechanism page: Ask, How it works, Guarantee; only the selected part is computed.

VIEWS = {"ask": Phrase("Query"), "how": Phrase("How it works"), "guarantee": Phrase("Guarantee")}


@dataclass(frozen=True)
class MechanismPage:
    """The differences between the pages of mechanisms."""

    key: str
    title: str
    idea: str
    families: tuple[Family, ...]
    how: Callable[[str], None]

    def show(self) -> None:
        """Draw the selected part; its name is in the address."""
        with paying(say(self.title)):
            st.markdown(say(self.idea))
            part = view(say("View"), VIEWS, f"{self.key}-view")
            if part == "how":
                self._explain()
            elif part == "guarantee":
                guarantee(self.families, self.key)
            else:
                ask(self.families, self.key)

    def _explain(self) -> None:
        """Draw the explanation, if there are rows to show it on."""
        try:
            self.how(self.key)
        except NoRows as nobody:
            st.info(say(nobody))
