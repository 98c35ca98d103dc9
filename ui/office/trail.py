"""Trail: the acts, newest first, and whether their chain holds."""

from __future__ import annotations

from datetime import date

import pandas as pd
import streamlit as st

from discreet.office import House, acts, alterations, memberships
from discreet.office.acts import Act
from discreet.ui.frame.words import say
from discreet.ui.office import door

NEWEST = 500
SAID = ("reason", "holds", "wrong", "restored", "openid", "dataset", "question")  # what acts tell beside values


def show() -> None:
    """Show who did what, and verify that nothing was changed."""
    st.title(say("Trail"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None or not who.roles & {"officer", "administrator"}:
        return
    _chain(house)
    wanted = _wanted()
    newest = acts.trail(house.store, NEWEST, wanted)
    st.dataframe(_table(house, newest), hide_index=True, width="stretch")
    st.caption(say("The newest {most} acts of these. The command line shows all of them.", most=NEWEST))


def _wanted() -> acts.Excerpt:
    """Ask which acts are looked at."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = st.text_input(say("About"), key="trail:about", help=say("A dataset, a login, or a request as #12."))
        what = st.multiselect(
            say("What"),
            list(acts.WORDS),
            key="trail:what",
            format_func=lambda w: say(acts.WORDS[w]),
            placeholder=say("Choose"),
        )
        first = st.date_input(say("From"), None, key="trail:first")
        last = st.date_input(say("To"), None, key="trail:last")
    routine = st.toggle(say("Signing in and out, and verifications that found nothing"), key="trail:routine")
    return acts.Excerpt(about.strip(), tuple(what), _day(first), _day(last), routine)


def _day(day: object) -> str:
    return day.isoformat() if isinstance(day, date) else ""


def _chain(house: House) -> None:
    """Say whether the chain holds, and show its newest head."""
    wrong = house.wrong_act()
    if wrong is not None:
        st.error(say("Act {number} does not fit the chain: somebody changed the trail.", number=wrong))
        return
    st.success(say("The chain of acts holds: nothing was changed, moved or left out."))
    st.caption(
        say(
            "This page reads an act once after a start; verification by command reads all, and compares "
            "them with accounts, data, requests, rows and heads kept elsewhere. The newest head now:"
        )
    )
    st.code(acts.head(house.store), language=None, wrap_lines=True)


def _table(house: House, newest: list[Act]) -> pd.DataFrame:
    """Return the newest acts, with the names of those who acted."""
    names = {account["person"].id: account["person"].name for account in memberships.everybody(house)}
    return pd.DataFrame(
        [
            {
                say("When"): f"{act.time:%Y-%m-%d %H:%M:%S}",
                say("Who"): say(act.nobody) if act.nobody else names.get(act.who, act.who),
                say("What"): say(act.words),
                say("About"): act.about,
                say("Through"): _through(act),
                say("More"): _more(act),
            }
            for act in newest
        ]
    )


def _through(act: Act) -> str:
    """Say by which session, token or command it was done, where the trail knows."""
    way, _, mark = str(act.details.get("through", "")).partition(" ")
    if act.details.get("by_command"):
        return say("command")
    return {"session": say("session {mark}", mark=mark), "token": say("token {mark}", mark=mark)}.get(way, "")


def _more(act: Act) -> str:
    """Return what an act changed, old and new, and what else it tells."""
    values = [f"{say(name)}: {old} → {new}" for name, old, new in alterations.changed(act.details)]
    rest = [f"{name}: {act.details[name]}" for name in SAID if act.details.get(name)]
    return "; ".join([*values, *rest])
