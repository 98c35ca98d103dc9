"""Opening: what the server says when it starts, and the house that it keeps from then on."""

from __future__ import annotations

import logging
import os
import sys
import time
from threading import Thread
from typing import NoReturn

from discreet.budget import ParameterError, plugins
from discreet.lab.proving import packages
from discreet.office import House, invitations, keeping, sending, settings
from discreet.office.causes import cause
from discreet.office.couriers import deliver
from discreet.office.letters import deliver_letters
from discreet.office.watching import Watch
from discreet.ui.frame.catalogues import said_in
from discreet.ui.office import door, metering, provider

WATCH_EVERY = 15.0  # seconds until others are told, at most
LOOK_EVERY = 20.0  # seconds until rows that another process deleted are let go, at most


EVERYWHERE = ("0.0.0.0", "::", "")  # on every network of this machine
MISCONFIGURED = 78  # the word of systemd for what a restart does not mend


def address(host: str, port: int, named: str) -> str:
    """Return where people reach this server: by its name if it has one, behind a proxy with TLS."""
    if named and named != "localhost":
        return f"https://{named}"
    return f"http://{named or ('localhost' if host in EVERYWHERE else host)}:{port}"


def open_up(address: str) -> None:
    """Say where the server is, open rows, finish what a crash left, and keep watching; begun once it listens."""
    print(f"\n  Discreet is open in a browser at {address}\n", flush=True)
    Thread(target=_keep_house, daemon=True).start()
    Thread(target=_keep_watch, args=(address,), daemon=True).start()
    Thread(target=packages.ready, daemon=True).start()


def _keep_watch(address: str) -> None:
    """Look at what waits and what does not verify, and tell it outside: beside all else, as it may take time."""
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
    """Tell the office, a program, and whoever wants mail of their own."""
    for way in sending.ways():
        deliver(house, way)
    mail = sending.mail_of()
    if mail is not None:
        deliver_letters(house, mail, address, said_in)


def _keep_house() -> None:
    begun = False
    while True:
        try:
            house = door.house()
            if house is not None and not begun:
                house.ahead = begun = True
                keeping.begin(house)
            if house is not None:
                keeping.drop_deleted(house)
        except Exception as wrong:  # the next round tries again
            logging.getLogger("discreet").error("keeping house: %s", cause(wrong))
        time.sleep(LOOK_EVERY)


def announce(address: str) -> None:
    """Say who may come in, and print the link to the first account, while there is none.

    Settings that mean nothing end the server here.
    """
    try:
        house, meter = _checked(), _metered()
    except ParameterError as wrong:
        refuse(wrong)
    print(f"\n  {settings.MODES[settings.mode()]}", flush=True)
    if settings.factor_required():
        print("  Officers and administrators with a password here need a second factor.", flush=True)
    if meter:
        print(f"  Metrics: {meter}", flush=True)
    for package in plugins.packages():
        print(f"  Package beside Discreet: {package}", flush=True)
    if house is None:
        print(f"\n  Registered data cannot be reached: {door.trouble()}\n", file=sys.stderr, flush=True)
    if house is not None:
        house.ahead = True
    link = invitations.setup_link(house) if house is not None else None
    if link is not None:
        print(
            f"\n  To keep data for others to ask, set up the first account (works once):"
            f"\n  {address}/sign-in?link={link}\n",
            flush=True,
        )


def _metered() -> str:
    """Begin to give metrics, where the settings want it; say where."""
    try:
        return metering.begin()
    except OSError as wrong:
        raise ParameterError(
            "Nothing can listen where {name} says: {why}.", name=settings.METRICS, why=wrong.strerror
        ) from None


def refuse(wrong: ParameterError) -> NoReturn:
    """End the server with one sentence: an error would be printed as a long trace, and the sentence with it."""
    print(f"\n  Discreet does not start. {wrong}\n", file=sys.stderr, flush=True)
    os._exit(MISCONFIGURED)


def _checked() -> House | None:
    """Return the house, after a look at every setting; refuse those that mean nothing."""
    settings.check()
    provider.rules_of_roles()
    house = door.house()
    if house is not None:
        keeping.check_memory(house)
    return house
