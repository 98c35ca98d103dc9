"""Shell: the frame around every screen, with the navigation and the sidebar."""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st

from discreet.office import Member
from discreet.office.desk.queue import how_many
from discreet.office.house.roles import OFFICER
from discreet.office.notices.news import unread
from discreet.ui import budget as budget_page
from discreet.ui.frame import links, scrolling
from discreet.ui.frame.links import dark, handheld
from discreet.ui.frame.packages import packages
from discreet.ui.frame.sidebar import follow_link, sidebar, tell_browser
from discreet.ui.frame.tour import stop
from discreet.ui.frame.words import say
from discreet.ui.gate.addresses import FIRST_SCREEN
from discreet.ui.menu import HELP, HOME, PUBLISHED, SIGN_IN, menu, of_office, unlisted
from discreet.ui.office.people import sign_in
from discreet.ui.project import offering
from discreet.ui.session import door
from discreet.ui.session.state import stand, steps


def page(name: str, title: str, icon: str, listed: bool = True, waiting: int = 0) -> st.Page:
    """Return a screen of the navigation; its address is its name with dashes."""
    words = f"{say(title)} ({waiting})" if waiting else say(title)
    return links.screen(name, words, icon, "visible" if listed else "hidden", default=name == FIRST_SCREEN)


def entrance() -> st.Page:
    """Return the sign-in screen of a server that requires one. A default page has no address of its own."""
    file = ROOT / "pages" / f"{SIGN_IN[0]}.py"
    return st.Page(file, title=say(SIGN_IN[1]), url_path="door", default=True, visibility="hidden")


def screens(person: Member | None) -> dict[str, list[st.Page]]:
    """Return all screens of this person; the address of any other screen is not found."""
    if person is None and door.must_sign_in():
        return {"": [entrance(), page(*SIGN_IN), page(*PUBLISHED), page(*HELP, listed=False)]}
    listed = menu(frozenset() if person is None else person.roles)
    new = waiting(person)
    first = [page(*HOME), *(page(*screen, listed=False) for screen in unlisted(listed))]
    return {"": first} | {
        say(section): [page(*screen, waiting=new.get(screen[0], 0)) for screen in every]
        for section, every in listed.items()
    }


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
    return of_office(chosen.url_path.replace("-", "_"))


BRAND = ROOT / "ui" / "brand"
WIDTH = 248  # pixels of the menu, as in page.css
place: Any = None if handheld() else WIDTH
st.set_page_config(page_title="Discreet", page_icon=BRAND / "icon.png", layout="wide", initial_sidebar_state=place)
st.logo(BRAND / f"logo-{'dark' if dark() else 'light'}.svg", size="large")
person = door.who()
stand(person)
offering.enter()
follow_link()
if person is None and sign_in.arrive():
    st.warning(say("Your organisation signed you in, but it gives you no role here. Ask an administrator for a role."))
chosen = st.navigation(screens(person), expanded=True)
if handheld():  # a phone closes the menu when this value changes: both mean closed there
    st.set_page_config(initial_sidebar_state="collapsed" if steps(chosen.url_path) % 2 else "auto")
aside = st.sidebar.empty()
for package in packages():
    package.above()
stop(chosen.url_path.replace("-", "_") or FIRST_SCREEN)
chosen.run()  # pages return and never stop the script: the sidebar is drawn after them
with aside.container():
    sidebar(person, not at_office(chosen) and (person is not None or not door.must_sign_in()))
tell_browser()
scrolling.start_at_top()
offering.save()
