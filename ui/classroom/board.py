"""Board: the answers of the whole class in one figure, and what came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from discreet.lab.classroom.activity import Activity, Ballot, CoinFlip, Estimation, Questioning
from discreet.lab.classroom.drawings import estimated
from discreet.lab.lessons import election
from discreet.ui.classroom.convened import meeting
from discreet.ui.figures import learn, look
from discreet.ui.frame.words import drawn, number, say
from discreet.ui.learn.lesson import numbers

HEIGHT, TEXT = 380, 18
CELLS = 20  # of a histogram of guesses


def live(activity: Activity, shown: bool) -> None:
    """Draw what has come in so far; how many only, where the teacher shows no answers yet."""
    DRAWN[type(activity)](activity, meeting().results.given(activity), shown)


def outcome(activity: Activity, mine: int | None = None) -> None:
    """Say what came out, and beside it what somebody answered."""
    OUTCOMES[type(activity)](activity, meeting().results.given(activity), mine)


def budget(activity: Questioning) -> None:
    """Show how much of the budget of the class is left, and how many answers it has paid."""
    ledger = meeting().results.ledger
    st.progress(min(1.0, max(0.0, ledger.left / activity.limit)), say("left   ε = {left}", left=number(ledger.left)))
    if ledger.refusals:
        st.error(say("The budget of the class is spent. The ledger refuses every further question."))


def _bars(labels: Sequence[str], counts: Sequence[int], axis: str, words: str, hues: Sequence[str]) -> None:
    """Draw a bar for each answer; the same key, so that the figure on the screen changes and is not replaced."""
    figure = look.figure(axis, say("Answers"), bargap=0.25, font={"size": TEXT})
    figure.add_bar(
        x=[drawn(label) for label in labels],
        y=list(counts),
        text=[str(count) for count in counts],
        textposition="outside",
        cliponaxis=False,
        marker={"color": [learn.colour(hue) for hue in hues]},
    )
    figure.update_layout(yaxis_range=[0, max(4, *counts) * 1.15], xaxis_type="category")
    st.plotly_chart(figure, height=HEIGHT, config=look.CONFIG, key="board", alt=words)


def _hidden(given: Sequence[float]) -> None:
    st.metric(say("Answers so far"), str(len(given)))


def _guesses(activity: Estimation, given: Sequence[float], shown: bool) -> None:
    if not shown:
        _hidden(given)
        return
    width = max(1, (activity.high - activity.low) // CELLS)
    starts = range(activity.low, activity.high, width)
    counts = Counter(min(int(guess - activity.low) // width, len(starts) - 1) for guess in given)
    labels = [f"{start}–{start + width}" if width > 1 else str(start) for start in starts]
    words = say("{count} guesses of the class.", count=len(given))
    _bars(labels, [counts[cell] for cell in range(len(starts))], say("Guess"), words, ["global"] * len(starts))


def _votes(activity: Ballot, given: Sequence[float], shown: bool) -> None:
    if not shown:
        _hidden(given)
        return
    counts = [list(given).count(place) for place in range(len(activity.places))]
    labels = [say(place) for place in activity.places]
    words = say("Votes: {votes}.", votes=", ".join(f"{a} {b}" for a, b in zip(labels, counts, strict=True)))
    _bars(labels, counts, say("Place"), words, ["selection"] * len(labels))


def _reports(activity: CoinFlip, given: Sequence[float], shown: bool) -> None:
    if not shown:
        _hidden(given)
        return
    counts = [list(given).count(1), list(given).count(0)]
    words = say("{yes} reports say yes, {no} say no.", yes=counts[0], no=counts[1])
    _bars([say("yes"), say("no")], counts, say("Report"), words, ["local", "quiet"])
    if given:
        _share(activity, given, None)


def _asked(activity: Questioning, given: Sequence[float], shown: bool) -> None:
    """Draw every answer to the two questions as it fell, and the two averages."""
    ledger, figure = meeting().results.ledger, look.figure(say("Question"), say("Answer"), font={"size": TEXT})
    labels = say("all"), say("without {person}", person=ledger.person)
    for at, (label, answers) in enumerate(zip(labels, ledger.answers, strict=True)):
        tint = learn.colour(("global", "blocks")[at])
        spread = [at + 0.04 * (place % 9 - 4) for place in range(len(answers))]
        figure.add_scatter(x=spread, y=list(answers), mode="markers", marker={"color": tint, "size": 11}, name=label)
        if answers:
            look.level(figure, sum(answers) / len(answers), drawn(label), tint)
    figure.update_layout(xaxis={"tickvals": [0, 1], "ticktext": list(map(drawn, labels)), "range": [-0.5, 1.5]})
    words = say(
        "{all} answers to one question, {but} to the other.", all=len(ledger.answers[0]), but=len(ledger.answers[1])
    )
    st.plotly_chart(figure, height=HEIGHT, config=look.CONFIG, key="board", alt=words)
    budget(activity)
    _difference(activity, given, None)


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
    ends = f"{share.estimate - share.error:.0%} … {share.estimate + share.error:.0%}"
    numbers({say("Estimated share of yes"): f"{share.estimate:.0%}", say("19 in 20"): ends})


def _difference(activity: Questioning, given: Sequence[float], mine: int | None) -> None:
    ledger = meeting().results.ledger
    if ledger.difference is not None:
        numbers(
            {
                say("Difference of the averages"): number(ledger.difference.estimate, 3),
                say("Noise alone, 19 in 20"): f"± {number(ledger.difference.error, 3)}",
            }
        )


def _settled(activity: Questioning, given: Sequence[float], mine: int | None) -> None:
    _difference(activity, given, mine)
    budget(activity)


DRAWN: dict[type[Activity], Callable[[Any, Sequence[float], bool], None]] = {
    Estimation: _guesses,
    Ballot: _votes,
    CoinFlip: _reports,
    Questioning: _asked,
}
OUTCOMES: dict[type[Activity], Callable[[Any, Sequence[float], int | None], None]] = {
    Estimation: _truth,
    Ballot: _drawn,
    CoinFlip: _share,
    Questioning: _settled,
}
