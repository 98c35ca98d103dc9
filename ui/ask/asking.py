"""Ask: the question on the left, what it would give on the right, and the answers below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, Cost
from discreet.budget.errors import AlreadyCharged, ParameterError
from discreet.curator import Request
from discreet.curator.terms import Now, TooMuch
from discreet.lab import preview
from discreet.mechanisms import Mechanism
from discreet.mechanisms.families import Family
from discreet.mechanisms.view import Counts
from discreet.office import seal
from discreet.ui.ask import answered as answers
from discreet.ui.ask import forecast, form
from discreet.ui.ask.form import Asked
from discreet.ui.ask.topics import of_families
from discreet.ui.figures import answers as figures
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import requesting
from discreet.ui.state import moved, settings, workspace


def ask(families: Sequence[Family], key: str) -> None:
    """Show the whole of Ask for one page."""
    space = workspace()
    key = f"{key}:{space.dataset.schema.digest[:8]}"
    left, right = st.columns([5, 6], gap="medium")
    with left, st.container(border=True):
        asked = _asked(families, key)
        if asked is not None:
            desk = space.here.desk
            fresh = _spend(asked, key) if desk is None else requesting.panel(desk, asked, key)
    with right:
        if asked is not None:
            with st.container(border=True):
                _figure(asked, key)
        st.subheader(say("Answers"), anchor=False)
        slugs = {kind.slug for kind in of_families(families)}
        answers.history(slugs, fresh if asked is not None else None)


def _asked(families: Sequence[Family], key: str) -> Asked | None:
    space = workspace()
    try:
        asked = form.question(families, space.dataset.schema, space.here, key)
        if asked is None:
            st.info(say("Nothing that is declared can be asked here."))
            link("data", say("Declare a column on the page Data"))
            return None
        asked.request.check(space.dataset.schema)
        forecast.sentence(asked)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None
    return asked


def _spend(asked: Asked, key: str) -> str | None:
    """Show what it costs and the one button that spends; return the id of a fresh answer."""
    space, request = workspace(), asked.request
    terms, cost = space.curator.terms(request), request.cost()
    space.next_cost = cost
    stored = space.stored(request)
    if stored is not None:
        st.success(say("Answered. The same question again gives the same answer, for nothing."))
        st.button(
            say("Prepare a new draw"),
            key=f"{key}:again",
            icon=":material/replay:",
            on_click=space.prepare,
            args=(request,),
            width="stretch",
            help=say("The next answer is a new draw and costs again."),
        )
        return stored.id
    if isinstance(terms, TooMuch):
        _does_not_fit(terms, cost)
    primary(
        say("Spend {cost} and release", cost=cost),
        disabled=isinstance(terms, TooMuch),
        width="stretch",
        key=f"{key}:spend",
        on_click=_release,
        args=(request, settings(key, requesting.ACTING)),
    )
    if space.notice:
        st.error(quoted(say(space.notice)))
        space.notice = ""
    if isinstance(terms, Now):
        st.caption(say("Left after this: {left}. A charge is never given back.", left=terms.left))
    return None


def _does_not_fit(terms: TooMuch, cost: Cost) -> None:
    """Say by how much a question does not fit, and what would."""
    left = terms.left
    st.warning(quoted(say(terms.by)))
    if left.nano_epsilon and cost.delta_units <= left.delta_units:
        st.caption(say("An epsilon of {most:.4g} would still fit.", most=left.epsilon))
    link("budget", say("See where the budget went"), "account_balance_wallet")


def _release(request: Request, before: dict[str, Any]) -> None:
    """Charge, draw and record the question that the button named, in one step.

    This runs before the page is drawn again and calls nothing of the page: no later click, move
    of a slider or closed tab can come between the charge and its answer. Where a field was changed
    after the button had named its question and its price, nothing is asked: it names the new one.
    """
    space = workspace()
    if moved(before):
        space.notice = ParameterError(seal.OTHER)
        return
    try:
        space.curator.ask(request, space.nonce(request))
    except AlreadyCharged:
        pass  # another tab was faster; its answer is on the record
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


def _figure(asked: Asked, key: str) -> None:
    """Draw what may be seen: the law and the truth on open data, the forecast on protected."""
    space, request = workspace(), asked.request
    shown = space.here.shown
    if shown is None or request.by is not None:
        forecast.curve(asked, f"{key}:curve")
        return
    mechanism: Mechanism = request.mechanism
    slug = type(mechanism).slug
    ((_, view),) = shown.curator.open_views(request)
    if isinstance(mechanism.view, Counts):
        width = mechanism.forecast(asked.public).half_width
        figures.counts(view.labels, view.counts.tolist(), width, slug, f"{key}:law")
        return
    if not mechanism.single:
        forecast.curve(asked, f"{key}:curve")
        return
    truth = preview.truth(shown.curator, request, view)
    st.caption(say("Open data: the truth may be shown."))
    stored = space.stored(request)
    released = stored.answer if stored is not None and isinstance(stored.answer, (int, float)) else None
    figures.law(mechanism.law(view), truth, slug, f"{key}:law", released)
