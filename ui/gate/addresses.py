"""Addresses: the names under which this server answers, and the pages that may talk to it."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.types import Scope
from streamlit import net_util
from streamlit.config import get_option, is_manually_set, set_option

from discreet.ui.gate.paths import SIGN_OUT, plain

LOOPBACK = ("localhost", "127.0.0.1", "::1")
WEB = {"http": 80, "https": 443}
ANYWHERE = ("", "0.0.0.0", "::")
UNKNOWN = (
    "This server does not answer under this name. Whoever runs it lists the names in "
    "STREAMLIT_SERVER_ALLOWED_HOSTS, each with its port unless that is 80, 443 or the server's own."
)
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
    """Return all places at which people reach this server: its own address, and its names."""
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
    """Say whether nobody but this machine reaches this server, under any name."""
    return get_option("server.address") in LOOPBACK and {name for name, _ in trusted(1)} <= set(LOOPBACK)


def settle() -> None:
    """Let Streamlit, which knows no ports, believe the gate, and ask no other machine."""
    global _names
    _names = list(get_option("server.allowedHosts"))
    hosts = {here[0] for here in trusted(1)} | set(LOOPBACK)
    set_option("server.allowedHosts", sorted(hosts))
    net_util.get_external_ip = net_util.get_internal_ip = lambda: None


def refused(scope: Scope) -> str:
    """Return why a request must not go on: it names another server, or comes from another page."""
    sent = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
    hosts, origins = ([v for n, v in sent if n == key] for key in (b"host", b"origin"))
    server = scope.get("server") or (None, None)
    safe = tls(scope)
    host = place(hosts[0].lower(), 443 if safe else 80) if len(hosts) == 1 else None
    if host not in trusted(server[1]):
        return UNKNOWN
    if origins and not (len(origins) == 1 and _same(origins[0].lower(), hosts[0].lower(), safe)):
        return FOREIGN
    site, mode = (dict(sent).get(key) for key in (b"sec-fetch-site", b"sec-fetch-mode"))
    visit = mode == "navigate" and not plain(scope["path"]).endswith(SIGN_OUT)
    return FOREIGN if site in ("cross-site", "same-site") and not visit else ""


def tls(scope: Scope) -> bool:
    """Say whether the browser's connection is encrypted, up to here or up to a proxy."""
    scheme = dict(scope["headers"]).get(b"x-forwarded-proto", b"")
    return scope.get("scheme") in ("https", "wss") or scheme == b"https"


def _same(origin: str, host: str, safe: bool) -> bool:
    """Say whether a page is of the host that it asks: the same name and the same port."""
    scheme, _, rest = origin.partition("://")
    if scheme not in WEB or (safe and scheme != "https"):
        return False
    here = place(rest, WEB[scheme])
    return here is not None and here == place(host, WEB[scheme])


_names: list[str] | None = None


def _listed() -> list[str]:
    """Return the names that the configuration lists, as it stood at the start."""
    names = get_option("server.allowedHosts") if _names is None else _names
    return " ".join(names).replace(",", " ").split()
