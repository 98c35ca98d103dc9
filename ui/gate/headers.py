"""Headers: what the gate adds to responses: security headers to all, and our style to Streamlit's page."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import streamlit
from starlette.responses import FileResponse, Response
from starlette.types import Message, Send

from discreet.report.html import FIGURES
from discreet.ui.gate.addresses import FIRST_SCREEN
from discreet.ui.gate.browsers import outward

SHELL = Path(streamlit.__file__).parent / "static" / "index.html"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)

Header = tuple[bytes, bytes]


def _hashes() -> str:
    """Return the hashes of the inline scripts in Streamlit's own page."""
    scripts = INLINE.findall(SHELL.read_text(encoding="utf-8"))
    return " ".join(f"'sha256-{b64encode(sha256(t.encode()).digest()).decode()}'" for t in scripts)


# Short components arrive over the connection and run as blobs; styles are made in the page.
POLICY = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' blob: {_hashes()}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "frame-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
ALWAYS = {
    b"x-frame-options": b"DENY",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
    b"content-security-policy": POLICY.encode(),
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
ENCRYPTED = {b"strict-transport-security": b"max-age=31536000"}
UNKEPT = {b"cache-control": b"no-store"}
MEDIA = "/media/"

# Page: Streamlit's own, with our style at its end. A style that arrives over the connection moves what is painted.
# The addresses of screens have this page from memory: from its file it takes three threads and twenty times as long.

UI = Path(__file__).resolve().parents[1]
PAGES = UI.parent / "pages"
STYLE = UI / "brand" / "page.css"
OURS = STYLE.read_bytes() + FIGURES.encode()
PAGE = SHELL.read_bytes().replace(b"</body>", b"<style>" + OURS + b"</style></body>")
TAG = FileResponse(SHELL, stat_result=os.stat(SHELL)).headers["etag"].encode()
SCREENS = {"/", *(f"/{file.stem.replace('_', '-')}" for file in PAGES.glob("*.py"))} - {f"/{FIRST_SCREEN}"}
WHOLE = Response(PAGE, media_type="text/html", headers={"cache-control": "no-cache"})
OF_CONTENT = {b"content-length", b"content-encoding", b"etag", b"last-modified", b"accept-ranges"}


def styled(send: Send, head_only: bool) -> Send:
    """Return a function that sends Streamlit's page with our style, and any other response unchanged."""
    place = ""  # of the page: none, "head" once its head is sent, "body" once its body is

    async def sending(message: Message) -> None:
        nonlocal place
        if message["type"] == "http.response.start" and (b"etag", TAG) in message["headers"]:
            place = "head"
            length = (b"content-length", str(len(PAGE)).encode())
            kept = [header for header in message["headers"] if header[0] not in OF_CONTENT]
            await send({**message, "status": 200, "headers": [*kept, length]})
        elif place == "head":
            place = "body"
            await send({"type": "http.response.body", "body": b"" if head_only else PAGE})
        elif not place:
            await send(message)

    return sending


def headers(sent: list[Header], path: str, safe: bool) -> list[Header]:
    """Return the headers of a response, with ours instead of others of the same name."""
    ours = ALWAYS | (ENCRYPTED if safe else {}) | (UNKEPT if path.startswith(MEDIA) else {})
    others = [outward(header, safe) for header in sent if header[0].lower() not in ours]
    return [*others, *ours.items()]
