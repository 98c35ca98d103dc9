"""Results: what the runs of a plan have released, each under the plan's name, and two of them side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.column_config import Column

from discreet.budget import Phrase
from discreet.curator import Request
from discreet.curator.plan import Answers
from discreet.plans import Plan
from discreet.plans.planning import misfit
from discreet.report.export import file_name
from discreet.report.html import label_name
from discreet.report.html import name_of as part_of
from discreet.report.html import number as printed
from discreet.report.numbers import Datum
from discreet.report.programs import plan_notebook, plan_script
from discreet.report.publication import Block, Chapter, Publication, blocks, chapter, publication
from discreet.rows import Schema
from discreet.ui import downloads
from discreet.ui.figures import answers as chapters
from discreet.ui.figures import picture, theme
from discreet.ui.frame.results import chapter_lines, table, wide_as
from discreet.ui.frame.words import drawn, named, quoted, say
from discreet.ui.plan.rows import filtered_title, whole_title
from discreet.ui.session.state import workspace
from discreet.ui.session.workspace import Opened, Run, Sheet

# Runs: each with the name of its plan; folded once the plan has changed.


def name_of(run: Run) -> str:
    """Return the name that the plan had, or that of its dataset."""
    return run.plan.name or say("Plan of {dataset}", dataset=named(workspace().here.name))


def schema_of(here: Opened, given: Answers) -> Schema:
    """Return the schema under which results were released."""
    ids = {release.id for release in given.releases}
    return next((schema for release, schema in here.answered if release.id in ids), here.dataset.schema)


def stands(sheet: Sheet, run: Run) -> bool:
    """Whether the plan still asks what this run has answered; rows that cannot be asked any more take no part."""
    here = workspace().here
    schema, asked = here.dataset.schema, run.plan.items
    items = tuple(item for item in sheet.items if item in asked or misfit(item, sheet.common, schema) is None)
    if items != asked or schema_of(here, run.answers).digest != schema.digest:
        return False
    return replace(run.plan, name="") == replace(Plan(items, **vars(sheet.common)), name="")


def fold(sheet: Sheet, run: Run, key: str) -> None:
    """Show the results of a run, closed if the plan has changed since."""
    still = stands(sheet, run)
    label = quoted(f"{name_of(run)} · {run.answers.at:%Y-%m-%d %H:%M}")
    if not still:
        label += " · " + say("the plan has changed since")
    box = st.expander(label, still, key=f"{key}:{run.answers.id}:{still}", on_change="rerun")
    if box.open:
        with box:
            whole(run)


def by_plan() -> None:
    """Show the results of every plan of the dataset in use, newest first."""
    sheet = workspace().sheet
    if sheet.runs:
        st.subheader(say("By plan"), anchor=False)
        for run in reversed(sheet.runs):
            fold(sheet, run, "results")


# Two runs: the same queries of another run, then and now.

Pair = tuple[str, Chapter, Chapter]


def others(run: Run) -> list[tuple[str, Run, Opened]]:
    """Return the runs that have answered one of the same queries, of any dataset in this browser, newest first."""
    space = workspace()
    mine = {item.query[:-2] for item in run.plan.items}
    found = []
    for (name, _), sheet in list(space.sheets.items()):
        opened = space.opened.get(name) or space.desks.get(name)
        if opened is None:
            continue
        for each in sheet.runs:
            if each.answers.id != run.answers.id and mine & {item.query[:-2] for item in each.plan.items}:
                label = (
                    f"{each.plan.name or named(opened.name)} · {named(opened.name)} · {each.answers.at:%Y-%m-%d %H:%M}"
                )
                found.append((label, each, opened))
    return sorted(found, key=lambda each: each[1].answers.at, reverse=True)


def pairs(before: Run, former: Opened, now: Run, edition: Publication) -> Iterator[Pair]:
    """Yield the queries that both runs have answered, each with what it was then and is now."""
    schema = schema_of(former, before.answers)
    then = {item.query[:-2]: row for item, row in zip(before.plan.items, before.answers.releases, strict=True)}
    for item, each in zip(now.plan.items, edition.chapters, strict=True):
        if item.query[:-2] in then:
            yield whole_title(item, each.schema), chapter(then[item.query[:-2]], schema), each


def compared(run: Run, edition: Publication) -> None:
    """Offer another run of the same queries, and show each number of both in one line."""
    offers = others(run)
    if not offers:
        return
    key = f"beside:{run.answers.id}"
    label = say("Compare with")
    at = st.selectbox(
        label, range(len(offers)), None, lambda at: offers[at][0], key=key, placeholder=say("Another run")
    )
    if at is None:
        return
    _, other, opened = offers[at]
    same = list(pairs(other, opened, run, edition))
    lines = [{say("Query"): name, **line} for name, then, now in same for line in _beside(then, now)]
    table(pd.DataFrame(lines), (say("Query"),))
    names = [name for name, then, now in same if then.unit == now.unit and _drawn(then, now)]
    if names:
        name = st.selectbox(say("Figure of the comparison"), names, key=f"{key}:{at}:figure")
        _, then, now = same[[each[0] for each in same].index(name)]
        _draw(then, now, name, f"{key}:{at}:drawn")


def _beside(then: Chapter, now: Chapter) -> Iterator[dict[str, str]]:
    """Yield one line for each number that both runs have."""
    group, result, interval = say("Group or part"), say("Result"), say("95% interval")
    before = {line[group]: line for line in chapter_lines(then)}
    for line in chapter_lines(now):
        if line[group] in before:
            old = before[line[group]]
            yield {
                group: line[group],
                say("Earlier"): f"{old[result]} ({old[interval]})",
                say("Now"): f"{line[result]} ({line[interval]})",
            }


def _drawn(then: Chapter, now: Chapter) -> list[tuple[str, Datum, Datum]]:
    """Return the numbers that both runs have, by the name of their group or part."""
    before = {part_of((datum,), say): datum for datum in then.data if datum.place is not None}
    names = [(part_of((datum,), say), datum) for datum in now.data if datum.place is not None]
    return [(name, before[name], datum) for name, datum in names if name in before]


MOST_DRAWN = 12  # lines of one figure that can be told apart


def _draw(then: Chapter, now: Chapter, name: str, key: str) -> None:
    """Draw each number as a line from then to now, with both intervals."""
    times = [f"{each.release.at:%Y-%m-%d %H:%M}" for each in (then, now)]
    labels = [f"{say('Earlier')}<br>{times[0]}", f"{say('Now')}<br>{times[1]}"]
    fig = theme.figure("", say(now.unit))
    table: dict[str, list[Any]] = {"name": [], "then": [], "now": []}
    for line, *both in _drawn(then, now)[:MOST_DRAWN]:
        places = [datum.place for datum in both]
        ends = [datum.interval or (None, None) for datum in both]
        high = [
            0.0 if place is None or end is None else end - place for place, (_, end) in zip(places, ends, strict=True)
        ]
        low = [
            0.0 if place is None or end is None else place - end for place, (end, _) in zip(places, ends, strict=True)
        ]
        colour = theme.colour("result")
        fig.add_scatter(
            x=labels,
            y=places,
            name=drawn(line),
            mode="lines+markers+text",
            text=["", drawn(line)],
            textposition="middle right",
            line={"color": colour},
            marker={"color": colour, "size": 10},
            error_y={"type": "data", "symmetric": False, "array": high, "arrayminus": low, "color": colour},
            hovertemplate="%{y:.6g}<extra></extra>",
        )
        for column, value in zip(table, (line, *places), strict=True):
            table[column].append(value)
    fig.update_xaxes(type="category", range=[-0.4, 1.6])
    words = say("{query}: {number} values with their intervals, then and now.", query=name, number=len(table["name"]))
    theme.show(fig, words, table, key)


# Report: the results of a plan with figures, methods, and the files to share.


def _report(run: Run, edition: Publication, schema: Schema) -> None:
    """Show figures and methods, and offer every file, each made when requested."""
    given = run.answers
    st.header(say("Report"), anchor=False)
    _figures(run, edition)
    with st.expander(say("Methods"), icon=":material/menu_book:"):
        st.markdown(quoted(" ".join(map(say, edition.methods))))
        st.markdown("\n".join(f"- {quoted(say(each))}" for each in edition.promise))
    answered = [(release, schema) for release in given.releases]
    downloads.offer(answered, lambda: edition, name_of(run), f"take:{given.id}", _again(given, schema, edition))


def _figures(run: Run, edition: Publication) -> None:
    """Draw the figures of one query at a time, which is faster than drawing all."""
    given = run.answers
    asked = enumerate(zip(run.plan.items, edition.chapters, strict=True))
    names = {at: f"{at + 1}. {whole_title(item, each.schema)}" for at, (item, each) in asked if chapters.drawable(each)}
    if not names:
        return
    at = st.selectbox(say("Figure"), list(names), format_func=names.__getitem__, key=f"figure:{given.id}")
    if chapters.show(edition.chapters[at]):
        title = whole_title(run.plan.items[at], edition.chapters[at].schema)
        picture.save(title, file_name(downloads.stem(), title, ending="png"), f"picture:{given.id}")


def _again(given: Answers, schema: Schema, edition: Publication) -> list[downloads.File]:
    """Return the files that ask the whole plan again, of the file in use; the notebook shows the results first."""
    here = workspace().here
    limit = here.curator.ledger.limit
    layout = here.layout_of(given.releases[0])
    file = downloads.own_file()
    shown = replace(edition.covered(downloads.titled()), rule=downloads.rule())
    book = partial(plan_notebook, given.plan, schema, limit, layout, shown, file)
    return [
        (say("Notebook"), "ipynb", downloads.NOTEBOOK, book),
        (say("Script"), "py", "text/x-python", lambda: plan_script(given.plan, schema, limit, layout, file)),
    ]


# Results: all results of a plan in one table, every number with its interval, with downloads.


def wide(tables: Sequence[Block]) -> None:
    """Show queries by groups as tables: those of the same groups side by side, a query of crossed groups crossed."""
    alone = [block.chapters[0] for block in tables if not block.groups]
    grouped = [block for block in tables if block.groups]
    if grouped and alone:
        _frame(pd.DataFrame([line for each in alone for line in _single(each)]), (say("Query"),))
    for block in grouped:
        st.markdown(f"**{quoted(say(block.title))}**")
        for condition in block.chapters[0].where:
            st.caption(quoted(say("Only where {condition}", condition=say(condition))))
        st.caption(say(CELL))
        lines = _crossed(block) if len(block.groups) > 1 and not block.shared else _beside_each_other(block)
        _frame(pd.DataFrame(lines), block.groups)


CELL = Phrase("Value (95% interval)")


def _frame(lines: pd.DataFrame, names: Collection[str]) -> None:
    """Show a table, its columns as wide as their values with their intervals; those of names stay when it scrolls."""
    height = ROW * (min(len(lines), MOST_LINES) + 1) + 3
    looks = {str(name): Column(pinned=name in names, width=wide_as(lines[name])) for name in lines}
    table(lines, names, height=height, column_config=looks)


def _single(chapter: Chapter) -> Iterator[dict[str, str]]:
    """Yield the numbers of a query without groups, or with several parts for each."""
    only = [say("only where {condition}", condition=say(each)) for each in chapter.where]
    for at, datum in enumerate(chapter.data):
        name = " · ".join(filter(None, (say(chapter.short), part_of((datum,), say), *only)))
        yield {say("Query"): name, say(CELL): _cell(chapter, at)}


def _beside_each_other(block: Block) -> list[dict[str, str]]:
    """Return a line for each group, with the value and the interval of each query."""
    lines = []
    for names, places in block.lines.items():
        line = dict(zip(block.groups, (label_name(name, say) for name in names), strict=True))
        for each, at in zip(block.chapters, places, strict=True):
            line[_free(line, say(each.short))] = "–" if at is None else _cell(each, at)
        lines.append(line)
    return lines


def _crossed(block: Block) -> list[dict[str, str]]:
    """Return a line for each group of all categories but one, whose levels are the columns."""
    (query,) = block.chapters
    levels = [list(dict.fromkeys(names[at] for names in block.lines)) for at in range(len(block.groups))]
    across = min(range(len(levels)), key=lambda at: (len(levels[at]), -at))  # a table as narrow as it can be
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    for names, (at,) in block.lines.items():
        rest = names[:across] + names[across + 1 :]
        groups = block.groups[:across] + block.groups[across + 1 :]
        own = (label_name(name, say) for name in rest)
        line = lines.setdefault(rest, dict(zip(groups, own, strict=True)))
        if at is not None:
            line[_free(line, label_name(names[across], say))] = _cell(query, at)
    return list(lines.values())


def _free(line: Mapping[str, str], label: str) -> str:
    """Return a label that no column of a line has yet."""
    while label in line:
        label += "\u200b"  # columns of a table differ by name, and a sign without width is not seen
    return label


def _cell(chapter: Chapter, at: int) -> str:
    """Return a number with its interval as the report prints it: as it adds up with others, if it does."""
    count = chapter.sums[at] if chapter.sums else None
    text = printed(chapter.data[at], say) if count is None else chapter.written(count)
    ends = chapter.data[at].ends
    return f"{text} ({' – '.join(ends)})" if ends else text


ROW, MOST_LINES = 35, 30  # height of a line in pixels, and how many lines are visible at once


def whole(run: Run) -> None:
    """Show every number of every row, the total cost, and the downloads."""
    given = run.answers
    schema = schema_of(workspace().here, given)
    later = downloads.replaced()
    edition = publication([(release, schema) for release in given.releases], given.plan.total, replaced=later)
    tables = blocks(edition.chapters)
    wide(tables)
    several = any(block.groups for block in tables)
    with st.expander(say("Values as a list")) if several else st.container():
        _list(run, edition, schema)
    when = f"{given.at:%Y-%m-%d %H:%M}"
    line = say("Spent {cost} · {when} UTC", cost=given.cost, when=when)
    st.caption(line)
    _limited(given.plan.rows, schema)
    compared(run, edition)
    _report(run, edition, schema)


def _limited(rows: Sequence[Request], schema: Schema) -> None:
    """Say that rows above the limit of a person are in no number and in no interval; blocks take all rows."""
    if schema.rows_per_person > 1 and not any(row.mechanism.view.in_blocks for row in rows):
        st.caption(
            say(
                "At most {rows} rows per person are counted. Further rows are dropped; intervals do not cover them.",
                rows=schema.rows_per_person,
            )
        )


def _list(run: Run, edition: Publication, schema: Schema) -> None:
    """Show every number of every row in a line of its own."""
    names = [filtered_title(item, schema) for item in run.plan.items]
    rows = zip(names, edition.chapters, strict=True)
    lines = [{say("Query"): name} | line for name, chapter in rows for line in chapter_lines(chapter)]
    table = pd.DataFrame(lines)
    _frame(table.loc[:, (table != "").any()], (say("Query"),))
