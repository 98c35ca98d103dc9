"""Health checks: two addresses for whoever watches: does it live, and can it do its work."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from discreet.office.health import Pulse
from discreet.ui.office import door
from discreet.ui.office.routes import PRIVATE

PULSE = Pulse()


async def live(_: Request) -> Response:
    """Say that the process answers; whoever hears nothing may restart it."""
    return PlainTextResponse("ok", headers=PRIVATE)


async def ready(_: Request) -> Response:
    """Say whether database, disk and keys are well; which of them is not is in the log."""
    well = await run_in_threadpool(PULSE.well, door.house)
    return PlainTextResponse("ok" if well else "not ok", 200 if well else 503, headers=PRIVATE)


CHECKS = [Route("/health/live", live), Route("/health/ready", ready)]
