"""Contest: mechanisms compared on public ground for a chosen query, with a recommendation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Cost, ParameterError, Phrase
from discreet.lab import contest, explain
from discreet.lab.contest import SHAPES, Advice, Contender, Estimated, Ground, Scenario, imagined_counts
from discreet.lab.experiment import Experiment, NoRows
from discreet.lab.sweeps import Choice, Ranked, by_width, choosing
from discreet.mechanisms import registry
from discreet.mechanisms.selection import MOST_COMMON
from discreet.queries import Bounds
from discreet.queries import registry as statistics
from discreet.queries.column import Scores
from discreet.queries.estimators import registry as estimators
from discreet.rows import Number
from discreet.ui import kinds
from discreet.ui.ask import price as price_fields
from discreet.ui.compare import curves
from discreet.ui.figures import answers, theme
from discreet.ui.frame.links import view
from discreet.ui.frame.results import guess_line
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.session.state import workspace
from discreet.ui.session.workspace import Opened

# Recommendation: which mechanism to use and why, with the numbers of all.


def recommend(advice: Advice | None, stand: Ground) -> None:
    """Recommend a mechanism, with the reason."""
    if advice is None:
        st.warning(say("No mechanism gives a usable result at this budget. Increase ε."))
        return
    best = theme.title(advice.best.slug)
    if advice.error < float(stand.bounds.resolution) * 0.01:
        text = say("**Recommended: {best}.** Its results are exact here.", best=best)
    else:
        text = say("**Recommended: {best}.** Margin of error ± {error} (95%).", best=best, error=number(advice.error))
    _advise(text + _others(advice) + _why(advice.best.mechanism.family.why))


def _advise(text: str) -> None:
    st.success(text.replace("± ", "±\N{NO-BREAK SPACE}"), icon=":material/recommend:")


def _others(advice: Advice) -> str:
    """Name the mechanisms that are equally good, and the next best."""
    text = ""
    if advice.ties:
        names = ", ".join(theme.title(contender.slug) for contender in advice.ties)
        text += say(" Equally good here: {names}.", names=names)
    if advice.second is not None:
        text += say(
            " Second: {second}, with {times} times the margin of error.",
            second=theme.title(advice.second.slug),
            times=number(advice.times, 3),
        )
    return text


def _why(why: str | None) -> str:
    return "" if why is None else say(" Why: {why}.", why=say(why))


def table(contenders: Sequence[Contender], results: Sequence[Experiment]) -> None:
    """Show median error, RMSE, 95% error and, where there are any, refusals, the best mechanism first."""
    lines = []
    refused = any(result.summary()["refusals"] for result in results)
    for contender, result in zip(contenders, results, strict=True):
        summary = result.summary()
        lines.append(
            {
                "order": summary["q95"],
                say("Mechanism"): say(contender.title),
                say("Median error"): number(summary["median"]),
                say("RMSE"): number(summary["rmse"]),
                say("Margin of error (95%)"): number(summary["q95"]),
            }
            | ({say("No result"): f"{summary['refusals']:.1%}"} if refused else {})
        )
    _list(pd.DataFrame(lines).sort_values("order").drop(columns="order"))
    st.caption(say(SIMULATED))


SIMULATED = Phrase(
    "Errors of 2,000 simulated runs. The page of a mechanism computes its margin exactly: it differs by some percent."
)


def _list(lines: pd.DataFrame) -> None:
    """Show lines with all their words: a table wraps them, and has no part that must be scrolled to."""
    st.table(lines, hide_index=True, border="horizontal")


def intervals(ranked: Sequence[Ranked]) -> None:
    """Recommend a mechanism for results published with their interval, and list all that provide one."""
    if not ranked:
        st.warning(say("No mechanism for this statistic reports an interval at this cost."))
        return
    best = ranked[0]
    rest = [each for each in ranked[1:] if each.width > ranked[0].width * contest.TIE]
    text = say(
        "**Recommended: {best}** if you publish the interval. It is typically ± {width} and covers the "
        "value of the rows with 95% probability.",
        best=theme.title(best.contender.slug),
        width=number(best.width),
    )
    if rest and best.width > 0:
        times = number(rest[0].width / best.width, 3)
        second = theme.title(rest[0].contender.slug)
        text += say(" Second: {second}, with an interval {times} times as wide.", second=second, times=times)
    _advise(text)
    lines = [
        {say("Mechanism"): say(each.contender.title), say("Half-width of the 95% interval"): number(each.width)}
        for each in ranked
    ]
    _list(pd.DataFrame(lines))


def choices(ranked: Sequence[Choice]) -> None:
    """Recommend a selection mechanism, and show the exact numbers of all."""
    best = ranked[0]
    text = say(
        "**Recommended: {best}.** It finds the most common value with a chance of {right}. On average its "
        "choice has {rows} fewer rows.",
        best=theme.title(best.slug),
        right=f"{best.right:.1%}",
        rows=number(best.shortfall, 3),
    )
    _advise(text + _why(registry[best.slug].why))
    lines = [
        {
            say("Mechanism"): theme.title(choice.slug),
            say("Chance of the correct choice"): f"{choice.right:.2%}",
            say("Average shortfall in rows"): number(choice.shortfall),
        }
        for choice in ranked
    ]
    _list(pd.DataFrame(lines))


# Ground: public data or a labelled scenario, on which the mechanisms are compared.

WAYS = {"open": Phrase("this dataset"), "scenario": Phrase("simulated data")}


def ground() -> Ground:
    """Ask for the ground of the comparison: public data, or a labelled scenario."""
    here = workspace().here
    names = list(here.dataset.schema.numbers)
    ways = ["scenario"] if here.dataset.protected or not names else ["open", "scenario"]
    way = st.segmented_control(
        say("Dataset"),
        ways,
        default=ways[0],
        required=True,
        key=f"compare:way:{len(ways)}",
        format_func=lambda w: say(WAYS[w]),
    )
    if here.dataset.protected:
        st.caption(say(UNSEEN))
    return _open(here, names) if way == "open" else _scenario(names)


UNSEEN = Phrase("Your dataset is protected, so this comparison uses simulated data.")


def _open(here: Opened, names: list[str]) -> Ground:
    first = names.index("age") if "age" in names else 0
    open_ground = here.ground(st.selectbox(say("Column"), names, first, key="compare:column"))
    if open_ground is None:
        raise NoRows
    return open_ground


def _scenario(names: list[str]) -> Ground:
    """Ask for the properties of simulated people, starting from the first declared number."""
    schema = workspace().dataset.schema
    declared = schema.number(names[0]) if names else Number(0, 100, integer=True)
    preset = declared.bounds
    labels = (say("Lower"), say("Upper"))
    try:
        ends = float(preset.lower), float(preset.upper)
        lower, upper = kinds.of(declared).between(declared, labels, ends, ("compare:low", "compare:up"))
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        lower, upper = ends
    whole = st.checkbox(say("Whole numbers"), preset.integer, key="compare:whole", disabled=not declared.zero)
    people = st.number_input(say("People"), 10, 1_000_000, 1000, key="compare:people")
    shape = st.selectbox(say("Distribution"), list(SHAPES), key="compare:shape", format_func=say)
    low, high = (int(lower), int(upper)) if whole else (lower, upper)
    return Ground.of(Scenario(Bounds(low, high, integer=whole), int(people), shape))


# Subject: a statistic, or the choice of the most common value.

CHOICE = MOST_COMMON.name


def statistic() -> str:
    """Ask for the statistic to compare, by name."""
    single = [name for name, estimator in estimators.items() if estimator.columns == 1]
    names = [*dict.fromkeys([*statistics, *single]), CHOICE]
    subjects: dict[str, Any] = {**estimators, **statistics, CHOICE: MOST_COMMON}
    chosen: str = st.selectbox(
        say("Statistic"),
        names,
        names.index("mean"),
        key="compare:statistic",
        format_func=lambda name: say(subjects[name].label),
    )
    return chosen


def subject_query(name: str, stand: Ground) -> Any:
    """Return the statistic, after asking for its level if it has one."""
    if name not in statistics:
        return Estimated(name)
    options: dict[str, Any] = {}
    if name == "quantile":
        options["q"] = str(st.slider(say("Quantile"), 0.01, 0.99, 0.9, 0.01, key="compare:q"))
    if name == "trimmed-mean":
        options["cut"] = str(st.slider(say("Trimmed share"), 0.01, 0.45, 0.1, 0.01, key="compare:cut"))
        options["resize"] = stand.column.n
    return statistics[name](**options)


def subject_counts() -> tuple[str, Scores] | None:
    """Ask for a category, with its counts on public data, or with assumed counts if the data are protected."""
    here = workspace().here
    categories = here.dataset.schema.categories
    if not categories:
        st.info(say("This dataset has no declared category. Declare one on the Dataset page."))
        return None
    name = st.selectbox(say("Column"), list(categories), key="compare:category")
    if here.shown is not None:
        return name, explain.counts(here.shown.dataset, name)
    people = st.number_input(say("Approximate number of people"), 10, 1_000_000, 1000, key="compare:n")
    st.caption(say(UNSEEN))
    return name, imagined_counts(categories[name].labels, int(people))


def cost() -> Cost:
    """Ask for the epsilon and delta that every mechanism may spend."""
    epsilon = price_fields.epsilon_field("compare:epsilon")
    price = Cost.of(epsilon, str(price_fields.delta("compare:delta")))
    guess_line(price, workspace().here.unit)
    return price


# Page: the comparison as set up, and its outcome.

VIEWS = {
    "errors": Phrase("Errors"),
    "intervals": Phrase("Intervals"),
    "epsilon": Phrase("By ε"),
    "size": Phrase("By number of people"),
    "setting": Phrase("By k or b"),
}


def show() -> None:
    """Draw the comparison: settings on the left, the recommendation on the right."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        name = statistic()
        if name == CHOICE:
            counts = subject_counts()
            epsilon = cost().epsilon
        else:
            stand = ground()
            query = subject_query(name, stand)
            price = cost()
    with right:
        if name != CHOICE:
            _numbers(stand, query, price)
        elif counts is not None:
            choices(choosing(counts[1], epsilon))
            with st.container(border=True):
                labels = counts[1].labels
                scores = counts[1].counts.tolist()
                answers.counts(labels, scores, None, "compare:counts")


def _numbers(stand: Ground, query: Any, price: Cost) -> None:
    """Show the errors of a numeric statistic: the recommendation, side by side, and against one setting."""
    st.caption(quoted(say("Run on: {name}", name=stand.name)))
    part = view(say("Show"), VIEWS, curves.VIEW)
    if part == "intervals":
        intervals(_ranked(query, price, stand))
        return
    contenders, results = _held(query, price, stand)
    recommend(contest.advice(contenders, results, stand), stand)
    with st.container(border=True):
        if part == "errors":
            answers.errors(contenders, results, "compare:errors")
            table(contenders, results)
        else:
            curves.show(part, contenders, query, price, stand)


def _ranked(query: Any, price: Cost, stand: Ground) -> list[Ranked]:
    """Rank the mechanisms that publish an interval by its width."""

    def rank() -> list[Ranked]:
        return by_width(contest.contenders(query, price, stand, intervals=True), stand)

    return workspace().here.remember(("widths", query, price, stand.name, stand.bounds), rank)


def _held(query: Any, price: Cost, stand: Ground) -> tuple[list[Contender], list[Experiment]]:
    """Run the comparison; the result is cached for the same query on the same ground."""

    def hold() -> tuple[list[Contender], list[Experiment]]:
        contenders = contest.contenders(query, price, stand)
        return contenders, contest.run(contenders, query, stand, draws=2000, seed=1)

    return workspace().here.remember(("contest", query, price, stand.name, stand.bounds), hold)
