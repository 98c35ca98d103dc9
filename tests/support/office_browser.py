"""The screens of the office in a browser: what one fills in and presses."""

from __future__ import annotations

import re

from support.visitor import Visitor


def fill(person: Visitor, **texts: str) -> None:
    """Fill text fields by how their names begin, once the screen before has gone, and leave the last one."""
    person.settle()
    for name, text in texts.items():
        begins = re.compile(f"^{re.escape(name.replace('_', ' '))}")
        person.page.get_by_role("textbox", name=begins).fill(text)
    person.page.keyboard.press("Tab")
    person.settle()


def other_people(person: Visitor) -> None:
    """Say why the people are others, where data look like registered ones."""
    why = "If not: why does it cover different people?"
    if person.page.get_by_role("textbox", name=why).count():
        fill(person, **{why: "They live in another town."})


def nothing_before(person: Visitor, whose: str = "No: every row is a different person") -> None:
    """Say whose rows these are, and no to both questions of what has happened to the data: silence is no word."""
    person.page.get_by_role("radiogroup", name="Can one person have more than one row?").get_by_text(whose).click()
    person.settle()
    for question in ("Were any bounds chosen by looking at the data?", "Are there other releases of the same dataset?"):
        person.page.get_by_role("radiogroup", name=question).get_by_text("No", exact=True).click()
        person.settle()


def choose_town(person: Visitor, name: str = "town") -> None:
    """Work on the registered data."""
    page = person.open()
    page.get_by_role("combobox", name="Dataset", exact=True).click()
    page.get_by_text(f"{name} (registered)").click()
    person.settle()


def answer_all(person: Visitor) -> None:
    """Say yes to every point of the checklist, and give a reason where the system says no."""
    for at in range(person.page.get_by_text("Yes", exact=True).count()):
        person.page.get_by_text("Yes", exact=True).nth(at).click()
        person.settle()
    why = person.page.get_by_role("textbox", name="Reason to approve despite this")
    for at in range(why.count()):
        why.nth(at).fill("It is known and accepted.")
