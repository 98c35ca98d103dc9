"""Totals: one budget for all rows, the public guess of people, the button that spends it, and the results."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import BudgetExceeded, Cost, ParameterError, Phrase
from discreet.budget.ledger import Now, TooMuch, fitting
from discreet.budget.ledger import Terms as Prospect
from discreet.curator.plan import Answers
from discreet.lab.contest import MOST_PEOPLE, SHAPES
from discreet.office.datasets import fingerprint
from discreet.office.requests.request import Inquiry
from discreet.plans import Planned, Wanted
from discreet.report.programs import plan_notebook, plan_script
from discreet.report.publication import Publication, publication
from discreet.rows import Schema
from discreet.ui import downloads
from discreet.ui.ask import spending
from discreet.ui.figures import answers as chapters
from discreet.ui.frame import strip
from discreet.ui.frame.links import link, primary
from discreet.ui.frame.results import chapter_lines, guess_line, proof_of
from discreet.ui.frame.words import quoted, say
from discreet.ui.plan.rows import title, whole_title
from discreet.ui.session.project import AWAY
from discreet.ui.session.state import choose, chosen, workspace
from discreet.ui.session.workspace import Common, Sheet

# Report: the results of a plan with figures, methods, and the files to share.


def report(given: Answers, edition: Publication, items: tuple[Wanted, ...], schema: Schema) -> None:
    """Show figures and methods, and offer every file, each made when requested."""
    st.header(say("Report"), anchor=False)
    _figures(given, edition, items)
    with st.expander(say("Methods"), icon=":material/menu_book:"):
        st.markdown(quoted(" ".join(map(say, edition.methods))))
        st.markdown("\n".join(f"- {quoted(say(each))}" for each in edition.promise))
    answered = [(release, schema) for release in given.releases]
    downloads.offer(answered, lambda: edition, say("plan"), f"take:{given.id}", _again(given, schema, edition))


def _figures(given: Answers, edition: Publication, items: tuple[Wanted, ...]) -> None:
    """Draw the figures of one query at a time, which is faster than drawing all."""
    asked = enumerate(zip(items, edition.chapters, strict=True))
    names = {at: f"{at + 1}. {whole_title(item)}" for at, (item, each) in asked if chapters.drawable(each)}
    if not names:
        return
    at = st.selectbox(say("Figure"), list(names), format_func=names.__getitem__, key=f"figure:{given.id}")
    chapters.show(edition.chapters[at])


def _again(given: Answers, schema: Schema, edition: Publication) -> list[downloads.File]:
    """Return the files that ask the whole plan again, of the file in use; the notebook shows the results first."""
    here = workspace().here
    limit = here.curator.ledger.limit
    layout = here.layout_of(given.releases[0])
    file = downloads.own_file()
    cover = downloads.titled()
    book = partial(plan_notebook, given.plan, schema, limit, layout, edition.covered(cover), file)
    return [
        (say("Notebook"), "ipynb", downloads.NOTEBOOK, book),
        (say("Script"), "py", "text/x-python", lambda: plan_script(given.plan, schema, limit, layout, file)),
    ]


# Results: all results of a plan in one table, every number with its interval, with downloads.

ROW, MOST_LINES = 35, 30  # height of a line in pixels, and how many lines are visible at once


def answers(given: Answers, items: tuple[Wanted, ...], schema: Schema) -> None:
    """Show every number of every row, the total cost, and the downloads."""
    later = downloads.replaced()
    edition = publication([(release, schema) for release in given.releases], given.plan.total, replaced=later)
    rows = zip(items, edition.chapters, strict=True)
    lines = [{say("Query"): title(item)} | line for item, chapter in rows for line in chapter_lines(chapter)]
    table = pd.DataFrame(lines)
    height = ROW * (min(len(lines), MOST_LINES) + 1) + 3
    st.dataframe(table.loc[:, (table != "").any()], hide_index=True, width="stretch", height=height)
    when = f"{given.at:%Y-%m-%d %H:%M}"
    line = say("Spent {cost} · {when} UTC · ledger entry {entry}", cost=given.cost, when=when, entry=given.entry + 1)
    st.caption(line)
    report(given, edition, items, schema)


DELTAS = ("0", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5")
RESERVES = (0.0, 0.1, 0.2, 0.3, 0.5)


def terms(sheet: Sheet, key: str) -> None:
    """Ask for the total, and for the public guess of the number of people."""
    now = _now(sheet.common)
    for name, value in now.items():
        choose(f"{key}:{name}", value)
    change: dict[str, Any] = {"on_change": _change, "args": (sheet, key)}
    epsilon, delta, people, shape, reserve = st.columns(5)
    least = min(0.01, now["epsilon"])
    epsilon.number_input(say("Total ε"), least, 50.0, step=0.1, format="%g", key=f"{key}:epsilon", **change)
    words = say(
        "δ adds at most this much to the probability of any outcome: 1e-6 is one in a million. 0 excludes "
        "Gaussian noise."
    )
    delta.selectbox("δ", _with(DELTAS, now["delta"]), key=f"{key}:delta", help=words, **change)
    words = say("Use public knowledge, never the file. A wrong guess reduces accuracy, not privacy.")
    label = say("Approximate number of people")
    people.number_input(label, 1, MOST_PEOPLE, key=f"{key}:people", help=words, **change)
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
    guess_line(sheet.common.total, workspace().here.unit, Phrase("all results of the plan"))


def _now(common: Common) -> dict[str, Any]:
    own = f"{common.total.delta:.15g}"
    delta = next((each for each in DELTAS if float(each) == common.total.delta), own)
    guessed = {"people": common.people, "shape": common.shape, "reserve": common.reserve}
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
        sheet.change(total=total, people=int(people), shape=shape, reserve=float(reserve))
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
        st.caption(proof_of(way.total))
        _take(sheet, desk.latest(way.fixed))
    elif answered:
        st.success(say("Done. The results are below. Running the same plan again costs nothing."))
    elif space.here.shelved:
        st.warning(say(AWAY))
        link("dataset", say("Reload the dataset"), "table")
    else:
        ledger = space.curator.ledger
        prospect = fitting(cost, ledger.left, ledger.after(cost, way.fixed.account()))
        strip.intend(strip.PLAN, cost, prospect)
        _button(sheet, way, prospect, key)


def _take(sheet: Sheet, latest: Inquiry | None) -> None:
    """Keep the results of the current plan, after its request was answered."""
    if latest is not None and isinstance(latest.release, Answers):
        sheet.take(latest.release)


def _button(sheet: Sheet, way: Planned, prospect: Prospect, key: str) -> None:
    """Offer to spend the total, or say why it does not fit."""
    cost = way.total.cost
    if isinstance(prospect, TooMuch):
        st.warning(quoted(say(prospect.by)))
        link("budget", say("View budget"), "account_balance_wallet")
    many = say("Release {number} results (spends {cost})", cost=cost, number=len(way.rows))
    primary(
        say("Release 1 result (spends {cost})", cost=cost) if len(way.rows) == 1 else many,
        disabled=isinstance(prospect, TooMuch),
        width="stretch",
        key=f"{key}:spend",
        on_click=_run,
        args=(sheet, way, sheet.version),
    )
    st.caption(proof_of(way.total))
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
            sheet.take(answers)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused
