"""The server: security headers, a cookie, a warm start, and an error page that tells nothing."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.config import get_option, is_manually_set

from curator.office.causes import cause, sentence
from ui.cookies import BROWSER, LIFETIME
from ui.office import door
from ui.office.routes import ROUTES
from ui.words import say

HEADERS = {
    b"x-frame-options": b"DENY",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}


LISTENING = 1.0  # seconds after which the server surely listens


class Protection:
    """Add headers that forbid framing, sniffing and telling; give every new browser its cookie.

    The cookie names a workspace. It cannot be guessed, scripts cannot read it, and other sites
    cannot make a browser send it.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, with the headers on every response."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = [*message.get("headers", []), *HEADERS.items(), *fresh]
                message["headers"] = [secured(header) for header in told] if tls(scope) else told
            await send(message)

        fresh = [] if scope["type"] != "http" or known(scope) else [(b"set-cookie", new_cookie())]

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def known(scope: Scope) -> bool:
    """Say whether this is no visit of a page, or one by a browser that has its cookie.

    Whoever comes back from a provider's sign-in is on the way from another site, so that their
    cookie stays at home: a new one would lose their workspace.
    """
    told = dict(scope["headers"])
    visit, cookies = b"text/html" in told.get(b"accept", b""), told.get(b"cookie", b"")
    back = scope["path"].endswith("/oauth2callback") or b"_streamlit_user=" in cookies
    away = told.get(b"sec-fetch-site") == b"cross-site" and back
    return not visit or away or f"{BROWSER}=".encode() in cookies


def tls(scope: Scope) -> bool:
    """Say whether the browser's connection is encrypted, up to here or up to a proxy."""
    told = dict(scope["headers"]).get(b"x-forwarded-proto", b"")
    return scope.get("scheme") == "https" or told == b"https"


def secured(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Keep a cookie off connections that are not encrypted."""
    name, value = header
    if name.lower() != b"set-cookie" or b"; secure" in value.lower():
        return header
    return name, value + b"; Secure"


def new_cookie() -> bytes:
    """Return a cookie of 122 secret bits, for this site and for as long as a workspace lives."""
    return (
        f"{BROWSER}={uuid4().hex}; Path=/; Max-Age={int(LIFETIME)}; HttpOnly; SameSite=Strict"
    ).encode()


@asynccontextmanager
async def warm(_: Any) -> AsyncIterator[dict[str, Any]]:
    """Import everything once and keep it out of every later garbage collection."""
    import plotly.graph_objects  # noqa: F401

    from curator.samples import census
    from ui import away, how, mechanism_page, upload  # noqa: F401

    away.pool().submit(away.ready)
    named = get_option("browser.serverAddress") if is_manually_set("browser.serverAddress") else ""
    door.announce(door.address(get_option("server.address"), get_option("server.port"), named))
    census()
    asyncio.get_running_loop().call_later(LISTENING, door.open_up)
    gc.collect()
    gc.freeze()
    yield {}


def tell_reference(error: Exception) -> bool:
    """Show a cause or a reference; log reference, type and codes of the error, never its text."""
    reference = uuid4().hex[:8]
    logging.getLogger("discreet").error("error %s: %s", reference, cause(error))
    told = sentence(error)
    if told is not None:
        st.error(say(told))
    else:
        st.error(f"Something went wrong. Nothing of your data is shown. Reference: {reference}")
    return True


def discreet_record(*args: Any, **options: Any) -> logging.LogRecord:
    """Make a log record that names the type of an error, never its text or its lines."""
    record = PLAIN_RECORD(*args, **options)
    if record.exc_info and record.exc_info[0]:
        record.msg, record.args = f"{record.getMessage()} ({record.exc_info[0].__name__})", ()
        record.exc_info = record.exc_text = None
    return record


PLAIN_RECORD = logging.LogRecord
logging.setLogRecordFactory(discreet_record)
app = st.App(
    "ui/shell.py",
    lifespan=warm,
    routes=ROUTES,
    middleware=[Middleware(Protection)],
    on_script_error=tell_reference,
)
