"""Browsers: the cookie that identifies a browser, signed by the server, with a prefix on encrypted connections.

Inside the server, a cookie has its plain name. On an encrypted connection it is sent as `__Host-...`: then no other
host and no unencrypted page can have set it. A cookie that this server did not sign is dropped.
"""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from uuid import uuid4

from starlette.types import Scope

from discreet.ui.gate.addresses import tls
from discreet.ui.session.cookies import BROWSER, DEVICE, LIFETIME, SESSION

PREFIX = "__Host-"
OURS = (BROWSER, DEVICE, SESSION)
NAME = 32  # characters of a browser's name; its signature follows
# A cookie name with another character, such as a non-ASCII space, may be trimmed to one of our names further inside,
# although browsers let any page set it, because it did not begin with the prefix.
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

_key = (uuid4().hex + uuid4().hex).encode()


def use_key(key: bytes) -> None:
    """Sign with a persistent key that all servers of the same office share."""
    global _key
    _key = key


def signed(name: str) -> str:
    """Return a name with the server's signature."""
    return name + hmac.new(_key, name.encode(), sha256).hexdigest()


def issued(value: str) -> bool:
    """Whether this server, or another one of its office, issued this cookie."""
    return value.isascii() and hmac.compare_digest(value, signed(value[:NAME]))


def new_cookie() -> bytes:
    """Return a cookie with 122 secret bits, for this site and for the lifetime of a workspace."""
    value = signed(uuid4().hex)
    return (f"{BROWSER}={value}; Path=/; Max-Age={int(LIFETIME)}; HttpOnly; SameSite=Strict").encode()


def inward(scope: Scope) -> Scope:
    """Return a request as the inside sees it: genuine cookies only, under their plain names."""
    headers = [v.decode("latin-1") for n, v in scope["headers"] if n == b"cookie"]
    pairs = [pair.strip(" \t").partition("=") for header in headers for pair in header.split(";")]
    prefix = PREFIX if tls(scope) else ""
    inside = {prefix + name: name for name in OURS}
    cookies = []
    for name, _, value in pairs:
        if name in inside:
            if inside[name] != BROWSER or issued(value):
                cookies.append(f"{inside[name]}={value}")
        elif TOKEN.fullmatch(name) and name.removeprefix(PREFIX) not in OURS:
            cookies.append(f"{name}={value}")
    rest = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    if cookies:
        rest.append((b"cookie", "; ".join(cookies).encode("latin-1")))
    return {**scope, "headers": rest}


def outward(header: tuple[bytes, bytes], safe: bool) -> tuple[bytes, bytes]:
    """Return a response header for the browser: over an encrypted connection, cookies get the prefix and `Secure`."""
    name, value = header
    if not safe or name.lower() != b"set-cookie":
        return header
    if value.partition(b"=")[0].decode("latin-1") in OURS:
        value = PREFIX.encode() + value
    return name, value if b"; secure" in value.lower() else value + b"; Secure"


def cookie(scope: Scope, name: str) -> str:
    """Return a cookie of an incoming request; empty if it is missing."""
    cookies = dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")
    values = [pair.partition("=")[2] for pair in cookies.split("; ") if pair.startswith(f"{name}=")]
    return values[0] if values else ""


def visits(scope: Scope) -> bool:
    """Whether a browser without a cookie visits a page.

    A browser that returns from a provider's sign-in comes from another site, so that its cookie is not sent: a new one
    would lose its workspace.
    """
    sent = dict(scope["headers"])
    visit = b"text/html" in sent.get(b"accept", b"")
    cookies = sent.get(b"cookie", b"")
    back = scope["path"].endswith("/oauth2callback") or b"_streamlit_user=" in cookies
    away = sent.get(b"sec-fetch-site") == b"cross-site" and back
    return visit and not away and not cookie(scope, BROWSER)
