"""Results: the wording of a result, its parts and its interval, on screens and on cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.column_config import Column

from discreet.budget import BASIC, RULES, Cost, Phrase
from discreet.budget.composition import Proven
from discreet.budget.cost import EPSILON_UNITS
from discreet.curator import FixedPlan, Release, Request
from discreet.report import words
from discreet.report.html import NO_MARKS, Marks, name_of
from discreet.report.html import number as printed
from discreet.report.intervals import ASSUMED
from discreet.report.numbers import data
from discreet.report.publication import Chapter
from discreet.report.risk import guesses
from discreet.rows import Schema
from discreet.ui.frame.links import handheld
from discreet.ui.frame.words import number, quoted, say, unit_of


def as_read(request: Request, schema: Schema) -> None:
    """State in one line which rows a result is about, and as what they count."""
    reading = "; ".join(say(part) for part in words.as_read(request, schema))
    st.caption(quoted(say("Data handling: {how}.", how=reading)))


def off_by(request: Request, schema: Schema) -> None:
    """Show the largest rank error of a result, where it has one."""
    rows = words.off_by(request, schema)
    if rows is not None:
        st.caption(say(rows))


ANY_VALUES = Phrase("It holds for any values between the bounds, so it is wider than usual.")


def sampled(interval: tuple[float | str, float | str] | None) -> None:
    """Show the interval of the population mean, and what it assumes, where it is known."""
    if interval is None:
        return
    low, high = (number(end, 5) for end in interval)
    text = say("95% interval for the population, {assumed}: {low} to {high}.", assumed=say(ASSUMED), low=low, high=high)
    st.caption(f"{text} {say(ANY_VALUES)}")


MOST_LINES = 20  # of a table on a phone; the others are folded
WIDE = 0x2E80  # letters from here on are as wide as two
LETTER, LEAST, WIDEST = 7, 120, 460  # pixels of a letter, and how narrow and wide a column may be
ALIKE = 240  # pixels of a column that shares the width of a table with others


def wide_as(texts: Iterable[str]) -> int:
    """Return the width at which no text of a column is cut."""
    longest = max(sum(1 + (ord(letter) > WIDE) for letter in text) for text in texts)
    return min(WIDEST, max(LEAST, LETTER * longest + 20))


def table(lines: pd.DataFrame, names: Collection[str] = (), **options: Any) -> None:
    """Show a table; on a phone each row with its cells below each other, so that nothing has to be scrolled sideways.

    The cells of the columns called `names`, or of the first one, are the head of a row.
    """
    heads = [str(name) for name in lines if name in names] or [str(name) for name in lines][:1]
    if not handheld():
        if "column_config" not in options and len(lines):
            widths = {name: wide_as(map(str, lines[name])) for name in heads}
            options["column_config"] = {name: Column(width=each) for name, each in widths.items() if each > ALIKE}
        st.dataframe(lines, hide_index=True, width="stretch", **options)
        return
    rows = [_row({str(name): cell for name, cell in row.items()}, heads) for row in lines.to_dict("records")]
    st.markdown("\n\n".join(rows[:MOST_LINES]))
    if rows[MOST_LINES:]:
        with st.expander(say("{many} more.", many=len(rows) - MOST_LINES)):
            st.markdown("\n\n".join(rows[MOST_LINES:]))


def _row(cells: Mapping[str, object], heads: Sequence[str]) -> str:
    """Return a row as lines of Markdown, without its empty cells."""
    head = " · ".join(quoted(cells[name]) for name in heads if cells[name] not in ("", None))
    rest = [f"{quoted(name)}: {quoted(cell)}" for name, cell in cells.items() if name not in heads]
    filled = [line for line in rest if not line.endswith((": ", ": –"))]
    return "  \n".join([*([f"**{head}**"] if head else []), *filled])


def answer(release: Release, schema: Schema) -> None:
    """Show a released result: a single number with its interval, or a table of several numbers."""
    if release.request.groups or isinstance(release.answer, tuple):
        lines = pd.DataFrame(list(answer_lines(release, schema)))
        table(lines.loc[:, (lines != "").any()])
        return
    (drawn,) = data(release, schema)
    unit = unit_of(release.request, schema) if drawn.place is not None else ""
    st.header(quoted(printed(drawn, say) + unit), anchor=False)
    if drawn.ends:
        low, high = drawn.ends
        st.caption(
            say(
                "95% interval for the value of the rows that were read: {low} to {high}. It covers the noise, not "
                "sampling error.",
                low=low,
                high=high,
            )
        )


def answer_lines(release: Release, schema: Schema, marks: Marks = NO_MARKS) -> Iterator[dict[str, str]]:
    """Yield one line for each number of a result: per group, per level, or the only one."""
    for datum in data(release, schema):
        yield {
            say("Group or part"): name_of((datum,), say),
            say("Result"): marks(datum, say),
            say("95% interval"): " – ".join(datum.ends) if datum.ends else "–",
            say(words.size_label(schema)): "" if datum.size is None else number(datum.rows, 3),
        }


def chapter_lines(chapter: Chapter) -> Iterator[dict[str, str]]:
    """Yield the lines of a result in a report, where the counts of several queries add up."""
    wholes = chapter.sums or [None] * len(chapter.data)
    for line, whole in zip(answer_lines(chapter.release, chapter.schema), wholes, strict=True):
        yield line | {say("Rounded, adding up"): "" if whole is None else f"{whole:,}"}


# Costs: epsilon and delta of several costs side by side.

THOUSANDTH = EPSILON_UNITS // 1000  # of epsilon; no finer price is compared


def side_by_side(costs: Mapping[str, Cost]) -> None:
    """Show costs side by side, each under its label."""
    for place, (label, cost) in zip(st.columns(len(costs)), costs.items(), strict=True):
        delta = say("δ {delta}", delta=number(cost.delta)) if cost.delta_units else say("no δ")
        place.metric(
            label,
            str(replace(cost, delta_units=0)).replace(" = ", " "),
            delta,
            delta_color="off",
            delta_arrow="off",
            border=True,
        )


def proof_of(plan: FixedPlan, total: Proven) -> str:
    """Name what shares a draw, the proof behind the total cost, and the cost of asking all rows one by one."""
    shares = "".join(f"{say(each)} " for each in plan.sharing)
    return shares + _composition(total)


def _composition(total: Proven) -> str:
    if total.cost == total.plain:
        return say("Composition: {proof}.", proof=say(total.proof))
    plain = replace(total.plain, nano_epsilon=-(-total.plain.nano_epsilon // THOUSANDTH) * THOUSANDTH)
    return say(
        "Composition: {proof}. One by one, these queries would cost {plain}.", proof=say(total.proof), plain=plain
    )


# Guesses: what epsilon and delta let someone learn about one person, beside the place where they are set.


RESULT = Phrase("the result")


OTHERS = Phrase("50 is a coin. Others published with 85 to over 99: Help, Published uses.")


def guess_line(cost: Cost, unit: Phrase, what: Phrase = RESULT, change_one: bool | None = False) -> None:
    """Show how often a guess is right after seeing a result; what else holds is its help."""
    first, *more = guesses(cost, unit, what, change_one)
    st.caption(quoted(say(first)), help=" ".join(quoted(say(words)) for words in (*more[:1], OTHERS)))


# Accounting: the rule by which a new budget adds up, asked wherever a budget is opened.


def choice(key: str | None = None) -> str:
    """Ask for the accounting rule; simple addition is preselected."""
    names = list(RULES)
    suits = " ".join(say(rule.suits) for rule in RULES.values() if rule.suits)
    return st.selectbox(say("Rule"), names, names.index(BASIC.name), say, key=key, help=suits)
