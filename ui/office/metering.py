"""Metering: the metrics on an address of their own, which the proxy of the screens does not lead to."""

from __future__ import annotations

import logging
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from sqlalchemy.exc import SQLAlchemyError

from discreet.office.causes import cause
from discreet.office.metrics import metrics
from discreet.office.settings import listening
from discreet.ui.office import door

KIND = "text/plain; version=0.0.4; charset=utf-8"
PATIENCE = 10.0  # seconds for which a silent connection is held


class MetricsPage(BaseHTTPRequestHandler):
    """Answers one address, and says nothing of itself."""

    timeout = PATIENCE

    def do_GET(self) -> None:
        """Give the metrics, or say that there is nothing here."""
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
        """Name no version."""
        return "discreet"

    def log_message(self, format: str, *args: object) -> None:
        """Log no call: one comes every few seconds."""


def begin() -> str:
    """Listen where the settings say; return the address, empty where they say nothing."""
    where = listening(os.environ)
    if where is None:
        return ""
    server = ThreadingHTTPServer(where, MetricsPage)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://{where[0]}:{server.server_address[1]}/metrics"
