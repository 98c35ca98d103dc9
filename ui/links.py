"""Links from one screen to another."""

import streamlit as st


def link(page: str, label: str, icon: str = "arrow_forward") -> None:
    """Show a link to a screen by the name of its file."""
    st.page_link(f"../pages/{page}.py", label=label, icon=f":material/{icon}:")
