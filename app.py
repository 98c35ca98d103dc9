"""App: the server process with its gate, warm start, and error pages that show a reference instead of the error."""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread
from typing import Any
from uuid import uuid4

import streamlit as st
from starlette.middleware import Middleware

from discreet.budget import accounts
from discreet.budget.durable.spent import Spent
from discreet.budget.errors import printable
from discreet.office.house.failures import cause, sentence
from discreet.office.house.house import home
from discreet.rows.intake import parser
from discreet.ui.frame.packages import packages
from discreet.ui.frame.words import say
from discreet.ui.gate import Gate, stand
from discreet.ui.gate.addresses import base
from discreet.ui.gate.browsers import use_key
from discreet.ui.gate.gate import MOVED
from discreet.ui.office import startup
from discreet.ui.office.programs import CALLS
from discreet.ui.office.routes import ROUTES
from discreet.ui.office.startup import CHECKS
from discreet.ui.project import offering, place
from discreet.ui.session import door
from discreet.ui.session.server import server
from discreet.ui.session.streamlit_seams import get_option, is_manually_set

LISTENING = 1.0  # seconds after which the server is certainly listening


@asynccontextmanager
async def warm(_: Any) -> AsyncIterator[dict[str, Any]]:
    """Import everything once, and exclude it from all later garbage collections."""
    import plotly.graph_objects  # type: ignore[import-untyped]  # noqa: F401

    from discreet.lab.samples import census
    from discreet.ui.ask import how_it_works, page  # noqa: F401
    from discreet.ui.data import upload  # noqa: F401
    from discreet.ui.frame import background

    stand()
    background.pool().submit(background.ready)
    server().roads.spent = Spent(home(os.environ))
    server().roads.private = place.private
    _announce(_address())
    house = door.house()
    if house is not None:
        use_key(house.vault.fingerprint("cookies of browsers").encode())
    census()
    Thread(target=parser.ready, daemon=True).start()  # so that the first uploaded file need not wait for the parser
    loop = asyncio.get_running_loop()
    loop.call_later(LISTENING, startup.open_up, _address() + base())
    loop.call_later(
        LISTENING, Thread(target=accounts.ready, daemon=True).start
    )  # nor the first plan for its accounting
    gc.collect()
    gc.freeze()
    yield {}


def _announce(address: str) -> None:
    """Print who can reach the server, and open the saved project."""
    startup.announce(address)
    offering.begin(address)


def _address() -> str:
    """Return the public address of this server, as configured."""
    named = get_option("browser.serverAddress") if is_manually_set("browser.serverAddress") else ""
    return startup.address(get_option("server.address"), get_option("server.port"), named)


def tell_reference(error: Exception) -> bool:
    """Show a user error, or only a reference; log the reference, type and error codes, never the error's text."""
    reference = uuid4().hex[:8]
    logging.getLogger("discreet").error("error %s: %s", reference, cause(error))
    words = sentence(error)
    if words is not None:
        st.error(say(words))
    else:
        st.error(
            say(
                "Something went wrong. None of your data is shown. Give this reference to the server "
                "administrator: {reference}",
                reference=reference,
            )
        )
    return True


def discreet_record(*args: Any, **options: Any) -> logging.LogRecord:
    """Make a one-line log record that names the type of an error, never its text or its traceback.

    The text may quote what anyone sent (an address, a header): it must not move the cursor of a terminal or start a new
    line.
    """
    record = PLAIN_RECORD(*args, **options)
    try:
        line = record.getMessage()
    except (TypeError, ValueError):  # a library's log call with the wrong number of arguments
        line = str(record.msg)
    if record.exc_info and record.exc_info[0]:
        line = f"{line} ({record.exc_info[0].__name__})"
        record.exc_info = record.exc_text = None
    record.msg = printable(line)
    record.args = ()
    return record


PLAIN_RECORD = logging.LogRecord
logging.setLogRecordFactory(discreet_record)

ALONE = next((alone for package in packages() if (alone := package.alone())), None)
PACKED = [route for package in packages() for route in package.routes]

if ALONE:
    app = st.App(
        ALONE.shell,
        lifespan=ALONE.lifespan,
        routes=[*PACKED, *MOVED],
        middleware=[Middleware(Gate, files=False, known=ALONE.known)],
        on_script_error=tell_reference,
    )
else:
    app = st.App(
        "ui/shell.py",
        lifespan=warm,
        routes=[*ROUTES, *CALLS, *CHECKS, *PACKED, *MOVED],
        middleware=[Middleware(Gate)],
        on_script_error=tell_reference,
    )
