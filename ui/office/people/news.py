"""News: what others did that concerns the signed-in person, newest first."""

from __future__ import annotations

import streamlit as st

from discreet.office import Member
from discreet.office.datasets import registry
from discreet.office.house.roles import OFFICER
from discreet.office.notices.news import Happening, mark, news
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.requests.queue import WAITING
from discreet.ui.session import door
from discreet.ui.session.state import choose

SHOWN = 40  # the newest items


def show() -> None:
    """Show new and earlier items, and mark them as read."""
    st.title(say("News"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    st.caption(
        say(
            "This page shows what others did in the last 30 days that concerns you, and changes to "
            "your two-factor authentication. New items are bold."
        )
    )
    items = news(house, who)
    if not items:
        st.info(say("No news yet."))
        return
    names = {data.name: data.id for data in registry.everything(house) if OFFICER in who.roles}
    for item in items[:SHOWN]:
        _item(who, item, names.get(item.about, ""))
    mark(house, who, items[0].seq)


def _item(who: Member, item: Happening, dataset: str) -> None:
    """Show one item, with a link to its request or dataset."""
    text = f"{quoted(say(item.who))} {quoted(say(item.words))} {quoted(item.about)}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{item.time:%Y-%m-%d %H:%M}", width="content")
        st.markdown(f"**{text}**" if item.new else text, width="content")
        if item.number:
            page, key = ("review", WAITING) if OFFICER in who.roles else ("requests", "request")
            if st.button(say("Open {about}", about=item.about), key=f"open:{item.seq}", type="tertiary"):
                choose(key, item.number)
                st.switch_page(f"../pages/{page}.py")
        elif dataset:
            link("datasets", say("Open {about}", about=quoted(item.about)), "inventory_2", {"dataset": dataset})
