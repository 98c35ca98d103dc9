"""Uploads: who may upload a file, and how many bytes of files are held."""

from __future__ import annotations

import math
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from discreet.budget import Phrase
from discreet.ui.gate.addresses import answer, upload
from discreet.ui.gate.browsers import cookie
from discreet.ui.gate.sockets import bounded
from discreet.ui.session import door, streamlit_seams
from discreet.ui.session.cookies import BROWSER, SESSION
from discreet.ui.session.server import most, server

SHARE = 4  # one browser may use one fourth of what the server holds
MOST_FILES, MOST_FILES_OF_ONE = 200, 20  # that wait to be read
NOT_YOU = "Files are taken from whoever is signed in, on an open page of this server."
TOO_MUCH = Phrase("This server has reached its limit of uploaded files. Use or discard some files, or try again later.")


def length(scope: Scope) -> bytes:
    """Return the declared length of a body; empty if it is sent in chunks.

    If a request has both, the chunks count, and the declared length could be anything.
    """
    headers = dict(scope["headers"])
    return b"" if b"transfer-encoding" in headers else headers.get(b"content-length", b"")


def _tell(browser: str, session: str) -> None:
    """Show a notice on the page, where the uploader itself shows only a number."""
    server().tell(browser, TOO_MUCH)
    streamlit_seams.rerun(session)


async def signed_in(scope: Scope) -> bool:
    """Whether a request comes from a signed-in person."""
    cookies = {SESSION: cookie(scope, SESSION)}
    return bool(cookies[SESSION]) and await run_in_threadpool(door.signed_in, cookies)


class Uploads:
    """The ASGI application for uploads."""

    def __init__(self, app: ASGIApp) -> None:
        """Start without files."""
        self.app = app
        self._held: dict[tuple[str, str], tuple[str, int]] = {}
        self._coming: set[tuple[str, str]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Accept or delete a file, if the request comes from an open page of a person with access."""
        file = upload(scope["path"])
        browser = cookie(scope, BROWSER)
        here = file is not None and self._open(scope, file[0], browser)
        privileged = here and await signed_in(scope)
        if file is None or not here or (door.must_sign_in() and not privileged):
            await answer(NOT_YOU, 403)(scope, receive, send)
        elif scope["method"] != "PUT":
            await self.app(scope, receive, send)
        elif not (size := length(scope)).isdigit():
            await answer("Say how long the file is.", 411)(scope, receive, send)
        elif file in self._coming or not self._finds_room(browser, int(size), privileged):
            await answer(TOO_MUCH, 413)(scope, receive, send)
            _tell(browser, file[0])
        else:
            await self._take(file, (browser, int(size)), scope, receive, send)

    def _open(self, scope: Scope, session: str, browser: str) -> bool:
        """Whether a browser has this page open."""
        client = streamlit_seams.client_of(session) if browser else None
        if scope["method"] not in ("PUT", "DELETE") or client is None:
            return False
        context = client.client_context
        return context is not None and context.cookies.get(BROWSER) == browser

    def _finds_room(self, browser: str, size: int, privileged: bool) -> bool:
        """Whether there is room; if not, check again without the files of closed pages.

        One fourth of the places is reserved for signed-in people.
        """
        if self._room(browser, size, privileged):
            return True
        for session in {file[0] for file in self._held if file not in self._coming}:
            if streamlit_seams.client_of(session) is None:
                streamlit_seams.let_go_of_page(session)
        return self._room(browser, size, privileged)

    def _room(self, browser: str, size: int, privileged: bool) -> bool:
        """Whether one more file fits within the limits of its browser and of the server."""
        for file in list(self._held):
            if file not in self._coming and not streamlit_seams.holds(*file):
                del self._held[file]
        mine = [size for owner, size in self._held.values() if owner == browser]
        everything = [size for _, size in self._held.values()]
        return (
            len(mine) < MOST_FILES_OF_ONE
            and len(everything) < (MOST_FILES if privileged else MOST_FILES - MOST_FILES // 4)
            and sum(mine) + size + server().held(browser) <= most() // SHARE
            and sum(everything) + size + server().held() <= most()
        )

    async def _take(
        self, file: tuple[str, str], owned: tuple[str, int], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass a file on; it counts from its first byte until its page releases it.

        A file that does not arrive in time is released: announced but never sent, it would keep others out.
        """
        self._held[file] = owned
        self._coming.add(file)
        taken = list[bool]()

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                taken.append(message["status"] < 400)
            await send(message)

        try:
            with suppress(ClientDisconnect):
                await self.app(scope, bounded(receive, owned[1], math.inf), watched)
        finally:
            self._coming.discard(file)
            if taken != [True]:
                self._held.pop(file, None)
