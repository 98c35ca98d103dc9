"""Answers: the cards of results, with their files, the offer of more precision, and bounds to take over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from discreet.budget import BudgetExceeded, ParameterError, Phrase
from discreet.curator import Release, Request
from discreet.curator.refining import refine, step
from discreet.curator.request import Finer
from discreet.lab.samples import SAMPLES
from discreet.mechanisms.base.vocabulary import Family
from discreet.office.datasets import fingerprint
from discreet.report.export import answers_json, file_name
from discreet.report.intervals import population
from discreet.report.programs import script
from discreet.report.publication import chapter
from discreet.report.tables import answers_csv
from discreet.report.words import no_answer, no_interval, written
from discreet.rows import Schema
from discreet.rows.files import Layout
from discreet.ui.data.redeclaring import declare_anew
from discreet.ui.downloads import own_file, statuses, stem
from discreet.ui.figures import answers as figures
from discreet.ui.figures import picture
from discreet.ui.frame import links, words
from discreet.ui.frame.results import answer, as_read, off_by, sampled
from discreet.ui.frame.words import in_words, number, quoted, say, unit_of
from discreet.ui.kinds import Line
from discreet.ui.session.state import moved, settings, workspace

# Downloads: the result as JSON and CSV, and its query as a script.


def take_along(release: Release, schema: Schema) -> None:
    """Offer downloads of the result and the query, each made when requested."""
    if workspace().here.desk is not None:  # its results have release cards
        links.card_files(release.id)
        return
    with st.popover(say("Export"), icon=":material/download:", type="tertiary"):
        for ending, (label, text, mime) in _files(release, schema).items():
            st.download_button(
                label,
                text,
                _named(release, ending),
                mime,
                on_click="ignore",
                key=f"take:{release.id}:{ending}",
                width="stretch",
            )


def _named(release: Release, ending: str) -> str:
    """Return the name of a file about a result."""
    return file_name(stem(), in_words(release.request), f"{release.at:%Y-%m-%d}", ending=ending)


def _files(release: Release, schema: Schema) -> dict[str, tuple[str, Callable[[], str], str]]:
    """Return label, content and type of each file, by file extension."""
    here = workspace().here
    layout = here.layout_of(release)
    pair = [(release, schema)]
    marks = statuses(release)
    words = say("Python script for this query")
    return {
        "json": ("JSON", lambda: answers_json(pair, statuses=marks), "application/json"),
        "csv": ("CSV", lambda: answers_csv(pair, statuses=marks), "text/csv"),
        "py": (words, lambda: as_script(release.request, schema, layout), "text/x-python"),
    }


def as_script(request: Request, schema: Schema, layout: Layout | None) -> str:
    """Return a Python script that asks a query of the dataset in use."""
    here = workspace().here
    sample = here.name if here.name in SAMPLES and here.source is None else ""
    return script(request, schema, here.curator.ledger.limit, layout, own_file(), sample)


# Refining: ask the same query with a larger epsilon, and pay the difference.

TWICE, MOST = 2.0, 50.0  # times the earlier epsilon, and the largest epsilon
STEPS = 40
ACTING = ("refine",)


def more_exactly(release: Release, schema: Schema) -> None:
    """Offer the same result with less noise, or say why that is impossible; a finer one is refined in its place."""
    curator = workspace().curator
    before = release.request.mechanism.cost().epsilon
    if release.refused or before >= MOST or any(each.refines == release.id for each in curator.releases):
        return
    with st.popover(say("Improve precision"), icon=":material/zoom_in:", type="tertiary"):
        try:
            step(curator, release.id, min(TWICE * before, MOST))  # raises before anything is offered
            epsilon = _total(before, curator.ledger.left.epsilon, f"finer:{release.id}")
            finer = step(curator, release.id, epsilon)
        except ParameterError as refused:
            st.caption(quoted(say(refused)))
        else:
            _refined_worth(finer, schema)
            _button(finer, epsilon, curator.ledger.after(finer.cost(), finer.account()) is not None)


def _total(before: float, left: float, key: str) -> float:
    """Ask for the epsilon of the refined result, in total."""
    high = min(MOST, max(TWICE * before, before + left))
    values = [round(before + (high - before) * step / STEPS, 6) for step in range(1, STEPS + 1)]
    start = min(values, key=lambda value: abs(value - TWICE * before))
    return float(st.select_slider(say("Total ε"), values, start, key=f"{key}:total"))


def _refined_worth(finer: Finer, schema: Schema) -> None:
    """Show the margin of error of the refined result, and its additional cost."""
    request = finer.request
    width = request.mechanism.forecast(request.public(schema)).half_width
    if width is not None:
        span = f"{number(width)}{unit_of(request, schema)}"
        st.markdown(say("**Margin of error: ± {width}** (95%).", width=quoted(span)))
    st.caption(
        say("Together, the two results reveal no more than the more precise one, so you spend only the difference.")
        if finer.difference.refined.instead
        else say(
            "A second result with fresh noise is averaged with the first. You spend only the cost of the second result."
        )
    )


def _button(finer: Finer, epsilon: float, fits: bool) -> None:
    """Show the button, with the cost it spends."""
    earlier = finer.difference.earlier
    key = f"finer:{earlier}"
    st.button(
        say("Release result (spends {cost})", cost=finer.cost()),
        disabled=not fits,
        key=f"{key}:refine",
        on_click=_refine,
        args=(earlier, epsilon, settings(key, ACTING)),
        width="stretch",
    )


def _refine(earlier: str, epsilon: float, before: dict[str, Any]) -> None:
    """Refine to the epsilon that the button named, in one step; do nothing if the slider was moved since."""
    space = workspace()
    if moved(before):
        space.notice = ParameterError(fingerprint.OTHER)
        return
    try:
        refine(space.curator, earlier, epsilon)
    except (ParameterError, BudgetExceeded) as refused:
        space.notice = refused


# Taken bounds: released bounds become the bounds of their column, in a schema that is still to be confirmed.


def take_bounds(release: Release) -> None:
    """Offer to declare a column with its released bounds, if they are about all rows."""
    ends = bounds_of(release)
    (column, *_), here = release.request.columns, workspace().here
    if not ends or here.source is None or column not in here.dataset.schema.numbers:
        return
    label = say("Use as bounds for {column}", column=quoted(column))
    if st.button(label, icon=":material/straighten:", type="tertiary", key=f"bounds:{release.id}"):
        origin = say("released result, ledger entry {entry}", entry=release.entry + 1)
        declare_anew(column, ends | {"origin": origin}, _hint(column))
        st.switch_page("../pages/dataset.py")


def _hint(column: str) -> Phrase:
    return Phrase(
        "The released bounds are now declared for {column}. Values outside are moved to the nearest "
        "bound. Check all columns, then select “Use this dataset”. Results and spent budget are kept.",
        column=column,
    )


def bounds_of(release: Release) -> Line:
    """Return the bounds that a result proposes; none if it is about some rows only, about a choice, or refused."""
    request = release.request
    names = next((topic.bounds for topic in type(request.mechanism).topics() if topic.bounds), ())
    if release.refused or request.where or request.groups or not names:
        return {}
    values = release.answer if isinstance(release.answer, tuple) else (release.answer,)
    return dict(zip(names, values, strict=True))


# Cards: for each result, its query, value, mechanism, cost and time.

SHOWN = 5


def history(families: Sequence[Family], fresh: str | None = None) -> None:
    """Show this browser's results from the mechanisms of a page, newest first."""
    words.show_notice()
    space = workspace()
    mine = [pair for pair in space.here.answered if pair[0].request.mechanism.family in families]
    if not mine:
        st.info(say("No results of this mechanism yet. Each result spends budget and is listed here."))
        return
    pages = -(-len(mine) // SHOWN)
    at = st.pagination(pages, key=f"answers:{families[0].key}") if pages > 1 else 1
    for release, schema in mine[::-1][(at - 1) * SHOWN : at * SHOWN]:
        show(release, schema, release.id == fresh)


def show(release: Release, schema: Schema, fresh: bool = False) -> None:
    """Show one release as a card, using the schema under which it was released."""
    with st.container(border=True):
        if fresh:
            st.badge(say("new"), icon=":material/check:", color="green")
        st.text(in_words(release.request, schema))
        drawn = figures.show(chapter(release, schema))
        answer(release, schema)
        if not release.request.groups and not isinstance(release.answer, tuple):
            worth(release, schema)
        elif release.interval:
            st.caption(say("Each 95% interval holds by itself, not all of them together."))
        about(release, schema)
        acts(release, schema, drawn)


def about(release: Release, schema: Schema) -> None:
    """State the rank error of a result, which rows it is about, how it was computed, its cost and its time."""
    off_by(release.request, schema)
    as_read(release.request, schema)
    st.caption(_terms(release))


def acts(release: Release, schema: Schema, drawn: bool = False) -> None:
    """Offer what can be done with a result, and with its figure if it is drawn."""
    with st.container(horizontal=True):
        take_along(release, schema)
        if drawn:
            picture.save(in_words(release.request, schema), _named(release, "png"), f"picture:{release.id}")
        more_exactly(release, schema)
        take_bounds(release)


def _terms(release: Release) -> str:
    """Describe how a result was computed, what it cost and when."""
    return say(
        "{how} · spent {cost} · {when} UTC · ledger entry {entry}{finer}",
        how=quoted(say(release.request.mechanism.title)),
        cost=release.cost,
        when=f"{release.at:%Y-%m-%d %H:%M}",
        entry=release.entry + 1,
        finer="" if release.refines is None else say(" · improved precision, only the difference spent"),
    )


def worth(release: Release, schema: Schema) -> None:
    """Show the interval or certainty of a single number or choice."""
    if release.refused:
        st.caption(say(no_answer(release.request)))
    elif release.interval:
        sampled(written(release.request, schema, population(release, schema)))
        if release.size is not None:
            st.caption(
                say(
                    "The result is based on about {rows} rows. This count is noisy, too.",
                    rows=number(max(release.size, 0.0), 3),
                )
            )
    elif isinstance(release.answer, str):
        st.caption(say("The result is a choice, not a number. The forecast shows how far it may be from the best one."))
    else:
        st.caption(quoted(say("No interval: {why}", why=say(no_interval(release.request)))))
