"""Board: the answers of the whole class in one figure, and what came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from discreet.lab.classroom.activity import Activity, Ballot, CoinFlip, Estimation, Questioning
from discreet.lab.classroom.drawings import estimated
from discreet.lab.lessons import election
from discreet.mechanisms.families import BLOCKS, GLOBAL
from discreet.ui.classroom.convened import meeting
from discreet.ui.figures import learn, look
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.words import drawn, number, say
from discreet.ui.learn.lesson import numbers

TINTS = GLOBAL.key, BLOCKS.key  # of the two questions
CELLS = 20  # of a histogram of guesses


@dataclass(frozen=True)
class Canvas:
    """How large the figure of the class is: as tall, and with letters as high, as whoever looks is far away."""

    height: int = 380
    text: int = 16

    def show(self, figure: Sketch, words: str) -> None:
        """Draw it; under one key, so that the figure on the screen changes and is not replaced."""
        letters = {"size": self.text}
        for axis in ("xaxis", "yaxis"):
            figure.update_layout(**{axis: {"tickfont": letters, "title": {"font": letters}}})
        for note in figure.to_dict()["layout"]["annotations"]:
            note["font"] = {**note.get("font", {}), **letters}
        figure.update_layout(font=letters, margin_t=2 * self.text)  # what stands above a line is seen whole
        st.plotly_chart(figure, height=self.height, config=look.CONFIG, key="board", alt=words)


NEAR, FAR = Canvas(), Canvas(640, 28)


def live(activity: Activity, shown: bool, canvas: Canvas = NEAR) -> None:
    """Draw what has come in so far; how many only, where the teacher shows no answers yet."""
    given = meeting().results.given(activity)
    if shown or type(activity) is Questioning:
        DRAWN[type(activity)](activity, given, canvas)
    else:
        st.metric(say("Answers so far"), str(len(given)))


def outcome(activity: Activity, mine: int | None = None) -> None:
    """Say what came out, and beside it what somebody answered."""
    OUTCOMES[type(activity)](activity, meeting().results.given(activity), mine)


def budget(activity: Questioning) -> None:
    """Show how much of the budget of the class is left, and how many answers it has paid."""
    ledger = meeting().results.ledger
    st.progress(min(1.0, max(0.0, ledger.left / activity.limit)), say("left   ε = {left}", left=number(ledger.left)))
    if ledger.refusals:
        st.error(say("The budget of the class is spent. The ledger refuses every further question."))


def _bars(labels: Sequence[str], counts: Sequence[int], axis: str, words: str, hues: Sequence[str]) -> Sketch:
    """Return a figure with a bar for each answer."""
    figure = look.figure(axis, say("Number of answers"), bargap=0.25)
    figure.add_bar(
        x=[drawn(label) for label in labels],
        y=list(counts),
        text=[str(count) for count in counts],
        textposition="outside",
        cliponaxis=False,
        marker={"color": [learn.colour(hue) for hue in hues]},
    )
    figure.update_layout(yaxis=_whole(max(counts)), xaxis_type="category")
    return figure


def _whole(most: int) -> dict[str, Any]:
    """Return an axis of whole numbers that has room for the largest."""
    top = max(4, most)
    return {"range": [0, top * 1.15], "dtick": max(1, round(top / 5))}


def _guesses(activity: Estimation, given: Sequence[float], canvas: Canvas) -> None:
    """Draw how many guessed about what, and the truth once it is revealed."""
    width = max(1, (activity.high - activity.low) // CELLS)
    counts = Counter(int(guess - activity.low) // width for guess in given)
    figure = look.figure(say("Guess"), say("Number of answers"), bargap=0.1)
    middles = [activity.low + (cell + 0.5) * width for cell in sorted(counts)]
    figure.add_bar(
        x=middles,
        y=[counts[cell] for cell in sorted(counts)],
        width=0.9 * width,
        marker={"color": learn.colour("global")},
    )
    figure.update_layout(xaxis_range=[activity.low, activity.high + width])
    figure.update_layout(yaxis=_whole(max(counts.values(), default=0)))
    if meeting().stage.revealed:
        truth = activity.truth()
        look.mark(figure, truth, say("truth {x}", x=number(truth, 3)), look.truth_colour())
    canvas.show(figure, say("{count} guesses of the class.", count=len(given)))


def _votes(activity: Ballot, given: Sequence[float], canvas: Canvas) -> None:
    counts = [list(given).count(place) for place in range(len(activity.places))]
    labels = [say(place) for place in activity.places]
    words = say("Votes: {votes}.", votes=", ".join(f"{a} {b}" for a, b in zip(labels, counts, strict=True)))
    canvas.show(_bars(labels, counts, say("Place"), words, ["selection"] * len(labels)), words)


def _reports(activity: CoinFlip, given: Sequence[float], canvas: Canvas) -> None:
    counts = [list(given).count(1), list(given).count(0)]
    words = say("{yes} reports say yes, {no} say no.", yes=counts[0], no=counts[1])
    canvas.show(_bars([say("yes"), say("no")], counts, say("Report"), words, ["local", "quiet"]), words)


def _asked(activity: Questioning, given: Sequence[float], canvas: Canvas) -> None:
    """Draw every answer to the two questions as it fell, and the two averages."""
    ledger, figure = meeting().results.ledger, look.figure(say("Question"), say("Answer"))
    labels = say("everybody"), say("without {person}", person=ledger.person)
    for at, (label, answers) in enumerate(zip(labels, ledger.answers, strict=True)):
        tint = learn.colour(TINTS[at])
        spread = [at + 0.04 * (place % 9 - 4) for place in range(len(answers))]
        figure.add_scatter(x=spread, y=list(answers), mode="markers", marker={"color": tint, "size": 11})
        if answers:
            look.level(figure, sum(answers) / len(answers), drawn(label), tint)
    figure.update_layout(xaxis={"tickvals": [0, 1], "ticktext": list(map(drawn, labels)), "range": [-0.5, 1.5]})
    sizes = {"all": len(ledger.answers[0]), "but": len(ledger.answers[1])}
    canvas.show(figure, say("{all} answers to one question, {but} to the other.", **sizes))
    budget(activity)


def _truth(activity: Estimation, given: Sequence[float], mine: int | None) -> None:
    truth = activity.truth()
    values = {say("Answer"): number(truth, 3)}
    if mine is not None:
        values |= {say("Your guess"): str(mine), say("Off by"): number(abs(mine - truth), 2)}
    if given:
        values[say("Middle guess of the class")] = number(given[len(given) // 2], 3)
    numbers(values)


def _drawn(activity: Ballot, given: Sequence[float], mine: int | None) -> None:
    """Tell the three draws, and the chance of each place behind them."""
    draws = meeting().results.draws.get(activity.name)
    if draws is None:
        st.markdown(say("Nobody voted."))
        return
    votes = tuple(list(given).count(place) for place in range(len(activity.places)))
    drawn_at = {epsilon: election.chances(election.WAYS[0], votes, epsilon)[place] for epsilon, place in draws.items()}
    numbers(
        {
            say(
                "Drawn at ε = {epsilon}", epsilon=number(epsilon)
            ): f"{say(activity.places[place])} ({drawn_at[epsilon]:.0%})"
            for epsilon, place in draws.items()
        }
    )
    st.caption(say("In brackets: the chance that this place had."))


def _share(activity: CoinFlip, given: Sequence[float], mine: int | None) -> None:
    if not given:
        st.markdown(say("Nobody answered."))
        return
    share = estimated(activity, [int(report) for report in given])
    low, middle, high = (f"{share.estimate + by:.0%}".replace("-", "−") for by in (-share.error, 0.0, share.error))
    numbers({say("Estimated share of yes"): middle, say("19 in 20"): f"{low} … {high}"})


def _difference(activity: Questioning, given: Sequence[float], mine: int | None) -> None:
    ledger = meeting().results.ledger
    if ledger.difference is not None:
        numbers(
            {
                say("Difference of the averages"): number(ledger.difference.estimate, 3),
                say("Noise alone, 19 in 20"): f"± {number(ledger.difference.error, 3)}",
            }
        )


DRAWN: dict[type[Activity], Callable[[Any, Sequence[float], Canvas], None]] = {
    Estimation: _guesses,
    Ballot: _votes,
    CoinFlip: _reports,
    Questioning: _asked,
}
OUTCOMES: dict[type[Activity], Callable[[Any, Sequence[float], int | None], None]] = {
    Estimation: _truth,
    Ballot: _drawn,
    CoinFlip: _share,
    Questioning: _difference,
}
