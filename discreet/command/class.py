"""Run a class: the course for everyone in the room, on their own phones and laptops, without accounts.

The server listens on the network, on plain HTTP. Participants enter the code of the class and reach only the course:
no files except the teacher's, no registered datasets, no saved projects. Answers are kept in memory. The server stops
automatically when the time is over.

example:
  discreet class --minutes 90
"""

from __future__ import annotations

import json
import os
import socket
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from discreet.command import run
from discreet.command.words import FINE, MISCONFIGURED, installed_with

ANYBODY = "0.0.0.0"
LOOPBACK = "127.0.0.1"
ADDRESS_OF = {"linux": 0x8915, "darwin": 0xC0206921}  # the request for an interface's address, SIOCGIFADDR
ROOM = 32  # bytes of the answer at least
FAR = ("192.0.2.1", 9)  # reserved for documentation: the route is looked up, and nothing is sent
WORD = 20  # letters, for the teacher alone
MOST_MINUTES = 24 * 60
MOST_PEOPLE = 250
NOWHERE = os.path.join(os.devnull, "class")  # no office can be there, so none is opened
PROGRAMS = ("streamlit", "plotly", "argon2", "segno")


def main(words: Sequence[str]) -> int:
    """Print how to join, and become the server."""
    options = _parser().parse_args(words)
    if not (1 <= options.minutes <= MOST_MINUTES and 1 <= options.most <= MOST_PEOPLE):
        print(
            f"A class can last 1 to {MOST_MINUTES} minutes and have 1 to {MOST_PEOPLE} participants.", file=sys.stderr
        )
        return MISCONFIGURED
    if any(find_spec(name) is None for name in PROGRAMS):
        print(f"The app is not installed. {installed_with('app')}", file=sys.stderr)
        return MISCONFIGURED
    if options.file and not _fits(options.file):
        return MISCONFIGURED
    rules = begun(options)
    for sentence in doubts(options.address, own_addresses()):
        print(f"\n  {sentence}", file=sys.stderr)
    _announce(rules, options.port)
    command = [sys.executable, "-m", "streamlit", "run", str(run.app())]
    place = ("--server.address", options.listen, "--server.port", str(options.port))
    os.execve(sys.executable, [*command, *place], surroundings(rules, os.environ))
    return FINE


def _parser() -> ArgumentParser:
    parser = ArgumentParser("discreet class", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8501, help="the port to listen on (8501)")
    parser.add_argument("--minutes", type=int, default=180, help="the class ends after this many minutes (180)")
    parser.add_argument("--most", type=int, default=60, help="the largest number of participants (60)")
    parser.add_argument(
        "--address",
        default="",
        help="the host name or IP address that participants enter, if it is not this machine's own",
    )
    parser.add_argument(
        "--listen", default=ANYBODY, help="the network address to listen on (0.0.0.0: all networks of this machine)"
    )
    parser.add_argument(
        "--file", default="", help="a CSV file of public data, in addition to the datasets of the lessons"
    )
    return parser


def _fits(name: str) -> bool:
    """Return whether a teacher's file can be used in a class; print why if it cannot be read."""
    from discreet.budget.errors import ParameterError
    from discreet.ui.session.own_table import read

    try:
        table = read(Path(name))
    except (OSError, ParameterError) as wrong:
        reason = wrong if isinstance(wrong, ParameterError) else "The file cannot be opened."
        print(f"{name}: {reason}", file=sys.stderr)
        return False
    print(f"\n  The class uses {name}: {table.rows} rows, {len(table.written)} columns.")
    print("  All of it is treated as public: participants see exact counts. Do not use confidential data.")
    for sentence in table.missing:
        print(f"  {sentence} That lesson uses the sample dataset.")
    return True


def begun(options: Namespace) -> dict[str, Any]:
    """Return the rules of a new class, with a code and a word that cannot be guessed."""
    from discreet.course.classroom.meeting import CODE, drawn

    own = own_addresses()
    name = options.address or own[0]
    return {
        "code": drawn(CODE),
        "word": drawn(WORD),
        "minutes": options.minutes,
        "most": options.most,
        "file": str(Path(options.file).resolve()) if options.file else "",
        "address": _at(name, options.port),
        "others": [_at(other, options.port) for other in own if other not in (name, LOOPBACK)],
    }


def _at(name: str, port: int) -> str:
    """Return the address of a server at a port of a machine."""
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"


def own_addresses() -> list[str]:
    """Return the addresses of this machine in all its networks, the one of the default route first; else loopback."""
    found = [_routed(), *_of_interfaces(), *_of_name()]
    outer = [address for address in dict.fromkeys(found) if address and not address.startswith("127.")]
    return outer or [LOOPBACK]


def _routed() -> str:
    """Return the address from which this machine would send to another network, if there is a route."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(FAR)
        return str(line.getsockname()[0])
    return ""


def _of_interfaces() -> list[str]:
    """Return the first address of each network interface, where the system lists them (Linux and macOS)."""
    if sys.platform not in ADDRESS_OF:
        return []
    from fcntl import ioctl

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                reply = ioctl(line.fileno(), ADDRESS_OF[sys.platform], name.encode()[:15].ljust(ROOM, b"\0"))
                found.append(socket.inet_ntoa(reply[20:24]))
    return found


def _of_name() -> list[str]:
    """Return the addresses that this machine's own name leads to."""
    with suppress(OSError):
        return list(socket.gethostbyname_ex(socket.gethostname())[2])
    return []


def doubts(address: str, own: Sequence[str]) -> list[str]:
    """Return what a teacher must know about the address that participants enter: sentences, or none."""
    if list(own) == [LOOPBACK] and address in ("", LOOPBACK):
        return ["This machine is in no network, so no phone can join. Connect it, and start the class again."]
    if not address or address in {*own, LOOPBACK}:
        return []
    try:
        leads = set(socket.gethostbyname_ex(address)[2])
    except OSError:
        return [f"No machine named {address} was found. Check --address. Own addresses: {', '.join(own)}."]
    if leads & {*own, LOOPBACK} or any(each.startswith("127.") for each in leads):
        return []
    return [f"{address} is not an address of this machine. Its own addresses: {', '.join(own)}."]


def surroundings(rules: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the server: the rules, and nothing of an office on this machine."""
    from discreet.office.house.house import HOME
    from discreet.office.running.settings import BEGIN, CLASS

    names = [name for address in (rules["address"], *rules["others"]) if (name := urlsplit(address).hostname)]
    rest = {key: value for key, value in environment.items() if not key.startswith(BEGIN)}
    hosts = " ".join([*names, LOOPBACK, "localhost"])
    answered = {"STREAMLIT_SERVER_ALLOWED_HOSTS": hosts, "FORWARDED_ALLOW_IPS": ""}
    return rest | answered | {CLASS: json.dumps(rules), HOME: NOWHERE}


def _announce(rules: Mapping[str, Any], port: int) -> None:
    """Print the class's address for participants, and the teacher's own."""
    import segno

    from discreet.course.classroom.meeting import Rules

    way = Rules(**rules)
    print(f"\n  The class:           {way.address}")
    for other in way.others:
        print(f"  Or, if that fails:   {other}")
    print(f"  Its code:            {way.code}")
    print(f"  It ends after:       {way.minutes} minutes\n")
    segno.make(way.link, error="m").terminal(compact=True)
    print("\n  For the teacher alone, on this machine:")
    print(f"  http://127.0.0.1:{port}/?teacher={way.word}\n", flush=True)
