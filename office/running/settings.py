"""Settings: what the environment says about this server; a word that is not known stops the start.

A wrong word must not leave a server open that its keeper believes closed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from discreet.budget import plugins
from discreet.budget.errors import ParameterError, Phrase
from discreet.office.house.failures import NO_ADDRESS
from discreet.office.house.house import CLUSTERS, DATABASE, DATABASES, FOLDERS, HEADS, HOME, KEYS, SEAL, SOURCES
from discreet.office.notices import transport
from discreet.office.people.second_factor import REQUIRED
from discreet.office.people.second_factor import SETTING as FACTOR

SIGN_IN = "DISCREET_SIGN_IN"
UPLOADS = "DISCREET_UPLOADS"
BEGIN = "DISCREET_"
PROJECT = "DISCREET_PROJECT"
METRICS = "DISCREET_METRICS"
CLASS = "DISCREET_CLASS"  # written by the verb `class`: code, word and end of a class
OPEN = "open"
OPTIONAL = "optional"
MOST_PORTS = 65536
TOKEN = "DISCREET_TOKEN"  # of a program that calls a server, as docs/how-to/use-the-api.md writes it
HOST = "_SERVICE_HOST"
_PORT = r"\d{1,5}"
_WHERE = r"(?:\d+\.){3}\d+|\[?[0-9A-Fa-f:.]+\]?"
LINKS = tuple(
    (re.compile(ending), re.compile(form))
    for ending, form in (
        (HOST, _WHERE),
        (r"_SERVICE_PORT(_[A-Z0-9_]+)?", _PORT),
        (rf"_PORT(_{_PORT}_(TCP|UDP|SCTP))?", rf"(tcp|udp|sctp)://({_WHERE}):{_PORT}"),
        (rf"_PORT_{_PORT}_(TCP|UDP|SCTP)_PROTO", "tcp|udp|sctp"),
        (rf"_PORT_{_PORT}_(TCP|UDP|SCTP)_PORT", _PORT),
        (rf"_PORT_{_PORT}_(TCP|UDP|SCTP)_ADDR", _WHERE),
    )
)
MODES = {
    REQUIRED: Phrase("Everyone must sign in. Without signing in, only the published results are visible."),
    OPEN: Phrase(
        "Open: anyone who can reach this address can use samples and their own files. Registered "
        "datasets require signing in."
    ),
}


def check(environment: Mapping[str, str] = os.environ) -> None:
    """Refuse settings that are not known, and values that mean nothing."""
    ours = {name for name in environment if name.startswith(BEGIN)} - {TOKEN} - _links(environment)
    strange = sorted(ours - KNOWN.keys())
    if strange:
        raise ParameterError(
            "The setting {name} does not exist. Correct or remove it. The settings are {known}.",
            name=strange[0],
            known=", ".join(KNOWN),
        )
    for name, good in KNOWN.items():
        good(environment) if environment.get(name) else None


def _links(environment: Mapping[str, str]) -> set[str]:
    """Return the variables in which Kubernetes writes the addresses of services: one may be called discreet.

    Each service has them all; one alone, or with another kind of value, was set by a person.
    """
    services = {name.removesuffix(HOST) for name, value in environment.items() if name.endswith(HOST) and _is_ip(value)}
    told = set()
    for name in environment:
        for service in services:
            rest = name.removeprefix(service)
            form = next((form for ending, form in LINKS if name.startswith(service) and ending.fullmatch(rest)), None)
            if form is not None and form.fullmatch(environment[name]):
                told.add(name)
    return told


def _is_ip(text: str) -> bool:
    try:
        return bool(ip_address(text))
    except ValueError:
        return False


def mode(environment: Mapping[str, str] = os.environ) -> str:
    """Return whether people have to sign in; nothing said is open."""
    return environment.get(SIGN_IN) or OPEN


def _required_or(name: str, other: str) -> Callable[[Mapping[str, str]], None]:
    def good(environment: Mapping[str, str]) -> None:
        if environment[name] not in (REQUIRED, other):
            raise ParameterError(
                "{name} must be “required” or “{other}”, without quotation marks. It is {value!r}.",
                name=name,
                other=other,
                value=environment[name],
            )

    return good


def _folder(name: str) -> Callable[[Mapping[str, str]], None]:
    def good(environment: Mapping[str, str]) -> None:
        if not Path(environment[name]).is_absolute():
            raise ParameterError("{name} must be an absolute path, without quotation marks.", name=name)

    return good


def _file(name: str) -> Callable[[Mapping[str, str]], None]:
    def good(environment: Mapping[str, str]) -> None:
        if not Path(environment[name]).is_absolute():
            raise ParameterError("{name} must be the absolute path of a file, without quotation marks.", name=name)

    return good


def _database(environment: Mapping[str, str]) -> None:
    try:
        url = make_url(environment[DATABASE])
        lasting = url.get_backend_name() != "sqlite" or Path(url.database or "").is_absolute()
        good = url.get_backend_name() in ("sqlite", "postgresql") and lasting
    except (ArgumentError, ValueError):
        good = False
    if not good:
        raise ParameterError(NO_ADDRESS)


def _uploads(environment: Mapping[str, str]) -> None:
    if not (environment[UPLOADS].isascii() and environment[UPLOADS].isdecimal()):
        raise ParameterError("{name} must be a number of MiB, as in {name}=2048.", name=UPLOADS)


def listening(environment: Mapping[str, str] = os.environ) -> tuple[str, int] | None:
    """Return where metrics are given: a port of this machine alone, or an address that is named; None: nowhere."""
    text = environment.get(METRICS, "")
    host, _, port = text.rpartition(":")
    if not text:
        return None
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < MOST_PORTS) or (":" in text and not host):
        raise ParameterError("{name} must be a port or ADDRESS:PORT, as in {name}=9464.", name=METRICS)
    return host.strip("[]") or "127.0.0.1", int(port)


def _metrics(environment: Mapping[str, str]) -> None:
    listening(environment)


def _folders(environment: Mapping[str, str]) -> None:
    from discreet.office.datasets import places

    places.roots(environment)


def _databases(environment: Mapping[str, str]) -> None:
    from discreet.office.datasets import places

    places.patterns(environment)


def _sources(environment: Mapping[str, str]) -> None:
    from discreet.office.datasets import places

    places.others(environment)


def _clusters(environment: Mapping[str, str]) -> None:
    from discreet.office.datasets import places

    places.clusters(environment)


# a new setting is known here, with what refuses its values
KNOWN: Mapping[str, Callable[[Mapping[str, str]], None]] = {
    HOME: _folder(HOME),
    KEYS: _folder(KEYS),
    SEAL: _file(SEAL),
    HEADS: _file(HEADS),
    PROJECT: _file(PROJECT),
    DATABASE: _database,
    METRICS: _metrics,
    SIGN_IN: _required_or(SIGN_IN, OPEN),
    FACTOR: _required_or(FACTOR, OPTIONAL),
    UPLOADS: _uploads,
    plugins.PLUGINS: plugins.check,
    DATABASES: _databases,
    FOLDERS: _folders,
    CLUSTERS: _clusters,
    SOURCES: _sources,
    transport.HOOK: transport.check,
    transport.HOOK_KEY: _file(transport.HOOK_KEY),
    transport.MAIL: transport.check,
    transport.MAIL_PASSWORD: _file(transport.MAIL_PASSWORD),
}
