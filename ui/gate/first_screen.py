"""First screen: its own name leads to it, because a first screen has no address but that of the server."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from discreet.ui.gate.paths import base


async def first(request: Request) -> Response:
    """Lead to the first screen, with all that the address says."""
    query = request.url.query
    return RedirectResponse(f"{base()}/{'?' if query else ''}{query}")


FIRST = [Route("/data", first)]
