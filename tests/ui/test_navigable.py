"""Screens as the navigation wants them: looked up once for all runs, and every run has its own."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


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
