"""Notebook: a lesson to take along, with its formulas, its programs, and its exercises with room to work."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.lab.lessons.guesses import InOrder, OneOf, Prediction
from discreet.lab.report.notebook import Cell, notebook, program, text
from discreet.ui.frame.words import say
from discreet.ui.learn.course import Lesson
from discreet.ui.learn.step import Step


def lesson_notebook(plan: Lesson, steps: Sequence[Step], tasks: Sequence[Prediction]) -> str:
    """Return a lesson as a notebook, in the language of whoever reads it."""
    title = f"# {say('Lesson {number}', number=plan.number)} · {say(plan.title)}"
    needs = say("It needs Python 3.11 or newer and this library: `pip install .` in a checkout of Discreet.")
    cells = [text(f"{title}\n\n{say(plan.idea)}\n\n{needs}")]
    for step in steps:
        cells += _step(step)
    cells.append(text(f"## {say('Exercises')}"))
    for place, task in enumerate(tasks, 1):
        cells += [text(f"**{place}.** {_asked(task)}"), program("")]
    return notebook(cells)


def _step(step: Step) -> list[Cell]:
    """Return what a step tells, its formulas, its question, and the program that answers it."""
    page = step.page
    formulas = "\n\n".join(f"$${formula}$$" for formula in page.formulas)
    question = f"**{say('First, a guess')}.** {_asked(step.prediction)}"
    before = f"## {say(step.title)}\n\n{say(step.tell)}\n\n{formulas}\n\n{say(page.meaning)}\n\n{question}"
    after = say(step.prediction.why)
    if page.differs:
        after += f"\n\n**{say('Where books differ:')}** {say(page.differs)}"
    if page.sources:
        after += f"\n\n{say('Sources:')} {'; '.join(page.sources)}"
    return [text(before), program(page.program.strip()), text(after)]


def _asked(task: Prediction) -> str:
    """Return a question with what may be chosen."""
    if isinstance(task.kind, OneOf):
        return f"{say(task.ask)}\n\n" + "\n".join(f"- `{name}`: {say(o)}" for name, o in task.kind.options.items())
    if isinstance(task.kind, InOrder):
        return f"{say(task.ask)}\n\n" + "\n".join(f"- **{name}** · {say(o)}" for name, o in task.kind.lines.items())
    return say(task.ask)


def offer(plan: Lesson, steps: Sequence[Step], tasks: Sequence[Prediction]) -> None:
    """Offer the notebook of a lesson; it is written when it is asked for."""
    st.download_button(
        say("Notebook of this lesson"),
        lambda: lesson_notebook(plan, steps, tasks),
        f"{plan.page}.ipynb",
        "application/x-ipynb+json",
        type="tertiary",
        icon=":material/menu_book:",
        on_click="ignore",
    )
