"""The card of a release for people: the promise, the answer, the budget, then the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from budget import Phrase
from curator.office import House, Person, cards, registry
from curator.office.asked import LIVE, Asked
from curator.office.checklist import POINTS
from queries import registry as statistics
from ui.answers import asked as question
from ui.answers import cell, span
from ui.units import unit_of
from ui.words import number, quoted, say

VARIANTS = {
    "Pure DP": Phrase("pure differential privacy"),
    "Approximate DP": Phrase("approximate differential privacy"),
    "Zero-concentrated DP": Phrase("zero-concentrated differential privacy"),
}
MITIGATIONS = {
    "floating_point": Phrase("Floating point"),
    "timing": Phrase("Timing"),
    "platform": Phrase("Platform"),
}
LABELS = {kind.__name__: kind.label for kind in statistics.values()}
UNSAID = ("kind", "relation")  # who is a neighbour is said in words
Made = Mapping[str, Any]


def show(house: House, asked: Asked, who: Person | None) -> None:
    """Show a card; without names to whoever is not signed in."""
    made = cards.card(house, asked, names=who is not None)
    _asked(house, asked, made, who is None)
    _promise(made["guarantee"])
    _account(asked, made["accounting"], who is not None)
    with st.expander(say("What is not protected"), icon=":material/visibility:"):
        _points(made["guarantee"]["unprotected_quantities"])
        st.caption(quoted(say(made["data"]["rows"])))
    with st.expander(say("The data"), icon=":material/table:"):
        _data(made)
    with st.expander(say("How it is computed"), icon=":material/function:"):
        _mechanism(made["mechanism"], made["guarantee"]["neighbours"])
    with st.expander(say("How exact it is"), icon=":material/straighten:"):
        _accuracy(made["accuracy"])
    with st.expander(say("What was checked"), icon=":material/verified:"):
        _evidence(made["evidence"], made["data"]["fingerprint"])
    with st.expander(say("Who asked, who decided"), icon=":material/group:"):
        _people(made)


def _promise(told: Made) -> None:
    """State what the guarantee means for one person, then its numbers."""
    st.markdown(f"**{say('What is promised')}**")
    guess, *others = told["risk"]["in_words"]
    st.markdown(quoted(say(guess)))
    st.caption(quoted(say(told["privacy_unit_details"])))
    with st.expander(say("The promise in numbers"), icon=":material/balance:"):
        left, middle, right = st.columns(3)
        left.metric(say("Epsilon"), number(told["epsilon"]))
        middle.metric(say("Delta"), number(told["delta"]))
        right.metric(say("For"), say(told["privacy_unit"]))
        st.caption(quoted(say(VARIANTS[told["variant"]])))
        _points([*others, told["risk_of_budget"]["in_words"][0]])


def _asked(house: House, asked: Asked, made: Made, public: bool) -> None:
    """Show the question, what it is worth and, if there is one, the answer."""
    st.markdown(f"**{say('What is asked')}**")
    st.text(f"{made['data']['name']} · {question(asked.request)}")
    if public:
        st.caption(say("Purpose: {purpose}", purpose=quoted(asked.purpose)))
    release = asked.release
    if release is None:
        st.caption(say("Not answered: {state}.", state=say(made["identity"]["state"])))
    elif release.refused:
        st.subheader(say("refused"), anchor=False)
    elif isinstance(release.answer, tuple):
        st.dataframe(pd.DataFrame(_lines(made["release"])), hide_index=True, width="stretch")
    else:
        schema = registry.find(house, asked.dataset).registration.schema
        text = f"{number(release.answer, 6)}{unit_of(asked.request, schema)}"
        st.subheader(quoted(text), anchor=False)
        _interval(release.interval)
    _worth(made["accuracy"])


def _worth(told: Made) -> None:
    """Say openly how exact an answer is, and warn of one that tells nothing."""
    if told["warning"] is not None:
        st.warning(quoted(say(told["warning"])))
    if told["half_width"] is not None:
        st.caption(
            say("19 times in 20 the answer is within {width} of the exact value.",
                width=number(told["half_width"], 3))
        )  # fmt: skip
    else:
        st.caption(
            say("A random error is added to the answer. How large it is stays secret here: that "
                "would tell something about the people.")
        )  # fmt: skip


def _interval(interval: Any) -> None:
    if interval:
        low, high = (number(end, 5) for end in interval)
        st.caption(
            say("19 times in 20 the exact value lies between {low} and {high}.", low=low, high=high)
        )


def _lines(told: Made) -> list[dict[str, str]]:
    """Return the numbers of an answer that has several, one line each."""
    answer, intervals = told["answer"], told["interval"]
    if told["plain"]["by"] is not None:
        spans = dict(intervals or ())
        return [
            {
                say("Group"): group,
                say("Answer"): cell(value),
                say("19 in 20"): span(spans.get(group)),
            }
            for group, value in answer
        ]
    names = told["parts"] or [str(at + 1) for at in range(len(answer))]
    return [
        {say("Part"): _said(name), say("Answer"): cell(value)}
        for name, value in zip(names, answer, strict=False)
    ]


def _account(asked: Asked, told: Made, inside: bool) -> None:
    """Show what it costs, what was spent before and is after, and where that is written."""
    st.markdown(f"**{say('What it costs')}**")
    if asked.release is None and asked.state not in LIVE:
        st.caption(say("Nothing: it ended without an answer, and what was reserved has come back."))
        return
    rows = {
        say("Spent or reserved by other requests"): told["spent_before"],
        say("This request"): told["cost"], say("Both together"): told["spent_after"],
        say("Whole budget"): told["total"],
    }  # fmt: skip
    signs = {"ε": "epsilon", "δ": "delta"} if told["spent_after"]["delta"] else {"ε": "epsilon"}
    st.dataframe(
        pd.DataFrame(
            [
                {say("Account"): name} | {sign: number(cost[key]) for sign, key in signs.items()}
                for name, cost in rows.items()
            ]
        ), hide_index=True, width="stretch",
    )  # fmt: skip
    st.caption(f"{quoted(say(told['composition']))} {quoted(say(told['refusals']))}")
    if inside:
        _future(told)
    charge = told["charge"]
    if charge is not None:
        st.caption(say("The charge on the ledger, and its newest line:"))
        st.code(f"{charge['line']}:{charge['hash']}\n{told['head']}", language=None)


def _future(told: Made) -> None:
    """Show how long the budget lasts, and what else was released."""
    use = told["use"]
    st.caption(say("So many more like this fit: {times}.", times=number(use["more_like_this"])))
    if use["ends"] is not None:
        pace = number(use["pace"]["charges_a_week"], 3)
        st.caption(
            say("So far {pace} charges a week: the budget ends on {day}.", pace=pace,
                day=use["ends"])
        )  # fmt: skip
    if told["outside_of_this_ledger"]:
        st.caption(
            say("Releases outside of it: {others}", others=quoted(told["outside_of_this_ledger"]))
        )


def _data(made: Made) -> None:
    """Show what was declared, by whom, and from what source."""
    told = made["data"]
    st.text(told["name"])
    for label, value in (
        (say("Source"), told["source"]), (say("Collected on the basis of"), told["collection"]),
        (say("Declared by"), _said(told["declared_by"])),
        (say("Kept until"), told["keep_until"] or told["no_day_because"] or say("no day is set")),
        (say("Server administered by"), told["administered_by"] or say("not said")),
        (say("Bounds chosen by looking at the data"),
         told["bounds_chosen_by_looking"] or say("no")),
    ):  # fmt: skip
        st.markdown(f"{label}: {quoted(value)}")
    st.dataframe(
        pd.DataFrame([_column(name, column) for name, column in told["columns"].items()]),
        hide_index=True, width="stretch",
    )  # fmt: skip


def _column(name: str, told: Made) -> dict[str, str]:
    content = ""
    if told["kind"] == "number":
        content = f"{number(told['lower'])} – {number(told['upper'])}"
    elif told["kind"] == "category":
        content = ", ".join(told["levels"])
    missing = told.get("missing")
    rule = "" if missing is None else say("left out") if missing == "drop" else number(missing)
    return {
        say("Column"): name, say("Kind"): say(told["kind"]), say("Values"): content,
        say("If missing"): rule, say("Bounds from"): str(told.get("origin") or "–"),
    }  # fmt: skip


def _mechanism(told: Made, neighbours: str) -> None:
    """Show the mechanism, its settings, its noise and what protects it."""
    st.markdown(f"**{quoted(say(told['name']))}**")
    st.dataframe(
        pd.DataFrame(
            [
                {say("Setting"): _said(p["label"]), say("Value"): _setting(p["value"])}
                for p in told["parameters"]
            ]
        ), hide_index=True, width="stretch",
    )  # fmt: skip
    for label, text in (
        (say("What depends on the data"), told["depends_on_the_data"]),
        (say("Noise"), told["noise"]), (say("Where the noise comes from"), told["noise_source"]),
        *((say(MITIGATIONS[name]), text) for name, text in told["mitigations"].items()),
        (say("After the noise"), told["post_processing"]),
    ):  # fmt: skip
        st.markdown(f"**{label}.** {quoted(say(text))}")
    st.markdown(f"**{say('For specialists')}**")
    st.markdown(quoted(say(neighbours)))
    for name in ("description", "guarantee", "proof"):
        st.markdown(quoted(say(told[name])))
    st.caption(say("Full proofs: docs/guarantees.md, in the folder of this program."))
    st.caption(f"Discreet {quoted(told['program'])} · OpenDP {quoted(told['opendp'])}")


def _setting(value: Any) -> str:
    """Write a setting; a statistic by its name, with those of its parts that are set."""
    if isinstance(value, dict):
        inner = {k: v for k, v in value.items() if k not in UNSAID and v is not None}
        told = ", ".join(f"{name} = {_setting(part)}" for name, part in inner.items())
        name = say(LABELS.get(value["kind"], value["kind"]))
        return f"{name} ({told})" if told else name
    if isinstance(value, list):
        return ", ".join(map(_setting, value))
    return "–" if value is None else number(value, 6)


def _accuracy(told: Made) -> None:
    """Show on what the half width stands, or why there is none."""
    for text in (told["note"], told["clipping"], told["utility"]):
        if text is not None:
            st.markdown(quoted(say(text)))


def _evidence(told: Made, fingerprint: str) -> None:
    """Show the audit of a small world, and which program this is."""
    word = say("holds") if told["holds"] else say("FAILS")
    text = say(
        "{pairs} pairs: the largest delta is {found}, claimed {claimed}. It {word}.",
        pairs=told["pairs"], found=number(told["largest_delta"]),
        claimed=number(told["claimed_delta"]), word=word,
    )  # fmt: skip
    (st.success if told["holds"] else st.error)(quoted(text))
    st.markdown(quoted(say(told["about"])))
    st.caption(quoted(say(told["not_run_here"])))
    st.caption(say("Version, commit, code and packages of this program:"))
    named = ("program", "commit", "code_sha256", "requirements_sha256")
    st.code("\n".join(str(told[name]) or "–" for name in named), language=None)
    st.caption(say("Fingerprint of the rows, which only this house can make:"))
    st.code(fingerprint, language=None)


def _people(made: Made) -> None:
    """Show who asked and who decided, when and why."""
    told, day = made["people"], made["identity"]["asked"][:10]
    lines = [(say("Asked by"), f"{_said(told['analyst'])}, {day}"),
             (say("Decision"), say(told["decision"]))]  # fmt: skip
    if told["decided_by"] is not None:
        when = f", {told['decided'][:10]}" if told["decided"] else ""
        lines.append((say("Decided by"), f"{_said(told['decided_by'])}{when}"))
    if told["reason"]:
        lines.append((say("Reason or conditions"), told["reason"]))
    for label, text in lines:
        st.markdown(f"{label}: {quoted(text)}")
    for at, text in told["checklist"].items():
        st.markdown(f"{at}\\. {quoted(say(POINTS[int(at) - 1][0]))} {quoted(_verdict(text))}")
    st.caption(quoted(say(told["signature"])))


def _verdict(text: str) -> str:
    """Write an answer to a point of the checklist."""
    word, _, why = text.partition(":")
    return say("Yes") if word == "yes" else say("No. The reason: {why}", why=why.strip())


def _said(text: str) -> str:
    """Say a phrase; somebody's own text stays as it is."""
    return say(text) if isinstance(text, Phrase) else text


def _points(texts: Sequence[str]) -> None:
    st.markdown("\n".join(f"- {quoted(say(text))}" for text in texts))
