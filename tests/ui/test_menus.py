"""Menus: what each role finds in its menu, word by word, and where former addresses lead."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from discreet.ui.gate.addresses import FIRST_SCREEN, FORMER, current

RELEASE = "Dataset, Plan, Results, Budget"
MECHANISMS = (
    "Compare, Global sensitivity, Propose-test-release, Smooth sensitivity, Sample and aggregate, Exponential mechanism"
)
LEARN = "Lessons, Glossary, Teach"
REVIEW = "Inbox, Datasets, Published results, Audit log, News, Evidence"
MENUS = {
    "": {"Release": f"{RELEASE}, Published results", "Mechanisms": MECHANISMS, "Learn": LEARN},
    "analyst": {
        "Release": f"{RELEASE}, My requests, News, Published results",
        "Mechanisms": MECHANISMS,
        "Learn": LEARN,
    },
    "officer": {"Review": REVIEW, "Learn": LEARN},
    "administrator": {"Administration": "People, Settings, Audit log, News", "Learn": LEARN},
    "officer analyst administrator": {
        "Review": REVIEW,
        "Release": f"{RELEASE}, My requests",
        "Administration": "People, Settings",
        "Mechanisms": MECHANISMS,
        "Learn": LEARN,
    },
}


@pytest.mark.parametrize("roles", MENUS)
def test_every_role_has_its_menu_and_no_icon_twice(roles: str) -> None:
    """In the words and in the order of what people do."""
    import discreet.ui.shell as shell

    person: Any = SimpleNamespace(roles=frozenset(roles.split())) if roles else None
    menu = shell.sections(person)
    assert [(str(name), ", ".join(str(each[1]) for each in part)) for name, part in menu.items()] == [
        *MENUS[roles].items()
    ]
    icons = [icon for part in menu.values() for _, _, icon in part]
    assert len(icons) == len(set(icons))


def test_former_addresses_lead_on_with_their_query() -> None:
    """The first screen is at the root; views that are pages today have an address of their own."""
    for name, page in FORMER.items():
        here = "" if page == FIRST_SCREEN else page
        assert current(name, "") == f"/{here}" and current(name, "lang=zh&a=1") == f"/{here}?lang=zh&a=1"
    assert current("learn", "learn-view=teach&lang=zh") == "/teach?learn-view=teach&lang=zh"
