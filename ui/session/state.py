"""State: what belongs to the connection of whoever looks, and their way to their workspace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

import streamlit as st

from discreet.office import Member
from discreet.ui.session import door
from discreet.ui.session.budgets import LIMIT
from discreet.ui.session.cookies import BROWSER, LIFETIME
from discreet.ui.session.server import Server, server
from discreet.ui.session.streamlit_seams import UploadedFile, in_run, let_go
from discreet.ui.session.workspace import REGISTERED, Draft, Workspace

LANGUAGES = {"en": "English", "zh": "中文"}
KEY = "browser"
STAY = "stay"
AT_DOOR = "at-door"
PRESETS = "presets"
VISITED = "visited"
STANDS = "stands"
FORM = "form"
FORM_BEFORE = "form-before"
SPOKEN: ContextVar[str] = ContextVar("spoken", default="")  # in this run: a page asks a hundred times
__all__ = ["LIFETIME", "LIMIT", "REGISTERED", "Draft", "Server", "Workspace", "server"]


def browser() -> str:
    """Return the name of the browser that is looking; without a cookie, of this connection."""
    cookie = st.context.cookies.get(BROWSER)
    before = st.session_state.get(KEY)
    name = cookie if isinstance(cookie, str) else before or uuid4().hex
    if name != before:
        st.session_state[KEY] = name
    return str(name)


def stand(person: Member | None) -> None:
    """Note, at the start of each run, in whose stay it is; nothing typed in another one is kept."""
    before = st.session_state.get(KEY), st.session_state.get(STAY)
    stay = door.stay() if person is not None else ""
    if before[1] is not None and before != (browser(), stay):
        _empty()
    st.session_state[STAY] = stay
    st.session_state[FORM_BEFORE] = st.session_state.pop(FORM, None)
    SPOKEN.set("")  # a run of this connection before may have been in somebody else's stay
    SPOKEN.set(language())


def workspace() -> Workspace:
    """Return the workspace of whoever is looking; at the door there is none worth keeping."""
    session = st.session_state.get(STAY, "")
    if door.must_sign_in() and not session:
        nobody: Workspace = st.session_state.setdefault(AT_DOOR, Workspace(browser(), server().roads))
        return nobody
    return server().workspace(browser(), session)


def fresh(name: str) -> str:
    """Return the key of an uploader that has brought nothing yet. What another tab brings does not change it here."""
    return f"{name}:{st.session_state.get(f'brought:{name}', 0)}"


def brought(name: str, file: UploadedFile) -> bytes:
    """Take the bytes of a file that an uploader has brought; the next one is fresh."""
    st.session_state[f"brought:{name}"] = st.session_state.get(f"brought:{name}", 0) + 1
    data = file.getvalue()
    let_go(file)
    return data


def leave() -> None:
    """End the session, and forget what was worked on in it: whoever comes next finds nothing of it."""
    door.sign_out()
    server().cut(browser())
    _empty()


def _empty() -> None:
    here = browser()
    st.session_state.clear()
    st.session_state[KEY] = here


def language() -> str:
    """Return the language of whoever looks: as chosen, else as their browser says."""
    if SPOKEN.get():
        return SPOKEN.get()
    if not in_run(quietly=True):
        return next(iter(LANGUAGES))
    space = workspace()
    if not space.language:
        wish = server().speaks(browser()) or (st.context.locale or "").partition("-")[0]
        space.language = wish if wish in LANGUAGES else next(iter(LANGUAGES))
    return space.language


def speak(chosen: str) -> None:
    """Use a language from now on, in every tab of this browser."""
    if chosen in LANGUAGES:
        workspace().language = server().speaks(browser(), chosen)
        SPOKEN.set(workspace().language)


def _said(key: str) -> str:
    """Return the key of what the address said last about a choice."""
    return f"address:{key}"


def follow_address(key: str, options: Collection[str], default: str) -> None:
    """Let a new choice start from the address, whatever language its labels are in.

    Later the choice leads and the address follows: a click that overtakes the last change of the
    address brings the old one along, which must not undo it. An unknown name is ignored.
    """
    if st.session_state.get(key) not in options:
        wish = st.query_params.get(key)
        st.session_state[key] = wish if wish in options else default
        st.session_state[_said(key)] = wish


def addressed(key: str) -> str:
    """Return what the address says about a choice, whether there is such a choice or not."""
    return st.query_params.get(key) or ""


def tell_address(key: str, value: str, default: str) -> None:
    """Write a choice into the address when it has changed; the default needs no words there."""
    word = None if value == default else value
    if word == st.session_state.get(_said(key)):
        return
    if word is None:
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = word
    st.session_state[_said(key)] = word


def base_of(key: str, latest: Any) -> Any:
    """Return the table that an editor starts from: the latest one whenever the editor is new.

    An editor keeps its own edits, so the table under it must not change while it lives.
    """
    base = f"base:{key}"
    if key not in st.session_state:
        st.session_state[base] = latest
    return st.session_state[base]


def editor(name: str, version: int) -> str:
    """Return the key of an editor of something that has versions: a new one, unless it made the latest itself.

    What is being typed into an editor outlives its own steps, and never hides what somebody else has changed.
    """
    seen, number = st.session_state.get(f"editor:{name}", (version, 0))
    number += seen != version
    st.session_state[f"editor:{name}"] = version, number
    return f"{name}:{number}"


def edited(name: str, version: int | None) -> None:
    """Note, in its callback, which version an editor has made; None where it was refused, so that it begins anew."""
    st.session_state[f"editor:{name}"] = version, st.session_state[f"editor:{name}"][1]


def visit(step: str, key: str) -> None:
    """Note which step of a lesson is on the screen, by its title and by the key of its widgets."""
    st.session_state[VISITED], st.session_state[STANDS] = step, key


def visited() -> str:
    """Return the step of a lesson that is on the screen, or was last."""
    return str(st.session_state.get(VISITED, ""))


def stands_at() -> str:
    """Return the key of the step that is on the screen, or was last."""
    return str(st.session_state.get(STANDS, ""))


def preset(key: str, value: Any) -> None:
    """Remember what a widget of a lesson starts from, so that a reset can put it back."""
    st.session_state.setdefault(PRESETS, {})[key] = value


def reset(prefix: str) -> None:
    """Put every widget whose key begins so back to where it started."""
    for key, value in st.session_state.get(PRESETS, {}).items():
        if key.startswith(prefix) and key in st.session_state:
            st.session_state[key] = value


def chosen(key: str, absent: Any = None) -> Any:
    """Return what a widget is set to, inside a callback; something else where there is none."""
    return st.session_state.get(key, absent)


def drawn(form: str) -> None:
    """Note that a form was drawn to its end in this run."""
    st.session_state[FORM] = form


def entered(form: str) -> bool:
    """Say whether the run before drew something else, or there was none in this connection."""
    return bool(st.session_state.get(FORM_BEFORE) != form)


def absent(keys: Iterable[str]) -> list[str]:
    """Return those widgets that stand at nothing."""
    return [key for key in keys if key not in st.session_state]


def settings(prefix: str, but: Collection[str]) -> dict[str, Any]:
    """Return what the widgets of a form are set to, but for those that only act or show."""
    values = {str(key): value for key, value in st.session_state.to_dict().items()}
    fields = {key: key.removeprefix(f"{prefix}:") for key in values if key.startswith(f"{prefix}:")}
    return {key: values[key] for key, field in fields.items() if field.split(":")[0] not in but}


def typed(marks: Sequence[str]) -> dict[str, Any]:
    """Return what fields are set to whose keys are one of these marks, or begin with one; by its place."""
    values = {str(key): value for key, value in st.session_state.to_dict().items()}
    return {
        f"{at}{key.removeprefix(mark)}": value
        for at, mark in enumerate(marks)
        for key, value in values.items()
        if key == mark or key.startswith(f"{mark}:")
    }


def moved(before: dict[str, Any]) -> bool:
    """Say, inside a callback, whether a widget was set anew since its settings were taken."""
    return any(chosen(key, value) != value for key, value in before.items())


def choose(key: str, value: Any, again: bool = False) -> None:
    """Set a widget from the outside; one that stands there keeps what is half typed, unless it is to be set again."""
    if again or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
