"""The server: security headers, a warm start, and an error page that shows a reference only."""

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    b"x-frame-options": b"DENY",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}


class SecurityHeaders:
    """Add headers that forbid framing, sniffing and telling others where a person was."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, with the headers on every response."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS.items()]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


@asynccontextmanager
async def warm(_: Any) -> AsyncIterator[dict[str, Any]]:
    """Import everything once and keep it out of every later garbage collection."""
    import plotly.graph_objects  # noqa: F401

    import curator.samples

    curator.samples.census()
    gc.collect()
    gc.freeze()
    yield {}


def tell_reference(error: Exception) -> bool:
    """Show a reference; log the reference and the type of the error, never its text."""
    reference = uuid4().hex[:8]
    logging.getLogger("discreet").error("error %s: %s", reference, type(error).__name__)
    st.error(f"Something went wrong. Nothing of your data is shown. Reference: {reference}")
    return True


app = st.App(
    "ui/shell.py",
    lifespan=warm,
    middleware=[Middleware(SecurityHeaders)],
    on_script_error=tell_reference,
)
