"""Startup: what the server prints and checks when it starts, and the background work of the office from then on."""

from __future__ import annotations

import logging
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NoReturn

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from discreet.budget import ParameterError, plugins
from discreet.evidence import packages
from discreet.office import House
from discreet.office.house.failures import cause
from discreet.office.notices import transport
from discreet.office.notices.deadlines import Watch
from discreet.office.notices.mail import deliver, deliver_letters
from discreet.office.people import joining, second_factor
from discreet.office.running import housekeeping, settings
from discreet.office.running.health import Pulse
from discreet.office.running.metrics import metrics
from discreet.office.running.settings import listening
from discreet.ui.frame.catalogue import said_in
from discreet.ui.office.routes import PRIVATE
from discreet.ui.session import door, streamlit_seams

# Metrics: an address of its own, which the proxy of the screens does not forward to.

KIND = "text/plain; version=0.0.4; charset=utf-8"
PATIENCE = 10.0  # seconds for which a silent connection is kept


class MetricsPage(BaseHTTPRequestHandler):
    """Answers one address, without identifying the server."""

    timeout = PATIENCE

    def do_GET(self) -> None:
        """Return the metrics, or 404."""
        if self.path != "/metrics":
            self.send_error(404)
            return
        try:
            body = metrics(door.house()).encode()
        except (OSError, SQLAlchemyError) as wrong:
            logging.getLogger("discreet").error("no metrics: %s", cause(wrong))
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", KIND)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        """Do not send the version."""
        return "discreet"

    def log_message(self, format: str, *args: object) -> None:
        """Do not log calls, which come every few seconds."""


def begin() -> str:
    """Listen where the settings say; return the address, empty if there is no such setting."""
    where = listening(os.environ)
    if where is None:
        return ""
    server = ThreadingHTTPServer(where, MetricsPage)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://{where[0]}:{server.server_address[1]}/metrics"


# Health checks: two addresses for monitoring: liveness and readiness.

PULSE = Pulse()


async def live(_: Request) -> Response:
    """Liveness: the process answers; without an answer it may be restarted."""
    return PlainTextResponse("ok", headers=PRIVATE)


async def ready(_: Request) -> Response:
    """Readiness: whether database, disk and keys work; the log says which of them does not."""
    well = await run_in_threadpool(PULSE.well, door.house)
    return PlainTextResponse("ok" if well else "not ok", 200 if well else 503, headers=PRIVATE)


CHECKS = [Route("/health/live", live), Route("/health/ready", ready)]

WATCH_EVERY = 15.0  # seconds until notifications are sent, at most
LOOK_EVERY = 20.0  # seconds until rows that another process deleted are released from memory, at most


EVERYWHERE = ("0.0.0.0", "::", "")  # on every network of this machine
MISCONFIGURED = 78  # the exit code that tells systemd that a restart does not help


def address(host: str, port: int, named: str) -> str:
    """Return the public address of this server: by its name if it has one, behind a proxy with TLS."""
    if named and named != "localhost":
        return f"https://{named}"
    return f"http://{named or ('localhost' if host in EVERYWHERE else host)}:{port}"


def open_up(address: str) -> None:
    """Print the server's address, open the rows, clean up after a crash, and keep watching; run once it listens."""
    print(f"\n  Discreet is open in a browser at {address}\n", flush=True)
    Thread(target=_keep_house, daemon=True).start()
    Thread(target=_keep_watch, args=(address,), daemon=True).start()
    Thread(target=packages.ready, daemon=True).start()


def _keep_watch(address: str) -> None:
    """Check for waiting requests and failed verifications, and notify; in a thread of its own, as it may take time."""
    watch: Watch | None = None
    while True:
        try:
            house = door.house()
            watch = watch or (Watch(house) if house is not None else None)
            if house is not None and watch is not None:
                watch.round()
                _send(house, address)
        except Exception as wrong:  # the next round tries again
            logging.getLogger("discreet").error("keeping watch: %s", cause(wrong))
        time.sleep(WATCH_EVERY)


def _send(house: House, address: str) -> None:
    """Notify the office, a webhook, and the people who want mail."""
    for way in transport.ways():
        deliver(house, way)
    mail = transport.mail_of()
    if mail is not None:
        deliver_letters(house, mail, address, said_in)


def _keep_house() -> None:
    begun = False
    while True:
        try:
            house = door.house()
            if house is not None and not begun:
                house.ahead = begun = True
                housekeeping.begin(house)
            if house is not None:
                housekeeping.drop_deleted(house)
        except Exception as wrong:  # the next round tries again
            logging.getLogger("discreet").error("keeping house: %s", cause(wrong))
        time.sleep(LOOK_EVERY)


def announce(address: str) -> None:
    """Print who can reach the server, and the link for the first account, while there is none.

    Invalid settings stop the server here.
    """
    try:
        house = _checked()
        meter = _metered()
    except ParameterError as wrong:
        refuse(wrong)
    print(f"\n  {settings.MODES[settings.mode()]}", flush=True)
    if second_factor.factor_required():
        print("  Officers and administrators with a password here must use two-factor authentication.", flush=True)
    if meter:
        print(f"  Metrics: {meter}", flush=True)
    for package in plugins.packages():
        print(f"  Package beside Discreet: {package}", flush=True)
    if house is None:
        print(f"\n  Registered data cannot be reached: {door.trouble()}\n", file=sys.stderr, flush=True)
    if house is not None:
        house.ahead = True
    link = joining.setup_link(house) if house is not None else None
    if link is not None:
        print(
            f"\n  To keep data for others to ask, set up the first account (works once):"
            f"\n  {address}/sign-in?link={link}\n",
            flush=True,
        )


def _metered() -> str:
    """Start the metrics server if the settings ask for it; return its address."""
    try:
        return begin()
    except OSError as wrong:
        raise ParameterError(
            "The server cannot listen at the address in {name}: {why}.", name=settings.METRICS, why=wrong.strerror
        ) from None


def refuse(wrong: ParameterError) -> NoReturn:
    """Stop the server with one sentence, instead of a long traceback that contains it."""
    print(f"\n  Discreet does not start. {wrong}\n", file=sys.stderr, flush=True)
    os._exit(MISCONFIGURED)


def _checked() -> House | None:
    """Return the office after checking every setting; refuse invalid ones."""
    streamlit_seams.check()
    settings.check()
    door.rules_of_roles()
    house = door.house()
    if house is not None:
        housekeeping.check_memory(house)
    return house
