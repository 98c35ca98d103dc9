"""Totals: one budget for all rows, what is guessed of the people, and the button that spends it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.prospect import Now, TooMuch, fitting
from discreet.budget.prospect import Terms as Prospect
from discreet.curator.fixed import Answers
from discreet.lab.plans import Planned
from discreet.lab.scenario import MOST_PEOPLE, SHAPES
from discreet.office import seal
from discreet.office.asked import Inquiry
from discreet.ui.ask import requesting
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.costs import proof_of
from discreet.ui.frame.links import link
from discreet.ui.frame.odds import odds
from discreet.ui.frame.words import quoted, say
from discreet.ui.project.shelved import AWAY
from discreet.ui.sheet import Common, Sheet
from discreet.ui.state import choose, chosen, workspace

DELTAS = ("0", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5")
RESERVES = (0.0, 0.1, 0.2, 0.3, 0.5)


def terms(sheet: Sheet, key: str) -> None:
    """Ask for the total, and for what is guessed of the people."""
    now = _now(sheet.common)
    for name, value in now.items():
        choose(f"{key}:{name}", value)
    change: dict[str, Any] = {"on_change": _change, "args": (sheet, key)}
    epsilon, delta, people, shape, reserve = st.columns(5)
    least = min(0.01, now["epsilon"])
    epsilon.number_input(say("ε for all rows"), least, 50.0, step=0.1, format="%g", key=f"{key}:epsilon", **change)
    words = say("How often the promise may fail. 0 leaves out methods with normal noise; 1e-6 is once in a million.")
    delta.selectbox("δ", _with(DELTAS, now["delta"]), key=f"{key}:delta", help=words, **change)
    words = say("From public knowledge, never from the file. A wrong guess costs accuracy.")
    label = say("People, about")
    people.number_input(label, 1, MOST_PEOPLE, key=f"{key}:people", help=words, **change)
    label = say("About which shape")
    words = say("How values may lie between their bounds: a guess. A wrong one costs accuracy, never privacy.")
    shape.selectbox(label, list(SHAPES), key=f"{key}:shape", format_func=say, help=words, **change)
    label, words = say("Keep for later"), say("A part of ε that this plan leaves unspent.")
    parts = _with(RESERVES, now["reserve"])
    reserve.selectbox(label, parts, key=f"{key}:reserve", format_func=_percent, help=words, **change)
    st.caption(odds(sheet.common.total))


def _now(common: Common) -> dict[str, Any]:
    """Return what the fields show."""
    own = f"{common.total.delta:.15g}"
    delta = next((each for each in DELTAS if float(each) == common.total.delta), own)
    guessed = {"people": common.people, "shape": common.shape, "reserve": common.reserve}
    return guessed | {"epsilon": common.total.epsilon, "delta": delta}


def _percent(part: float) -> str:
    return f"{100 * part:.4g}%"


def _with(usual: tuple[Any, ...], own: Any) -> tuple[Any, ...]:
    """Return the usual choices, and the one of a plan that was opened: a field never shows another."""
    return usual if own in usual else (*usual, own)


def _change(sheet: Sheet, key: str) -> None:
    try:
        total = Cost.of(chosen(f"{key}:epsilon"), chosen(f"{key}:delta"))
        people, shape, reserve = (chosen(f"{key}:{name}") for name in ("people", "shape", "reserve"))
        sheet.change(total=total, people=int(people), shape=shape, reserve=float(reserve))
    except ParameterError as refused:
        workspace().notice = refused


def spend(sheet: Sheet, way: Planned, key: str) -> None:
    """Say what all rows cost together, by which proof, and offer to ask them."""
    space, cost = workspace(), way.total.cost
    desk, version = space.here.desk, sheet.version
    answered = desk is None and sheet.answers is not None and sheet.answers.plan == way.fixed
    space.next_cost = None if answered else cost
    if desk is not None:
        requesting.panel(desk, way.fixed, key, lambda: sheet.version != version)
        st.caption(proof_of(way.total))
        _take(sheet, desk.latest(way.fixed))
    elif answered:
        st.success(say("Answered. The answers are below; the same plan again costs nothing."))
    elif space.here.shelved:
        st.warning(say(AWAY))
        link("data", say("Bring the rows back"), "table")
    else:
        ledger = space.curator.ledger
        _button(sheet, way, fitting(cost, ledger.left, ledger.after(cost, way.fixed.account())), key)


def _take(sheet: Sheet, latest: Inquiry | None) -> None:
    """Keep the answers of the plan as it stands, once somebody has let it be answered."""
    if latest is not None and isinstance(latest.release, Answers):
        sheet.take(latest.release)


def _button(sheet: Sheet, way: Planned, prospect: Prospect, key: str) -> None:
    """Offer to spend it, or say why that does not fit."""
    cost = way.total.cost
    if isinstance(prospect, TooMuch):
        st.warning(quoted(say(prospect.by)))
        link("budget", say("See where the budget went"), "account_balance_wallet")
    many = say("Spend {cost} and answer {number} rows", cost=cost, number=len(way.rows))
    primary(
        say("Spend {cost} and answer 1 row", cost=cost) if len(way.rows) == 1 else many,
        disabled=isinstance(prospect, TooMuch),
        width="stretch",
        key=f"{key}:spend",
        on_click=_run,
        args=(sheet, way, sheet.version),
    )
    st.caption(proof_of(way.total))
    if isinstance(prospect, Now):
        st.caption(say("Left after this: {left}. A charge is never given back.", left=prospect.left))


def _run(sheet: Sheet, way: Planned, version: int) -> None:
    """Charge, draw and record the plan that the button named, in one step.

    Where the sheet was changed after the button had named its price, nothing is asked.
    """
    space = workspace()
    if sheet.version != version:
        space.notice = ParameterError(seal.OTHER)
        return
    try:
        answers = space.curator.run(way.fixed, space.nonce(way.fixed))
        if answers is not None:
            sheet.take(answers)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
