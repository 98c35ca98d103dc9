"""Strip: the title of a page that can spend and, always in sight under it, the budget that pays."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import NamedTuple

import pandas as pd
import streamlit as st

from discreet.budget import Cost, Entry, Ledger, Phrase
from discreet.budget.durable.spent import LastingLedger
from discreet.budget.ledger import NOTHING, Standing, Terms, TooMuch
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.report.risk import relation_of
from discreet.ui.frame.links import link
from discreet.ui.frame.results import guess_line
from discreet.ui.frame.words import in_words, named, number, period_named, quoted, say
from discreet.ui.session.state import replaced, workspace
from discreet.ui.session.workspace import Opened

# Intents: what the page would spend next. Nothing is spent yet.

QUERY = Phrase("**{epsilon}** this query")
PLAN = Phrase("**{epsilon}** this plan")


class Intent(NamedTuple):
    """What a button of the page would spend, and what would be left; None where it does not fit."""

    what: Phrase
    cost: Cost
    after: Cost | None


INTENT: ContextVar[Intent | None] = ContextVar("intent", default=None)  # of this run


def intend(what: Phrase, cost: Cost, after: Cost | Terms | None) -> None:
    """Show on the strip of this run what a button would spend, with what would be left or the terms that say it."""
    left = after if after is None or isinstance(after, Cost) else None if isinstance(after, TooMuch) else after.left
    INTENT.set(Intent(what, cost, left))


# Bar: the parts of the budget, each as wide as the rule of the ledger counts it, and their numbers.

DIGITS, DECIMALS = 4, 2
BOLD = re.compile(r"\*\*(.+?)\*\*")


class Part(NamedTuple):
    """A part of the bar: its class in the style sheet, its width, and its numbers in words."""

    kind: str
    width: float
    words: str = ""


def parts(stands: Standing, available: Cost, intent: Intent | None) -> list[Part]:
    """Return the parts of the bar from left to right, the track of what is left included."""
    left, whole, unreserved = map(stands.part, (available, stands.whole, stands.unreserved))
    shown = [Part("spent", 1 - unreserved, say("**{epsilon}** spent", epsilon=even(up(stands.spent))))]
    if stands.reserved != NOTHING:
        words = say("**{epsilon}** reserved", epsilon=even(up(stands.reserved)))
        shown.append(Part("reserved", unreserved - whole, words))
    if intent is not None:
        shown.append(_next(intent, stands, available))
    shown.append(Part("left", left - sum(part.width for part in shown if part.kind in ("this", "missing"))))
    if available.nano_epsilon < stands.whole.nano_epsilon:
        words = say(
            "**{epsilon}** not available now", epsilon=even(down(stands.whole - available.smaller(stands.whole)))
        )
        shown.append(Part("closed", whole - left, words))
    return [part._replace(width=max(0.0, part.width)) for part in shown]


def _next(intent: Intent, stands: Standing, available: Cost) -> Part:
    """Return the part of what the page would spend; red, with what is missing, if it does not fit."""
    words = say(intent.what, epsilon=even(up(intent.cost)))
    if intent.after is not None and intent.cost.fits_in(available):
        return Part("this", stands.part(stands.left) - stands.part(intent.after), words)
    short = intent.cost.beyond(available)
    epsilon = even(up(short)) if short.nano_epsilon else ""
    delta = f"δ {number(short.delta)}" if short.delta_units else ""
    missing = say("**{missing}** missing", missing=" · ".join(filter(None, (epsilon, delta))))
    return Part("missing", stands.part(available), f"{words} · {missing}")


def even(epsilon: str) -> str:
    """Return an epsilon with two decimals or more, so that digits stand below each other and the strip is steady."""
    whole, _, part = epsilon.partition(".")
    return f"{whole}.{part:0<{DECIMALS}}"


def up(cost: Cost) -> str:
    """Return an epsilon in a few digits, rounded up: no cost is shown smaller than it is."""
    return digits(cost.nano_epsilon, ROUND_CEILING)


def down(cost: Cost) -> str:
    """Return an epsilon in a few digits, rounded down: no more is shown than there is."""
    return digits(cost.nano_epsilon, ROUND_FLOOR)


def digits(nano_epsilon: int, rounding: str = ROUND_CEILING) -> str:
    """Return an epsilon in a few digits, rounded up unless stated."""
    few = Context(prec=DIGITS, rounding=rounding)
    return f"{Decimal(nano_epsilon).scaleb(-9, few).normalize(few):f}"


def _bar(shown: Sequence[Part]) -> str:
    seen = (part for part in shown if part.width or part.kind == "missing")
    widths = {part.kind: f"{100 * part.width:.3f}%" for part in seen}
    before = replaced("strip", widths) or widths
    bar = "".join(
        f'<i class="{kind}" style="width:{width};--before:{before.get(kind, 0)}"></i>' for kind, width in widths.items()
    )
    return f'<div class="discreet-bar" aria-hidden="true">{bar}</div>'


def _legend(shown: Sequence[Part]) -> str:
    lines = ((part.kind, BOLD.sub(r"<b>\1</b>", html.escape(part.words))) for part in shown if part.words)
    spans = "".join(f'<span><i class="{kind}" aria-hidden="true"></i>{words}</span>' for kind, words in lines)
    return f'<div class="discreet-legend">{spans}</div>'


# Ledger: what was spent last and what all of it means, one press away.

LAST = 4
MOST = 8  # results of a plan that are lines of their own


def _ledger(here: Opened, ledger: Ledger, stands: Standing, allowed: Cost | None) -> None:
    st.markdown(f"**{quoted(named(here.name))}**")
    st.text(say("spent  {spent}\nleft   {left}", spent=stands.spent, left=_available(stands, allowed)))
    lines = _last(here, ledger.latest(LAST))
    if stands.reserved != NOTHING:
        lines.append({say("Query"): say("Requests that wait for a decision"), say("ε"): even(up(stands.reserved))})
    if lines:
        with st.container(key="ledger-lines"):
            st.table(pd.DataFrame(lines), hide_index=True, border="horizontal")
    before = sum(workspace().before, NOTHING)
    if stands.spent + before == NOTHING:
        st.caption(say("Nothing is spent yet. Every query is charged before any row is read."))
    else:
        relation = _relation(here, ledger) if before == NOTHING else None
        guess_line(stands.spent + before, here.unit, Phrase("all results so far"), relation)
    for words in _notes(here, ledger, stands, before, allowed):
        st.caption(quoted(words))
    link("budget", say("View budget"), "account_balance_wallet")


def _relation(here: Opened, ledger: Ledger) -> bool | None:
    """Return the neighbour relation of all that was charged; None if mixed, or if not all of it was asked here."""
    asked = _asked_here(here) if here.desk is None else {}
    charged = {entry.request_id for entry in ledger.entries} if asked else set()
    elsewhere = isinstance(ledger, LastingLedger) and ledger.inner.spent != ledger.spent
    if elsewhere or not charged <= asked.keys():
        return None
    return relation_of(request for requests in asked.values() for request in requests)


def _asked_here(here: Opened) -> dict[str, list[Request]]:
    """Return the queries that were answered here, by the charge that paid for them."""
    asked: dict[str, list[Request]] = {}
    for release, _ in here.answered:
        asked.setdefault(release.id.partition(":")[0], []).append(release.request)
    return asked


def _last(here: Opened, entries: Sequence[Entry]) -> list[dict[str, str]]:
    """Return the results of the last charges, newest last, each with what it has cost in the end."""
    free = {entry.request_id for entry in entries if entry.kind == "settle" and not entry.taken}
    charged = [entry for entry in entries if entry.kind == "charge"]
    asked = asked_for(here, charged)
    each = _asked_here(here) if here.desk is None and charged else {}
    lines = []
    for entry in charged:
        cost = entry.cost if entry.request_id in free else entry.cost + entry.held
        results = each.get(entry.request_id, [])
        if 1 < len(results) <= MOST and sum((one.cost() for one in results), NOTHING) == cost:
            lines += [(in_words(one), one.cost()) for one in results]
        else:
            lines.append((asked.get(entry.request_id, say(UNKNOWN)), cost))
    return [{say("Query"): words, say("ε"): even(up(cost))} for words, cost in lines]


def _notes(here: Opened, ledger: Ledger, stands: Standing, before: Cost, allowed: Cost | None) -> Iterator[str]:
    """Yield what else bounds this budget, and how long it lasts."""
    desk = here.desk
    if desk is not None and allowed is not None:
        most = desk.registered.policy.share_of(desk.who.login)
        yield say("Your limit is ε = {most:g}. You have {left} left.", most=most, left=allowed)
    if desk is not None and (period := desk.ledger.period) is not None:
        yield say("{period}: {left} left.", period=period_named(period.label), left=period.left)
    if before != NOTHING:
        yield say(EARLIER, before=before)
    if here.dataset.protected and desk is None and stands.spent.epsilon and not here.answered:
        yield say("Already spent: everyone who uploads this dataset to this server shares one budget.")
    if not ledger.lasting and not isinstance(ledger, LastingLedger):
        yield say(SHARED if here.dataset.protected else OWN)


OWN = Phrase("Public data: each browser has its own budget, which is not saved.")
SHARED = Phrase("Not saved: all browsers on this server share this budget until the server stops.")
UNKNOWN = Phrase("from another browser, or no result yet")
EARLIER = Phrase("Earlier budgets for this dataset spent {before}. The total privacy loss is the sum of all budgets.")


def asked_for(here: Opened, entries: Sequence[Entry]) -> dict[str, str]:
    """Describe what each charge was for, for the queries that were asked here, or by the analyst at the desk."""
    if here.desk is not None:
        return {each.id: in_words(each.request) for each in here.desk.own([entry.request_id for entry in entries])}
    asked = _asked_here(here) if entries else {}
    return {entry.request_id: _words(asked[entry.request_id]) for entry in entries if entry.request_id in asked}


def _words(requests: Sequence[Request]) -> str:
    """Describe one query, or a plan by its first rows."""
    return in_words(requests[0] if len(requests) == 1 else FixedPlan(tuple(requests)))


# Page: the title with its dataset, the strip, and the page under it.


@contextmanager
def paying(title: str) -> Iterator[None]:
    """Draw a page that can spend: its title, its dataset, and the budget as it is once the page has been drawn."""
    INTENT.set(None)
    head(title)
    place = st.container(key="budget", gap=None)
    yield
    with place:
        _strip()


def head(title: str, key: str = "head") -> None:
    """Show the title of a page with the dataset in use."""
    here = workspace().here
    badge = (
        f":gray-badge[:material/lock: {say('protected')}]"
        if here.dataset.protected
        else f":gray-badge[:material/lock_open: {say('public')}]"
    )
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=key):
        st.title(title, anchor=False, width="content")
        st.markdown(f"{quoted(named(here.name))} {badge}", width="content")


def _available(stands: Standing, allowed: Cost | None) -> Cost:
    """Return what the person may spend now: what is left, and no more than the own limit."""
    return stands.left if allowed is None else stands.left.smaller(allowed)


def _strip() -> None:
    here = workspace().here
    ledger, desk = here.curator.ledger, here.desk
    stands = ledger.standing
    allowed = None if desk is None else desk.allowed
    available = _available(stands, allowed)
    shown = parts(stands, available, INTENT.get())
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.html(_bar(shown))
        label = say("**{left} left** of ε {limit}", left=even(down(available)), limit=down(stands.limit))
        with st.popover(label, type="tertiary", key="ledger"):
            _ledger(here, ledger, stands, allowed)
    st.html(_legend(shown))
