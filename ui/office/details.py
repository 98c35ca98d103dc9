"""Details of a card: the data, the method, its evidence, and who asked and decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.budget.plugins import name_of_kind
from discreet.office.checklist import POINTS
from discreet.queries import registry as statistics
from discreet.ui.frame.proofs import lettered
from discreet.ui.frame.words import number, quoted, say

MITIGATIONS = {"floating_point": Phrase("Floating point"), "timing": Phrase("Timing"), "platform": Phrase("Platform")}
LABELS = {name_of_kind(kind): kind.label for kind in statistics.values()}
UNSAID = ("kind", "relation")  # who is a neighbour is said in words
PROGRAM = ("program", "commit", "code_sha256", "requirements_sha256")
Section = Mapping[str, Any]


def data(section: Section) -> None:
    """Show what was declared, by whom, and from what source."""
    st.text(section["name"])
    for label, value in (
        (say("Source"), section["source"]),
        (say("Collected on the basis of"), section["collection"]),
        (say("Declared by"), said(section["declared_by"])),
        *_extended(section),
        *_versions(section),
        (say("Kept until"), section["keep_until"] or section["no_day_because"] or say("no day is set")),
        (say("Server administered by"), section["administered_by"] or say("not said")),
        (say("Bounds chosen by looking at the data"), section["bounds_chosen_by_looking"] or say("no")),
    ):
        st.markdown(f"{label}: {quoted(value)}")
    st.dataframe(
        pd.DataFrame([_column(name, column) for name, column in section["columns"].items()]),
        hide_index=True,
        width="stretch",
    )


def _extended(section: Section) -> list[tuple[str, str]]:
    """Say by whom and when more was declared, where that was before the question."""
    if not section["extended"]:
        return []
    return [(say("Declaration extended by"), f"{said(section['extended_by'])}, {section['extended'][:10]}")]


def _versions(section: Section) -> list[tuple[str, str]]:
    """Say which rows these are, what was noted later, and why similar data are of others."""
    version, apart = section["version"], section["other_people_than"]
    lines = [(say("Version of the rows"), f"{version['number']}, {version['day']} {version['why']}".strip())]
    lines += [(say("Bounds"), say(words)) for words in version.get("bounds", ())]
    lines += [(say("Note of {day}", day=note["day"]), note["text"]) for note in section["notes"]]
    return lines + ([(say("Other people than in similar data"), apart)] if apart else [])


def _column(name: str, column: Section) -> dict[str, str]:
    missing = column.get("missing")
    rule = "" if missing is None else say("left out") if missing == "drop" else number(missing)
    return {
        say("Column"): name,
        say("Kind"): say(column["kind"]),
        say("Values"): _values(column),
        say("If missing"): rule,
        say("Where from"): str(column.get("origin") or "–"),
    }


def _values(column: Section) -> str:
    """Say which values of a column count, as its declaration file says it."""
    if "lower" in column:
        return f"{number(column['lower'])} – {number(column['upper'])}"
    if "first" in column:
        return f"{column['first']} – {column['last']}"
    names = column.get("names", [])
    levels = column.get("levels", [])
    pairs = zip(levels, names or levels, strict=True)
    return ", ".join(f"{level} = {name}" if names else level for level, name in pairs)


def mechanism(section: Section, neighbours: str) -> None:
    """Show the mechanism, its settings, its noise and what protects it."""
    st.markdown(f"**{quoted(say(section['name']))}**")
    settings = [
        {say("Setting"): said(parameter["label"]), say("Value"): _setting(parameter["value"])}
        for parameter in section["parameters"]
    ]
    st.dataframe(pd.DataFrame(settings), hide_index=True, width="stretch")
    for label, text in _protection(section):
        st.markdown(f"**{label}.** {quoted(say(text))}")
    st.markdown(f"**{say('For specialists')}**")
    for text in (neighbours, section["description"], section["guarantee"], section["proof"]):
        st.markdown(quoted(lettered(say(text))))
    st.caption(say("Full proofs: docs/guarantees.md, in the repository of this program."))
    programs = [f"Discreet {section['program']}", *section.get("packages", ()), f"OpenDP {section['opendp']}"]
    st.caption(" · ".join(map(quoted, programs)))


def _protection(section: Section) -> list[tuple[str, str]]:
    """Return what the noise is, where it comes from and what stands beside it, each under its label."""
    return [
        (say("What depends on the data"), section["depends_on_the_data"]),
        (say("Noise"), section["noise"]),
        (say("Where the noise comes from"), section["noise_source"]),
        *((say(MITIGATIONS[name]), text) for name, text in section["mitigations"].items()),
        (say("After the noise"), section["post_processing"]),
    ]


def _setting(value: Any) -> str:
    """Write a setting; a statistic by its name, with those of its parts that are set."""
    if isinstance(value, dict):
        inner = {k: v for k, v in value.items() if k not in UNSAID and v is not None}
        parts = ", ".join(f"{name} = {_setting(part)}" for name, part in inner.items())
        kind = str(value["kind"])
        name = say(LABELS.get(kind, kind))
        return f"{name} ({parts})" if parts else name
    if isinstance(value, list):
        return ", ".join(map(_setting, value))
    return "–" if value is None else number(value, 6)


def accuracy(section: Section) -> None:
    """Show on what the half width stands, or why there is none."""
    for text in (section["note"], section["clipping"], section["utility"]):
        if text is not None:
            st.markdown(quoted(lettered(say(text))))


def evidence(section: Section, fingerprint: str) -> None:
    """Show the audit of a small world, and which program this is."""
    word = say("holds") if section["holds"] else say("FAILS")
    text = say(
        "{pairs} pairs: the largest delta is {found}, claimed {claimed}. It {word}.",
        pairs=section["pairs"],
        found=number(section["largest_delta"]),
        claimed=number(section["claimed_delta"]),
        word=word,
    )
    (st.success if section["holds"] else st.error)(quoted(text))
    st.markdown(quoted(say(section["about"])))
    st.caption(quoted(say(section["not_run_here"])))
    st.caption(say("Version, commit, code and packages of this program:"))
    st.code("\n".join(str(section[name]) or "–" for name in PROGRAM), language=None, wrap_lines=True)
    st.caption(say("Fingerprint of the rows, which only this house can make:"))
    st.code(fingerprint, language=None, wrap_lines=True)


def people(section: Section, day: str) -> None:
    """Show who asked and who decided, when and why."""
    lines = [(say("Asked by"), f"{said(section['analyst'])}, {day}"), (say("Decision"), say(section["decision"]))]
    if section["decided_by"] is not None:
        when = f", {section['decided'][:10]}" if section["decided"] else ""
        lines.append((say("Decided by"), f"{said(section['decided_by'])}{when}"))
    if section["reason"]:
        lines.append((say("Reason or conditions"), section["reason"]))
    for label, text in lines:
        st.markdown(f"{label}: {quoted(text)}")
    for at, (name, (question, _)) in enumerate(POINTS.items(), start=1):
        if name in section["checklist"]:
            word = _verdict(section["checklist"][name])
            st.markdown(f"{at}\\. {quoted(say(question))} {quoted(word)}")
    st.caption(quoted(say(section["signature"])))


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
