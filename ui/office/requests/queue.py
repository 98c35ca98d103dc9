"""Queue: the waiting requests as a table to search, sort and step through; several can be denied together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

import pandas as pd
import streamlit as st

from discreet.budget import Cost, ParameterError
from discreet.office.decisions.decisions import FEWEST, deny
from discreet.office.desk.queue import ORDERS, RISKS, Awaited, Sieve, arranged
from discreet.office.requests.request import Inquiry
from discreet.ui.frame.words import in_words, number, quoted, say
from discreet.ui.office.forms import Entries
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen, follow_address, tell_address, workspace

WAITING = "waiting"  # the query parameter with the number of the selected request
ENTRIES = Entries("queue")
FEW, ROWS = 5, 5  # the filters are hidden up to this number of requests; the number of visible rows
MOST = 3  # queries listed as repeated


def show(waiting: Sequence[Awaited]) -> tuple[Awaited | None, list[int]]:
    """Show the queue; return the selected request or None, and the numbers of the listed ones."""
    listed = _sieved(waiting)
    by_number = {str(case.asked.number): case for case in listed}
    if by_number:
        follow_address(WAITING, by_number, next(iter(by_number)))
    case = by_number.get(str(chosen(WAITING)))
    if case is not None:
        tell_address(WAITING, str(case.asked.number), "")
    if len(waiting) > 1:
        _listed(listed)
    return case, [each.asked.number for each in listed]


def line(case: Awaited) -> str:
    """Describe a request in one line."""
    asked = case.asked
    return " · ".join(
        [
            f"**#{asked.number}**",
            quoted(in_words(asked.request)),
            quoted(case.data),
            quoted(_price(asked.cost)),
            quoted(case.asker),
            say("expires in {days} days", days=f"{max(case.rest, 0):.0f}"),
        ]
    )


def _price(cost: Cost) -> str:
    """Format a cost with as many digits as a line needs."""
    delta = f", δ {number(cost.delta, 3)}" if cost.delta_units else ""
    return f"ε {number(cost.epsilon, 3)}{delta}"


def _sieved(waiting: Sequence[Awaited]) -> list[Awaited]:
    """Ask for filters and order, if there are too many requests to see without; return the requests that pass."""
    if len(waiting) <= FEW:
        return arranged(waiting, Sieve(), _text)
    words, data, asker, risk, order = st.columns([5, 4, 4, 4, 4])
    with words:
        sought = st.text_input(say("Search"), key=ENTRIES.key("words"), placeholder=say("number, name or word"))
    sieve = Sieve(
        sought or "",
        _one(data, say("Dataset"), "data", _all(sorted({case.data for case in waiting}))),
        _one(asker, say("Requested by"), "asker", _all(sorted({case.asker for case in waiting}))),
        _one(risk, say("Flags"), "risk", {"": say("all")} | {name: say(words) for name, (words, _) in RISKS.items()}),
        _one(order, say("Order"), "order", {name: say(words) for name, (words, _) in ORDERS.items()}),
    )
    return arranged(waiting, sieve, _text)


def _all(names: Sequence[str]) -> dict[str, str]:
    """Return the options of a filter by people's or datasets' own names, with one for all."""
    return {"": say("all")} | {name: name for name in names}


def _one(place: st.delta_generator.DeltaGenerator, label: str, key: str, options: Mapping[str, str]) -> str:
    choice: str = place.selectbox(label, list(options), key=ENTRIES.key(key), format_func=options.__getitem__)
    return choice or ""


def _text(case: Awaited) -> str:
    """Return the text that a search looks into."""
    asked = case.asked
    return f"#{asked.number} {case.data} {case.asker} {in_words(asked.request)} {asked.purpose}"


def _listed(listed: Sequence[Awaited]) -> None:
    """Show the list; selecting one row opens the request, selecting several offers to deny them together."""
    if not listed:
        st.info(say("No waiting requests match."))
        return
    _repeats(listed)
    marks = _table(listed)
    st.caption(say("{number} listed. Select one to read it, or several to deny them together.", number=len(listed)))
    both = [listed[at].asked for at in marks if at < len(listed)]
    if len(both) > 1:
        _together(both)


def _repeats(listed: Sequence[Awaited]) -> None:
    """Show for each query that waits several times how many ask it, and their total cost."""
    groups = {tuple(asked.id for asked in case.beside): case for case in listed if len(case.beside) > 1}
    for case in list(groups.values())[:MOST]:
        st.markdown(
            say(
                "{times} × the same query, total ε = {epsilon}: {question}, {data} ({requests})",
                times=len(case.beside),
                epsilon=number(case.together.epsilon, 3),
                question=quoted(in_words(case.asked.request)),
                data=quoted(case.data),
                requests=", ".join(f"#{asked.number}" for asked in case.beside),
            )
        )
    if len(groups) > MOST:
        st.caption(say("{number} more queries are waiting several times.", number=len(groups) - MOST))


def _table(listed: Sequence[Awaited]) -> list[int]:
    """Draw the list; return the indices of the selected rows."""
    numbers = [case.asked.number for case in listed]
    mark = ENTRIES.key(f"marks:{sha256(str(numbers).encode()).hexdigest()[:8]}")  # a new list has no selection
    drawn = st.dataframe(
        _frame(listed),
        hide_index=True,
        height=36 * (min(len(listed), ROWS) + 1),
        key=mark,
        on_select=lambda: _open(mark, numbers),
        selection_mode="multi-row",
        column_config={
            say("Share of remaining budget"): st.column_config.NumberColumn(format="percent"),
            say("Purpose"): st.column_config.TextColumn(width="medium"),
        },
    )
    return list(drawn["selection"]["rows"])


def _frame(listed: Sequence[Awaited]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                say("Request"): case.asked.number,
                say("Query"): in_words(case.asked.request),
                say("Dataset"): case.data,
                say("Requested by"): case.asker,
                "ε": case.asked.cost.epsilon,
                say("Share of remaining budget"): case.share,
                say("Waiting (days)"): round(case.age, 1),
                say("Expires in (days)"): round(case.rest, 1),
                say("Same query"): len(case.beside) - 1 or None,
                say("Flags"): ", ".join(say(RISKS[name][0]) for name in case.risks),
                say("Purpose"): case.asked.purpose,
            }
            for case in listed
        ]
    )


def _open(mark: str, numbers: Sequence[int]) -> None:
    """Open the request whose row was selected alone."""
    rows = chosen(mark)["selection"]["rows"]
    if len(rows) == 1 and rows[0] < len(numbers):
        choose(WAITING, str(numbers[rows[0]]))


def _together(marked: Sequence[Inquiry]) -> None:
    """Offer to deny the selected requests, with one reason."""
    with st.container(border=True):
        listed = ", ".join(f"#{asked.number}" for asked in marked)
        st.markdown(say("Selected: {requests}. Each is denied separately, with the same reason.", requests=listed))
        st.text_area(
            say("Reason for all"),
            key=ENTRIES.key("reason"),
            height=80,
            max_chars=2000,
            help=say("Enter at least {fewest} characters.", fewest=FEWEST),
        )
        label = say("Deny {number} requests", number=len(marked))
        st.button(label, on_click=_deny, args=([asked.id for asked in marked],), key=ENTRIES.key("deny"))


def _deny(chosen_ids: Sequence[str]) -> None:
    house = door.house()
    who = door.who()
    space = workspace()
    if house is None or who is None:
        return
    try:
        denied, refused = deny(house, who, chosen_ids, ENTRIES.text("reason"))
    except ParameterError as wrong:
        space.notice = wrong
        return
    if denied:
        listed = ", ".join(f"#{asked.number}" for asked in denied)
        space.done = say("Denied {requests}. Their cost was returned to the budget.", requests=listed)
    space.notice = " ".join(say(wrong) for wrong in refused)
