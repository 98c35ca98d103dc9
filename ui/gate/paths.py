"""Paths: what of Streamlit's own addresses may be asked for at all."""

from __future__ import annotations

from urllib.parse import unquote

from streamlit.config import get_option

HEALTH, HOST_CONFIG, STREAM = "/_stcore/health", "/_stcore/host-config", "/_stcore/stream"
UPLOAD = "/_stcore/upload_file/"
CHECKS = ("/health/live", "/health/ready")  # for whoever watches, under whatever name
PROGRAMS = ("/api/", "/health/")  # no browsers, and no cookies
SIGN_OUT = "/auth/logout"  # of a provider's sign-in
OWN = "_stcore"
MOST_LAYERS = 8


def base() -> str:
    """Return the folder under which all addresses lie; empty if they lie at the root."""
    folder = str(get_option("server.baseUrlPath") or "").strip("/")
    return f"/{folder}" if folder else ""


def plain(path: str) -> str:
    """Return a path without any of its disguises: codes within codes, slashes, capitals."""
    for _ in range(MOST_LAYERS):
        path, before = unquote(path), path
        if path == before:
            break
    return path.replace("\\", "/").lower()


def inside(path: str) -> str:
    """Return a path below the folder of the server."""
    return path.removeprefix(base())


def allowed(path: str, kind: str) -> bool:
    """Say whether a path may go on: of what is Streamlit's own, only what the screens need."""
    here = inside(path)
    if kind == "websocket":
        return here == STREAM
    if OWN in plain(path):
        return here in (HEALTH, HOST_CONFIG) or upload(here) is not None
    return "//" not in plain(path)


def upload(path: str) -> tuple[str, str] | None:
    """Return the connection and the name of an upload; None for another path."""
    parts = inside(path).removeprefix(UPLOAD).split("/")
    right = inside(path).startswith(UPLOAD) and len(parts) == 2 and all(parts)
    return (parts[0], parts[1]) if right else None
