"""What the server takes from inside of Streamlit is in one module, and missed at the start if a release lacks it."""

from __future__ import annotations

import pytest
from streamlit.runtime.app_session import AppSession

from discreet.budget import ParameterError
from discreet.ui.office import startup
from discreet.ui.session import streamlit_seams


def test_this_streamlit_has_every_name() -> None:
    """The pinned version does."""
    assert streamlit_seams.missing() == []


def test_a_release_without_one_of_them_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names what fell away: a method, a field, a message."""
    monkeypatch.delattr(AppSession, "request_rerun")
    monkeypatch.setitem(streamlit_seams.FIELDS, AppSession, ("_state_of_a_client",))
    monkeypatch.setattr(streamlit_seams, "MESSAGES", ("walk_script",))
    gone = ["AppSession.request_rerun", "AppSession._state_of_a_client", "BackMsg.walk_script"]
    assert streamlit_seams.missing() == gone
    with pytest.raises(ParameterError, match=f"does not provide {', '.join(gone)}. Install the version"):
        startup._checked()
