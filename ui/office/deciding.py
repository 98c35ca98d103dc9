"""Deciding: the checklist of a request, what follows from a decision, and the three buttons."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from discreet.budget import BudgetExceeded, ParameterError, Phrase
from discreet.office import House, Member, seal
from discreet.office.asked import Inquiry, find, last_words
from discreet.office.charges import in_stead
from discreet.office.checklist import checklist
from discreet.office.decisions import decide
from discreet.office.dossier import Dossier
from discreet.office.inbox import how_many
from discreet.office.memberships import name_of
from discreet.office.pairs import MINE, NOBODY, first_of, needs_two, stage, take_back
from discreet.office.snapshot import Snapshot
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import answering, door
from discreet.ui.office.entries import turned
from discreet.ui.office.queueing import WAITING
from discreet.ui.office.resuming import Form, hold, resume, sent
from discreet.ui.office.settled import settled
from discreet.ui.state import choose, chosen, workspace

RAN = Phrase(
    "You approved #{number}. It ran once, its cost is spent, and {name} has the answer. Still waiting: {left}."
)
FIRST = Phrase("You approved #{number} as the first of two. It runs when another officer approves it.")
SENT_BACK = Phrase(
    "You asked {name} to change #{number}. {cost} is free again, and {name} reads your reason. Still waiting: {left}."
)
TURNED_DOWN = Phrase("You denied #{number}. {cost} is free again, and {name} reads your reason. Still waiting: {left}.")


@dataclass(frozen=True)
class Decision:
    """What a button stands for: its request, the points that were asked, what the page showed, what is open."""

    request: str
    points: tuple[str, ...]
    seen: str
    open: tuple[int, ...] = ()
    closed: bool = False  # the data are
    stage: str = ""  # of two approvals, as `pairs.stage` says it

    @property
    def reason(self) -> str:
        """The key of the message to the analyst."""
        return turned(f"reason:{self.request}")


def show(house: House, who: Member, here: Dossier) -> Decision | None:
    """Show the checklist; return what the buttons decide about, None where this person may not."""
    asked = here.asked
    st.header(say("Checklist"), anchor=False)
    if (why := _not_for(who, here)) is not None:
        st.warning(say(why))
        return None
    _standing(house, who, here)
    items, form = checklist(here), _form(asked)
    resume(house, who, form)
    settled(items)
    left = [item for item in items[::-1] if item.verified is not True]  # the purpose comes first
    answering.ask(left, asked, last_words(house, who, asked.dataset))
    at = stage(house, who, asked, here.data.policy)
    _what_follows(here.snapshot, at)
    points = tuple(item.name for item in left)
    decision = Decision(asked.id, points, seal.of_decision(here.snapshot, items), closed=here.data.state != "open")
    decision = replace(decision, stage=at)
    _message(decision.reason)
    hold(house, who, form)
    said = answering.answers(asked.id, points)
    return replace(decision, open=tuple(item.number for item in left if item.name not in said))


def _standing(house: House, who: Member, here: Dossier) -> None:
    """Say whether the data are closed, in whose stead it is, and whether it takes two."""
    if here.data.state != "open":
        st.warning(say("These data are closed: it cannot be approved any more. Deny it, so that its cost is free."))
    absent = in_stead(house, who, here.asked.dataset)
    if absent is not None:
        st.info(say("You decide in the stead of {name}; the trail says so.", name=quoted(absent.name)))
    if needs_two(here.data.policy, here.asked):
        _pair(first_of(house, who, here.asked.id), who)


def _not_for(who: Member, here: Dossier) -> Phrase | None:
    """Say why this person may not decide; nothing if they may."""
    if who.id == here.asked.analyst:
        return Phrase("This is your own request: another officer must decide about it.")
    if any(other.analyst == who.id for other in here.snapshot.requests):
        return Phrase("You have asked of these data: another officer must decide about them.")
    return None


def _form(asked: Inquiry) -> Form:
    """Return the form of a decision: the message, and the points of the checklist."""
    return Form(f"decide:{asked.id}", f"#{asked.number}", (f"reason:{asked.id}", f"item:{asked.id}"))


def _pair(first: Member | None, who: Member) -> None:
    """Say that it takes two officers, and who was first."""
    if first is None:
        st.info(say("Its epsilon takes two officers. After you another one has to approve it, too."))
    elif first.id == who.id:
        st.warning(say("You have approved it. It runs when another officer approves it, too."))
    else:
        st.info(say("{name} has approved it. It runs when you approve it, too.", name=quoted(first.name)))


def _what_follows(shown: Snapshot, at: str) -> None:
    """Say what each decision does, and who then sees the answer."""
    if at in (NOBODY, MINE):
        st.caption(
            say(
                "Approve: it is written down, and nothing runs before another officer approves it, too. Until then you "
                "can take it back. Deny or ask for changes: nothing is spent, and that cannot be undone."
            )
        )
        return
    name, public = quoted(shown.name(shown.asked.analyst)), shown.data.published
    st.caption(
        say(
            "Approve: it runs at once, and its cost is spent for good. Deny or ask for changes: "
            "nothing is spent. None of this can be undone."
        )
    )
    st.caption(
        say("Everybody can then read the answer: these data are published.")
        if public
        else say("{name} and the officers then see the answer. It is not published by this.", name=name)
    )


def _message(key: str) -> None:
    st.text_area(
        say("Message to the analyst (not needed to approve)"),
        key=key,
        height=80,
        max_chars=2000,
        persist_state="session",
        help=say("Needed to deny or to ask for changes; the analyst reads it."),
    )


def act(decision: Decision, verdict: str, following: int | None) -> None:
    """Decide in one step that calls nothing of the page, and go on to what follows in the list."""
    house, who, space = door.house(), door.who(), workspace()
    if house is None or who is None:
        return
    request, message = decision.request, str(chosen(decision.reason) or "")
    said = answering.answers(request, decision.points)
    try:
        asked = decide(house, who, request, verdict, message, said, decision.seen)
    except (ParameterError, BudgetExceeded) as refused:
        number = find(house, request).number
        space.notice = Phrase("#{number}: {why}", number=number, why=refused.args[0])
        return
    sent(_form(asked))
    space.done = _done(house, who, asked, verdict)
    if following is not None:
        choose(WAITING, str(following))


def back(request: str) -> None:
    """Take one's own first approval back, in one step that calls nothing of the page."""
    house, who, space = door.house(), door.who(), workspace()
    if house is None or who is None:
        return
    try:
        take_back(house, who, request)
    except ParameterError as refused:
        space.notice = refused
        return
    space.done = say("You took back your approval of #{number}.", number=find(house, request).number)


def _done(house: House, who: Member, asked: Inquiry, verdict: str) -> str:
    """Say what was decided, what became of the cost, and how much is left to do."""
    values = {
        "number": asked.number,
        "name": quoted(name_of(house, asked.analyst)),
        "cost": asked.cost,
        "left": how_many(house, who),
    }
    if verdict == "approved":
        return say(str(FIRST if asked.state == "waiting" else RAN), **values)
    return say(str(SENT_BACK if verdict == "changes" else TURNED_DOWN), **values)
