"""Totals: one budget for all rows, the public guess of people, the button that spends it, and the results."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, Cost, ParameterError, Phrase
from discreet.budget.ledger import Now, TooMuch, fitting
from discreet.budget.ledger import Terms as Prospect
from discreet.curator.plan import Answers
from discreet.lab.contest import MOST_PEOPLE, SHAPES
from discreet.office.datasets import fingerprint
from discreet.plans import Planned, Wanted
from discreet.plans.plan import LONGEST_NAME, sizes_of
from discreet.report.words import size_label
from discreet.rows.columns.grouping import Grouping, source_of
from discreet.ui.ask import spending
from discreet.ui.data import filters
from discreet.ui.frame import strip
from discreet.ui.frame.links import link, primary
from discreet.ui.frame.results import guess_line, proof_of
from discreet.ui.frame.scrolling import made
from discreet.ui.frame.words import named, quoted, say
from discreet.ui.session.project import AWAY
from discreet.ui.session.state import choose, chosen, workspace
from discreet.ui.session.workspace import Common, Sheet

# Terms: the name, the total and the guesses of the whole plan.

SHARES = "shares"
DELTAS = ("0", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5")
RESERVES = (0.0, 0.1, 0.2, 0.3, 0.5)


def terms(sheet: Sheet, key: str) -> None:
    """Ask for the name, the total and the public guess of the number of people; the rest is folded."""
    now = _now(sheet.common)
    for field, value in now.items():
        choose(f"{key}:{field}", value)
    change: dict[str, Any] = {"on_change": _change, "args": (sheet, key)}
    name, epsilon, people = st.columns(3)
    label, own = say("Plan name"), say("Plan of {dataset}", dataset=named(workspace().here.name))
    name.text_input(label, key=f"{key}:name", max_chars=LONGEST_NAME, placeholder=own, **change)
    least = min(0.01, now["epsilon"])
    epsilon.number_input(say("Total ε"), least, 50.0, step=0.1, format="%g", key=f"{key}:epsilon", **change)
    words = say("Use public knowledge, never the file. A wrong guess reduces accuracy, not privacy.")
    label = say(size_label(workspace().dataset.schema))
    people.number_input(label, 1, MOST_PEOPLE, key=f"{key}:people", help=words, **change)
    with st.expander(say("Fine tuning"), icon=":material/tune:"):
        _rare(sheet, now, key, change)
    guess_line(sheet.common.total, workspace().here.unit, Phrase("all results of the plan"))


def _rare(sheet: Sheet, now: dict[str, Any], key: str, change: dict[str, Any]) -> None:
    """Ask for what is rarely changed."""
    delta, shape, reserve = st.columns(3)
    words = say(
        "δ adds at most this much to the probability of any outcome: 1e-6 is one in a million. 0 excludes "
        "Gaussian noise."
    )
    delta.selectbox("δ", _with(DELTAS, now["delta"]), key=f"{key}:delta", help=words, **change)
    label = say("Assumed distribution")
    words = say(
        "Choose how the values are assumed to be distributed between their bounds. A wrong guess reduces "
        "accuracy, never privacy."
    )
    shape.selectbox(label, list(SHAPES), key=f"{key}:shape", format_func=say, help=words, **change)
    label = say("Reserve")
    words = say("This plan leaves this share of ε unspent.")
    parts = _with(RESERVES, now["reserve"])
    reserve.selectbox(label, parts, key=f"{key}:reserve", format_func=_percent, help=words, **change)
    words = say("Adds a fixed ε and a relative weight to each query of the table.")
    schema = workspace().dataset.schema
    given = {sizes.by: sizes for sizes in sheet.common.sizes}
    for by in dict.fromkeys(by for item in sheet.items for by in item.groups if source_of(by) in schema.groupable):
        filters.sizes(schema, by, given.get(by), key, on_change=_resize, args=(sheet, by, key))
    st.toggle(say("Set shares by hand"), key=f"{key}:{SHARES}", help=words, persist_state="session")


def _now(common: Common) -> dict[str, Any]:
    own = f"{common.total.delta:.15g}"
    delta = next((each for each in DELTAS if float(each) == common.total.delta), own)
    guessed = {"name": common.name, "people": common.people, "shape": common.shape, "reserve": common.reserve}
    return guessed | {"epsilon": common.total.epsilon, "delta": delta}


def _percent(part: float) -> str:
    return f"{100 * part:.4g}%"


def _with(usual: tuple[Any, ...], own: Any) -> tuple[Any, ...]:
    """Return the usual choices, with the value of an opened plan added, so that the field shows that value."""
    return usual if own in usual else (*usual, own)


def _change(sheet: Sheet, key: str) -> None:
    try:
        total = Cost.of(chosen(f"{key}:epsilon"), chosen(f"{key}:delta"))
        people, shape, reserve = (chosen(f"{key}:{name}") for name in ("people", "shape", "reserve"))
        name = str(chosen(f"{key}:name") or "").strip()
        sheet.change(total=total, people=int(people), shape=shape, reserve=float(reserve), name=name)
    except ParameterError as refused:
        workspace().notice = refused


def _resize(sheet: Sheet, by: Grouping, key: str) -> None:
    """Take over the sizes of some groups, as they are typed."""
    schema = workspace().dataset.schema
    try:
        sizes = sizes_of(by, str(chosen(filters.sizes_key(by, key))), schema.category(by).labels)
        if sizes is not None:
            sizes.check(schema)
        others = tuple(each for each in sheet.common.sizes if each.by != by)
        sheet.change(sizes=others if sizes is None else (*others, sizes))
    except ParameterError as refused:
        workspace().notice = refused


def spend(sheet: Sheet, way: Planned, key: str) -> None:
    """Show the total cost of all rows and its proof, and offer to ask them."""
    space = workspace()
    cost = way.total.cost
    desk = space.here.desk
    version = sheet.version
    answered = desk is None and sheet.answers is not None and sheet.answers.plan == way.fixed
    if desk is not None:
        spending.request_panel(desk, way.fixed, key, lambda: sheet.version != version)
        st.caption(proof_of(way.fixed, way.total))
        latest = desk.latest(way.fixed)
        if latest is not None and isinstance(latest.release, Answers):
            sheet.take(latest.release, items_of(way))
    elif answered:
        st.success(say("Done. The results are above. Running the same plan again costs nothing."))
    elif space.here.shelved:
        st.warning(say(AWAY))
        link("dataset", say("Reload the dataset"), "table")
    else:
        ledger = space.curator.ledger
        prospect = fitting(cost, ledger.left, ledger.after(cost, way.fixed.account()))
        strip.intend(strip.PLAN, cost, prospect)
        _button(sheet, way, prospect, key)


def items_of(way: Planned) -> tuple[Wanted, ...]:
    """Return the rows that are asked, as they were wanted."""
    return tuple(row.item for row in way.rows)


def _button(sheet: Sheet, way: Planned, prospect: Prospect, key: str) -> None:
    """Offer to spend the total, or say why it does not fit."""
    cost = way.total.cost
    if isinstance(prospect, TooMuch):
        st.warning(quoted(say(prospect.by)))
        link("budget", say("View budget"), "account_balance_wallet")
    sharper = way.total.cost != way.total.plain
    if sharper:  # the costs in the table above do not add up
        st.caption(proof_of(way.fixed, way.total))
    many = say("Release {number} results (spends {cost})", cost=cost, number=len(way.rows))
    primary(
        say("Release 1 result (spends {cost})", cost=cost) if len(way.rows) == 1 else many,
        disabled=isinstance(prospect, TooMuch),
        width="stretch",
        key=f"{key}:spend",
        on_click=_run,
        args=(sheet, way, sheet.version),
    )
    if not sharper:
        st.caption(proof_of(way.fixed, way.total))
    if isinstance(prospect, Now):
        st.caption(say("Budget left afterwards: {left}. Spent budget is not refunded.", left=prospect.left))


def _run(sheet: Sheet, way: Planned, version: int) -> None:
    """Charge, draw and record the plan that the button named, in one step.

    If the plan was changed after the button had named its cost, nothing is asked.
    """
    space = workspace()
    if sheet.version != version:
        space.notice = ParameterError(fingerprint.OTHER)
        return
    try:
        answers = space.curator.run(way.fixed, space.nonce(way.fixed))
        if answers is not None:
            sheet.take(answers, items_of(way))
            made(answers.id)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
