"""Review: the queue with a card for each request and one decision, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.office import House, Member
from discreet.office.asked import Inquiry, decided
from discreet.office.awaiting import Awaited, cases
from discreet.office.dossier import dossier
from discreet.office.looking import look
from discreet.office.memberships import name_of
from discreet.office.snapshot import snapshot
from discreet.ui import notices
from discreet.ui.frame.links import card_files, link, view
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import bar, card, deciding, door, first_steps, linked, otherwise, queueing, talking
from discreet.ui.office.bar import gone
from discreet.ui.office.deciding import Decision
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
    if view(say("View"), VIEWS, "review-view") == "queue":
        _queue(house, who)
    else:
        _decided(house, who)
    workspace().done = ""


def _queue(house: House, who: Member) -> None:
    """Show the list, the request that is looked at with its checklist, and the decision below, always in sight."""
    waiting = cases(house, who)
    gone(house, who, [case.asked.number for case in waiting])
    if not waiting:
        _nothing(house, who)
        return
    st.caption(
        say("Waiting: {number}. You decide about the question, before anybody has an answer.", number=len(waiting))
    )
    case, order = queueing.show(waiting)
    if case is None:
        bar.aside()
        return
    _both(look(house, who, case.asked))
    bar.show(case, order, _case(house, who, case))


def _case(house: House, who: Member, case: Awaited) -> Decision | None:
    """Show a request on the left, its checklist and what was said on the right; return what is decided about."""
    here = dossier(house, case.asked, who)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        st.markdown(f"**{say('Request #{number}', number=case.asked.number)}** · {quoted(str(case.asked.cost))}")
        st.caption(say("{name} asks of {data}, for this purpose:", name=quoted(case.asker), data=quoted(case.data)))
        st.text(case.asked.purpose)
        linked.show(house, who, case.asked)
        card.show(here.snapshot, names=True)
        link("evidence", say("Evidence for this question"), "verified", {"request": str(case.asked.number)})
    with right:
        with st.container(border=True):
            decision = deciding.show(house, who, here)
        otherwise.show(case.asked.request, here.data.registration)
        talking.show(house, who, case.asked)
        repeated(here.snapshot)
    return decision


def _both(others: list[str]) -> None:
    """Say who else reads the same at this time."""
    if others:
        names = ", ".join(quoted(name) for name in others)
        st.warning(
            say("Others who looked at this in the last five minutes: {names}.", names=names), icon=":material/group:"
        )


def _nothing(house: House, who: Member) -> None:
    """Say that nothing waits; somebody else may have decided about the last one meanwhile."""
    bar.done()
    notices.show()
    st.info(say("Nothing waits for a decision."))
    first_steps.show(house, who)


def _decided(house: House, who: Member) -> None:
    """Show what was decided, by whom and when, and the card of one."""
    requests = decided(house, who)
    if not requests:
        st.info(say("Nothing was decided yet."))
        return
    names = names_of(house)
    st.dataframe(_outcomes(house, requests, names), hide_index=True, width="stretch")
    asked = choose(requests, "decided", names)
    st.caption(
        say("{name} writes: {purpose}", name=quoted(name_of(house, asked.analyst)), purpose=quoted(asked.purpose))
    )
    linked.show(house, who, asked)
    with st.container(border=True):
        card.show(snapshot(house, asked), names=True)
    card_files(asked.id)
    talking.show(house, who, asked)
    st.caption(in_words(asked.request))


def _outcomes(house: House, requests: Sequence[Inquiry], names: Mapping[str, str]) -> pd.DataFrame:
    """Return requests with who decided, when, and with which reason."""
    lines = table(requests, names)
    people = {person for asked in requests for person in (asked.analyst, asked.decided_by) if person}
    called = {person: name_of(house, person) for person in people}
    lines[say("By")] = [called[asked.analyst] for asked in requests]
    lines[say("Decided by")] = [called[asked.decided_by] if asked.decided_by else "–" for asked in requests]
    lines[say("Decided")] = [f"{asked.decided:%Y-%m-%d %H:%M}" if asked.decided else "–" for asked in requests]
    lines[say("Reason or conditions")] = [asked.reason for asked in requests]
    return lines
