"""Book: formulas and programs of a step, exercises of a lesson, and a lesson as a notebook."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.course.contents import Lesson
from discreet.course.guessing import written
from discreet.course.steps import BookPage, Step
from discreet.report.programs import Cell, notebook, program, text
from discreet.ui.frame.formulas import typeset
from discreet.ui.frame.words import say
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Value
from discreet.ui.session.state import chosen

# Book panel: the meaning of a step's formulas, a program that computes its number, differences between books, and
# sources.


def book_panel(page: BookPage) -> None:
    """Show the page of the book for a step."""
    with st.expander(say("The book: meaning, program, sources"), icon=":material/menu_book:"):
        left, right = st.columns([2, 3], gap="medium")
        with left:
            st.markdown(typeset(say(page.meaning)))
            if page.differs:
                st.markdown(f"**{say('Where textbooks differ:')}** {typeset(say(page.differs))}")
        with right:
            needs = "discreet" in page.program
            uses = say("The program uses this library and prints the answer to the guess of this step.")
            st.caption(uses if needs else say("The program is the algorithm, and prints the answer to the guess."))
            st.code(page.program.strip(), language=None)  # syntax colours are too pale
        if page.sources:
            st.caption(say("Sources:") + "  \n" + "  \n".join(page.sources))


# Exercises: worked out on paper or with the library, checked any number of times, with a solution.


def exercises(tasks: Sequence[Prediction], prefix: str) -> None:
    """List the exercises, with the solved ones marked."""
    done = sum(solved(task, prefix, place) for place, task in enumerate(tasks, 1))
    title = say("Exercises: {done} of {all} solved", done=done, all=len(tasks))
    with st.expander(title, icon=":material/edit:", key=f"{prefix}-exercises"):
        for place, task in enumerate(tasks, 1):
            _exercise(place, task, _key(prefix, place))


def solved(task: Prediction, prefix: str, place: int) -> bool:
    """Whether the answer to an exercise of a lesson is right."""
    return _right(task, chosen(_key(prefix, place)))


def _key(prefix: str, place: int) -> str:
    return f"{prefix}-exercise-{place}"


def _right(task: Prediction, answer: Value | list[str] | None) -> bool:
    """Whether an answer is right; the lines of a proof come one by one."""
    value = "".join(answer) if isinstance(answer, list) else answer
    return value is not None and task.kind.near(value, task.answer)


def _exercise(place: int, task: Prediction, key: str) -> None:
    st.markdown(f"**{place}.** {typeset(say(task.ask))}")
    if isinstance(task.kind, InOrder):
        st.markdown("\n".join(f"- **{letter}** · {typeset(say(line))}" for letter, line in task.kind.lines.items()))
    with st.container(horizontal=True, vertical_alignment="center"):
        answer = _answer(place, task, key)
        if answer is not None and _right(task, answer):
            st.markdown(f":green[:material/check:] {say('Right.')}", width="content")
        elif answer is not None:
            st.markdown(f":orange[:material/close:] {_not_yet(task, answer)}", width="content")
        with st.popover(say("Solution"), type="tertiary", width="content"):
            st.markdown(f"**{written(task.answer, task.kind)}**. {typeset(say(task.why))}")
            if task.program:
                st.code(task.program.strip(), language=None)


def _not_yet(task: Prediction, answer: Value) -> str:
    """Say that an answer is not right; of a proof with its lines, that they are in another order."""
    if isinstance(task.kind, InOrder) and set(str(answer)) == set(str(task.answer)):
        return say("These are the lines, not yet in order.")
    return say("Not yet.")


def _answer(place: int, task: Prediction, key: str) -> Value | None:
    label = say("Answer to exercise {place}", place=place)
    if isinstance(task.kind, InOrder):
        return _ordered(task.kind, label, key)
    if isinstance(task.kind, OneOf):
        options = task.kind.options
        return st.radio(
            label,
            list(options),
            index=None,
            key=key,
            format_func=lambda name: say(options[name]),
            label_visibility="collapsed",
        )
    return st.number_input(label, value=None, key=key, format="%g", label_visibility="collapsed", width=200)


def _ordered(kind: InOrder, label: str, key: str) -> str | None:
    """Ask for the lines of a proof in order."""
    letters = st.multiselect(
        label,
        list(kind.lines),
        key=key,
        label_visibility="collapsed",
        select_all=False,
        placeholder=say("Choose the lines in order"),
        width=360,
    )
    return "".join(letters) or None


# Notebook: a lesson to download, with its formulas, its programs, and its exercises with empty cells.


def lesson_notebook(plan: Lesson, steps: Sequence[Step], tasks: Sequence[Prediction]) -> str:
    """Return a lesson as a notebook, in the language of the screen."""
    title = f"# {say('Lesson {number}', number=plan.number)} · {say(plan.title)}"
    needs = say("This program needs Python 3.11 or newer and this library: `pip install .` in a checkout of Discreet.")
    cells = [text(f"{title}\n\n{say(plan.idea)}\n\n{needs}")]
    for step in steps:
        cells += _step(step)
    cells.append(text(f"## {say('Exercises')}"))
    for place, task in enumerate(tasks, 1):
        cells += [text(f"**{place}.** {_asked(task)}"), program("")]
    return notebook(cells)


def _step(step: Step) -> list[Cell]:
    """Return a step's text, its formulas, its question, and the program that answers it."""
    page = step.page
    formulas = "\n\n".join(f"$${formula}$$" for formula in page.formulas)
    question = f"**{say('First, a guess')}.** {_asked(step.prediction)}"
    before = (
        f"## {say(step.title)}\n\n{typeset(say(step.tell))}\n\n{formulas}\n\n{typeset(say(page.meaning))}\n\n{question}"
    )
    after = typeset(say(step.prediction.why))
    if page.differs:
        after += f"\n\n**{say('Where textbooks differ:')}** {typeset(say(page.differs))}"
    if page.sources:
        after += f"\n\n{say('Sources:')} {'; '.join(page.sources)}"
    return [text(before), program(page.program.strip()), text(after)]


def _asked(task: Prediction) -> str:
    """Return a question with its options."""
    if isinstance(task.kind, OneOf):
        return f"{typeset(say(task.ask))}\n\n" + "\n".join(
            f"- `{name}`: {typeset(say(o))}" for name, o in task.kind.options.items()
        )
    if isinstance(task.kind, InOrder):
        return f"{typeset(say(task.ask))}\n\n" + "\n".join(
            f"- **{name}** · {typeset(say(o))}" for name, o in task.kind.lines.items()
        )
    return typeset(say(task.ask))


def offer(plan: Lesson, steps: Sequence[Step], tasks: Sequence[Prediction]) -> None:
    """Offer the notebook of a lesson, which is made when requested."""
    st.download_button(
        say("Notebook of this lesson"),
        lambda: lesson_notebook(plan, steps, tasks),
        f"{plan.page}.ipynb",
        "application/x-ipynb+json",
        type="tertiary",
        icon=":material/menu_book:",
        on_click="ignore",
    )
