"""The shell around every screen: navigation, dataset and budget."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from ui.sidebar import sidebar  # noqa: E402

st.set_page_config(page_title="Discreet", page_icon=":material/visibility_lock:", layout="wide")
page = st.navigation(
    {
        "Data": [
            st.Page(ROOT / "pages" / "data.py", title="Data", icon=":material/table:", default=True)
        ],
        "Mechanisms": [
            st.Page(ROOT / "pages" / "ask.py", title="Ask", icon=":material/help_center:")
        ],
    }
)
budget = st.sidebar.empty()
page.run()  # pages return, they never stop the script: the budget comes after them
with budget.container():
    sidebar()
