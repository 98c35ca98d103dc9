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

from discreet.command import run
from discreet.command.words import FINE, MISCONFIGURED, installed_with

ANYBODY = "0.0.0.0"
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


def begun(options: Namespace) -> dict[str, str | int]:
    """Return the rules of a new class, with a code and a word that cannot be guessed."""
    from discreet.course.classroom.meeting import CODE, drawn

    name = options.address or own_address()
    return {
        "code": drawn(CODE),
        "word": drawn(WORD),
        "minutes": options.minutes,
        "most": options.most,
        "file": str(Path(options.file).resolve()) if options.file else "",
        "address": f"http://{name}" if options.port == 80 else f"http://{name}:{options.port}",
    }


def own_address() -> str:
    """Return the address of this machine in its network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(FAR)
        return str(line.getsockname()[0])
    return "127.0.0.1"


def surroundings(rules: Mapping[str, str | int], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the server: the rules, and nothing of an office on this machine."""
    from discreet.office.house.house import HOME
    from discreet.office.running.settings import BEGIN, CLASS

    name = str(rules["address"]).removeprefix("http://").rpartition(":")[0] or str(rules["address"])[7:]
    rest = {key: value for key, value in environment.items() if not key.startswith(BEGIN)}
    names = {"STREAMLIT_SERVER_ALLOWED_HOSTS": f"{name} 127.0.0.1 localhost", "FORWARDED_ALLOW_IPS": ""}
    return rest | names | {CLASS: json.dumps(rules), HOME: NOWHERE}


def _announce(rules: Mapping[str, str | int], port: int) -> None:
    """Print the class's address for participants, and the teacher's own."""
    import segno

    from discreet.course.classroom.meeting import Rules

    way = Rules(**rules)  # type: ignore[arg-type]
    print(f"\n  The class:           {way.address}\n  Its code:            {way.code}")
    print(f"  It ends after:       {way.minutes} minutes\n")
    segno.make(way.link, error="m").terminal(compact=True)
    print("\n  For the teacher alone, on this machine:")
    print(f"  http://127.0.0.1:{port}/?teacher={way.word}\n", flush=True)
