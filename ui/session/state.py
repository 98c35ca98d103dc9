"""State: the state of a browser's connection, and the way to its workspace."""

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
PAGE_SHOWN = "page-shown"
FORM_BEFORE = "form-before"
SPOKEN: ContextVar[str] = ContextVar("spoken", default="")  # in this run: a page asks a hundred times
__all__ = ["LIFETIME", "LIMIT", "REGISTERED", "Draft", "Server", "Workspace", "server"]


def browser() -> str:
    """Return the name of the browser; without a cookie, the name of this connection."""
    cookie = st.context.cookies.get(BROWSER)
    before = st.session_state.get(KEY)
    name = cookie if isinstance(cookie, str) else before or uuid4().hex
    if name != before:
        st.session_state[KEY] = name
    return str(name)


def stand(person: Member | None) -> None:
    """Record whose stay this run belongs to, at its start; widget values typed in another stay are dropped."""
    before = st.session_state.get(KEY), st.session_state.get(STAY)
    stay = door.stay() if person is not None else ""
    if before[1] is not None and before != (browser(), stay):
        _empty()
    st.session_state[STAY] = stay
    st.session_state[FORM_BEFORE] = st.session_state.pop(FORM, None)
    SPOKEN.set("")  # an earlier run of this connection may belong to another person's stay
    SPOKEN.set(language())


def workspace() -> Workspace:
    """Return the workspace of the viewer; without a sign-in where one is required, an empty one."""
    session = st.session_state.get(STAY, "")
    if door.must_sign_in() and not session:
        nobody: Workspace = st.session_state.setdefault(AT_DOOR, Workspace(browser(), server().roads))
        return nobody
    return server().workspace(browser(), session)


def fresh(name: str) -> str:
    """Return the key of an unused uploader; uploads in other tabs do not change it here."""
    return f"{name}:{st.session_state.get(f'brought:{name}', 0)}"


def brought(name: str, file: UploadedFile) -> bytes:
    """Take the bytes of an uploaded file; the next uploader gets a new key."""
    st.session_state[f"brought:{name}"] = st.session_state.get(f"brought:{name}", 0) + 1
    data = file.getvalue()
    let_go(file)
    return data


def leave() -> None:
    """End the session and forget all work in it, so that the next user of the browser finds none of it."""
    door.sign_out()
    server().cut(browser())
    _empty()


def _empty() -> None:
    here = browser()
    st.session_state.clear()
    st.session_state[KEY] = here


def language() -> str:
    """Return the viewer's language: the chosen one, else the browser's."""
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
    """Return the key under which the latest value from the address is kept."""
    return f"address:{key}"


def follow_address(key: str, options: Collection[str], default: str) -> None:
    """Initialise a new choice from the address, which does not depend on the language of its labels.

    Later the choice leads and the address follows: a click that arrives before the last change of the address still
    carries the old one, which must not undo the change. An unknown name is ignored.
    """
    if st.session_state.get(key) not in options:
        wish = st.query_params.get(key)
        st.session_state[key] = wish if wish in options else default
        st.session_state[_said(key)] = wish


def addressed(key: str) -> str:
    """Return the value of a choice in the address, whether or not such a choice exists."""
    return st.query_params.get(key) or ""


def tell_address(key: str, value: str, default: str | None) -> None:
    """Write a choice into the address when it has changed; the default is left out."""
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

    An editor keeps its own edits, so the table under it must not change during its lifetime.
    """
    base = f"base:{key}"
    if key not in st.session_state:
        st.session_state[base] = latest
    return st.session_state[base]


def editor(name: str, version: int) -> str:
    """Return the key of an editor of a versioned object: a new one, unless this editor made the latest version.

    An editor survives its own changes, and never hides a change made elsewhere.
    """
    seen, number = st.session_state.get(f"editor:{name}", (version, 0))
    number += seen != version
    st.session_state[f"editor:{name}"] = version, number
    return f"{name}:{number}"


def edited(name: str, version: int | None) -> None:
    """Record, in its callback, which version an editor has made; None if it was refused, to restart the editor."""
    st.session_state[f"editor:{name}"] = version, st.session_state[f"editor:{name}"][1]


def visit(step: str, key: str) -> None:
    """Record which step of a lesson is on the screen, by its title and by the key of its widgets."""
    st.session_state[VISITED], st.session_state[STANDS] = step, key


def visited() -> str:
    """Return the title of the step of a lesson that is on the screen, or was last."""
    return str(st.session_state.get(VISITED, ""))


def stands_at() -> str:
    """Return the key of the step that is on the screen, or was last."""
    return str(st.session_state.get(STANDS, ""))


def preset(key: str, value: Any) -> None:
    """Remember the initial value of a widget of a lesson, so that a reset can restore it."""
    st.session_state.setdefault(PRESETS, {})[key] = value


def reset(prefix: str) -> None:
    """Restore the initial value of every widget whose key has this prefix."""
    for key, value in st.session_state.get(PRESETS, {}).items():
        if key.startswith(prefix) and key in st.session_state:
            st.session_state[key] = value


def chosen(key: str, absent: Any = None) -> Any:
    """Return the value of a widget, inside a callback; a default if there is no such widget."""
    return st.session_state.get(key, absent)


def drawn(form: str) -> None:
    """Record that a form was drawn completely in this run."""
    st.session_state[FORM] = form


def entered(form: str) -> bool:
    """Whether the previous run did not draw this form, or this is the connection's first run."""
    return bool(st.session_state.get(FORM_BEFORE) != form)


def replaced(key: str, value: Any) -> Any:
    """Keep what this run shows under a name, and return what an earlier run showed there."""
    before = st.session_state.get(f"shown:{key}")
    st.session_state[f"shown:{key}"] = value
    return before


def absent(keys: Iterable[str]) -> list[str]:
    """Return the keys of the widgets that have no value."""
    return [key for key in keys if key not in st.session_state]


def settings(prefix: str, but: Collection[str]) -> dict[str, Any]:
    """Return the values of the widgets of a form, except those that only act or show."""
    values = {str(key): value for key, value in st.session_state.to_dict().items()}
    fields = {key: key.removeprefix(f"{prefix}:") for key in values if key.startswith(f"{prefix}:")}
    return {key: values[key] for key, field in fields.items() if field.split(":")[0] not in but}


def typed(marks: Sequence[str]) -> dict[str, Any]:
    """Return the values of the fields whose keys equal one of these marks or begin with one, by key."""
    values = {str(key): value for key, value in st.session_state.to_dict().items()}
    return {
        f"{at}{key.removeprefix(mark)}": value
        for at, mark in enumerate(marks)
        for key, value in values.items()
        if key == mark or key.startswith(f"{mark}:")
    }


def steps(page: str) -> int:
    """Return how often this connection has changed its page, this run included."""
    number, before = st.session_state.get(PAGE_SHOWN, (0, page))
    number += before != page
    st.session_state[PAGE_SHOWN] = number, page
    return int(number)


def moved(before: dict[str, Any]) -> bool:
    """Whether, inside a callback, any widget has changed since its settings were taken."""
    return any(chosen(key, value) != value for key, value in before.items())


def choose(key: str, value: Any, again: bool = False) -> None:
    """Set a widget from code; an existing widget keeps half-typed text, unless it is to be set again."""
    if again or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
