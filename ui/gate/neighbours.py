"""Neighbours: who is behind an address, as far as it tells: a network of one house counts as one."""

from __future__ import annotations

import ipaddress
import os
from contextlib import suppress
from functools import cache
from typing import Any

from starlette.types import Scope

HOUSE = 64  # bits of an address by which one house is known; all the rest is its own to choose
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
TRUSTED = "127.0.0.1"  # as the server does, if nobody says anything


def network(peer: Any) -> str:
    """Return the address of a peer; of a longer one the part that names a house."""
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
    """Return from where a request comes: behind a proxy, as that one says."""
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
    """Say whether a proxy that is believed is at an address: what comes from there is of many people."""
    try:
        here: Network = ipaddress.ip_network(address)
    except ValueError:
        return False
    return any(here.version == there.version and here.overlaps(there) for there in _proxies())
