"""Review: the queue with a card for each request and one decision, and what was decided."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.office import House, Member
from discreet.office.asked import decided
from discreet.office.dossier import dossier
from discreet.office.inbox import queue
from discreet.office.memberships import name_of
from discreet.office.snapshot import snapshot
from discreet.ui import notices
from discreet.ui.frame.links import card_files, link, view
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import card, deciding, door
from discreet.ui.office.outbox import choose, names_of, table
from discreet.ui.office.repeated import repeated
from discreet.ui.state import workspace

VIEWS = {"queue": Phrase("Waiting"), "decided": Phrase("Decided")}


def show() -> None:
    """Show what waits, or what was decided."""
    st.title(say("Review"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    if workspace().done:
        st.success(workspace().done)
        workspace().done = ""
    if view(say("View"), VIEWS, "review-view") == "queue":
        _queue(house, who)
    else:
        _decided(house, who)


def _queue(house: House, who: Member) -> None:
    """Show the request that is chosen on the left, its checklist and the decision on the right."""
    waiting, names = queue(house, who), names_of(house)
    if not waiting:
        _nothing(names)
        return
    st.caption(
        say("Waiting: {number}. You decide about the question, before anybody has an answer.", number=len(waiting))
    )
    asked = choose(waiting, "waiting", names)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        name = quoted(name_of(house, asked.analyst))
        st.caption(say("{name} asks of {data}, for this purpose:", name=name, data=quoted(names[asked.dataset])))
        st.text(asked.purpose)
        here = dossier(house, asked, who)
        card.show(here.snapshot, names=True)
    with right:
        with st.container(border=True):
            deciding.show(house, who, here)
        repeated(here.snapshot)


def _nothing(names: dict[str, str]) -> None:
    """Say that nothing waits; somebody else may have decided about the last one meanwhile."""
    notices.show()
    st.info(say("Nothing waits for a decision."))
    if not names:
        link("registered", say("Register the first dataset"), "inventory_2")


def _decided(house: House, who: Member) -> None:
    """Show what was decided, by whom and when, and the card of one."""
    requests = decided(house, who)
    if not requests:
        st.info(say("Nothing was decided yet."))
        return
    names = names_of(house)
    lines = table(requests, names)
    lines[say("By")] = [name_of(house, asked.analyst) for asked in requests]
    lines[say("Decided by")] = [name_of(house, asked.decided_by) if asked.decided_by else "–" for asked in requests]
    lines[say("Decided")] = [f"{asked.decided:%Y-%m-%d %H:%M}" if asked.decided else "–" for asked in requests]
    st.dataframe(lines, hide_index=True, width="stretch")
    asked = choose(requests, "decided", names)
    st.caption(
        say("{name} writes: {purpose}", name=quoted(name_of(house, asked.analyst)), purpose=quoted(asked.purpose))
    )
    with st.container(border=True):
        card.show(snapshot(house, asked), names=True)
    card_files(asked.id)
    st.caption(in_words(asked.request))
