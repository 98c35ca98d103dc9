"""The shell around every screen: navigation, dataset and budget."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from budget import Phrase  # noqa: E402
from ui.figures.look import dark  # noqa: E402
from ui.language import follow_link, tell_browser  # noqa: E402
from ui.learn.course import LESSONS  # noqa: E402
from ui.sidebar import sidebar  # noqa: E402
from ui.state import workspace  # noqa: E402
from ui.words import say  # noqa: E402

SECTIONS = {
    Phrase("Data"): [("data", Phrase("Data"), "table")],
    Phrase("Mechanisms"): [
        ("global_sensitivity", Phrase("Global sensitivity"), "public"),
        ("propose_test_release", Phrase("Propose-test-release"), "rule"),
        ("smooth_sensitivity", Phrase("Smooth sensitivity"), "airwave"),
        ("sample_and_aggregate", Phrase("Sample and aggregate"), "grid_view"),
        ("exponential_selection", Phrase("Exponential selection"), "how_to_vote"),
    ],
    Phrase("Decide"): [
        ("compare", Phrase("Compare"), "leaderboard"),
        ("budget", Phrase("Budget"), "account_balance_wallet"),
    ],
    Phrase("Learn"): [("learn", Phrase("Course"), "school")],
}


def page(name: str, title: str, icon: str, listed: bool = True) -> st.Page:  # type: ignore[valid-type]
    """Return one screen; its address is its name with dashes."""
    return st.Page(
        ROOT / "pages" / f"{name}.py", title=say(title), icon=f":material/{icon}:",
        url_path=name.replace("_", "-"), default=name == "data",
        visibility="visible" if listed else "hidden",
    )  # fmt: skip


BRAND = ROOT / "ui" / "brand"
st.set_page_config(page_title="Discreet", page_icon=BRAND / "icon.png", layout="wide")
st.logo(BRAND / f"logo-{'dark' if dark() else 'light'}.svg", size="large")
workspace().next_cost = None
follow_link()
pages = {say(section): [page(*told) for told in found] for section, found in SECTIONS.items()}
pages[say("Learn")] += [page(one.page, one.title, "menu_book", False) for one in LESSONS]
chosen = st.navigation(pages)
budget = st.sidebar.empty()
chosen.run()  # pages return, they never stop the script: the budget comes after them
with budget.container():
    sidebar()
tell_browser()
