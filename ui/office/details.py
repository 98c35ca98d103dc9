"""Details of a card: the data, the method, its evidence, and who asked and decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.office.checklist import POINTS
from discreet.queries import registry as statistics
from discreet.ui.frame.words import number, quoted, say

MITIGATIONS = {"floating_point": Phrase("Floating point"), "timing": Phrase("Timing"), "platform": Phrase("Platform")}
LABELS = {kind.__name__: kind.label for kind in statistics.values()}
UNSAID = ("kind", "relation")  # who is a neighbour is said in words
Made = Mapping[str, Any]


def data(made: Made) -> None:
    """Show what was declared, by whom, and from what source."""
    told = made["data"]
    st.text(told["name"])
    for label, value in (
        (say("Source"), told["source"]),
        (say("Collected on the basis of"), told["collection"]),
        (say("Declared by"), said(told["declared_by"])),
        (say("Kept until"), told["keep_until"] or told["no_day_because"] or say("no day is set")),
        (say("Server administered by"), told["administered_by"] or say("not said")),
        (say("Bounds chosen by looking at the data"), told["bounds_chosen_by_looking"] or say("no")),
    ):
        st.markdown(f"{label}: {quoted(value)}")
    st.dataframe(
        pd.DataFrame([_column(name, column) for name, column in told["columns"].items()]),
        hide_index=True,
        width="stretch",
    )


def _column(name: str, told: Made) -> dict[str, str]:
    content = ""
    if told["kind"] == "number":
        content = f"{number(told['lower'])} – {number(told['upper'])}"
    elif told["kind"] == "category":
        content = ", ".join(told["levels"])
    missing = told.get("missing")
    rule = "" if missing is None else say("left out") if missing == "drop" else number(missing)
    return {
        say("Column"): name,
        say("Kind"): say(told["kind"]),
        say("Values"): content,
        say("If missing"): rule,
        say("Bounds from"): str(told.get("origin") or "–"),
    }


def mechanism(told: Made, neighbours: str) -> None:
    """Show the mechanism, its settings, its noise and what protects it."""
    st.markdown(f"**{quoted(say(told['name']))}**")
    st.dataframe(
        pd.DataFrame(
            [{say("Setting"): said(p["label"]), say("Value"): _setting(p["value"])} for p in told["parameters"]]
        ),
        hide_index=True,
        width="stretch",
    )
    for label, text in (
        (say("What depends on the data"), told["depends_on_the_data"]),
        (say("Noise"), told["noise"]),
        (say("Where the noise comes from"), told["noise_source"]),
        *((say(MITIGATIONS[name]), text) for name, text in told["mitigations"].items()),
        (say("After the noise"), told["post_processing"]),
    ):
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
        kind = str(value["kind"])
        name = say(LABELS.get(kind, kind))
        return f"{name} ({told})" if told else name
    if isinstance(value, list):
        return ", ".join(map(_setting, value))
    return "–" if value is None else number(value, 6)


def accuracy(told: Made) -> None:
    """Show on what the half width stands, or why there is none."""
    for text in (told["note"], told["clipping"], told["utility"]):
        if text is not None:
            st.markdown(quoted(say(text)))


def evidence(told: Made, fingerprint: str) -> None:
    """Show the audit of a small world, and which program this is."""
    word = say("holds") if told["holds"] else say("FAILS")
    text = say(
        "{pairs} pairs: the largest delta is {found}, claimed {claimed}. It {word}.",
        pairs=told["pairs"],
        found=number(told["largest_delta"]),
        claimed=number(told["claimed_delta"]),
        word=word,
    )
    (st.success if told["holds"] else st.error)(quoted(text))
    st.markdown(quoted(say(told["about"])))
    st.caption(quoted(say(told["not_run_here"])))
    st.caption(say("Version, commit, code and packages of this program:"))
    named = ("program", "commit", "code_sha256", "requirements_sha256")
    st.code("\n".join(str(told[name]) or "–" for name in named), language=None)
    st.caption(say("Fingerprint of the rows, which only this house can make:"))
    st.code(fingerprint, language=None)


def people(made: Made) -> None:
    """Show who asked and who decided, when and why."""
    told, day = made["people"], made["identity"]["asked"][:10]
    lines = [(say("Asked by"), f"{said(told['analyst'])}, {day}"), (say("Decision"), say(told["decision"]))]
    if told["decided_by"] is not None:
        when = f", {told['decided'][:10]}" if told["decided"] else ""
        lines.append((say("Decided by"), f"{said(told['decided_by'])}{when}"))
    if told["reason"]:
        lines.append((say("Reason or conditions"), told["reason"]))
    for label, text in lines:
        st.markdown(f"{label}: {quoted(text)}")
    for at, (name, (question, _)) in enumerate(POINTS.items(), start=1):
        if name in told["checklist"]:
            word = _verdict(told["checklist"][name])
            st.markdown(f"{at}\\. {quoted(say(question))} {quoted(word)}")
    st.caption(quoted(say(told["signature"])))


def _verdict(text: str) -> str:
    """Write an answer to a point of the checklist."""
    word, _, why = text.partition(":")
    return say("Yes") if word == "yes" else say("No. The reason: {why}", why=why.strip())


def said(text: str) -> str:
    """Say a phrase; somebody's own text stays as it is."""
    return say(text) if isinstance(text, Phrase) else text


def points(texts: Sequence[str]) -> None:
    """Show sentences as a list."""
    st.markdown("\n".join(f"- {quoted(say(text))}" for text in texts))
