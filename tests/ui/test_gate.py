"""The gate: what is refused before Streamlit sees it, on a server as it is started by anybody."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Thread
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, expect
from starlette.requests import ClientDisconnect, Request
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.scriptrunner_utils import script_requests
from support.browsers import empty_page
from support.loops import run_alone
from support.town import Office, start, visitor
from support.visitor import Server, Visitor, free_port, serve
from support.wire import Wire, ask, new_browser
from websockets.exceptions import InvalidStatus

from discreet.report.html import FIGURES
from discreet.ui.gate import addresses, messages, sockets, uploads
from discreet.ui.gate.browsers import inward
from discreet.ui.gate.gate import Gate
from discreet.ui.gate.headers import PAGE, STYLE, styled
from discreet.ui.gate.messages import MOST_OF_ONE, Connections
from discreet.ui.session.cookies import BROWSER, SESSION

PUBLIC = "discreet.example.org"
NAMES = f"127.0.0.1 {PUBLIC} named.example:8443"


class Outside:
    """A proxy that takes connections and never says a word: the way out of a closed network."""

    def __init__(self) -> None:
        """Listen."""
        self._line = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._line.getsockname()[1]}"
        self.asked: list[socket.socket] = []
        Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        while True:
            self.asked.append(self._line.accept()[0])


@pytest.fixture(scope="module")
def outside() -> Outside:
    """Return what hears every call to another machine."""
    return Outside()


@pytest.fixture(scope="module")
def open_server(outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server for everybody, which also has a public name and takes 4 MiB of files."""
    port, log = free_port(), tmp_path_factory.mktemp("gate") / "log.txt"
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), outside.url)
    process = serve(
        "app.py",
        log,
        port,
        STREAMLIT_SERVER_ALLOWED_HOSTS=NAMES,
        DISCREET_UPLOADS="4",
        NO_PROXY="",
        no_proxy="",
        **proxies,
    )
    yield Server(f"http://127.0.0.1:{port}", log)
    process.kill()


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a server that wants a sign-in."""
    site, stop = start(tmp_path_factory.mktemp("required"), DISCREET_SIGN_IN="required")
    yield site
    stop()


def refused(url: str, **options: str) -> int:
    """Return the status with which a connection is refused; 0 if it is opened."""
    try:
        with Wire(url, **options):  # type: ignore[arg-type]
            return 0
    except InvalidStatus as wrong:
        return wrong.response.status_code


def test_only_the_names_of_the_server_are_answered(open_server: Server) -> None:
    """Host with its port: loopback at the own port, and the names that are listed."""
    port = open_server.url.rpartition(":")[2]
    names = (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", PUBLIC, f"{PUBLIC}:443", "named.example:8443")
    foreign = (
        "evil.example",
        f"evil.example:{port}",
        "localhost:1",
        "127.0.0.1:1",
        f"{PUBLIC}:81",
        "named.example:8444",
        f"x@127.0.0.1:{port}",
        f"{PUBLIC}/x",
        "",
    )
    for path in ("/", "/card/x.json", "/releases/x.json", "/_stcore/host-config"):
        for name in names:
            assert ask(open_server.url, path, Host=name).status in (200, 404), name
        for name in foreign:
            response = ask(open_server.url, path, Host=name)
            assert response.status in (400, 403) and "set-cookie" not in dict(response.headers), name
    assert ask(open_server.url, "/_stcore/health", Host="").text == "ok"  # who checks names nobody


def test_another_page_gets_nothing_and_nobody_waits_for_it(open_server: Server, outside: Outside) -> None:
    """Another origin, also another port of this machine: refused at once, without a call out."""
    url = open_server.url
    for origin in (
        "http://evil.example",
        "http://127.0.0.1:8733",
        "http://localhost:1",
        "null",
        f"https://{PUBLIC}",
        "file://",
        "http://0.0.0.0:8501",
    ):
        begun = time.monotonic()
        assert refused(url, origin=origin) == 403, origin
        for path in ("/", "/_stcore/health", "/_stcore/host-config", "/media/x.png"):
            response = ask(url, path, Origin=origin)
            assert path.endswith("health") or response.status == 403, (origin, path)
        assert time.monotonic() - begun < 2, origin
    assert ask(url, "/card/x.json", Sec_Fetch_Site="same-site", Sec_Fetch_Mode="no-cors").status == 403
    assert ask(url, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 200
    assert refused(url) == 0
    assert ask(url, "/_stcore/host-config", Host=PUBLIC, Origin=f"https://{PUBLIC}").status == 200
    assert not outside.asked


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/%5fstcore/metrics",
        "/_stcore/metric%73",
        "/_stcore%2Fmetrics",
        "/%5Fstcore/agent/openapi.json",
        "/_stcore/agent/openapi.json",
        "/_stcore/agent/mcp",
        "//_stcore/metrics",
        "/_stcore//metrics",
        "/x/../_stcore/metrics",
        "/%255fstcore/metrics",
        "/_STCORE/metrics",
        "/_stcore/script-health-check",
        "/_stcore/bidi-components/x",
        "/_stcore/health/",
        "/_stcore\\metrics",
        "/_stcore/upload_file/x",
        "/component/%5fstcore",
    ],
)
def test_what_no_screen_needs_of_streamlits_own_is_not_there(open_server: Server, path: str) -> None:
    """Metrics, agents, descriptions: 404 by the decoded path, however it is written."""
    response = ask(open_server.url, path)
    assert response.status == 404 and "cache_memory" not in response.text, response.text[:80]
    assert "cache_memory_bytes" not in response.text and "openapi" not in response.text


def test_headers_tell_browsers_what_to_refuse(open_server: Server) -> None:
    """On every answer, refusals included; on an encrypted way also that it stays encrypted."""
    for path in ("/", "/_stcore/metrics", "/card/x.json", "/media/x.png"):
        response = ask(open_server.url, path)
        policy = response.header("content-security-policy")
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy and "*" not in policy
        assert "script-src 'self' blob: 'sha256-" in policy
        assert response.header("cross-origin-opener-policy") == "same-origin"
        assert response.header("x-frame-options") == "DENY"
        assert not response.header("strict-transport-security")
    assert ask(open_server.url, "/media/x.png").header("cache-control") == "no-store"
    assert ask(open_server.url, X_Forwarded_Proto="https").header("strict-transport-security")
    assert "streamlit.app" not in ask(open_server.url, "/_stcore/host-config").text


def test_a_page_comes_with_its_style(open_server: Server) -> None:
    """Streamlit's own page has it at its end, and is measured with it; any other answer comes as it is."""
    answer, head = ask(open_server.url, "/plan"), ask(open_server.url, "/plan", "HEAD")
    assert answer.text.count(FIGURES) == answer.text.count(
        STYLE.read_text(encoding="utf-8")
    ) == 1 and answer.text.rstrip().endswith("</html>")
    assert answer.header("content-length") == head.header("content-length") == str(len(answer.text.encode()))
    assert not head.text and answer.header("x-frame-options") == "DENY" and not answer.header("etag")
    said: list[Any] = []

    async def hear(message: Any) -> None:
        said.append(message)

    other = [{"type": "http.response.start", "headers": [(b"etag", b"other")]}, {"type": "http.response.body"}]
    for message in other:
        with pytest.raises(StopIteration):  # it waits for nothing
            styled(hear, False)(message).send(None)  # type: ignore[attr-defined]
    assert said == other


def test_on_an_encrypted_way_cookies_cannot_come_from_elsewhere(closed: Office) -> None:
    """Their names begin with __Host-, and one by the plain name is nobody's."""
    response = ask(closed.server.url, Accept="text/html", X_Forwarded_Proto="https")
    (cookie,) = [line for line in response.header("set-cookie").splitlines() if BROWSER in line]
    assert cookie.startswith(f"__Host-{BROWSER}=") and "Secure" in cookie and "Path=/;" in cookie
    path = f"/releases/{closed.dataset}.json"
    secret = closed.cookie("olga")
    prefixed = f"__Host-{SESSION}"
    for name, safe, status in (
        (SESSION, "", 200),
        (prefixed, "https", 200),
        (SESSION, "https", 404),
        (prefixed, "", 404),
    ):
        response = ask(closed.server.url, path, Cookie=f"{name}={secret}", X_Forwarded_Proto=safe)
        assert response.status == status, (name, safe)


@pytest.mark.parametrize("blank", ["\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0"])
def test_a_blank_that_is_none_in_ascii_makes_no_name_one_of_ours(blank: str) -> None:
    """A browser sets such a name for any neighbour: it does not begin with __Host-."""
    for name in (
        f"{blank}__Host-{SESSION}",
        f"{SESSION}{blank}",
        f"__Host-{SESSION}{blank}",
        f"{SESSION} ",
        f"{blank}{SESSION}",
    ):
        header = f"__Host-{SESSION}=mine; {name}=theirs; theme=dark".encode("latin-1")
        scope = {"type": "http", "scheme": "https", "headers": [(b"cookie", header)]}
        assert Request(inward(scope)).cookies == {SESSION: "mine", "theme": "dark"}, name


def test_a_cookie_that_the_server_did_not_issue_has_no_workspace(open_server: Server) -> None:
    """Two connections with an issued cookie share one; with a made-up value each is alone."""
    url = open_server.url
    made_up = ("0" * 32, "0" * 96, new_browser(url)[:-1] + "x", new_browser(url)[:32], "\u00e9")
    for value, shared in ((new_browser(url), True), *((value, False) for value in made_up[:4])):
        with Wire(url, {BROWSER: value}) as line, Wire(url, {BROWSER: value}) as other:
            assert "\u6570\u636e" in line.run("lang=zh")  # the language is kept in the workspace
            assert ("\u6570\u636e" in other.run()) == shared, value
    cookie = ask(url, Accept="text/html", Cookie=f"{BROWSER}={made_up[0]}").header("set-cookie")
    assert BROWSER in cookie  # and a real one is given


def test_messages_that_no_screen_sends_change_nothing(open_server: Server) -> None:
    """A stranger asks to clear the caches: budgets, answers and workspaces stay as they are."""
    with Wire(open_server.url, {BROWSER: new_browser(open_server.url)}) as ann:
        ann.press("smooth-sensitivity", "Release result ")
        assert "ledger entry 1" in ann.run(page="smooth-sensitivity")
        with Wire(open_server.url) as stranger:
            stranger.run()
            for name in ("clear_cache", "load_git_info", "set_run_on_save", "debug_shutdown_runtime"):
                stranger.say(BackMsg(**{name: True}))  # type: ignore[arg-type]
            sent = stranger.run(page="smooth-sensitivity")
            assert "script_finished" in sent and "ledger entry 1" not in sent
        again = ann.run(page="smooth-sensitivity")
        assert "ledger entry 1" in again and "spent  ε = 0.5" in again


def test_the_messages_that_pass_are_those_that_screens_send() -> None:
    """Runs, stops, addresses for files; nothing that installs, clears, watches or shuts down."""

    def of(**fields: object) -> bool | None:
        data = BackMsg(**fields).SerializeToString()  # type: ignore[arg-type]
        left = messages.needed(data)
        assert left in (None, b"", data)
        return None if left is None else bool(left)

    assert of(rerun_script={}) and of(stop_script=True) and of(file_urls_request={})
    assert of(backend_operation_request={"dataframe_chunk": {}})
    for fields in (
        {"clear_cache": True},
        {"load_git_info": True},
        {"set_run_on_save": True},
        {"debug_shutdown_runtime": True},
        {"debug_disconnect_websocket": True},
        {},
        {"backend_operation_request": {"install_skills": {}}},
        {"backend_operation_request": {}},
    ):
        assert of(**fields) is False, fields
    assert messages.needed(b"\xff\xff\xff") is None
    for length, fits in ((60_000, True), (70_000, None)):  # what is kept of one is kept of many
        assert of(rerun_script={"query_string": "x" * length}) is fits
    for length, fits in ((900_000, True), (1_100_000, None)):
        assert of(rerun_script={"widget_states": {"widgets": [{"id": "x", "string_value": "x" * length}]}}) is fits
    for number, fits in ((2_000, True), (2_001, None)):
        assert of(rerun_script={"widget_states": {"widgets": [{"id": f"{n}"} for n in range(number)]}}) is fits
    for number, fits in ((20, True), (21, None)):
        assert of(file_urls_request={"file_names": ["x"] * number}) is fits
    assert of(file_urls_request={"file_names": ["x" * 70_000]}) is None
    assert of(rerun_script={"cached_message_hashes": ["x"] * 5_001}) is None
    assert not addresses.allowed("/_stcore/streams", "websocket")


def test_a_page_that_looks_again_presses_nothing() -> None:
    """What is pressed is said by a run of its own; whatever else stands in fields is said by both."""
    for looks, left in ((True, ["field"]), (False, ["field", "button", "list", "part"])):
        said = BackMsg()
        said.rerun_script.is_auto_rerun = looks
        widgets = said.rerun_script.widget_states.widgets
        widgets.add(id="field", string_value="x")
        widgets.add(id="button", trigger_value=True)
        widgets.add(id="list").string_trigger_value.data = "x"
        widgets.add(id="part", json_trigger_value="[1]")
        heard = BackMsg.FromString(messages.needed(said.SerializeToString()) or b"")
        assert [widget.id for widget in heard.rerun_script.widget_states.widgets] == left
    assert messages.PRESSES == script_requests._TRIGGER_PROTO_FIELDS  # Streamlit knows no other kind of press


def test_files_are_taken_from_open_pages_of_browsers_that_are_known(open_server: Server) -> None:
    """Not for a connection that is not there, not for another browser's, not without a cookie."""
    mine, other = ({BROWSER: new_browser(open_server.url)} for _ in range(2))
    with Wire(open_server.url, mine) as line, Wire(open_server.url, other) as two:
        line.run()
        two.run()
        assert line.upload(b"a\n1\n") == 204
        for cookies, session in ((other, line.session), (mine, "x"), ({}, line.session)):
            assert Wire(line.url, cookies, session=session).upload(b"a\n1\n") == 403
    with Wire(open_server.url) as unknown:
        unknown.run()
        assert unknown.upload(b"a\n1\n") == 403


def test_whoever_is_not_signed_in_sends_no_file_where_that_is_required(closed: Office) -> None:
    """The door has no uploader, and its address takes nothing either."""
    url, cookies = closed.server.url, {BROWSER: new_browser(closed.server.url)}
    with Wire(url, cookies) as door:
        door.run()
        assert door.upload(b"a\n1\n") == 403
    cookies[SESSION] = closed.cookie("olga")
    with Wire(url, cookies) as olga:
        olga.run()
        assert olga.upload(b"a\n1\n") == 204
        closed_again = Wire(url, {**cookies, SESSION: "0" * 64}, session=olga.session)
        assert closed_again.upload(b"a\n1\n") == 403


def test_files_have_a_quota_for_each_browser_and_for_the_server(open_server: Server) -> None:
    """A fourth of the server's for one browser, twenty files that wait, and an end for all."""
    url, large = open_server.url, b"x" * 700_000
    lines = [Wire(url, {BROWSER: new_browser(url)}) for _ in range(7)]
    statuses = []
    with ExitStack() as pages:
        for line in lines:
            pages.enter_context(line)
            line.run()
            assert line.upload(b"x" * 1_200_000) == 413  # more than one browser may
            statuses.append(line.upload(large, "1"))
            assert line.upload(large, "2") == 413
            if statuses[-1] == 204:
                headers = {"Content-Length": ""}
                assert line.upload(b"", "3", **headers) in (400, 411)
    assert statuses[:4] == [204] * 4 and statuses[-1] == 413
    with Wire(url, {BROWSER: new_browser(url)}) as later:
        later.run()
        for _ in range(100):  # files of closed pages make room
            if (status := later.upload(large, "1")) == 204:
                break
            time.sleep(0.1)
        assert status == 204
    with Wire(url, {BROWSER: new_browser(url)}) as last:
        last.run()
        small = [last.upload(b"", str(n)) for n in range(21)]
    assert small == [204] * 20 + [413]


@pytest.mark.soak_alone
def test_a_file_that_finds_no_room_is_told_on_the_page(chromium: Browser, open_server: Server) -> None:
    """The uploader shows a number only; the page says what to do, and stays where it is.

    In `make test` test_files_have_a_quota_for_each_browser_and_for_the_server holds what is refused.
    """
    someone = Visitor(empty_page(chromium, open_server.url), open_server)
    page = someone.open("dataset")
    large = {"name": "large.csv", "mimeType": "text/csv", "buffer": b"x" * 1_200_000}
    page.locator("input[type=file]").first.set_input_files(large)  # type: ignore[arg-type]
    expect(page.get_by_text("This server has reached its limit of")).to_be_visible()
    expect(page.get_by_text("Upload a dataset")).to_be_visible()
    someone.leave()


def test_one_browser_cannot_take_all_connections(open_server: Server) -> None:
    """Forty pages of one browser are open at once; the next is refused, others are not."""
    url = open_server.url
    cookies = {BROWSER: new_browser(url)}
    with ExitStack() as pages:
        for _ in range(MOST_OF_ONE):
            pages.enter_context(Wire(url, cookies))
        with pytest.raises(InvalidStatus):
            pages.enter_context(Wire(url, cookies))
        with Wire(url, {BROWSER: new_browser(url)}) as other:
            assert other.run()
    with Wire(url, cookies) as again:
        assert again.run()


def test_places_end_for_all_and_come_back() -> None:
    """A fourth for one address, a fourth without a cookie, a fourth kept for those who are known."""
    most = 100
    visitors, nobody = Connections(most, most // 4), Connections(most, most)

    def taken(connections: Connections, browsers: Iterable[str], address: str = "", known: bool = False) -> int:
        with ExitStack() as opened:
            places = (connections.place(browser, address or browser, known) for browser in browsers)
            return sum(opened.enter_context(place) for place in places)

    assert taken(visitors, map(str, range(2 * most))) == 75
    assert taken(visitors, map(str, range(2 * most)), known=True) == most
    assert taken(visitors, map(str, range(2 * most)), "one house") == 25
    with ExitStack() as strangers:
        for number in range(2 * most):
            strangers.enter_context(visitors.place(f"{number}", f"{number % 2}"))
        assert visitors.full("0") and not visitors.full("2")
        assert taken(visitors, ["officer"], "0", known=True) == 1 and taken(visitors, ["stranger"], "0") == 0
        assert taken(visitors, ["neighbour"], "2") == 1
        for number in range(2 * most):
            strangers.enter_context(visitors.place(f"{number}", f"{number}"))
        assert visitors.crowded and taken(visitors, ["officer"], known=True) == 1
        assert taken(visitors, ["stranger"]) == 0
    assert taken(nobody, [""] * most) == 25
    assert taken(visitors, ["one"] * most, known=True) == MOST_OF_ONE
    assert taken(nobody, [*[""] * most, "somebody"]) == 26
    assert not visitors.full("0")


def test_another_site_signs_nobody_out(open_server: Server) -> None:
    """A link to the sign-out of a provider works from this server's pages only."""
    headers = {"Sec_Fetch_Mode": "navigate", "Accept": "text/html"}
    for path in ("/auth/logout", "/auth/%6cogout", "/AUTH/logout"):
        away = ask(open_server.url, path, Sec_Fetch_Site="cross-site", **headers)
        assert away.status == 403 and "set-cookie" not in dict(away.headers)
    assert ask(open_server.url, "/auth/logout", Sec_Fetch_Site="same-origin", **headers).status != 403


def test_a_file_that_says_its_length_twice_is_not_taken(open_server: Server) -> None:
    """Where pieces and a length are told, the pieces count: the length could be any."""
    browser = new_browser(open_server.url)
    with Wire(open_server.url, {BROWSER: browser}) as line:
        line.run()
        host = open_server.url.removeprefix("http://")
        head = (
            f"PUT /_stcore/upload_file/{line.session}/1 HTTP/1.1\r\nHost: {host}\r\n"
            f"Cookie: {BROWSER}={browser}\r\nContent-Length: 1\r\n"
            "Transfer-Encoding: chunked\r\n\r\n"
        )
        name, _, port = host.partition(":")
        with socket.create_connection((name, int(port)), timeout=30) as connection:
            connection.sendall(f"{head}1\r\nx\r\n0\r\n\r\n".encode())
            assert connection.recv(100).startswith(b"HTTP/1.1 411")


@pytest.mark.soak_alone
def test_hundreds_of_strangers_at_the_door_throw_nobody_out(chromium: Browser, closed: Office) -> None:
    """A draft outlasts over five hundred new browsers that come and look at the door.

    In `make test` tests/ui/test_workspaces.py lets six hundred come, and keeps nothing of those at the door.
    """
    ann = visitor(chromium, closed, "ann")
    page = ann.open("dataset")
    ann.upload("people.csv", b"name,age\nx,1\n")
    expect(page.get_by_text("Declare the columns")).to_be_visible()
    for _ in range(520):
        with Wire(closed.server.url, {BROWSER: new_browser(closed.server.url)}) as stranger:
            stranger.run()
    ann.open("dataset")
    expect(page.get_by_text("Declare the columns")).to_be_visible()
    ann.leave()


@pytest.mark.soak_alone
def test_a_browser_that_changes_hands_holds_nothing_of_before(chromium: Browser, closed: Office) -> None:
    """A draft to be registered is on no other page, and gone with the sign-out, for all.

    In `make test` tests/ui/test_workspaces.py holds both: a stay leaves nothing, and page Data shows no such draft.
    """
    canary = "Zaphod91"
    olga = visitor(chromium, closed, "olga")
    page = olga.open("datasets?registered-view=new")
    olga.upload("people.csv", f"name,age\n{canary},1\n{canary},2\n".encode())
    expect(page.get_by_text("Declare the columns")).to_be_visible()
    olga.open("dataset")
    expect(page.get_by_role("combobox", name="Dataset", exact=True)).to_be_visible()
    assert page.get_by_text("This dataset is public", exact=True).count() == 0
    olga.open("datasets?registered-view=new")
    expect(page.get_by_text("Declare the columns")).to_be_visible()  # where it belongs it stays
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in", level=1)).to_be_visible()
    for name, path in (("ann", "dataset"), ("olga", "datasets?registered-view=new")):
        cookie = {"name": SESSION, "value": closed.cookie(name), "url": closed.server.url}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        olga.open(path)
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        assert page.get_by_text("Declare the columns").count() == 0
        assert page.get_by_text("people.csv").count() == 0
    assert canary not in olga.wire()
    olga.leave()


def test_a_file_that_never_comes_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Announced and not sent, it would hold the quota of everybody for as long as it likes."""
    monkeypatch.setattr(sockets, "PATIENCE", 0.2)
    heard: list[str] = []

    async def reading(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            heard.append("a piece")
        raise ClientDisconnect

    async def slow() -> dict[str, Any]:
        await asyncio.sleep(60 if heard else 0)
        return {"type": "http.request", "body": b"abc", "more_body": True}

    async def sent(message: Any) -> None:
        heard.append(str(message["type"]))

    gate = uploads.Uploads(reading)
    owned = ("browser", 1000)
    with ThreadPoolExecutor(1) as alone:  # the thread of the tests may already run a loop
        taking = gate._take(("session", "file"), owned, {"type": "http"}, slow, sent)
        alone.submit(asyncio.run, taking).result()
    assert heard == ["a piece"] and not gate._held and not gate._coming


def test_a_screen_comes_from_memory_and_everything_else_from_the_application() -> None:
    """A page from its file takes three threads; a redirect, a sign-in's return or a posted form is no screen."""
    passed: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed.append(f"{scope['method']} {scope['path']}")

    sent: list[Any] = []

    async def keep(message: Any) -> None:
        sent.append(message)

    front = Gate(app)
    for method, path in (
        ("GET", "/"),
        ("HEAD", "/plan"),
        ("POST", "/plan"),
        ("GET", "/home"),
        ("GET", "/oauth2callback"),
    ):
        head: dict[str, Any] = {"type": "http", "method": method, "path": path, "query_string": b"", "scheme": "http"}
        run_alone(front(head | {"headers": [(b"host", b"localhost")]}, cast("Any", None), keep))
    assert passed == ["POST /plan", "GET /home", "GET /oauth2callback"]
    assert [one["body"] for one in sent if one["type"] == "http.response.body"] == [PAGE, PAGE]
