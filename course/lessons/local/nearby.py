"""Nearby: how far one person can move the median of these people, beside the worst case."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.lesson import numbers
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.local.book import PAGES
from discreet.course.lessons.local.guesses import GUESSES
from discreet.course.lessons.local.letters import LETTERS
from discreet.course.steps import Step
from discreet.queries import Column
from discreet.queries.median import Median
from discreet.ui.figures import push
from discreet.ui.frame.words import number, say


@dataclass(frozen=True)
class Pushed:
    """The people of the picture, and the control with their ages."""

    people: Column
    control: str


def local_controls(by: Controls) -> Pushed:
    """Choose the people."""
    first = local.pushed()
    people = push.people_in(by.text("ages", say("Ages"), push.listed(first)), first.bounds)
    if people is None:
        st.warning(say("Enter 1 to {most} ages from 0 to 100, separated by spaces.", most=push.MOST))
    return Pushed(people or first, f"{by.prefix}-ages")


def here(settings: Pushed, key: str) -> None:
    """Draw the people, and how far one person more or less moves their median."""
    median = Median()
    people = settings.people
    numbers(
        {
            say("Median"): number(median.value(people)),
            say("Local sensitivity A(0)"): number(local.local(median, people)),
            say("Global sensitivity"): number(median.global_sensitivity(people.bounds)),
        }
    )
    push.crowd(people, local.pushed(), settings.control, f"{key}:push")


NEARBY = Step(
    "local",
    Phrase("In this dataset"),
    Phrase(
        "Global sensitivity is how much one person can change the result in the **worst** "
        "dataset. Local sensitivity, A(0), is how much in **this** dataset. The result is the "
        "median age. One person may be added or removed."
    ),
    Phrase("Move as few people as you can, until one more could change the median by 15 years."),
    local_controls,
    here,
    GUESSES["local"],
    PAGES["local"],
    letters=LETTERS["local"],
)
