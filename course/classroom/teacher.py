"""Teacher: the screens of the teacher: joining, the board, the guesses of a step, and the controls."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st

from discreet.course import figures
from discreet.course.classroom.activity import (
    AGES,
    DRAWN_AT,
    LOCAL,
    RELEASED,
    TOO_LATE,
    TOO_NEAR,
    Activity,
    Ballot,
    CoinFlip,
    Dealing,
    Election,
    Estimation,
    Proposal,
    Questioning,
    Standing,
    Tournament,
    ages,
    estimated,
    noises,
    remaining,
)
from discreet.course.classroom.meeting import Rules, Stage, StepGuesses
from discreet.course.classroom.opening import meeting
from discreet.course.classroom.whereabouts import spoken
from discreet.course.guessing import written
from discreet.course.lesson import numbers
from discreet.course.lessons.differencing.numbers import PEOPLE
from discreet.course.lessons.election import numbers as election
from discreet.course.whole_course import Place, places
from discreet.mechanisms.base.vocabulary import BLOCKS, GLOBAL, SMOOTH
from discreet.office.people.signing_in import HERE
from discreet.queries.median import Median
from discreet.ui.figures import theme
from discreet.ui.figures.theme import Sketch
from discreet.ui.frame import words
from discreet.ui.frame.formulas import typeset
from discreet.ui.frame.links import link, square
from discreet.ui.frame.words import drawn, number, quoted, say
from discreet.ui.session import own_table
from discreet.ui.session.guesses import OneOf, OnRungs, Value
from discreet.ui.session.state import browser, language

# Invitation: how to join the class, large enough to be read from the last row.


def show() -> None:
    """Show the QR code, the address and the code of the class side by side."""
    rules = meeting().rules
    if rules.alone:
        st.warning(say("This address works on this machine only. Connect it to a network and start the class again."))
    left, right = st.columns([2, 3], gap="large", vertical_alignment="center")
    words = say("QR code with the address of this class")
    left.html(f'<img src="{square(rules.link)}" alt="{words}" style="width: 100%; max-width: 60vh">')
    with right:
        st.markdown(say("Open this address in a browser:"))
        st.html(
            f'<p style="font-size: 2.4rem; font-weight: 700; margin: 0">{rules.address.removeprefix("http://")}</p>'
        )
        st.markdown(say("Class code:"))
        st.html(f'<p style="font-size: 4.5rem; font-weight: 700; letter-spacing: .15em; margin: 0">{rules.code}</p>')
        st.caption(say("You need no account, and a name is optional. The QR code includes the class code."))


# Step board: the guesses of a class on a step of a lesson in one figure, with the teacher's buttons.

STEP_REFRESH = 1.0  # seconds between two refreshes of the guesses
STEP_CELLS = 20


def above_step(key: str) -> None:
    """Show the guesses of the class on a step: to the teacher always, to everyone once it is open."""
    here = meeting()
    place = places().get(key)
    if place is None:
        return
    if here.teaches(browser()):
        with st.container(border=True):
            st.fragment(_led, run_every=STEP_REFRESH)(place)
            _step_buttons(place)
    elif key in here.steps.opened:
        with st.container(border=True):
            st.markdown(f"**{say('Guesses of the class')}**")
            figure(place, True)
    elif key == here.steps.asked:
        st.info(say("This question is for the whole class. Your teacher shows the answer to everyone."))


def _led(place: Place) -> None:
    """Show the teacher how many have guessed, and what."""
    given = meeting().steps.given(place.key)
    shown = place.key in meeting().steps.opened
    st.markdown(say("{count} of {here} have answered this step.", count=len(given), here=len(meeting().present())))
    if given or shown:
        figure(place, shown)


def _step_buttons(place: Place) -> None:
    steps = meeting().steps
    key = place.key
    with st.container(horizontal=True):
        asked = steps.asked == key
        ask = say("Ask the whole class")
        st.button(ask, key="step-ask", on_click=_act, args=(StepGuesses.ask, key), disabled=asked)
        opened = key in steps.opened
        reveal = say("Reveal to everyone")
        st.button(reveal, key="step-open", on_click=_act, args=(StepGuesses.open, key), disabled=opened)
        st.button(say("Delete these guesses"), key="step-forget", on_click=_act, args=(StepGuesses.forget, key))
        st.button(say("Projector"), "projector", shortcut="P", on_click=_turn_projector)


def _act(work: Callable[[StepGuesses, str], None], key: str) -> None:
    """Run the teacher's action on the guesses of a step."""
    meeting().on_steps(browser(), lambda steps: work(steps, key))


def figure(place: Place, shown: bool) -> None:
    """Draw how often each guess was made, and the true answer if it is shown."""
    kind = place.step.prediction.kind
    given = meeting().steps.given(place.key)
    truth = place.step.prediction.answer
    values: list[Value]
    if isinstance(kind, OneOf):
        names = [say(each) for each in kind.options.values()]
        values = list(kind.options)
    elif isinstance(kind, OnRungs):
        names = [written(each, kind) for each in kind.numbers]
        values = list(kind.numbers)
    else:
        _spread(place, given, shown)
        return
    counts = [list(given).count(value) for value in values]
    right = [shown and kind.near(value, truth) for value in values]
    fig = theme.figure(say("Guess"), say("Number of answers"), bargap=0.25, xaxis_type="category")
    tints = [figures.colour("smooth" if true else "global") for true in right]
    labels = [drawn(f"{name} ✓" if true else name) for name, true in zip(names, right, strict=True)]
    fig.add_bar(x=labels, y=counts, marker={"color": tints})
    _show(fig, counts, place)


def _spread(place: Place, given: Sequence[Value], shown: bool) -> None:
    """Draw guesses in cells of equal width, or of equal factors on a logarithmic scale."""
    kind = place.step.prediction.kind
    low, high = kind.low, kind.high  # type: ignore[attr-defined]
    place_of = math.log10 if kind.factors else float
    start = place_of(low)
    width = (place_of(high) - place_of(low)) / STEP_CELLS
    cells = Counter(min(STEP_CELLS - 1, int((place_of(float(value)) - start) / width)) for value in given)
    ends = [start + (cell + 0.5) * width for cell in range(STEP_CELLS)]
    fig = theme.figure(say("Guess"), say("Number of answers"), bargap=0.05)
    middles = [10**end if kind.factors else end for end in ends]
    counts = [cells[cell] for cell in range(STEP_CELLS)]
    sizes = [10 ** (end + width / 2) - 10 ** (end - width / 2) if kind.factors else width for end in ends]
    fig.add_bar(x=middles, y=counts, width=sizes, marker={"color": figures.colour("global")})
    if kind.factors:
        fig.update_layout(xaxis_type="log", xaxis_dtick=1)
    fig.update_layout(xaxis_range=[start, start + STEP_CELLS * width])
    if shown:
        truth = place.step.prediction.answer
        theme.mark(fig, float(truth), say("correct answer: {truth}", truth=written(truth, kind)), theme.truth_colour())
    _show(fig, counts, place)


def _show(fig: Sketch, counts: Sequence[int], place: Place) -> None:
    top = max(4, *counts)
    fig.update_layout(yaxis={"range": [0, top * 1.15], "dtick": max(1, round(top / 5))})
    words = say("Guesses of the class: {count}.", count=sum(counts))
    with st.container(key="class-guesses"):
        st.plotly_chart(fig, height="stretch", config=theme.CONFIG, key=f"{place.key}-class", alt=words)


def listed() -> None:
    """List for the teacher the steps with guesses, each with a link."""
    counts = meeting().steps.counts()
    for place in (place for key, place in places().items() if counts[key]):
        name = say("Lesson {number}", number=place.lesson.number)
        label = say("{place} (guesses: {count})", place=f"{name}, {say(place.step.title)}", count=counts[place.key])
        link(place.lesson.page, label, "bar_chart", place.address)


def called() -> bool:
    """Link a participant to the step that the class is asked; return whether there is one."""
    place = places().get(meeting().steps.asked)
    if place is None:
        return False
    st.header(say("Question to the whole class"), anchor=False)
    st.markdown(typeset(say(place.step.prediction.ask)))
    link(place.lesson.page, say("Guess now"), "arrow_forward", place.address)
    return True


# Board: the answers of the whole class in one figure, and the outcome.

TINTS = GLOBAL.key, BLOCKS.key  # of the two queries
CELLS = 20  # of a histogram of guesses


@dataclass(frozen=True)
class Canvas:
    """The size of the class's figure and its letters, which depends on the distance of the viewers."""

    height: int = 380
    text: int = 16
    bar: bool = True  # the bar of tools, which a phone always shows, over a label in the corner

    def show(self, figure: Sketch, words: str) -> None:
        """Draw the figure under one key, so that it is updated on the screen and not replaced."""
        letters = {"size": self.text}
        for axis in ("xaxis", "yaxis"):
            figure.update_layout(**{axis: {"tickfont": letters, "title": {"font": letters}}})
        for note in figure.to_dict()["layout"]["annotations"]:
            note["font"] = {**note.get("font", {}), **letters}
        named = bool(figure.to_dict()["layout"].get("showlegend"))
        rows = 4 if named else 2  # above the figure: a legend, or the label of a line
        figure.update_layout(font=letters, margin_t=rows * self.text)
        if named:
            place = {"orientation": "h", "y": 1, "yanchor": "bottom", "traceorder": "normal"}
            figure.update_layout(legend={**place, "font": letters})
        config = theme.CONFIG if self.bar else {**theme.CONFIG, "displayModeBar": False}
        st.plotly_chart(figure, height=self.height, config=config, key="board", alt=words)


NEAR = Canvas()
FAR = Canvas(640, 28)
PHONE = Canvas(260, 13, bar=False)


def live(activity: Activity, shown: bool, canvas: Canvas = NEAR) -> None:
    """Draw the answers so far; only their number if the teacher does not show them yet."""
    given = meeting().results.given(activity)
    if shown or type(activity) is Questioning:
        DRAWN[type(activity)](activity, given, canvas)
    else:
        st.metric(say("Answers so far"), str(len(given)))


def outcome(activity: Activity, mine: float | None = None) -> None:
    """Show the outcome, beside a participant's own answer."""
    OUTCOMES[type(activity)](activity, meeting().results.given(activity), mine)


def budget(activity: Questioning) -> None:
    """Show how much of the budget of the class is left, and whether it is spent."""
    ledger = meeting().results.ledger
    _left(ledger.left, activity.limit, bool(ledger.refusals))


def proposal_budget(activity: Proposal) -> None:
    """Show how much of the budget for proposals is left, and whether it is spent."""
    ledger = meeting().results.proposals
    _left(ledger.left, activity.limit, any(made.outcome == TOO_LATE for made in ledger.made))


def _left(left: float, limit: float, spent: bool) -> None:
    st.progress(min(1.0, max(0.0, left / limit)), say("left   ε = {left}", left=number(left)))
    if spent:
        st.error(say("The budget of the class is spent. The ledger refuses every further query."))


def _bars(labels: Sequence[str], counts: Sequence[int], axes: tuple[str, str], hues: Sequence[str]) -> Sketch:
    """Return a figure with a bar for each answer."""
    figure = theme.figure(*axes, bargap=0.25)
    figure.add_bar(
        x=[drawn(label) for label in labels],
        y=list(counts),
        text=[str(count) for count in counts],
        textposition="outside",
        cliponaxis=False,
        marker={"color": [figures.colour(hue) for hue in hues]},
    )
    figure.update_layout(yaxis=_whole(max(counts)), xaxis_type="category")
    return figure


def _whole(most: int) -> dict[str, Any]:
    """Return an axis of whole numbers that has room for the largest."""
    top = max(4, most)
    return {"range": [0, top * 1.15], "dtick": max(1, round(top / 5))}


def _guesses(activity: Estimation, given: Sequence[float], canvas: Canvas) -> None:
    """Draw the distribution of guesses, and the true number once it is revealed."""
    width = max(1, (activity.high - activity.low) // CELLS)
    counts = Counter(int((guess - activity.low) / width + 0.5) for guess in given)  # a round number is inside a cell
    figure = theme.figure(say("Guess"), say("Number of answers"), bargap=0.1)
    middles = [activity.low + cell * width for cell in sorted(counts)]
    figure.add_bar(
        x=middles,
        y=[counts[cell] for cell in sorted(counts)],
        width=0.9 * width,
        marker={"color": figures.colour("global")},
    )
    figure.update_layout(xaxis_range=[activity.low - width / 2, activity.high + width / 2])
    figure.update_layout(yaxis=_whole(max(counts.values(), default=0)))
    if meeting().stage.revealed:
        truth = activity.truth()
        theme.mark(figure, truth, say("exact value {x}", x=number(truth, 3)), theme.truth_colour())
    canvas.show(figure, say("Guesses of the class: {count}.", count=len(given)))


def _votes(activity: Ballot, given: Sequence[float], canvas: Canvas) -> None:
    """Draw the votes, or how often each place was drawn from them."""
    counts = activity.counts(given)
    labels = [say(place) for place in activity.places]
    words = say("Votes: {votes}.", votes=", ".join(f"{a} {b}" for a, b in zip(labels, counts, strict=True)))
    held = meeting().results.draws.get(activity.name)
    if held is None or not any(held.more.values()):
        canvas.show(_bars(labels, counts, (say("Place"), say("Number of answers")), ["selection"] * len(labels)), words)
        return
    canvas.show(_often(labels, held), words)


def _often(labels: Sequence[str], held: Election) -> Sketch:
    """Return bars of how often each place was drawn, at each epsilon."""
    figure = theme.figure(say("Place"), say("Number of draws"), barmode="group", xaxis_type="category")
    for epsilon, hue in zip(DRAWN_AT, ("quiet", "selection", "result"), strict=True):
        often = [held.more[epsilon].count(place) for place in range(len(labels))]
        marker = {"color": figures.colour(hue)}
        figure.add_bar(x=list(map(drawn, labels)), y=often, name=drawn(f"ε = {number(epsilon)}"), marker=marker)
    most = max(len(places) for places in held.more.values())
    figure.update_layout(yaxis=_whole(most), showlegend=True)
    return figure


def _standing(activity: Standing, given: Sequence[float], canvas: Canvas) -> None:
    """Draw how many stand at each age, or the width of the noise as people are taken away."""
    counts = activity.counts(given)
    words = say("At {first}: {a}. At {second}: {b}.", first=AGES[0], second=AGES[1], a=counts[0], b=counts[1])
    taken = meeting().results.draws.get(activity.name)
    if taken is None:
        axes = say("Age"), say("Number of answers")
        canvas.show(_bars([str(age) for age in AGES], counts, axes, ["selection"] * len(AGES)), words)
        return
    widths = [noises(remaining(counts, gone), activity.epsilon) for gone in range(taken + 1)]
    figure = theme.figure(say("People taken away"), say("Margin of error, years (95%)"), yaxis_type="log")
    for name, label in _methods().items():
        tint = figures.colour(name)
        y = [width[name] for width in widths]
        figure.add_scatter(x=list(range(taken + 1)), y=y, mode="lines+markers", line={"color": tint}, name=drawn(label))
    figure.update_layout(xaxis={"range": [-0.3, max(4, taken) + 0.3], "dtick": 1}, yaxis={"range": [-1, 3], "dtick": 1})
    figure.update_layout(showlegend=True)
    canvas.show(figure, words)


def _methods() -> dict[str, str]:
    """Return the names of the three ways to choose the noise, by colour."""
    return {
        LOCAL: say("Local sensitivity"),
        SMOOTH.key: say("Smooth sensitivity"),
        GLOBAL.key: say("Global sensitivity"),
    }


def _scores(activity: Tournament, given: Sequence[float], canvas: Canvas) -> None:
    """Draw how many participants have each score, and the limit of their average."""
    counts = Counter(int(score) for score in given)
    figure = theme.figure(say("Right, of twenty"), say("Number of answers"), bargap=0.1)
    scores = sorted(counts)
    tint = figures.colour("selection")
    figure.add_bar(x=scores, y=[counts[score] for score in scores], width=0.9, marker={"color": tint})
    figure.update_layout(
        xaxis={"range": [-0.5, PEOPLE + 0.5], "dtick": 5}, yaxis=_whole(max(counts.values(), default=0))
    )
    limit = PEOPLE * activity.allowed
    theme.mark(figure, limit, say("limit of the average: {limit}", limit=number(limit, 3)), theme.truth_colour())
    canvas.show(figure, say("Finished: {count}.", count=len(given)))


def _tried(activity: Proposal, given: Sequence[float], canvas: Canvas) -> None:
    """Draw what became of the proposals, by bound."""
    made = meeting().results.proposals.made
    figure = theme.figure(say("Proposed bound b, years"), say("Number of proposals"), barmode="stack")
    tints = {RELEASED: "smooth", TOO_NEAR: "exhibit", TOO_LATE: "quiet"}
    for outcome, hue in tints.items():
        often = [sum(each.b == b and each.outcome == outcome for each in made) for b in activity.bounds]
        labels = [drawn(number(b)) for b in activity.bounds]
        figure.add_bar(x=labels, y=often, name=drawn(say(outcome)), marker={"color": figures.colour(hue)})
    most = max((sum(each.b == b for each in made) for b in activity.bounds), default=0)
    figure.update_layout(xaxis_type="category", yaxis=_whole(most), showlegend=True)
    canvas.show(figure, say("Proposals: {count}.", count=len(made)))
    proposal_budget(activity)


def _blocks(activity: Dealing, given: Sequence[float], canvas: Canvas) -> None:
    """Draw the median of each block, and the noisy median; before the deal only the number of answers."""
    deal = meeting().results.draws.get(activity.name)
    if deal is None:
        st.metric(say("Answers so far"), str(len(given)))
        return
    figure = theme.figure(say("Minutes"), say("Block"))
    tint = figures.colour(BLOCKS.key)
    rows = list(range(1, len(deal.medians) + 1))
    figure.add_scatter(x=list(deal.medians), y=rows, mode="markers", marker={"color": tint, "size": 14})
    figure.update_layout(xaxis_range=[activity.low - 1, activity.high + 1])
    figure.update_layout(yaxis={"range": [0, len(rows) + 1], "dtick": max(1, len(rows) // 5)})
    middle = say("noisy median {x}", x=number(deal.middle, 3))
    theme.mark(figure, deal.middle, middle, figures.colour("result"))
    canvas.show(figure, say("Medians of {count} blocks.", count=len(rows)))


def _reports(activity: CoinFlip, given: Sequence[float], canvas: Canvas) -> None:
    yes = int(sum(given))
    counts = [yes, activity.times * len(given) - yes]
    words = say("Reports: {yes} yes, {no} no.", yes=counts[0], no=counts[1])
    axes = say("Report"), say("Number of reports")
    canvas.show(_bars([say("yes"), say("no")], counts, axes, ["local", "quiet"]), words)


def _asked(activity: Questioning, given: Sequence[float], canvas: Canvas) -> None:
    """Draw every result of the two queries, and the two averages."""
    ledger = meeting().results.ledger
    figure = theme.figure(say("Query"), say("Result"))
    labels = say("everyone"), say("without {person}", person=ledger.person)
    for at, answers in enumerate(ledger.answers):
        tint = figures.colour(TINTS[at])
        spread = [at + 0.04 * (place % 9 - 4) for place in range(len(answers))]
        figure.add_scatter(x=spread, y=list(answers), mode="markers", marker={"color": tint, "size": 11})
        if answers:
            theme.level(figure, sum(answers) / len(answers), "", tint)  # labels of two near lines would overlap
    figure.update_layout(xaxis={"tickvals": [0, 1], "ticktext": list(map(drawn, labels)), "range": [-0.5, 1.5]})
    sizes = {"all": len(ledger.answers[0]), "but": len(ledger.answers[1])}
    canvas.show(figure, say("{all} results of one query, {but} of the other.", **sizes))
    budget(activity)


def _truth(activity: Estimation, given: Sequence[float], mine: float | None) -> None:
    truth = activity.truth()
    values = {say("Answer"): number(truth, 3)}
    if mine is not None:
        values |= {say("Your guess"): number(mine), say("Error"): number(abs(mine - truth), 2)}
    if given:
        values[say("Median guess of the class")] = number(given[len(given) // 2], 3)
    numbers(values)


def _drawn(activity: Ballot, given: Sequence[float], mine: float | None) -> None:
    """Describe the three draws, and the probability of each place in them."""
    held = meeting().results.draws.get(activity.name)
    if held is None:
        st.markdown(say("No one voted."))
        return
    votes = activity.counts(given)
    chance = {epsilon: election.chances(election.WAYS[0], votes, epsilon)[at] for epsilon, at in held.first.items()}
    numbers(
        {
            say(
                "Drawn at ε = {epsilon}", epsilon=number(epsilon)
            ): f"{say(activity.places[at])} ({figures.percent(chance[epsilon])})"
            for epsilon, at in held.first.items()
        }
    )
    st.caption(say("In brackets: the chance that this place is picked."))
    draws = 1 + len(held.more[DRAWN_AT[0]])
    if draws > 1:
        cost = number(draws * sum(DRAWN_AT))
        st.caption(say("{draws} draws at each ε cost ε = {cost} together.", draws=draws, cost=cost))


def _widths(activity: Standing, given: Sequence[float], mine: float | None) -> None:
    """Compare the noise with everyone and after people were taken away."""
    taken = meeting().results.draws.get(activity.name)
    if taken is None:
        st.markdown(say("No one answered."))
        return
    counts = activity.counts(given)
    left = remaining(counts, taken)
    before, after = (noises(each, activity.epsilon) for each in (counts, left))
    words = say("At {first}: {a}. At {second}: {b}.", first=AGES[0], second=AGES[1], a=left[0], b=left[1])
    st.markdown(words)
    numbers(
        {
            label: f"± {number(before[name], 2)}" + (f" → {number(after[name], 2)}" if taken else "")
            for name, label in _methods().items()
        }
    )


def _ranked(activity: Tournament, given: Sequence[float], mine: float | None) -> None:
    """Compare the average of the class with the limit."""
    limit = PEOPLE * activity.allowed
    shown = {say("Limit of the average"): number(limit, 3)}
    if given:
        shown[say("Average of the class")] = number(sum(given) / len(given), 3)
        shown[say("Best score")] = number(int(max(given)))
    if mine is not None:
        shown[say("Your score")] = number(int(mine))
    numbers(shown)


def _proposed(activity: Proposal, given: Sequence[float], mine: float | None) -> None:
    """Show the true median, and the smallest bound that usually passes."""
    truth = float(Median().value(ages()))
    shown = {say("True median"): number(truth, 3), say("Smallest b that usually passes"): number(activity.least)}
    if mine is not None:
        shown[say("Your b")] = number(mine)
    numbers(shown)


def _middle(activity: Dealing, given: Sequence[float], mine: float | None) -> None:
    """Show the noisy median, the number of blocks, and the cost."""
    deal = meeting().results.draws.get(activity.name)
    if deal is None:
        st.markdown(say("No one answered."))
        return
    numbers(
        {
            say("Noisy median"): number(deal.middle, 3),
            say("Blocks"): str(len(deal.medians)),
            say("Deals"): f"{deal.times} (ε = {number(deal.times * activity.epsilon)})",
        }
    )
    st.caption(say("The medians of the blocks are shown for the lesson. A release shows the noisy median only."))


def _share(activity: CoinFlip, given: Sequence[float], mine: float | None) -> None:
    if not given:
        st.markdown(say("No one answered."))
        return
    share = estimated(activity, [int(report) for report in given])
    low, middle, high = (f"{share.estimate + by:.0%}".replace("-", "−") for by in (-share.error, 0.0, share.error))
    numbers({say("Estimated share of yes"): middle, say("95% interval"): f"{low} … {high}"})


def _difference(activity: Questioning, given: Sequence[float], mine: float | None) -> None:
    ledger = meeting().results.ledger
    shown = {}
    if ledger.difference is not None:
        shown[say("Difference of the averages")] = number(ledger.difference.estimate, 3).replace("-", "−")
        shown[say("Noise alone (95%)")] = f"± {number(ledger.difference.error, 3)}"
    shown[say("Does {person} smoke?", person=ledger.person)] = say("yes") if ledger.smokes else say("no")
    numbers(shown)


DRAWN: dict[type[Activity], Callable[[Any, Sequence[float], Canvas], None]] = {
    Estimation: _guesses,
    Ballot: _votes,
    CoinFlip: _reports,
    Questioning: _asked,
    Tournament: _scores,
    Proposal: _tried,
    Standing: _standing,
    Dealing: _blocks,
}
OUTCOMES: dict[type[Activity], Callable[[Any, Sequence[float], float | None], None]] = {
    Estimation: _truth,
    Ballot: _drawn,
    CoinFlip: _share,
    Questioning: _difference,
    Tournament: _ranked,
    Proposal: _proposed,
    Standing: _widths,
    Dealing: _middle,
}


# Control: the teacher's screen, with everyone's location, the answers of the class, and the next activity.

REFRESH = 0.5  # seconds between two refreshes of the answers
PROJECTOR = "projector"  # the one window of a teacher, large
BEAMER = "beamer"  # a second window for everyone, without buttons
LARGE = """<style>
html { font-size: 150%; }
.stMain .stMainBlockContainer { padding-top: 1.5rem; max-width: 1640px; }
[data-testid="stSidebar"], [data-testid="stSidebarCollapsedControl"], [data-testid="stExpandSidebarButton"],
[data-testid="stHeader"] { display: none; }
</style>"""
Scene = tuple[Stage, Rules]


def screen() -> None:
    """Draw a window of the teacher: the stage, and the buttons unless it is the second screen."""
    beamer = st.query_params.get(BEAMER) == "1"
    large = beamer or st.query_params.get(PROJECTOR) == "1"
    scene = _scene()
    if large:
        st.html(LARGE)
    if not beamer:
        words.show_notice()
        _buttons(scene[0])
    _stage(scene, large)
    if not large:
        listed()
        _notes(scene[0])
        _settings()


def _scene() -> Scene:
    """Return everything that all windows of the teacher show alike."""
    return meeting().stage, meeting().rules


def _stage(scene: Scene, large: bool) -> None:
    """Show the way in or the current question, with the answers as they arrive."""
    stage, _ = scene
    if stage.activity is None:
        show()
    else:
        st.header(say(stage.activity.title), anchor=False)
        st.markdown(say(stage.activity.question))
    st.fragment(_figure, run_every=REFRESH)(large, scene)


def _buttons(stage: Stage) -> None:
    """Show the buttons that control the class; each has a keyboard shortcut."""
    here = meeting()
    running = stage.activity is not None
    last = here.upcoming is None
    revealed = stage.revealed
    due = "next" if revealed or not running else "reveal"
    buttons: tuple[tuple[str, str, str, bool, Callable[[str], None]], ...] = (
        ("back", say("Previous"), "Left", running, partial(here.turn, by=-1)),
        ("reveal", say("Reveal"), "V", running and not revealed, here.reveal),
        ("next", say("Next"), "Right", not last, partial(here.turn, by=1)),
        ("again", say("Ask again"), "A", running, here.reset),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="class-buttons"):
        for key, label, letter, useful, work in buttons:
            emphasis: Literal["primary", "secondary"] = "primary" if key == due else "secondary"
            st.button(label, key, type=emphasis, shortcut=letter, on_click=work, args=(browser(),), disabled=not useful)
        if revealed and stage.activity is not None and stage.activity.further is not None:
            st.button(say(stage.activity.further), "further", shortcut="D", on_click=here.further, args=(browser(),))
        st.button(say("Projector"), "projector", shortcut="P", on_click=_turn_projector)
        address = f"/?{BEAMER}=1&lang={language()}"
        note = say("A second window for everyone. It follows this one and has no buttons.")
        st.link_button(say("Second screen"), address, help=note, icon=":material/open_in_new:", type="tertiary")
        _arriving(stage.arriving)


def _arriving(shown: bool) -> None:
    """Choose for every window whether answers are shown at once."""
    flip = partial(meeting().show_arriving, browser(), not shown)
    st.toggle(say("Show answers as they arrive"), shown, key=f"shown-{shown}", on_change=flip)


def _turn_projector() -> None:
    """Switch between large and normal size, which the address carries."""
    if st.query_params.get(PROJECTOR) == "1":
        del st.query_params[PROJECTOR]
    else:
        st.query_params[PROJECTOR] = "1"


def _figure(large: bool, scene: Scene) -> None:
    """Show what has changed since the last refresh; draw the whole screen again once the class has moved on."""
    if not meeting().teaches(browser()) or _scene() != scene:
        st.rerun()
    stage, _ = scene
    canvas = FAR if large else NEAR
    if stage.activity is not None and stage.revealed:
        _outcome(stage.activity, canvas)
    elif stage.activity is not None:
        live(stage.activity, stage.arriving, canvas)
    where = meeting().places()
    here = say(
        "Participants: {count}. Minutes left: {minutes}.", count=where.total(), minutes=int(meeting().left // 60)
    )
    st.markdown(here)
    if not large:
        st.caption(" · ".join(f"{spoken(place)}: {count}" for place, count in sorted(where.items())))


def _outcome(activity: Activity, canvas: Canvas) -> None:
    """Show figure and explanation side by side, so that neither is below the edge of a screen."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        live(activity, True, canvas)
    with right:
        outcome(activity)
        st.info(typeset(say(activity.why)), icon=":material/lightbulb:")
        related(activity, canvas is FAR)


def related(activity: Activity, large: bool = False) -> None:
    """Link to the step of a lesson that explains an activity, as large as the screen that it follows."""
    place = places()[activity.step]
    size = {PROJECTOR: "1"} if large else {}
    link(place.lesson.page, say("Related lesson"), "menu_book", {**place.address, **size})


def enlarge() -> bool:
    """Enlarge a screen of the course if the address says so; return whether it does."""
    large = meeting().teaches(browser()) and st.query_params.get(PROJECTOR) == "1"
    if large:
        st.html(LARGE)
    return large


def _notes(stage: Stage) -> None:
    """Tell the teacher, where it is opened, the answer, what comes next, and who is here."""
    notes = st.expander(say("Notes for the teacher"), icon=":material/lock:", key="notes", on_change="rerun")
    if not notes.open:
        return
    with notes:
        if stage.activity is not None:
            solution = stage.activity.solution
            if solution is not None:
                st.markdown(say("Correct answer: {answer}", answer=say(solution)))
            st.markdown(typeset(say(stage.activity.why)))
        upcoming = meeting().upcoming
        if upcoming is not None:
            st.markdown(say("Next question: {title}", title=say(upcoming.title)))
        if meeting().rules.others:
            others = ", ".join(meeting().rules.others)
            st.markdown(say("If a phone cannot open the address: {others}", others=others))
        names = meeting().names()
        st.caption(say("Names that participants entered. They are shown only here."))
        st.markdown(", ".join(map(quoted, names)) if names else say("No one entered a name."))


def _table() -> None:
    """Show which of the teacher's tables the class uses, and what lessons do not find in it."""
    table = own_table.LECTERN.table
    if table is None:
        st.caption(say("To use your own public dataset, start the class with --file and a CSV file."))
        return
    st.markdown(say("Your file has {rows} rows. Everything in it is treated as public.", rows=number(table.rows)))
    for sentence in table.missing:
        st.markdown(say(sentence))


def _places() -> None:
    """Offer to free places, to block an address with too many participants, and to change the code."""
    here = meeting()
    me = browser()
    st.button(say("Remove participants who have left"), "absent", on_click=here.let_go_absent, args=(me,))
    for address, count in here.addresses():
        place = say("this machine") if address == HERE else address
        label = say("Block {place} and remove {count}", count=count, place=place)
        st.button(
            label if count else say("Unblock {place}", place=place),
            f"shut:{address}",
            help=say(
                "Participants from this address cannot join any more. A school may have one address for everyone."
            ),
            on_click=here.shut,
            args=(me, address),
        )
    st.button(
        say("Change the class code"),
        "code",
        on_click=here.change_code,
        args=(me,),
        help=say("Participants who have joined stay."),
    )


def _settings() -> None:
    """Offer what is needed once: the places of those present, the papers, and the end."""
    with st.popover(say("More"), icon=":material/more_horiz:", type="tertiary", key="more", on_change="rerun"):
        _table()
        _places()
        st.button(
            say("End the class"), key="end", icon=":material/stop_circle:", on_click=meeting().end, args=(browser(),)
        )
        st.caption(say("This ends the class: everyone is signed out, all answers are deleted and the server stops."))
