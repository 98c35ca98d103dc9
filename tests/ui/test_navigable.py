"""Screens as the navigation wants them: looked up once for all runs, and every run has its own."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from discreet.office.house.roles import ADMINISTRATOR, ANALYST, OFFICER
from discreet.ui import menu
from discreet.ui.frame.links import PAGES
from discreet.ui.gate.addresses import FIRST_SCREEN, FORMER, current


def _twice() -> None:
    from discreet.ui.frame import links

    first, second = (links.screen("budget", "Budget", "savings") for _ in range(2))
    other = links.screen("budget", "预算", "savings", "hidden")
    assert first is not second and first._script_hash == second._script_hash == other._script_hash
    assert first.url_path == second.url_path == other.url_path == "budget"
    assert (first.title, other.title, first.visibility, other.visibility) == ("Budget", "预算", "visible", "hidden")
    first._can_be_called = True  # as Streamlit marks the screen that was chosen
    assert not second._can_be_called and not links.screen("budget", "Budget", "savings")._can_be_called


def test_the_screen_that_one_run_has_chosen_is_not_chosen_by_another() -> None:
    """Everybody's runs share what was looked up, in each language, and nothing that a run changes."""
    app = AppTest.from_function(_twice).run()
    assert not app.exception, app.exception


MECHANISMS = [
    "Compare",
    "Global sensitivity",
    "Propose-test-release",
    "Smooth sensitivity",
    "Sample and aggregate",
    "Exponential mechanism",
]
LEARN = ["Lessons", "Glossary", "Teach"]
RELEASE = ["Dataset", "Query", "Plan", "Results", "Budget"]
REVIEW = ["Inbox", "Datasets", "Published results", "Audit log", "Privacy tests"]
MENUS: dict[tuple[str, ...], dict[str, list[str]]] = {
    (): {"Release": [*RELEASE, "Published results"], "Mechanisms": MECHANISMS, "Learn": LEARN, "Account": ["Sign in"]},
    (ANALYST,): {
        "Release": [*RELEASE, "My requests", "Published results"],
        "Mechanisms": MECHANISMS,
        "Learn": LEARN,
        "Account": ["News", "Account"],
    },
    (OFFICER,): {"Review": REVIEW, "Learn": LEARN, "Account": ["News", "Account"]},
    (ADMINISTRATOR,): {
        "Administration": ["People", "Settings", "Audit log"],
        "Learn": LEARN,
        "Account": ["News", "Account"],
    },
    (ANALYST, OFFICER, ADMINISTRATOR): {
        "Review": REVIEW,
        "Release": [*RELEASE, "My requests"],
        "Administration": ["People", "Settings"],
        "Mechanisms": MECHANISMS,
        "Learn": LEARN,
        "Account": ["News", "Account"],
    },
}


@pytest.mark.parametrize("roles", MENUS)
def test_each_role_has_its_own_menu(roles: tuple[str, ...]) -> None:
    """In words and in order; each icon and each screen once, and what is not listed is still there."""
    listed = menu.menu(frozenset(roles))
    titles = {str(section): [str(title) for _, title, _ in screens] for section, screens in listed.items()}
    assert titles == MENUS[roles] and list(titles) == list(MENUS[roles])
    every = [screen for screens in listed.values() for screen in screens] + menu.unlisted(listed)
    assert len({name for name, _, _ in every}) == len(every)
    here = [icon for screens in listed.values() for _, _, icon in screens]
    assert len(set(here)) == len(here)
    assert {name for name, _, _ in every} >= {
        "dataset",
        "plan",
        "budget",
        "smooth_sensitivity",
        "published_results",
        "lessons",
        "help",
    }


def test_former_addresses_lead_on_with_their_query() -> None:
    """The first screen is at the root; views that are pages today have an address of their own."""
    pages = {path.stem.replace("_", "-") for path in PAGES.glob("*.py")}
    assert FIRST_SCREEN in pages and set(FORMER.values()) <= pages and not set(FORMER) & pages
    for name, page in FORMER.items():
        here = "" if page == FIRST_SCREEN else page
        assert current(name, "") == f"/{here}" and current(name, "lang=zh&a=1") == f"/{here}?lang=zh&a=1"
    assert current("learn", "learn-view=teach&lang=zh") == "/teach?learn-view=teach&lang=zh"
