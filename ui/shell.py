"""Shell: the frame around every screen, with the navigation, the dataset and the budget."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st

from discreet.budget import Phrase
from discreet.office import Member
from discreet.office.desk.queue import how_many
from discreet.office.house.roles import ADMINISTRATOR, ANALYST, OFFICER
from discreet.office.notices.news import unread
from discreet.ui import budget as budget_page
from discreet.ui.frame import links
from discreet.ui.frame.families import FACES
from discreet.ui.frame.links import dark, handheld
from discreet.ui.frame.packages import Screen, packages
from discreet.ui.frame.sidebar import follow_link, sidebar, tell_browser
from discreet.ui.frame.tour import stop
from discreet.ui.frame.words import say
from discreet.ui.gate.addresses import FIRST_SCREEN
from discreet.ui.office.people import sign_in
from discreet.ui.project import offering
from discreet.ui.session import door
from discreet.ui.session.state import stand, steps, workspace

HOME = ("home", Phrase("Home"), "home")
RELEASE = [
    ("dataset", Phrase("Dataset"), "table"),
    ("plan", Phrase("Plan"), "checklist"),
    ("results", Phrase("Results"), "monitoring"),
    ("budget", Phrase("Budget"), "account_balance_wallet"),
]
MECHANISMS = [
    ("compare", Phrase("Compare"), "leaderboard"),
    *((face.page, family.name, face.icon) for family, face in FACES.items() if face.icon),
]
NEWS = ("news", Phrase("News"), "notifications")
REQUESTS = ("requests", Phrase("My requests"), "outbox")
PUBLISHED = ("published_results", Phrase("Published results"), "newspaper")
TRAIL = ("audit_log", Phrase("Audit log"), "history")
REVIEW = [
    ("review", Phrase("Inbox"), "inbox"),
    ("datasets", Phrase("Datasets"), "inventory_2"),
    PUBLISHED,
    TRAIL,
    NEWS,
    ("evidence", Phrase("Evidence"), "verified"),
]
ADMINISTRATION = [("people", Phrase("People"), "group"), ("settings", Phrase("Settings"), "settings"), TRAIL, NEWS]
ACCOUNT = ("account", Phrase("Account"), "key")
SIGN_IN = ("sign_in", Phrase("Sign in"), "login")


def page(name: str, title: str, icon: str, listed: bool = True, waiting: int = 0) -> st.Page:
    """Return a screen of the navigation; its address is its name with dashes."""
    words = f"{say(title)} ({waiting})" if waiting else say(title)
    return links.screen(name, words, icon, "visible" if listed else "hidden", default=name == FIRST_SCREEN)


def entrance() -> st.Page:
    """Return the sign-in screen of a server that requires one. A default page has no address of its own."""
    file = ROOT / "pages" / f"{SIGN_IN[0]}.py"
    return st.Page(file, title=say(SIGN_IN[1]), url_path="door", default=True, visibility="hidden")


def sections(person: Member | None) -> dict[Phrase, list[Screen]]:
    """Return the sections of a person's menu, in the order of what they do; no screen is in two of them."""
    roles = person.roles if person is not None else frozenset()
    releases = person is None or ANALYST in roles
    mine: dict[Phrase, list[Screen]] = {}
    if OFFICER in roles:
        mine[Phrase("Review")] = REVIEW
    if releases:
        mine[Phrase("Release")] = [
            *RELEASE,
            *([REQUESTS, NEWS] if person else []),
            *([PUBLISHED] if door.house() else []),
        ]
    if ADMINISTRATOR in roles:
        mine[Phrase("Administration")] = ADMINISTRATION
    if releases:
        mine[Phrase("Mechanisms")] = MECHANISMS
    mine |= {package.section: list(package.screens) for package in packages()}
    seen = set[str]()
    for section, listed in mine.items():
        mine[section] = [screen for screen in listed if screen[0] not in seen]
        seen |= {screen[0] for screen in listed}
    return mine


def unlisted(person: Member | None) -> list[Screen]:
    """Return the screens that have an address and no entry in the menu."""
    own = SIGN_IN if person is None else ACCOUNT
    return [own, *RELEASE, *MECHANISMS, PUBLISHED, *(screen for package in packages() for screen in package.unlisted)]


def screens(person: Member | None) -> dict[str, list[st.Page]]:
    """Return all screens of this person; the address of any other screen is not found."""
    if person is None and door.must_sign_in():
        return {"": [entrance(), page(*SIGN_IN), page(*PUBLISHED)]}
    listed = sections(person)
    new = waiting(person)
    names = {screen[0] for part in listed.values() for screen in part}
    hidden = {screen[0]: screen for screen in unlisted(person) if screen[0] not in names}
    first = [page(*HOME)] if HOME[0] == FIRST_SCREEN else []
    menu = {
        say(section): [page(*screen, waiting=new.get(screen[0], 0)) for screen in part]
        for section, part in listed.items()
    }
    return {"": [*first, *(page(*screen, listed=False) for screen in hidden.values())]} | menu


def waiting(person: Member | None) -> dict[str, int]:
    """Return how many requests wait for this officer, and how many news items are unread."""
    house = door.house()
    if house is None or person is None or not person.roles:
        return {}
    return {"news": unread(house, person)} | ({"review": how_many(house, person)} if OFFICER in person.roles else {})


def at_office(chosen: st.Page) -> bool:
    """Whether a screen belongs to the office, where the dataset in use does not matter."""
    if chosen.url_path == "budget" and budget_page.in_place_of_sample(person):
        return True
    names = {name for name, *_ in (*REVIEW, *ADMINISTRATION, REQUESTS, ACCOUNT, SIGN_IN)}
    return chosen.url_path.replace("-", "_") in names


BRAND = ROOT / "ui" / "brand"
st.set_page_config(page_title="Discreet", page_icon=BRAND / "icon.png", layout="wide")
st.html(BRAND / "page.css")
st.logo(BRAND / f"logo-{'dark' if dark() else 'light'}.svg", size="large")
person = door.who()
stand(person)
offering.enter()
workspace().next_cost = None
follow_link()
if person is None and sign_in.arrive():
    st.warning(say("Your organisation signed you in, but it gives you no role here. Ask an administrator for a role."))
chosen = st.navigation(screens(person), expanded=True)
if handheld():  # a phone closes the menu when this value changes: both mean closed there
    st.set_page_config(initial_sidebar_state="collapsed" if steps(chosen.url_path) % 2 else "auto")
budget = st.sidebar.empty()
for package in packages():
    package.above()
stop(chosen.url_path.replace("-", "_") or FIRST_SCREEN)
chosen.run()  # pages return and never stop the script: the sidebar's budget is drawn after them
with budget.container():
    sidebar(person, not at_office(chosen) and (person is not None or not door.must_sign_in()))
tell_browser()
offering.save()
