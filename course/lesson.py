"""Lesson: the page of a lesson: one idea, steps with a figure each, one thing to try, and further links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from discreet.course import book as notebook
from discreet.course import guessing, own_file
from discreet.course.book import book_panel, exercises, solved
from discreet.course.contents import LESSONS, Lesson
from discreet.course.controls import FROM, Controls
from discreet.course.guessing import book, written
from discreet.course.letters import formulas
from discreet.course.memory import remember
from discreet.course.onward import Screen, along_path, from_its_top, on_path, onward, path_head
from discreet.course.steps import Step
from discreet.ui.frame import words
from discreet.ui.frame.formulas import powers, typeset
from discreet.ui.frame.links import link, offered, view
from discreet.ui.frame.scrolling import TITLE
from discreet.ui.frame.words import say
from discreet.ui.session.guesses import Guess, Prediction
from discreet.ui.session.state import choose, reset, visit, workspace
from discreet.ui.session.state import chosen as setting
from discreet.ui.session.streamlit_seams import DeltaGenerator

# Recap: the guesses of a lesson, the true values, and the explanations.


def recap(predictions: Mapping[str, tuple[str, Prediction]]) -> None:
    """List the steps shown, opened when none is left. Predictions are by key, with the title of the step."""
    guesses = {key: book().of(key, prediction.kind) for key, (_, prediction) in predictions.items()}
    shown = {key: guess for key, guess in guesses.items() if guess is not None and book().shows(key)}
    if not shown:
        return
    title = say("Recap: {done} of {all} steps", done=len(shown), all=len(predictions))
    fold = st.expander(title, icon=":material/checklist:", expanded=len(shown) == len(predictions))
    with fold, st.container(key="recap"):
        st.table(pd.DataFrame([_line(*predictions[key], guess) for key, guess in shown.items()]), hide_index=True)


def _line(title: str, prediction: Prediction, guess: Guess) -> dict[str, str]:
    kind = prediction.kind
    truth = prediction.answer
    mine = "–" if guess.value is None else written(guess.value, kind)
    near = guess.value is not None and kind.near(guess.value, truth)
    return {
        say("Steps"): say(title),
        say("Your guess"): f"{mine} ✓" if near else mine,
        say("Correct answer"): written(truth, kind),
        say("Why"): typeset(say(prediction.why)),
    }


def lesson(page: str, steps: Sequence[Step], tasks: Sequence[Prediction]) -> None:
    """Draw a lesson: its head, the selected step, and the links below."""
    (plan,) = [plan for plan in LESSONS if plan.page == page]
    screen = on_path(plan)
    if screen is not None:
        _screen(screen, next(step for step in steps if step.name == screen.step))
        return
    _head(plan, tasks)
    main = [step for step in steps if not step.part_of]
    step = _selected(plan, steps, main)
    alike = [each.name for each in main if each.mathematical == step.mathematical]
    after = alike[alike.index(step.name) + 1 :]
    left, right = st.columns([2, 3], gap="medium")
    beside = left.container(border=True, gap="xsmall")
    with beside:
        step = _part(plan, steps, step)
    key = f"{plan.key}-{step.name}"
    visit(step.title, key)
    _step(step, key, beside, right)
    _foot(plan, key, after)
    if guessing.open_to(key):
        formulas(step.page.formulas, step.letters, key)
    recap({f"{plan.key}-{each.name}": (each.title, each.prediction) for each in main})
    if guessing.open_to(key):
        book_panel(step.page)
    exercises(tasks, plan.key)
    notebook.offer(plan, steps, tasks)
    remember()
    from_its_top(key)


def _screen(screen: Screen, step: Step) -> None:
    """Draw a step as a screen of the path of ten minutes, without the rest of its lesson."""
    path_head(screen, step.title)
    left, right = st.columns([2, 3], gap="medium")
    visit(step.title, screen.key)
    _step(step, screen.key, left.container(border=True, gap="xsmall"), right)
    shown = guessing.open_to(screen.key)
    if shown:
        book().seen.add(screen.key)
    along_path(screen, answered=shown)
    words.show_notice()
    remember()
    from_its_top(screen.key, TITLE)


def _selected(plan: Lesson, steps: Sequence[Step], main: Sequence[Step]) -> Step:
    """Choose a step; an address may name it, a part of it, or its settings only."""
    which = f"{plan.key}-step"
    _follow_settings(plan, steps, which)
    _follow_part(plan, steps, which)
    chosen = view(say("Steps"), {step.name: _tab(step) for step in main}, which)
    return next(step for step in main if step.name == chosen)


def _follow_settings(plan: Lesson, steps: Sequence[Step], which: str) -> None:
    """Open the step whose settings are in an address without a step: it may have been the first one once."""
    if setting(which) is not None or which in st.query_params:
        return
    named = [step.name for step in steps for key in st.query_params if key.startswith(f"{plan.key}-{step.name}-")]
    if named:
        st.query_params[which] = named[0]


def _follow_part(plan: Lesson, steps: Sequence[Step], which: str) -> None:
    """Open a part of a step by its own name in an address: earlier versions had a step of that name."""
    wish = st.query_params.get(which)
    for part in (step for step in steps if step.part_of and step.name == wish):
        for key, name in ((which, part.part_of), (_parts(plan, part.part_of), part.name)):
            choose(key, name)
            st.query_params[key] = name


def _part(plan: Lesson, steps: Sequence[Step], step: Step) -> Step:
    """Choose between a step and its parts, if it has any."""
    parts = {each.name: each for each in (step, *(each for each in steps if each.part_of == step.name))}
    if len(parts) == 1:
        return step
    return parts[view(say("Figure"), {name: each.title for name, each in parts.items()}, _parts(plan, step.name))]


def _parts(plan: Lesson, step: str) -> str:
    return f"{plan.key}-{step}-part"


def _tab(step: Step) -> str:
    """Return the name of a step in the choice of steps; a sign tells those for mathematicians apart."""
    return f":material/function: {say(step.title)}" if step.mathematical else step.title


def _head(plan: Lesson, tasks: Sequence[Prediction]) -> None:
    """Show the title, and beside it links to the other lessons and its goals."""
    before = LESSONS[plan.number - 2] if plan.number > 1 else None
    after = LESSONS[plan.number] if plan.number < len(LESSONS) else None
    number = say("Lesson {number}", number=plan.number)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(f"{number} · {say(plan.title)}", anchor=False, width="stretch")
        if before:
            link(before.page, say("Lesson {number}", number=before.number), "arrow_back")
        link("lessons", say("Lessons"), "school")
        if after:
            link(after.page, say("Lesson {number}", number=after.number))
        _goals(plan, tasks)


def _goals(plan: Lesson, tasks: Sequence[Prediction]) -> None:
    """List the goals, each with the exercise that shows that it is reached, or a tick once this is solved."""
    lines = []
    for goal, place in zip(plan.goals, plan.reached, strict=True):
        shown = ":green[:material/check:]" if solved(tasks[place - 1], plan.key, place) else f"({_exercise(place)})"
        lines.append(f"\n- {say(goal)} {shown}")
    with st.popover(say("Goals"), icon=":material/flag:", type="tertiary"):
        st.markdown(say(plan.idea))
        st.markdown(say("After this lesson you can:") + "".join(lines))


def _exercise(place: int) -> str:
    return say("exercise {place}", place=place)


def _begin_anew(prefix: str) -> None:
    """Reset everything in a lesson, and ask its questions again."""
    reset(prefix)
    workspace().guesses.forget(prefix)


def _step(step: Step, key: str, beside: DeltaGenerator, place: DeltaGenerator) -> None:
    """Show a step, its text and controls beside its figure; both depend on the guess. What to try has its answer."""
    shown = guessing.open_to(key)
    settings = None
    with beside:
        if step.mathematical:
            st.caption(f":material/function: {say('For mathematicians: no other step needs this one.')}")
        st.markdown(typeset(say(step.tell)))
        if shown:
            guessing.verdict(step.prediction, key)
            st.info(say("**Try:** ") + typeset(say(step.attempt)), icon=":material/science:")
            with st.expander(say("Answer"), type="compact"):
                st.markdown(typeset(powers(step.answer.said())))
            settings = step.controls(Controls(key))
    with place, st.container(border=True, key="lesson-figure"):
        if shown:
            step.figure(settings, key)
        else:
            guessing.ask(step.prediction, step.point, key)


def _foot(plan: Lesson, step: str, after: Sequence[str]) -> None:
    """Show the next step, the screens that use the idea (not in a class), the switch for guesses, and a reset."""
    leads = [(page, title) for page, title in plan.leads if offered(page)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        onward(plan, after)
        if leads:
            st.markdown(say("Use it:"), width="content")
        for page, title in leads:
            link(page, say(title), at={FROM: step})
        guessing.switch()
        st.button(
            say("Reset"),
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=_begin_anew,
            args=(f"{plan.key}-",),
            help=say("This resets all settings in this lesson."),
        )
        if guessing.open_to(step):
            own_file.offer(step)
    words.show_notice()


def table(columns: Mapping[str, Sequence[str]]) -> None:
    """Offer the numbers of a figure as a table, by their headings."""
    with st.popover(say("As a table"), icon=":material/table_chart:", type="tertiary"):
        st.table(pd.DataFrame(columns), hide_index=True)


def numbers(figures: Mapping[str, str]) -> None:
    """Show the few numbers of a step side by side."""
    with st.container(horizontal=True, horizontal_alignment="distribute", gap="small"):
        for label, value in figures.items():
            st.metric(label, powers(value), width="content")
