"""Gate: the ASGI application in front of Streamlit, which checks every request and every connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from discreet.ui.gate import addresses, runs, sockets
from discreet.ui.gate.addresses import CLOSED, answer, of_request, refused, settle, tls
from discreet.ui.gate.browsers import cookie, inward, new_cookie, visits
from discreet.ui.gate.headers import SCREENS, WHOLE, headers, styled
from discreet.ui.gate.limits import limits
from discreet.ui.gate.messages import OF_ADDRESS, REQUESTS, Connections, Paces, filtered
from discreet.ui.gate.sockets import bounded, wake_once
from discreet.ui.gate.uploads import Uploads, signed_in
from discreet.ui.session.cookies import BROWSER


class Gate:
    """Accept what the screens need, under the host names of this server, from its own pages."""

    def __init__(self, app: ASGIApp, files: bool = True, known: Callable[[Scope], Awaitable[bool]] = signed_in) -> None:
        """Wrap an application, with or without uploads; `known` decides which clients get the reserved places."""
        self.app = app
        self.files = files
        self.known = known
        self.uploads = Uploads(app)
        most = limits()
        self.connections = Connections(most.pages, most.pages_of_one)
        self.paces = Paces(*OF_ADDRESS)
        self.requests = Paces(*REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request or a connection, and pass it on or refuse it."""
        if scope["type"] == "http":
            await self._request(inward(scope), receive, send)
        elif scope["type"] == "websocket":
            await self._connect(inward(scope), receive, send)
        else:
            await self.app(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open a connection on which only needed messages arrive."""
        if refused(scope) or not addresses.allowed(scope["path"], "websocket"):
            await _shut(1008, receive, send)
            return
        address = of_request(scope)
        browser = cookie(scope, BROWSER)
        socket = sockets.of(scope)
        if socket is not None:
            socket.belongs_to(address)
            socket.expect(sockets.BEGUN)
        insider = self.connections.full(address) and await self.known(scope)
        with self.connections.place(browser, address, insider) as free:
            if free:
                heard = _waited if socket is None else socket.heard
                await self.app(scope, filtered(receive, self.paces.of(address), heard), send)
            else:
                await _shut(1013, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request whose head is complete, in the pace of its address; the next head has a time limit again."""
        socket = sockets.of(scope)
        if socket is None:
            return await self._answer(scope, receive, send)
        address = of_request(scope)
        socket.belongs_to(address)
        socket.whole()
        try:
            if await socket.open_after(self.requests.of(address).wait(0)):
                await self._answer(scope, receive, send)
        finally:
            socket.expect(sockets.HEAD)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with the security headers, and with a cookie for a new browser."""
        path = addresses.inside(scope["path"])
        safe = tls(scope)
        why = "" if path in (addresses.HEALTH, *addresses.CHECKS) else refused(scope)
        visit = not why and not path.startswith(addresses.PROGRAMS) and visits(scope)
        fresh = [(b"set-cookie", new_cookie())] if visit else []

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = [*message.get("headers", []), *fresh]
                message = {**message, "headers": headers(sent, path, safe)}
            await send(message)

        if why:
            await answer(why, 403)(scope, receive, with_headers)
        elif not addresses.allowed(scope["path"], "http") or (addresses.upload(scope["path"]) and not self.files):
            await answer(CLOSED, 404)(scope, receive, with_headers)
        elif path in SCREENS and scope["method"] in ("GET", "HEAD"):
            await WHOLE(scope, receive, with_headers)
        else:
            file = addresses.upload(scope["path"]) is not None
            app = self.uploads if file else self.app
            page = styled(with_headers, scope["method"] == "HEAD")
            await app(scope, receive if file else bounded(receive), page)


def stand() -> None:
    """Put the gate in front of the server that is about to listen, in its event loop."""
    loop = asyncio.get_running_loop()
    settle()
    wake_once(loop)
    sockets.stand(loop, limits())
    runs.stand()


async def _waited(_: int, seconds: float) -> bool:
    """Wait, where no connection of ours is in front, as in a test."""
    await asyncio.sleep(seconds)
    return True


async def _shut(code: int, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": code})


# Redirects: the first screen has no address but the root, and former addresses lead to today's.


async def moved(request: Request) -> Response:
    """Redirect to where a screen is today, with the query of the address."""
    return RedirectResponse(addresses.current(request.url.path.rpartition("/")[2], request.url.query))


MOVED = [Route(f"/{name}", moved) for name in (addresses.FIRST_SCREEN, *addresses.FORMER)]
