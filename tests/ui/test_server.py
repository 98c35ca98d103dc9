"""The server itself: the first request after a start, its headers, its cookie, its error page."""

from __future__ import annotations

import re
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.visitor import ROOT, STREAMLIT, Server, free_port, serve_warm, served
from support.wire import Wire, ask

from app import discreet_record

CANARY = "salary 13571113"
BROKEN = f"""
import streamlit as st
st.title("A page that breaks")
raise ValueError("{CANARY}")
"""
APP = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
from app import tell_reference
app = st.App({script!r}, on_script_error=tell_reference)
"""


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    """Start a server that nobody has visited yet."""
    port, log = free_port(), tmp_path / "log.txt"
    with socket.create_server(("127.0.0.1", 0)) as outside:  # whatever asks another machine comes by here
        way = f"http://127.0.0.1:{outside.getsockname()[1]}"
        variables = {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "http_proxy": way, "https_proxy": way}
        # begins cold
        process = served([*STREAMLIT, "app.py", "--server.port", str(port)], log, port, ROOT, **variables)
        yield Server(f"http://127.0.0.1:{port}", log)
        process.kill()
        outside.settimeout(0)
        with pytest.raises(BlockingIOError):
            outside.accept()


def test_the_very_first_request_to_an_address_goes_through_the_shell(fresh: Server) -> None:
    """After a restart no address shows a page without its sidebar, budget and cookie."""
    cookie = ask(fresh.url, "/budget", Accept="text/html").header("set-cookie")
    assert re.match(r"discreet_browser=[^;]{96};", cookie) and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    with Wire(fresh.url) as line:
        first = line.run(page="budget")
        assert "Dataset" in first and "Replace this budget" in first
        for address in ("pages/budget.py", "pages/budget", "ui/session/state.py", "app.py"):
            assert "Replace this budget" not in line.run(page=address)
            assert "def " not in ask(fresh.url, f"/{address}").text.partition("<script")[0]
    sentence = f"in a browser at http://localhost:{fresh.url.rpartition(':')[2]}"
    deadline = time.monotonic() + 30
    while sentence not in fresh.log_text() and time.monotonic() < deadline:  # it is said once the server listens
        time.sleep(0.05)
    assert sentence in fresh.log_text()


def test_every_answer_carries_the_headers_and_only_visits_get_a_cookie(server: Server) -> None:
    """No framing, no sniffing, no referrer; a known browser keeps its cookie."""
    asked = urllib.request.Request(server.url, headers={"Accept": "text/html"})
    headers = urllib.request.urlopen(asked).headers
    assert headers["x-frame-options"] == "DENY" and headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "HttpOnly" in headers["set-cookie"] and "SameSite=Strict" in headers["set-cookie"]
    asked.add_header("Cookie", headers["set-cookie"].split(";")[0])
    assert "discreet_browser" not in str(urllib.request.urlopen(asked).headers["set-cookie"])
    health = urllib.request.urlopen(f"{server.url}/_stcore/health").headers
    assert health["x-frame-options"] == "DENY"
    assert "discreet_browser" not in str(health["set-cookie"])


def test_a_line_of_the_log_moves_no_cursor_and_begins_no_line() -> None:
    """What a client sent may be in it: escapes, line ends and signs that turn a text around are not."""
    for quoted in ("/x\x1b[2J\r\n2030-01-01 all is well", "\u202egnol", "\x9b2J"):
        for message, values in (("refused %s", (quoted,)), (quoted, ()), (f"{quoted} %d", ("no number",))):
            line = discreet_record("streamlit", 30, __file__, 1, message, values, None).getMessage()
            assert line.isprintable() and not set(quoted) <= set(line), line
    plain = discreet_record("discreet", 40, __file__, 1, "100 %% of %s", ("it",), None)
    assert plain.getMessage() == "100 % of it"


def test_an_error_shows_a_reference_and_nothing_else(tmp_path: Path) -> None:
    """Neither the screen, the connection nor the log holds the text of the error."""
    script, app, log = tmp_path / "broken.py", tmp_path / "served.py", tmp_path / "log.txt"
    script.write_text(BROKEN, encoding="utf-8")
    app.write_text(APP.format(root=str(ROOT), script=str(script)), encoding="utf-8")
    port = free_port()
    process = serve_warm(str(app), log, port)
    try:
        url = f"http://127.0.0.1:{port}"
        with Wire(url) as line:
            sent = line.run()
        assert "Something went wrong" in sent and "Give this reference to the server administrator" in sent
        said = log.read_text(encoding="utf-8")
        assert CANARY not in sent + said and "Traceback" not in sent + said
        assert "ValueError" not in sent and "ValueError" in said
    finally:
        process.kill()


def test_the_name_of_the_first_screen_leads_to_it(server: Server) -> None:
    """With all that the address says; other names lead nowhere else."""
    for path, place in (("/home", "/"), ("/home?lang=zh&guess=no", "/?lang=zh&guess=no")):
        reply = ask(server.url, path)
        assert (reply.status, reply.header("location")) == (307, place)
    assert ask(server.url, "/lessons").status == 200
