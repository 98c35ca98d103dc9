"""Compare: which ground to stand on, who takes part, and what it means in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Cost, Phrase
from discreet.curator import Category, Number
from discreet.lab import contest, preview
from discreet.lab.choices import Choice
from discreet.lab.contest import Advice, Contender, Estimated, Ground
from discreet.lab.experiment import Experiment
from discreet.lab.scenario import SHAPES, Scenario, imagined_counts
from discreet.mechanisms import registry
from discreet.mechanisms.selection import MOST_COMMON
from discreet.queries import Bounds
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.queries.scores import Scores
from discreet.ui.ask import fields as ask_for
from discreet.ui.figures import look
from discreet.ui.frame.words import number, say
from discreet.ui.state import workspace

CHOICE = MOST_COMMON.name
WAYS = {"open": Phrase("these open data"), "scenario": Phrase("a scenario")}


def ground() -> Ground:
    """Ask where the contest runs: on open data, or on a labelled scenario."""
    here = workspace().here
    names = [n for n, told in here.dataset.schema.columns.items() if isinstance(told, Number)]
    ways = ["scenario"] if here.dataset.protected or not names else ["open", "scenario"]
    way = st.segmented_control(
        say("Run on"),
        ways,
        default=ways[0],
        required=True,
        key=f"compare:way:{len(ways)}",
        format_func=lambda w: say(WAYS[w]),
    )
    if here.dataset.protected:
        st.caption(say("Your data are protected, so this runs on people who do not exist."))
    if way == "open":
        first = names.index("age") if "age" in names else 0
        found = here.ground(st.selectbox(say("Column"), names, first, key="compare:column"))
        assert found is not None
        return found
    return _scenario(names)


def _scenario(names: list[str]) -> Ground:
    columns = workspace().dataset.schema.columns
    presets = [told for name in names if isinstance(told := columns[name], Number)]
    preset = presets[0] if presets else Number(0, 100, integer=True)
    left, right = st.columns(2)
    lower = left.number_input(say("Lower"), value=float(preset.lower), format="%g", key="compare:low")
    upper = right.number_input(say("Upper"), value=float(preset.upper), format="%g", key="compare:up")
    whole = st.checkbox(say("Whole numbers"), preset.integer, key="compare:whole")
    people = st.number_input(say("People"), 10, 1_000_000, 1000, key="compare:people")
    shape = st.selectbox(say("Shape"), list(SHAPES), key="compare:shape", format_func=say)
    low, high = (int(lower), int(upper)) if whole else (lower, upper)
    return Ground.of(Scenario(Bounds(low, high, integer=whole), int(people), shape))


def statistic() -> str:
    """Ask which statistic the contest is about, by name."""
    single = [name for name, told in estimators.items() if told.columns == 1]
    names = [*dict.fromkeys([*statistics, *single]), CHOICE]
    known: dict[str, Any] = {**estimators, **statistics}
    labels = {name: told.label for name, told in known.items()} | {CHOICE: MOST_COMMON.label}
    found: str = st.selectbox(
        say("Statistic"), names, names.index("mean"), key="compare:statistic", format_func=lambda n: say(labels[n])
    )
    return found


def query(name: str, stand: Ground) -> Any:
    """Return the statistic, with its level asked where it has one."""
    if name not in statistics:
        return Estimated(name)
    told: dict[str, Any] = {}
    if name == "quantile":
        told["q"] = str(st.slider(say("Quantile"), 0.01, 0.99, 0.9, 0.01, key="compare:q"))
    if name == "trimmed-mean":
        told["cut"] = str(st.slider(say("Cut"), 0.01, 0.45, 0.1, 0.01, key="compare:cut"))
        told["resize"] = stand.column.n
    return statistics[name](**told)


def counts() -> tuple[str, Scores] | None:
    """Ask for a category: its counts on open data, imagined ones where data are protected."""
    here = workspace().here
    known = {n: told for n, told in here.dataset.schema.columns.items() if isinstance(told, Category)}
    if not known:
        st.info(say("No category is declared here."))
        return None
    name = st.selectbox(say("Column"), list(known), key="compare:category")
    if here.shown is not None:
        return name, preview.counts(here.shown.dataset, name)
    people = st.number_input(say("About how many people"), 10, 1_000_000, 1000, key="compare:n")
    st.caption(say("Your data are protected, so this runs on people who do not exist."))
    return name, imagined_counts(known[name].labels, int(people))


def cost() -> Cost:
    """Ask for the epsilon and delta that every contender may spend."""
    epsilon = ask_for.epsilon("compare:epsilon")
    return Cost.of(epsilon, str(ask_for.delta("compare:delta")))


def run(query: Any, price: Cost, stand: Ground) -> tuple[list[Contender], list[Experiment]]:
    """Hold the contest; the same question on the same ground is held once."""
    key = ("contest", query, price, stand.name, stand.bounds)

    def held() -> tuple[list[Contender], list[Experiment]]:
        asked = contest.contenders(query, price, stand)
        return asked, contest.run(asked, query, stand, draws=2000, seed=1)

    return workspace().here.remember(key, held)


def table(asked: Sequence[Contender], told: Sequence[Experiment]) -> None:
    """Show median error, RMSE, 95% error and refusals, the best first."""
    lines = []
    for one, result in zip(asked, told, strict=True):
        summary = result.summary()
        lines.append(
            {
                "order": summary["q95"],
                say("Mechanism"): one.title,
                say("Median error"): number(summary["median"]),
                say("RMSE"): number(summary["rmse"]),
                say("19 in 20 within"): number(summary["q95"]),
                say("Refused"): f"{summary['refusals']:.1%}",
            }
        )
    frame = pd.DataFrame(lines).sort_values("order").drop(columns="order")
    st.dataframe(frame, hide_index=True, width="stretch")


def recommendation(told: Advice | None, stand: Ground) -> None:
    """Say which to take, and why, in words."""
    if told is None:
        st.warning(say("Every mechanism would refuse or has no answer here. Allow more budget."))
        return
    step = float(stand.bounds.resolution)
    if told.error < step * 0.01:
        text = say("**Take {best}**: its answers are exact here.", best=look.title(told.best.slug))
    else:
        text = say(
            "**Take {best}**: 19 answers in 20 are within ± {error}.",
            best=look.title(told.best.slug),
            error=number(told.error),
        )
    if told.ties:
        names = ", ".join(look.title(one.slug) for one in told.ties)
        text += say(" As good here: {names}.", names=names)
    if told.second is not None:
        text += say(
            " Next comes {second}, with {times} times the error.",
            second=look.title(told.second.slug),
            times=number(told.times, 3),
        )
    why = told.best.mechanism.family.why
    if why is not None:
        text += say(" Why: {why}.", why=say(why))
    st.success(text, icon=":material/recommend:")


def choices(told: Sequence[Choice]) -> None:
    """Say which selection to take, and show the exact numbers of all."""
    best = told[0]
    text = say(
        "**Take {best}**: it names the most common with a chance of {right}, and its choice trails "
        "it by {rows} rows on average.",
        best=look.title(best.slug),
        right=f"{best.right:.1%}",
        rows=number(best.shortfall, 3),
    )
    why = registry[best.slug].why
    if why is not None:
        text += say(" Why: {why}.", why=say(why))
    st.success(text, icon=":material/recommend:")
    lines = [
        {
            say("Mechanism"): look.title(one.slug),
            say("Most common"): f"{one.right:.2%}",
            say("Rows behind, on average"): number(one.shortfall),
        }
        for one in told
    ]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")
