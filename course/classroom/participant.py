"""Participant: the screens of a participant: the code of the class, and the current activity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from discreet.budget.errors import ParameterError, Phrase
from discreet.course.classroom import teacher
from discreet.course.classroom.activity import (
    Activity,
    Ballot,
    Choice,
    CoinFlip,
    Dealing,
    Entry,
    Estimation,
    Proposal,
    Questioning,
    Standing,
    Tournament,
    reported,
)
from discreet.course.classroom.meeting import LONGEST_NAME
from discreet.course.classroom.opening import meeting
from discreet.course.lessons.differencing.numbers import PEOPLE
from discreet.office.people.signing_in import place_of
from discreet.ui.frame import words
from discreet.ui.frame.formulas import typeset
from discreet.ui.frame.links import link
from discreet.ui.frame.sidebar import switch
from discreet.ui.frame.words import number, say
from discreet.ui.session import door
from discreet.ui.session.state import browser, chosen, workspace

# Admission: the screen on which a participant enters the code of the class.

CODE = "class-code"
NAME = "class-name"
TEACHER = "teacher"
LONGEST_CODE = 12


def admission_screen() -> None:
    """Ask for the code, and for an optional name."""
    with st.container(key="class-way-in"):
        switch()
    st.title(say("Join the class"), anchor=False)
    if not meeting().left:
        st.info(say("The class has ended."))
        return
    words.show_notice()
    shown = str(st.query_params.get("code", ""))[:LONGEST_CODE]
    with st.form("join", border=True):
        st.text_input(say("Class code"), shown, key=CODE, max_chars=LONGEST_CODE)
        st.text_input(
            say("Name (optional)"),
            key=NAME,
            max_chars=LONGEST_NAME,
            help=say("Only its letters and digits are stored, until the class ends. Giving a name is optional."),
        )
        st.form_submit_button(say("Join"), type="primary", icon=":material/login:", on_click=_join)
    st.caption(say("You need no account and no file. Your answers are kept in memory until the class ends."))


def _join() -> None:
    try:
        with st.spinner(say("Many codes are being checked. Yours is checked next.")):
            meeting().join(browser(), str(chosen(CODE, "")), str(chosen(NAME, "")), place_of(door.whence()[0]))
    except ParameterError as wrong:
        workspace().notice = wrong


def lead() -> None:
    """Make the browser that opens the teacher's link lead the class, and remove the secret from its address."""
    word = st.query_params.pop(TEACHER, None)
    if word is None:
        return
    try:
        meeting().lead(browser(), str(word))
    except ParameterError as wrong:
        workspace().notice = wrong


# Participation: the answers of a participant, on a phone or a laptop.

FOLLOW = 1.0  # seconds after which a phone checks the current activity: half of it is the median of the wait
CHECKS = 125.0  # per second in a full class, which one processor manages


def class_screen() -> None:
    """Show the current activity, and follow its changes."""
    st.fragment(_follow, run_every=max(FOLLOW, meeting().rules.most / CHECKS))()


def _follow() -> None:
    if not meeting().has(browser()):
        st.rerun()
    stage = meeting().stage
    words.show_notice()
    if teacher.called():
        return
    if stage.activity is None:
        _wait()
        return
    st.header(say(stage.activity.title), anchor=False)
    st.markdown(say(stage.activity.question))
    if stage.revealed:
        _revealed(stage.activity)
    else:
        ASKED[type(stage.activity)](stage.activity)


def _wait() -> None:
    st.header(say("You have joined"), anchor=False)
    st.markdown(say("The class starts soon. This page updates automatically."))
    link("lessons", say("Browse the course in the meantime"), "school")


def _revealed(activity: Activity) -> None:
    """Show the outcome beside the participant's own answer, the explanation, and the figure of the class."""
    OWN.get(type(activity), lambda _: None)(activity)
    teacher.outcome(activity, meeting().mine(browser()))
    st.info(typeset(say(activity.why)), icon=":material/lightbulb:")
    teacher.live(activity, True, teacher.PHONE)
    teacher.related(activity)


def _act(work: Callable[[], Any]) -> None:
    """Run an action in the class, or leave the message of its refusal."""
    try:
        work()
    except ParameterError as wrong:
        workspace().notice = wrong


def _answer(asked: str) -> None:
    value = chosen(asked)
    if value is not None:
        _act(lambda: meeting().answer(browser(), asked, float(value)))


def _estimation(activity: Estimation) -> None:
    taken = Phrase("Your guess: {answer}. You cannot change it until the teacher reveals the answer.")
    _entry(activity, say("Your guess"), taken)


def _dealing(activity: Dealing) -> None:
    _entry(activity, say("Minutes"), Phrase("Your answer: {answer} minutes."))


def _entry(activity: Entry, label: str, taken: Phrase) -> None:
    """Ask for a number once."""
    mine = meeting().mine(browser())
    key = meeting().results.round(activity)
    if mine is not None:
        st.success(say(taken, answer=number(mine)))
        return
    low, high = float(activity.low), float(activity.high)
    step, form = 10.0**-activity.places, f"%.{activity.places}f"
    st.number_input(label, low, high, None, step, form, key=key)
    st.button(say("Submit"), type="primary", on_click=_answer, args=(key,), key=f"{key}-commit")


def _choice(activity: Choice) -> None:
    places = activity.places
    key = meeting().results.round(activity)
    mine = meeting().mine(browser())
    st.radio(
        say("Your choice"),
        range(len(places)),
        None if mine is None else int(mine),
        format_func=lambda at: say(places[at]),
        key=key,
        on_change=_answer,
        args=(key,),
    )
    if mine is not None:
        st.caption(say("Your choice is counted. You can change it until the answers are closed."))


def _coin(activity: CoinFlip) -> None:
    mine = meeting().mine(browser())
    if mine is not None:
        yes = int(mine)
        st.success(
            say(
                "Your reports: {yes} yes, {no} no. A coin may have reversed any of them.",
                yes=yes,
                no=activity.times - yes,
            )
        )
        return
    st.caption(
        say(
            "The server flips {times} coins in your own session and keeps only the reports. Your cost: ε = {epsilon}.",
            times=activity.times,
            epsilon=number(activity.cost),
        )
    )
    with st.container(horizontal=True):
        for truth in (True, False):
            asked = meeting().results.round(activity)
            st.button(
                _word(truth), key=f"{asked}-{truth}", on_click=_report, args=(activity, asked, truth), width="stretch"
            )


def _word(truth: float) -> str:
    return say("yes") if truth else say("no")


def _report(activity: CoinFlip, asked: str, truth: bool) -> None:
    if meeting().mine(browser()) is None:
        _act(lambda: meeting().answer(browser(), asked, reported(activity, truth)))


def _questioning(activity: Questioning) -> None:
    person = meeting().results.ledger.person
    st.caption(say("Each result costs ε = {epsilon}.", epsilon=number(activity.epsilon)))
    labels = say("How many smoke?"), say("How many smoke, without {person}?", person=person)
    for which, label in enumerate(labels):
        st.button(label, key=f"ask-{which}", on_click=_ask, args=(which,), width="stretch")
        mine = meeting().bought(browser(), which)
        if mine:
            st.markdown(say("Your results: {results}", results=", ".join(map(number, mine))))
    teacher.budget(activity)


def _ask(which: int) -> None:
    _act(lambda: meeting().ask(browser(), which))


def _tournament(activity: Tournament) -> None:
    """Show the count of the next person, with a button for each guess."""
    game, said = meeting().game(browser(), activity)
    at = len(said)
    right = say("Right so far: {right} of {n}.", right=game.right(said), n=at)
    if at == PEOPLE:
        st.success(right)
        return
    count = number(game.answers[at]).replace("-", "−")
    st.markdown(say("The count of person {n} is **{answer}**.", n=at + 1, answer=count))
    asked = meeting().results.round(activity)
    with st.container(horizontal=True):
        for label, guess in ((say("Smokes"), "y"), (say("Does not smoke"), "n")):
            st.button(label, key=f"{asked}-{guess}", on_click=_guess, args=(asked, at, guess), width="stretch")
    st.caption(right)


def _guess(asked: str, at: int, guess: str) -> None:
    _act(lambda: meeting().play(browser(), asked, at, guess))


def _proposal(activity: Proposal) -> None:
    """Propose a bound once, and read what became of it."""
    made = meeting().results.proposed.get(browser())
    if made is None:
        key = meeting().results.round(activity)
        st.radio(say("Bound b, in years"), activity.bounds, None, number, key=key, horizontal=True)
        st.caption(say("A result costs ε = {epsilon}, a refusal half of it.", epsilon=number(activity.epsilon)))
        st.button(say("Propose"), type="primary", on_click=_propose, args=(key,), key=f"{key}-commit")
    else:
        _own_proposal(activity)
    teacher.proposal_budget(activity)


def _own_proposal(activity: Proposal) -> None:
    """Show what became of the participant's own proposal."""
    made = meeting().results.proposed.get(browser())
    if made is None:
        return
    bound = say("Your b = {b}: {outcome}.", b=number(made.b), outcome=say(made.outcome))
    if made.answer is None:
        st.warning(bound)
        return
    error = number(activity.error(made.b), 2)
    answer = number(made.answer, 3)
    st.success(say("{bound} The median age is {answer} ± {error}.", bound=bound, answer=answer, error=error))


def _propose(asked: str) -> None:
    b = chosen(asked)
    if b is not None:
        _act(lambda: meeting().propose(browser(), asked, float(b)))


# the widgets of each kind of activity
ASKED: dict[type[Activity], Callable[[Any], None]] = {
    Estimation: _estimation,
    Dealing: _dealing,
    Ballot: _choice,
    Standing: _choice,
    Tournament: _tournament,
    Proposal: _proposal,
    CoinFlip: _coin,
    Questioning: _questioning,
}
# what the outcome of an activity says to each participant alone
OWN: dict[type[Activity], Callable[[Any], None]] = {Proposal: _own_proposal}
