"""Addresses: the host names of this server, the pages that may send requests to it, and the addresses of clients."""

from __future__ import annotations

import ipaddress
import os
from contextlib import suppress
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import Scope

from discreet.budget import Phrase
from discreet.office.running.settings import CLASS
from discreet.ui.frame.catalogue import CATALOGUES, said_in
from discreet.ui.session.streamlit_seams import ask_no_other_machine, get_option, is_manually_set, set_option

# Clients: the address behind a request; one household's IPv6 network counts as one address.

HOUSE = 64  # bits of an IPv6 address that identify a household; it chooses the rest itself
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
TRUSTED = "127.0.0.1"  # the default, as in the server


def network(peer: Any) -> str:
    """Return the address of a peer; of an IPv6 address only the part that identifies a household."""
    text = str(peer[0]) if peer else ""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, HOUSE), strict=False))
    return str(address)


def of_request(scope: Scope) -> str:
    """Return the address a request comes from; behind a trusted proxy, as the proxy reports it."""
    return network(scope.get("client"))


@cache
def _proxies() -> tuple[Network, ...]:
    named = os.environ.get("FORWARDED_ALLOW_IPS", TRUSTED)
    parts = ("0.0.0.0/0,::/0" if named.strip() == "*" else named).split(",")
    found = list[Network]()
    for part in parts:
        with suppress(ValueError):
            found.append(ipaddress.ip_network(part.strip(), strict=False))
    return tuple(found)


def is_proxy(address: str) -> bool:
    """Whether a trusted proxy is at an address: its connections belong to many people."""
    try:
        here: Network = ipaddress.ip_network(address)
    except ValueError:
        return False
    return any(here.version == there.version and here.overlaps(there) for there in _proxies())


# Paths: which of Streamlit's own addresses may be requested.

HEALTH = "/_stcore/health"
HOST_CONFIG = "/_stcore/host-config"
STREAM = "/_stcore/stream"
UPLOAD = "/_stcore/upload_file/"
CHECKS = ("/health/live", "/health/ready")  # for monitoring, under any host name
PROGRAMS = ("/api/", "/health/")  # programs, not browsers: no cookies
SIGN_OUT = "/auth/logout"  # of a provider's sign-in
OWN = "_stcore"
MOST_LAYERS = 8


def base() -> str:
    """Return the folder of all addresses; empty if they are at the root."""
    folder = str(get_option("server.baseUrlPath") or "").strip("/")
    return f"/{folder}" if folder else ""


def plain(path: str) -> str:
    """Return a path without disguises: nested encodings, extra slashes, capitals."""
    for _ in range(MOST_LAYERS):
        path, before = unquote(path), path
        if path == before:
            break
    return path.replace("\\", "/").lower()


def inside(path: str) -> str:
    """Return a path relative to the folder of the server."""
    return path.removeprefix(base())


def allowed(path: str, kind: str) -> bool:
    """Whether a path is passed on: of Streamlit's own paths, only what the screens need."""
    here = inside(path)
    if kind == "websocket":
        return here == STREAM
    if OWN in plain(path):
        return here in (HEALTH, HOST_CONFIG) or upload(here) is not None
    return "//" not in plain(path)


def upload(path: str) -> tuple[str, str] | None:
    """Return the connection and the file name of an upload path; None for any other path."""
    parts = inside(path).removeprefix(UPLOAD).split("/")
    right = inside(path).startswith(UPLOAD) and len(parts) == 2 and all(parts)
    return (parts[0], parts[1]) if right else None


# Screens: the first one, which is at the root, and the addresses that screens had in earlier versions.

FIRST_SCREEN = "home"
FORMER = {
    "data": "dataset",
    "answers": "results",
    "learn": "lessons",
    "trail": "audit-log",
    "registered": "datasets",
    "published": "published-results",
    "exponential-selection": "exponential-mechanism",
}
FORMER_VIEWS = {"learn-view=glossary": "glossary", "learn-view=teach": "teach"}  # now pages


def current(name: str, query: str) -> str:
    """Return the address that a former address leads to, with its query kept."""
    parts = query.split("&") if name == "learn" else []
    here = next((page for view, page in FORMER_VIEWS.items() if view in parts), FORMER.get(name, ""))
    here = "" if here == FIRST_SCREEN else here
    return f"{base()}/{here}{'?' if query else ''}{query}"


# Responses: the short refusals that the gate sends itself.

CLOSED = "There is nothing here."


def answer(words: str, status: int) -> PlainTextResponse:
    """Return a refusal that browsers do not cache, and that closes the connection."""
    return PlainTextResponse(words, status, {"cache-control": "no-store", "connection": "close"})


LOOPBACK = ("localhost", "127.0.0.1", "::1")
WEB = {"http": 80, "https": 443}
ANYWHERE = ("", "0.0.0.0", "::")
UNKNOWN = (
    "This server does not answer under this name. Whoever runs it lists the names in "
    "STREAMLIT_SERVER_ALLOWED_HOSTS, each with its port unless that is 80, 443 or the server's own."
)
ASK_TEACHER = Phrase("This is not the address of the class. Ask your teacher for the address on the board.")
FOREIGN = "Only pages of this server may ask it."

Place = tuple[str, int]


def place(text: str, port: int) -> Place | None:
    """Return name and port of `name` or `name:port`; None for anything else."""
    try:
        parts = urlsplit(f"//{text}")
        name, port = parts.hostname or "", port if parts.port is None else parts.port
    except ValueError:
        return None
    plain = parts.netloc == text and "@" not in text and text.isascii() and " " not in text
    return (name.rstrip("."), port) if name and plain else None


def trusted(own: int | None) -> set[Place]:
    """Return all host names and ports of this server: its own address, and its configured names."""
    names = [name for name in (get_option("server.address") or "",) if name not in ANYWHERE]
    if is_manually_set("browser.serverAddress"):
        names.append(get_option("browser.serverAddress"))
    ports = [port for port in (own, *WEB.values()) if port]
    places = {(name, own) for name in LOOPBACK if own}
    for text in [*names, *_listed()]:
        bare = f"[{text}]" if text.count(":") > 1 and "[" not in text else text
        places |= {here for port in ports if (here := place(bare.strip().lower(), port))}
    return places


def only_here() -> bool:
    """Whether only this machine can reach this server, under any name."""
    return get_option("server.address") in LOOPBACK and {name for name, _ in trusted(1)} <= set(LOOPBACK)


def settle() -> None:
    """Let Streamlit, which does not compare ports, accept the hosts of the gate, and ask no other machine."""
    global _names
    _names = list(get_option("server.allowedHosts"))
    hosts = {here[0] for here in trusted(1)} | set(LOOPBACK)
    set_option("server.allowedHosts", sorted(hosts))
    ask_no_other_machine()


def refused(scope: Scope) -> str:
    """Return why a request is refused: it names another server, or comes from another page. Empty if it is accepted."""
    sent = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
    hosts, origins = ([v for n, v in sent if n == key] for key in (b"host", b"origin"))
    server = scope.get("server") or (None, None)
    safe = tls(scope)
    host = place(hosts[0].lower(), 443 if safe else 80) if len(hosts) == 1 else None
    if host not in trusted(server[1]):
        return _unknown()
    if origins and not (len(origins) == 1 and _same(origins[0].lower(), hosts[0].lower(), safe)):
        return FOREIGN
    site, mode = (dict(sent).get(key) for key in (b"sec-fetch-site", b"sec-fetch-mode"))
    visit = mode == "navigate" and not plain(scope["path"]).endswith(SIGN_OUT)
    return FOREIGN if site in ("cross-site", "same-site") and not visit else ""


def _unknown() -> str:
    """Return why no server answers under a name: to a participant of a class, what to do, in every language."""
    if not os.environ.get(CLASS):
        return UNKNOWN
    return "\n".join(dict.fromkeys(said_in(language, ASK_TEACHER) for language in ("en", *CATALOGUES)))


def tls(scope: Scope) -> bool:
    """Whether the browser's connection is encrypted, to this server or to a proxy in front of it."""
    scheme = dict(scope["headers"]).get(b"x-forwarded-proto", b"")
    return scope.get("scheme") in ("https", "wss") or scheme == b"https"


def _same(origin: str, host: str, safe: bool) -> bool:
    """Whether a page has the same host name and port as the host it sends to."""
    scheme, _, rest = origin.partition("://")
    if scheme not in WEB or (safe and scheme != "https"):
        return False
    here = place(rest, WEB[scheme])
    return here is not None and here == place(host, WEB[scheme])


_names: list[str] | None = None


def _listed() -> list[str]:
    """Return the host names in the configuration, as it was at the start."""
    names = get_option("server.allowedHosts") if _names is None else _names
    return " ".join(names).replace(",", " ").split()
