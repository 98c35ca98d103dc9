"""Browsers: the cookie that names a browser, signed by the server, under names that fit the way.

Inside, a cookie has its plain name. On an encrypted way it travels as `__Host-...`: then no other
name and no page without encryption can have set it. What this server did not sign stays outside.
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
# a name with another sign, as a blank that is none in ASCII, may be cut down to one of ours further
# in, while the browser let anybody set it: it did not begin with the prefix
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

_key = (uuid4().hex + uuid4().hex).encode()


def use_key(key: bytes) -> None:
    """Sign with a key that other servers of the same house have too, and that lasts."""
    global _key
    _key = key


def signed(name: str) -> str:
    """Return a name with the server's signature."""
    return name + hmac.new(_key, name.encode(), sha256).hexdigest()


def issued(value: str) -> bool:
    """Say whether this server, or another one of its house, gave a browser this cookie."""
    return value.isascii() and hmac.compare_digest(value, signed(value[:NAME]))


def new_cookie() -> bytes:
    """Return a cookie of 122 secret bits, for this site and for as long as a workspace lives."""
    value = signed(uuid4().hex)
    return (f"{BROWSER}={value}; Path=/; Max-Age={int(LIFETIME)}; HttpOnly; SameSite=Strict").encode()


def inward(scope: Scope) -> Scope:
    """Return a request as the inside sees it: our cookies by plain names, and real ones only."""
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
    """Return a header as it leaves: over an encrypted way, cookies stay on such ways."""
    name, value = header
    if not safe or name.lower() != b"set-cookie":
        return header
    if value.partition(b"=")[0].decode("latin-1") in OURS:
        value = PREFIX.encode() + value
    return name, value if b"; secure" in value.lower() else value + b"; Secure"


def cookie(scope: Scope, name: str) -> str:
    """Return a cookie of a request that came in; empty if there is none."""
    cookies = dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")
    values = [pair.partition("=")[2] for pair in cookies.split("; ") if pair.startswith(f"{name}=")]
    return values[0] if values else ""


def visits(scope: Scope) -> bool:
    """Say whether this is a visit of a page by a browser that has no cookie yet.

    Whoever comes back from a provider's sign-in is on the way from another site, so that their
    cookie stays at home: a new one would lose their workspace.
    """
    sent = dict(scope["headers"])
    visit = b"text/html" in sent.get(b"accept", b"")
    cookies = sent.get(b"cookie", b"")
    back = scope["path"].endswith("/oauth2callback") or b"_streamlit_user=" in cookies
    away = sent.get(b"sec-fetch-site") == b"cross-site" and back
    return visit and not away and not cookie(scope, BROWSER)
