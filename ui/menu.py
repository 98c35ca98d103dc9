"""Menu: which screens it lists for whom, in sections of what people do."""

from __future__ import annotations

from collections.abc import Set

from discreet.budget import Phrase
from discreet.office.house.roles import ADMINISTRATOR, ANALYST, OFFICER
from discreet.ui.frame.families import FACES
from discreet.ui.frame.packages import packages

Screen = tuple[str, Phrase, str]  # the name of its file, its title, its icon
HOME = ("home", Phrase("Home"), "home")  # above the sections
RELEASE = [
    ("dataset", Phrase("Dataset"), "table"),
    ("query", Phrase("Query"), "search"),
    ("plan", Phrase("Plan"), "checklist"),
    ("results", Phrase("Results"), "monitoring"),
    ("budget", Phrase("Budget"), "account_balance_wallet"),
]
MY_REQUESTS = ("requests", Phrase("My requests"), "outbox")
PUBLISHED = ("published_results", Phrase("Published results"), "newspaper")
MECHANISMS = [
    ("compare", Phrase("Compare"), "leaderboard"),
    *((face.page, family.name, face.icon) for family, face in FACES.items() if face.icon),
]
AUDIT_LOG = ("audit_log", Phrase("Audit log"), "history")
REVIEW = [
    ("review", Phrase("Inbox"), "inbox"),
    ("datasets", Phrase("Datasets"), "inventory_2"),
    PUBLISHED,
    AUDIT_LOG,
    ("evidence", Phrase("Privacy tests"), "verified"),
]
ADMINISTRATION = [("people", Phrase("People"), "group"), ("settings", Phrase("Settings"), "settings")]
NEWS = ("news", Phrase("News"), "notifications")
ACCOUNT = ("account", Phrase("Account"), "key")
SIGN_IN = ("sign_in", Phrase("Sign in"), "login")
HELP = ("help", Phrase("Help"), "help")  # linked below the menu


def menu(roles: Set[str]) -> dict[Phrase, list[Screen]]:
    """Return what the menu lists for these roles: the sections of what they do, then what everyone can do."""
    analyst, officer, administrator = (role in roles for role in (ANALYST, OFFICER, ADMINISTRATOR))
    releases = analyst or not roles
    sections = dict[Phrase, list[Screen]]()
    if officer:
        sections[Phrase("Review")] = REVIEW
    if releases:
        mine = [MY_REQUESTS] if analyst else []
        sections[Phrase("Release")] = RELEASE + mine + ([] if officer else [PUBLISHED])
    if administrator:
        sections[Phrase("Administration")] = ADMINISTRATION + ([] if officer else [AUDIT_LOG])
    if releases:
        sections[Phrase("Mechanisms")] = MECHANISMS
    for package in packages():
        sections[package.section] = list(package.screens)
    return sections | {Phrase("Account"): [NEWS, ACCOUNT] if roles else [SIGN_IN]}


def unlisted(listed: dict[Phrase, list[Screen]]) -> list[Screen]:
    """Return the screens that exist for everyone, and that the menu does not list: links and addresses lead there."""
    every = [*RELEASE, *MECHANISMS, PUBLISHED, HELP, *(screen for package in packages() for screen in package.unlisted)]
    return [screen for screen in every if not any(screen in screens for screens in listed.values())]


def of_office(name: str) -> bool:
    """Whether a screen belongs to the office, where the dataset in use does not matter."""
    return name in {name for name, *_ in (*REVIEW, *ADMINISTRATION, MY_REQUESTS, NEWS, ACCOUNT, SIGN_IN)}
