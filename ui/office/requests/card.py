"""Card: the release card for people, with the guarantee, the result, the budget, and then the details."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.budget.plugins import name_of_kind
from discreet.curator.checks import groups
from discreet.curator.plan import FixedPlan
from discreet.curator.request import Request
from discreet.office.cards import cards
from discreet.office.cards.card import (
    Accounting,
    Accuracy,
    Audit,
    Card,
    Data,
    Evidence,
    Guarantee,
    Method,
    People,
    Row,
    Run,
)
from discreet.office.cards.review_case import Snapshot
from discreet.office.decisions.checklist import POINTS
from discreet.office.requests.request import Inquiry
from discreet.office.requests.states import LIVE
from discreet.queries import registry as statistics
from discreet.report.numbers import too_noisy
from discreet.rows import Schema
from discreet.ui import kinds
from discreet.ui.frame.formulas import lettered
from discreet.ui.frame.results import answer, answer_lines, as_read, off_by, proof_of
from discreet.ui.frame.words import doubted, in_words, number, period_named, quoted, say
from discreet.ui.office.forms import fold

# Details: the data, the mechanism, its evidence, and who asked and decided.

MITIGATIONS = {"floating_point": Phrase("Floating point"), "timing": Phrase("Timing"), "platform": Phrase("Platform")}
LABELS = {name_of_kind(kind): kind.label for kind in statistics.values()}
UNSAID = ("kind", "relation")  # who is a neighbour is said in words


def data(section: Data) -> None:
    """Show what was declared, by whom, and from what source."""
    st.text(section.name)
    for label, value in (
        (say("Source"), section.source),
        (say("Legal basis for collection"), section.collection),
        (say("Declared by"), said(section.declared_by)),
        *_extended(section),
        *_versions(section),
        (say("Kept until"), section.keep_until or section.no_day_because or say("no date is set")),
        (say("Server administrator"), section.administered_by or say("not stated")),
        (say("Bounds chosen by looking at the data"), section.bounds_chosen_by_looking or say("no")),
    ):
        st.markdown(f"{label}: {quoted(value)}")
    st.dataframe(
        pd.DataFrame([_column(name, section.columns) for name in section.columns]), hide_index=True, width="stretch"
    )


def _extended(section: Data) -> list[tuple[str, str]]:
    """Return by whom and when the schema was extended before the query."""
    if not section.extended:
        return []
    return [(say("Schema extended by"), f"{said(section.extended_by)}, {section.extended[:10]}")]


def _versions(section: Data) -> list[tuple[str, str]]:
    """Return the version of the rows, later notes, and why similar datasets are about other people."""
    version = section.version
    apart = section.other_people_than
    lines = [(say("Version of the rows"), f"{version.number}, {version.day} {version.why}".strip())]
    lines += [(say("Bounds"), say(words)) for words in version.bounds]
    lines += [(say("Note of {day}", day=note.day), note.text) for note in section.notes]
    return lines + ([(say("Why it covers different people"), apart)] if apart else [])


def _column(name: str, columns: Mapping[str, Any]) -> dict[str, str]:
    column = columns[name]
    missing = column.get("missing")
    rule = "" if missing is None else say("dropped") if missing == "drop" else number(missing)
    return {
        say("Column"): name,
        say("Kind"): say(column["kind"]),
        say("Values"): _rule(name, columns) if "of" in column else _values(column),
        say("If missing"): rule,
        say("Source"): str(column.get("origin") or "–"),
    }


def _rule(name: str, columns: Mapping[str, Any]) -> str:
    """Return the rule of a derived column, with its bounds."""
    declared = Schema.from_json(json.dumps({"columns": columns})).columns[name]
    return kinds.of(declared).words(declared)


def _values(column: Mapping[str, Any]) -> str:
    """Return the allowed values or bounds of a column, as in its schema file."""
    if "lower" in column:
        return f"{number(column['lower'])} – {number(column['upper'])}"
    if "first" in column:
        return f"{column['first']} – {column['last']}"
    names = column.get("names", [])
    levels = column.get("levels", [])
    pairs = zip(levels, names or levels, strict=True)
    return ", ".join(f"{level} = {name}" if names else level for level, name in pairs)


def mechanism(section: Method, neighbours: str) -> None:
    """Show the mechanism, its settings, its noise and what protects it."""
    st.markdown(f"**{quoted(say(section.name))}**")
    settings = [
        {say("Setting"): said(parameter.label), say("Value"): _setting(parameter.value)}
        for parameter in section.parameters
    ]
    st.dataframe(pd.DataFrame(settings), hide_index=True, width="stretch")
    for label, text in _protection(section):
        st.markdown(f"**{label}.** {quoted(say(text))}")
    st.markdown(f"**{say('Technical details')}**")
    for text in (neighbours, section.description, section.guarantee, section.proof):
        st.markdown(quoted(lettered(say(text))))
    st.caption(say("Full proofs: docs/guarantees.md in the Discreet repository."))
    programs = [f"Discreet {section.program}", *section.packages, f"OpenDP {section.opendp}"]
    st.caption(" · ".join(map(quoted, programs)))


def _protection(section: Method) -> list[tuple[str, str]]:
    """Return the kind of noise, its source and its safeguards, each under its label."""
    return [
        (say("Dependence on the data"), section.depends_on_the_data),
        (say("Noise"), section.noise),
        (say("Source of the noise"), section.noise_source),
        *((say(MITIGATIONS[name]), text) for name, text in section.mitigations.items()),
        (say("Post-processing"), section.post_processing),
    ]


def _setting(value: Any) -> str:
    """Format a setting; a statistic by its name, with its own settings."""
    if isinstance(value, dict):
        inner = {k: v for k, v in value.items() if k not in UNSAID and v is not None}
        parts = ", ".join(f"{name} = {_setting(part)}" for name, part in inner.items())
        kind = str(value["kind"])
        name = say(LABELS.get(kind, kind))
        return f"{name} ({parts})" if parts else name
    if isinstance(value, list):
        return ", ".join(map(_setting, value))
    return "–" if value is None else number(value, 6)


def accuracy(section: Accuracy) -> None:
    """Show the basis of the half-width, or why there is none."""
    for text in (section.note, section.clipping, section.utility):
        if text is not None:
            st.markdown(quoted(lettered(say(text))))


def evidence(audit: Audit, here: Evidence, fingerprint: str) -> None:
    """Show the audit of a small example, and the version of the program."""
    word = say("holds") if audit.holds else say("FAILS")
    text = say(
        "{pairs} pairs checked. Largest δ: {found}; claimed δ: {claimed}. The claim {word}.",
        pairs=audit.pairs,
        found=number(audit.largest_delta),
        claimed=number(audit.claimed_delta),
        word=word,
    )
    (st.success if audit.holds else st.error)(quoted(text))
    st.markdown(quoted(say(audit.about)))
    st.caption(quoted(say(here.not_run_here)))
    st.caption(say("Version, commit, code and packages of Discreet:"))
    lines = (here.program, here.commit, here.code_sha256, here.requirements_sha256)
    st.code("\n".join(line or "–" for line in lines), language=None, wrap_lines=True)
    st.caption(say("Fingerprint of the rows, which only this server can create:"))
    st.code(fingerprint, language=None, wrap_lines=True)


def people(section: People, day: str) -> None:
    """Show who asked and who decided, when and why."""
    lines = [(say("Requested by"), f"{said(section.analyst)}, {day}"), (say("Decision"), say(section.decision))]
    if section.decided_by is not None:
        when = f", {section.decided[:10]}" if section.decided else ""
        lines.append((say("Decided by"), f"{said(section.decided_by)}{when}"))
    if section.reason:
        lines.append((say("Reason or conditions"), section.reason))
    for label, text in lines:
        st.markdown(f"{label}: {quoted(text)}")
    for at, (name, (question, _)) in enumerate(POINTS.items(), start=1):
        if name in section.checklist:
            word = _verdict(section.checklist[name])
            st.markdown(f"{at}\\. {quoted(say(question))} {quoted(word)}")
    st.caption(quoted(say(section.signature)))


def _verdict(text: str) -> str:
    """Format an answer to a point of the checklist."""
    word, _, why = text.partition(":")
    return say("Yes") if word == "yes" else say("No. The reason: {why}", why=why.strip())


def said(text: str) -> str:
    """Translate a phrase; a person's own text is unchanged."""
    return say(text) if isinstance(text, Phrase) else text


def points(texts: Sequence[str]) -> None:
    """Show sentences as a list."""
    st.markdown("\n".join(f"- {quoted(say(text))}" for text in texts))


# Rows: what a plan asks, by which mechanism, with which error and result, one line for each row.


ROW, MOST_LINES = 35, 12  # height of a line in pixels, and how many lines are visible at once


def table(asked: Inquiry, rows: Sequence[Row], schema: Schema) -> None:
    """Show every row of a plan, with its numbers if it was released."""
    _row_lines([_line(at, *row, schema) for at, row in enumerate(zip(asked.request.rows, rows, strict=True), 1)])
    if asked.release is not None:
        st.markdown(f"**{say('Results')}**")
        places = enumerate(asked.answers, 1)
        _row_lines([{say("Query"): str(at)} | line for at, release in places for line in answer_lines(release, schema)])


def choose(asked: Inquiry) -> int:
    """Ask which row the rest of the card is about; return its index."""
    titles = [f"{at}. {in_words(row)}" for at, row in enumerate(asked.request.rows, 1)]
    label = say("Query to show")
    return int(st.selectbox(label, range(len(titles)), key=f"card:{asked.id}:row", format_func=titles.__getitem__))


def _line(at: int, request: Request, row: Row, schema: Schema) -> dict[str, str]:
    """Return a row's query, mechanism, number of groups, error, and its own privacy loss."""
    width = row.accuracy.half_width
    vague = width is not None and too_noisy(request, schema, width)
    return {
        say("No."): str(at),
        say("Query"): in_words(request),
        say("Margin of error (95%)"): doubted("–" if width is None else f"± {number(width, 3)}", vague),
        say("ε of this query alone"): number(row.guarantee.epsilon),
        say("Number of groups"): str(groups(request, schema)) if request.groups else "–",
        say("Mechanism"): say(row.mechanism.name),
    }


def _row_lines(lines: Sequence[dict[str, str]]) -> None:
    height = ROW * (min(len(lines), MOST_LINES) + 1) + 3
    help = say("⚠ The result would be too noisy to be useful.")
    text = st.column_config.TextColumn
    looks = {say("Query"): text(width="medium"), say("Margin of error (95%)"): text(help=help)}
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch", height=height, column_config=looks)


# Costs: the cost of a request, what was spent before and after, and the ledger entries.


def show_costs(asked: Inquiry, accounting: Accounting, inside: bool) -> None:
    """Show the costs; to people of the office also how long the budget lasts."""
    st.markdown(f"**{say('Cost')}**")
    if asked.release is None and asked.state not in LIVE:
        st.caption(say("No cost: the request ended without a result, and the reserved budget was returned."))
        return
    st.dataframe(pd.DataFrame(_lines(accounting)), hide_index=True, width="stretch")
    if accounting.period is not None:
        label = period_named(accounting.period.label)
        st.caption(quoted(f"{say(accounting.period.rule)} {say('Counted in: {label}.', label=label)}"))
    if isinstance(asked.request, FixedPlan):
        st.caption(proof_of(asked.request, asked.request.total))
    st.caption(f"{quoted(say(accounting.composition))} {quoted(say(accounting.refusals))}")
    if inside:
        _future(accounting)
    if accounting.charge is not None:
        st.caption(say("The charge in the ledger, and the latest ledger entry:"))
        st.code(f"{accounting.charge}\n{accounting.head}", language=None, wrap_lines=True)


def _lines(accounting: Accounting) -> list[dict[str, str]]:
    """Return one line for each cost, with a column for delta if any is spent."""
    costs = {
        say("Spent or reserved by other requests"): accounting.spent_before,
        say("This request"): accounting.cost,
        say("Sum of both"): accounting.spent_after,
        say("Total budget"): accounting.total,
    }
    lines = [{say("Account"): name, "ε": number(cost.epsilon)} for name, cost in costs.items()]
    if not accounting.spent_after.delta:
        return lines
    return [line | {"δ": number(cost.delta)} for line, cost in zip(lines, costs.values(), strict=True)]


def _future(accounting: Accounting) -> None:
    """Show how long the budget lasts, and what else was released."""
    use = accounting.use
    st.caption(say("The budget allows {times} more requests like this one.", times=number(use.more_like_this)))
    if use.pace is not None and use.ends is not None:
        pace = number(use.pace.charges_a_week, 3)
        st.caption(say("At {pace} charges a week, the budget runs out on {day}.", pace=pace, day=use.ends))
    if accounting.outside_of_this_ledger:
        st.caption(say("Releases outside this ledger: {others}", others=quoted(accounting.outside_of_this_ledger)))


VARIANTS = {
    "Pure DP": Phrase("pure differential privacy"),
    "Approximate DP": Phrase("approximate differential privacy"),
    "Zero-concentrated DP": Phrase("zero-concentrated differential privacy"),
}


def show(snapshot: Snapshot, names: bool) -> None:
    """Show a card; without names to a person who is not signed in."""
    card = cards.card(snapshot, names)
    asked = snapshot.asked
    _asked(asked, card, not names)
    row = _answered(asked, card, snapshot.data.registration.schema)
    _promise(card)
    _evidence(card.evidence.run)
    show_costs(asked, card.accounting, names)
    fold("unprotected", say("Not protected"), lambda: _unprotected(card), ":material/visibility:")
    fold("data", say("Dataset"), lambda: data(card.data), ":material/table:")
    fold("computed", say("Computation"), lambda: _computed(row), ":material/function:")
    fold("exact", say("Accuracy"), lambda: accuracy(row.accuracy), ":material/straighten:")
    fold("checked", say("Checks"), lambda: _checked(card, row), ":material/verified:")
    fold("people", say("Request and decision"), lambda: _people(card), ":material/group:")


def _unprotected(card: Card) -> None:
    points(card.whole.guarantee.unprotected_quantities)
    st.caption(quoted(say(card.data.rows)))


def _computed(row: Row) -> None:
    mechanism(row.mechanism, row.guarantee.neighbours)


def _checked(card: Card, row: Row) -> None:
    evidence(row.evidence, card.evidence, card.data.fingerprint)


def _people(card: Card) -> None:
    people(card.people, card.identity.asked[:10])


def _promise(card: Card) -> None:
    """State what the guarantee means for one person, then its numbers."""
    st.markdown(f"**{say('Privacy guarantee')}**")
    guarantee = card.guarantee
    guess, *others = guarantee.risk.in_words
    st.markdown(quoted(say(guess)))
    st.caption(quoted(say(guarantee.risk_of_all.in_words[0])))
    if guarantee.risk_of_waiting is not None:
        st.caption(quoted(say(guarantee.risk_of_waiting.in_words[0])))
    st.caption(quoted(say(card.whole.guarantee.privacy_unit_details)))
    fold("numbers", say("Guarantee in numbers"), lambda: _in_numbers(guarantee, others), ":material/balance:")


def _in_numbers(guarantee: Guarantee, others: Sequence[str]) -> None:
    left, middle, right = st.columns(3)
    left.metric(say("ε"), number(guarantee.epsilon))
    middle.metric(say("δ"), number(guarantee.delta))
    right.metric(say("Unit of privacy"), say(guarantee.privacy_unit))
    st.caption(quoted(say(VARIANTS[guarantee.variant])))
    points([*others, guarantee.risk_of_budget.in_words[0]])


def _asked(asked: Inquiry, card: Card, public: bool) -> None:
    """Show the query, and why it has no result if it has none."""
    st.markdown(f"**{say('Query')}**")
    st.text(f"{card.data.name} · {in_words(asked.request)}")
    if public:
        st.caption(say("Purpose: {purpose}", purpose=quoted(asked.purpose)))
    if asked.release is None:
        st.caption(say("No result yet: {state}.", state=say(card.identity.state)))


def _answered(asked: Inquiry, card: Card, schema: Schema) -> Row:
    """Show the result and its error, for a plan those of all rows; return the selected row."""
    at = 0
    if card.jointly is not None:
        table(asked, card.rows, schema)
        at = choose(asked)
    elif asked.release is not None:
        answer(asked.answers[at], schema)
    row = card.rows[at]
    request = asked.request.rows[at]
    _worth(row)
    off_by(request, schema)
    as_read(request, schema)
    return row


def _evidence(run: Run | None) -> None:
    """State in one line what the privacy tests found for this query, if they were run."""
    if run is not None:
        text = say(
            "Privacy tests of {day}, Discreet {program}: {summary}",
            day=run.day,
            program=run.program,
            summary=say(run.summary),
        )
        st.markdown(quoted(text))


def _worth(row: Row) -> None:
    """State how precise a result is, and warn of one that says nothing."""
    accuracy = row.accuracy
    release = row.release
    if accuracy.warning is not None:
        st.warning(quoted(say(accuracy.warning)))
    if accuracy.half_width is not None:
        st.caption(
            say(
                "With 95% probability, the result is within {width} of the value of the rows that were read.",
                width=number(accuracy.half_width, 3),
            )
        )
    elif release.interval is None:
        st.caption(quoted(say("No interval: {why}", why=say(release.no_interval))))
