"""Checking: whether protected rows were read as intended, for a small part of the budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from discreet.budget import AlreadyCharged, BudgetExceeded, Cost, ParameterError, Phrase
from discreet.budget.ledger import TooMuch, Waits
from discreet.curator import Release, Request
from discreet.lab import reading_check
from discreet.lab.reading_check import AboutRows, Reading, Reported, report
from discreet.lab.road import Road
from discreet.office import Desk
from discreet.office.datasets import fingerprint
from discreet.office.requests.states import LIVE
from discreet.rows import OpenData, Schema
from discreet.ui.data import filters
from discreet.ui.data.redeclaring import perhaps
from discreet.ui.frame.links import link, primary
from discreet.ui.frame.results import guess_line, table
from discreet.ui.frame.scrolling import bring, made
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.session.state import addressed, workspace
from discreet.ui.session.workspace import Opened

# Public data: the cells of each column, how many can be read, and the first that cannot.


PLACE = "place"  # in the address: the part of the page that a link leads to


def _heading(words: str) -> None:
    """Head the check; a link that leads here brings it into view."""
    with st.container(key="how-read"):
        st.header(words, anchor=False)
    if addressed(PLACE):
        made("how-read")
        st.query_params.pop(PLACE, None)
    bring("how-read", ".st-key-how-read")


def show(dataset: OpenData) -> None:
    """Show how the columns of public data were read, with a sentence where some cells may be misread."""
    lines = report(dataset)
    _heading(say("How the data was read"))
    doubtful = _doubtful(lines)
    if doubtful:
        st.warning("\n".join(["", *map(_words, doubtful)]))
        perhaps([line.reading for line in doubtful], "read")
    table(_table_of_cells(lines))


def _doubtful(lines: Sequence[Reported]) -> list[Reported]:
    return [line for line in lines if not line.reading.good]


def misread(here: Opened) -> bool:
    """Whether some columns of public data may be misread; unknown of protected data, and so no."""
    return here.shown is not None and bool(_doubtful(report(here.shown.dataset)))


def _words(line: Reported) -> str:
    """Describe how a column was read, and quote the first cells that cannot be read."""
    of = line.reading
    read = say("{read} of {all} cells were read.", read=number(of.rows), all=number(line.cells))
    cells = say("Not read: {cells}.", cells=quoted(", ".join(line.unread))) if line.unread else ""
    return f"- {quoted(of.column)}: {read} {cells} {quoted(say(of.verdict))}"


def _table_of_cells(lines: Sequence[Reported]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                say("Column"): line.reading.column,
                say("Read"): line.reading.rows,
                say("Not read"): 0 if line.reading.unread is None else line.reading.unread.rows,
                say("Missing"): 0 if line.reading.missing is None else line.reading.missing.rows,
                say("First cells not read"): " | ".join(line.unread),
                say("Assessment"): say(line.reading.verdict),
            }
            for line in lines
        ]
    )


# Own data: the check is asked and paid immediately, from their budget.


def questions(schema: Schema, epsilon: float) -> dict[str, Request]:
    """Return a query for each column, and for the limit of rows per person where it can be asked.

    The limit is counted under a different schema, which registered data do not have.
    """
    wider = reading_check.wider(schema) if workspace().here.source is not None else None
    if wider is None:
        return reading_check.requests(schema, epsilon)
    each = reading_check.shares(epsilon, len(schema.checkable) + 1)
    if not each:
        return {}
    columns = {
        name: reading_check.counting(schema, name, part) for name, part in zip(schema.checkable, each, strict=False)
    }
    return columns | {reading_check.NOT_A_COLUMN: reading_check.limited(wider, each[-1])}


def stored(name: str, request: Request) -> Release | None:
    """Return the result of a query of the check, if there is one."""
    road, nonce = _road(name, request)
    return road.stored(request, nonce)


def _road(name: str, request: Request) -> tuple[Road, str]:
    """Return the curator and the nonce of a query: the limit is asked under a schema with a larger limit."""
    space = workspace()
    wider = (
        reading_check.wider(space.dataset.schema) if name == reading_check.NOT_A_COLUMN and not request.where else None
    )
    return (space.curator, space.nonce(request)) if wider is None else space.otherwise(wider)


def button(asked: Mapping[str, Request], mark: str) -> None:
    """Offer to ask all queries of the check."""
    price = reading_check.cost(asked)
    ledger = workspace().curator.ledger
    left = ledger.left
    short = not price.fits_in(left)
    if short:
        st.warning(say("Not enough budget left: {left}. Choose a smaller ε.", left=left))
    label = say("Check data (spends {cost})", cost=price)
    primary(label, disabled=short or not asked, key=f"{mark}:go", on_click=_ask, args=(dict(asked),))


def _ask(asked: Mapping[str, Request]) -> None:
    """Ask the queries that the button named; if one no longer fits, say so."""
    space = workspace()
    try:
        for name, request in asked.items():
            road, nonce = _road(name, request)
            if isinstance(road.terms(request), TooMuch):
                raise BudgetExceeded(request.cost(), road.ledger.left)
            road.ask(request, nonce)
    except AlreadyCharged:
        pass  # another tab was faster; its result is recorded
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


# Registered data: each count of the check is a request of its own.


def request_button(desk: Desk, asked: Mapping[str, Request], mark: str) -> None:
    """Offer to send the queries without a result; list what waits, and why a query cannot be asked."""
    latest = [(request, desk.latest(request)) for request in asked.values()]
    fresh = [request for request, inquiry in latest if inquiry is None or inquiry.release is None]
    waiting = sum(inquiry is not None and inquiry.release is None and inquiry.state in LIVE for _, inquiry in latest)
    if waiting:
        st.info(say("{some} of {all} counts are waiting for approval.", some=waiting, all=len(asked)))
        link("requests", say("View my requests"), "outbox")
        return
    try:
        terms = [desk.terms(request) for request in fresh]
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    price = sum((request.cost() for request in fresh), Cost.zero())
    short = any(isinstance(term, TooMuch) for term in terms) or not price.fits_in(desk.ledger.left)
    if short:
        st.warning(say("Not enough budget left: {left}. Choose a smaller ε.", left=desk.ledger.left))
    label = _label([term for term in terms if isinstance(term, Waits)], len(fresh)).format(cost=price)
    primary(label, disabled=short or not fresh, key=f"{mark}:go", on_click=_send, args=(_named(desk, fresh),))


def _label(waits: Sequence[Waits], number: int) -> str:
    """Say whether an officer decides on each count; return the label of the button."""
    if not waits:
        return say("Check data (spends {cost})")
    why = say(waits[0].why)
    st.caption(say("{why} Each count is a separate request, {number} in total.", why=why, number=number))
    return say("Send request (reserves {cost})")


def _named(desk: Desk, asked: Sequence[Request]) -> list[tuple[Request, int, str]]:
    """Return queries with their rounds and the seals of what the button names."""
    rounds = [(request, desk.next_round(request)) for request in asked]
    return [(request, draw, fingerprint.of_question(desk.registered, request, draw)) for request, draw in rounds]


def _send(asked: list[tuple[Request, int, str]]) -> None:
    """Send the queries that the button named; the first refusal ends it."""
    space = workspace()
    desk = space.here.desk
    purpose = say("Check whether the schema fits the rows.")
    if desk is None:
        return
    try:
        for request, round, seen in asked:
            desk.ask(request, str(round), purpose, seen)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


EPSILONS = (0.02, 0.05, 0.1, 0.2, 0.5)
Answers = dict[str, Release]
WHY = Phrase(
    "Cells that do not match the schema are dropped, and no one can see which ones. For each column, "
    "this check estimates how many cells were read, not read or empty. It names the columns to "
    "correct."
)


def offer() -> None:
    """Offer the check of the dataset in use and show its result: it is asked once and remembered."""
    schema = workspace().dataset.schema
    _heading(say("Check how the data was read"))
    mark = f"check:{schema.digest[:8]}"
    label = say("ε for the check")
    epsilon = float(st.select_slider(label, EPSILONS, reading_check.EPSILON, key=mark, persist_state="session"))
    asked = questions(schema, epsilon)
    answers = _answers(asked)
    if not answers:
        st.caption(say(WHY))
        _button(asked, mark)
        st.button(say("Skip check"), type="tertiary", key=f"{mark}:skip", on_click=skip, args=(True,))
        others = (_answers(questions(schema, each)) for each in EPSILONS[::-1])
        answers = next(filter(None, others), {})
    if answers:
        _verdicts(_readings(schema, answers))
        _filter(schema, answers, epsilon, mark)


def skip(now: bool) -> None:
    """Skip the check, or bring it back."""
    workspace().here.unchecked = now


def _button(asked: Mapping[str, Request], mark: str) -> None:
    """Offer to ask all queries, at the desk or here."""
    here, desk = workspace().here, workspace().here.desk
    guess_line(reading_check.cost(asked), here.unit, Phrase("all results of the check"))
    if desk is None:
        button(asked, mark)
    else:
        request_button(desk, asked, mark)


def _answers(asked: Mapping[str, Request]) -> Answers:
    """Return the results of the check; empty unless all queries have one."""
    answers = {name: stored(name, request) for name, request in asked.items()}
    return {} if not all(answers.values()) else {name: answer for name, answer in answers.items() if answer}


def _readings(schema: Schema, answers: Answers) -> list[Reading]:
    """Interpret the counts: of the columns, and of the limit of rows per person."""
    columns = {name: release for name, release in answers.items() if name != reading_check.NOT_A_COLUMN}
    lines = reading_check.readings(schema, columns)
    if reading_check.NOT_A_COLUMN in answers:
        lines.append(reading_check.of_limit(schema, columns[schema.checkable[0]], answers[reading_check.NOT_A_COLUMN]))
    return lines


def _filter(schema: Schema, answers: Answers, epsilon: float, mark: str) -> None:
    """Offer to count the rows that pass a filter, before a query with it is asked."""
    with st.expander(say("Check a filter"), icon=":material/filter_alt:"):
        try:
            where = filters.where(schema, mark)
        except ParameterError as missing:
            st.caption(say(missing))
            return
        if not where:
            return
        columns = [line for line in _readings(schema, answers) if line.column in schema.columns]
        best = max(columns, key=lambda line: line.rows).column
        asked = {reading_check.NOT_A_COLUMN: reading_check.filtered(schema, best, where, epsilon)}
        passed = _answers(asked)
        if passed:
            _table([reading_check.of_filter(schema, answers[best], passed[reading_check.NOT_A_COLUMN])])
        else:
            _button(asked, f"{mark}:filter")


def _verdicts(lines: Sequence[Reading]) -> None:
    """Describe in words what to review, if anything, and show the counts: a narrow screen cuts the table."""
    doubtful = [line for line in lines if not line.good and not line.unsure]
    unsure = [line for line in lines if line.unsure]
    if doubtful:
        _again(doubtful)
    if unsure:
        st.info("\n".join(_grouped(unsure)))
    if not doubtful and not unsure:
        hidden = max(line.hidden for line in lines)
        nothing = say("No fault was found. At most {most:.0%} of the cells of a column were not read.", most=hidden)
        st.success(nothing if hidden else say("All columns could be read; nothing to correct."))
    _table(lines)
    st.caption(
        say(
            "These counts are noisy. With 99% probability, all of them are within the margins shown. They are "
            "recorded like any other result."
        )
    )


def _again(doubtful: Sequence[Reading]) -> None:
    """Name the columns to review, and who can correct them."""
    columns = _listed(doubtful)
    text = (
        say("Check these columns: {columns}. You can change the schema below.", columns=columns)
        if workspace().here.desk is None
        else say(
            "Check these columns: {columns}. Ask the officer who registered the dataset what was intended.",
            columns=columns,
        )
    )
    st.warning("\n".join([text, "", *_grouped(doubtful)]))
    perhaps(doubtful, "check")


def _grouped(lines: Sequence[Reading]) -> list[str]:
    """Return one line per verdict, with the columns it applies to."""
    verdicts = dict.fromkeys(line.verdict for line in lines)
    same = {verdict: [line for line in lines if line.verdict == verdict] for verdict in verdicts}
    return [f"- {_listed(of)}: {quoted(say(verdict))}" for verdict, of in same.items()]


def _listed(lines: Sequence[Reading]) -> str:
    return ", ".join(quoted(_called(line)) for line in lines)


def _called(line: Reading) -> str:
    return say(line.column) if isinstance(line.column, Phrase) else line.column


def _table(lines: Sequence[Reading]) -> None:
    apart = any(line.unread for line in lines)
    counts = [
        {
            say("Check"): _called(line),
            say("Read") if apart else say("Rows"): _within(AboutRows(line.rows, line.width)),
            **({say("Not read"): _within(line.unread), say("Missing"): _within(line.missing)} if apart else {}),
            say("Assessment"): say(line.verdict),
        }
        for line in lines
    ]
    table(pd.DataFrame(counts))


def _within(count: AboutRows | None) -> str:
    return "–" if count is None else f"{number(count.rows)} ± {number(count.width)}"
