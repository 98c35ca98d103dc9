"""Addresses: nobody reaches a page, a file, a download or a connection that is not theirs."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from support.town import CANARY, ROWS, Office, start
from support.visitor import free_port, serve
from support.wire import Wire, ask

from discreet.office.datasets import lifecycle
from discreet.office.decisions import decisions
from discreet.office.desk import queue
from discreet.office.people import signing_in, tokens
from discreet.ui.office import startup
from discreet.ui.session.cookies import SESSION

# page, its heading, and who may see it; all others are told that there is no such page
SCREENS = {
    "news": ("News", {"ann", "abe", "olga", "adam"}),
    "requests": ("My requests", {"ann", "abe"}),
    "review": ("Inbox", {"olga"}),
    "evidence": ("Privacy tests", {"olga"}),
    "datasets": ("Datasets", {"olga"}),
    "audit-log": ("Audit log", {"olga", "adam"}),
    "settings": ("Settings", {"adam"}),
    "people": ("People", {"adam"}),
    "account": ("Account", {"ann", "abe", "olga", "adam"}),
    "sign-in": ("Sign in", {""}),
    "published-results": ("Published results", {"", "ann", "abe", "olga", "adam"}),
    "budget": ("Budget", {"", "ann", "abe", "olga", "adam"}),
}
VISITORS = ("", "ann", "abe", "olga", "adam")
FORGED = ("0" * 64, "' OR 1=1 --", "", "\u00e9")


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with one answered and one waiting request."""
    site, stop = start(tmp_path_factory.mktemp("addresses"))
    site.ask(0.1)
    site.ask(0.5)
    yield site
    stop()


def fetch(office: Office, path: str, cookie: str = "") -> tuple[int, str]:
    """Ask for an address with a session's cookie; return status and text."""
    asked = urllib.request.Request(f"{office.server.url}/{path}")
    if cookie:
        asked.add_header("Cookie", f"{SESSION}={cookie}".encode("latin-1", "replace").decode("latin-1"))
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def at(office: Office, name: str) -> Wire:
    """Return a connection of somebody: what a server sends is looked at, whatever a browser would make of it."""
    return Wire(office.server.url, {SESSION: office.cookie(name)} if name else {})


def headed(screen: str, heading: str = "") -> bool:
    """Say whether a screen has this heading, or any."""
    return re.search(rf'tag: "h1"\s+body: "{heading}', screen) is not None


@pytest.mark.parametrize("name", VISITORS)
def test_every_screen_is_there_for_its_roles_only(office: Office, name: str) -> None:
    """Whoever lacks the role is sent that there is no such page, and nothing of it; and no file is published.

    Streamlit's own media addresses ask nobody who they are: nothing of the office is there.
    """
    transcript = shown = ""
    with at(office, name) as line:
        for path, (heading, allowed) in SCREENS.items():
            sent = line.run(page=path)
            assert headed(sent, heading) == (name in allowed) == ("page_not_found" not in sent), path
            transcript += sent
            shown += sent if name in allowed else ""  # where there is no page, the first one stands, with its files
    assert CANARY not in transcript and not re.search(rf"\b({ROWS}|{ROWS:,})\b", transcript)
    mine = {"ann": 1, "olga": 1}.get(name, 0)
    assert ("To know how old" in transcript) == bool(mine)
    assert set(re.findall(r"(?<!static)/media/[\w.-]+\.(\w+)", shown)) <= {"png", "svg"}


def test_the_first_request_after_a_restart_is_refused_as_any_other(
    office: Office, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A server that has shown nothing yet shows no page around the shell, and no file of the program."""
    port, log = free_port(), tmp_path_factory.mktemp("restart") / "log.txt"
    process = serve("app.py", log, port, DISCREET_HOME=str(office.server.log.parent / "home"))
    url = f"http://127.0.0.1:{port}"
    try:
        with Wire(url) as line:
            sent = line.run(page="review")
        assert "page_not_found" in sent and "To know how old" not in sent
        for path in ("/pages/review.py", "/ui/office/review.py", "/~/.discreet/ledger.db"):
            text = ask(url, path).text
            assert "def " not in text and "SQLite" not in text
    finally:
        process.kill()


def test_cards_and_lists_are_given_to_their_own_only(office: Office) -> None:
    """Every file answers 404, and the same text, to all who may not read it; until published."""
    first = office.desk().requests[-1]
    waiting = office.desk().requests[0]
    assert first.status == "answered" and waiting.status == "waiting"
    for kind in ("json", "yaml"):
        for request, readers in ((first.id, {"ann", "olga", "adam"}), (waiting.id, {"ann", "olga", "adam"})):
            for name in VISITORS:
                status, text = fetch(office, f"card/{request}.{kind}", name and office.cookie(name))
                assert status == (200 if name in readers else 404), (kind, name)
                assert ("There is nothing here for you" in text) == (status == 404)
        for name in VISITORS:
            path = f"releases/{office.dataset}.{kind}"
            status, _ = fetch(office, path, name and office.cookie(name))
            assert status == (200 if name in {"olga", "adam"} else 404), (kind, name)
    for wrong in FORGED:
        assert fetch(office, f"card/{first.id}.json", wrong)[0] == 404
    assert json.loads(fetch(office, "published.json")[1])["datasets"] == []
    lifecycle.publish(office.house, office.people["olga"], office.dataset, True)
    (entry,) = json.loads(fetch(office, "published.json")[1])["datasets"]
    every = [*entry["releases"].values(), *(address for card in entry["cards"] for address in card.values())]
    assert len(every) == 4 and {fetch(office, address[1:])[0] for address in every} == {200}
    assert fetch(office, f"card/{first.id}.json")[0] == 200
    with urllib.request.urlopen(f"{office.server.url}/card/{first.id}.json") as answer:
        assert answer.headers["content-disposition"] == f'attachment; filename="card-{first.number}.json"'
    assert fetch(office, f"card/{waiting.id}.json")[0] == 404
    assert fetch(office, f"releases/{office.dataset}.yaml")[0] == 200
    lifecycle.publish(office.house, office.people["olga"], office.dataset, False)
    assert fetch(office, f"card/{first.id}.json")[0] == 404


def test_odd_addresses_are_refused_in_the_same_words(office: Office) -> None:
    """Nothing in an address reaches a file, a query or an error page."""
    for path in (
        "card/..%2f..%2fvault%2fkey",
        "card/x",
        "card/x.exe",
        "card/x.json",
        "enter/x",
        "releases/'%20OR%201=1.json",
        "releases/.json",
        "card/%00.json",
    ):
        status, text = fetch(office, path, office.cookie("olga"))
        assert status in (200, 400, 404) and "Traceback" not in text and "SELECT" not in text
        assert status >= 400 or path.startswith("enter")  # a bad ticket leads to the first page


def test_the_address_of_a_former_feed_is_an_unknown_one(office: Office) -> None:
    """It gives what an address gives that never was, with the token of a program and with a cookie alike."""
    token = tokens.issue(office.house, office.people["olga"], "reads", frozenset({"read"}), 7)
    for cookie in ("", office.cookie("olga")):
        unknown = fetch(office, f"fed/{token}.atom", cookie)
        for kind in ("atom", "ics"):
            assert fetch(office, f"feed/{token}.{kind}", cookie) == unknown


def test_a_session_that_ends_is_over_in_every_tab_and_file(office: Office) -> None:
    """Sign out in one tab: the other one's next move finds a signed-out server."""
    cookie, waiting, asker = office.cookie("olga"), office.desk().requests[0], "Requested by"
    mine = {SESSION: cookie}
    with Wire(office.server.url, mine) as tab, Wire(office.server.url, mine) as other:
        assert "To know how old" in (screen := tab.run(page="review"))
        assert asker not in screen and asker in tab.unfold("review", screen, "people")
        assert fetch(office, f"card/{waiting.id}.json", cookie)[0] == 200
        other.press("audit-log", "Sign out")
        assert asker not in tab.unfold("review", screen, "people")
        sent = tab.run(page="review")
    assert "page_not_found" in sent and "To know how old" not in sent and not headed(sent, "Inbox")
    assert fetch(office, f"card/{waiting.id}.json", cookie)[0] == 404
    assert signing_in.of_session(office.house, cookie) is None


@pytest.mark.parametrize("value", FORGED[:2])
def test_a_connection_with_a_forged_cookie_is_nobody(office: Office, value: str) -> None:
    """What comes over the connection is decided by the session, not by the browser's word."""
    with Wire(office.server.url, {SESSION: value}) as line:
        sent = line.run(page="review")
    assert "page_not_found" in sent and "To know how old" not in sent


def test_a_server_that_wants_a_sign_in_shows_nobody_anything_else(tmp_path_factory: pytest.TempPathFactory) -> None:
    """With DISCREET_SIGN_IN=required a stranger has the door and what is published, only."""
    site, stop = start(tmp_path_factory.mktemp("closed"), DISCREET_SIGN_IN="required")
    try:
        with at(site, "") as line:
            transcript = line.run()
            assert headed(transcript, "Sign in")
            for path in ("smooth-sensitivity", "compare", "lessons", "budget", "dataset"):
                sent = line.run(page=path)
                assert "page_not_found" in sent and headed(sent, "Sign in"), path
                transcript += sent
            for path, query in (("sign-in", "link=0123"), ("published-results", "")):
                sent = line.run(query, path)
                assert headed(sent) and "page_not_found" not in sent, path
                transcript += sent
        assert "Census" not in transcript
        with at(site, "ann") as line:
            assert headed(line.run(page="compare"), "Compare")
    finally:
        stop()


def test_a_twin_that_hides_a_page_instead_of_leaving_it_out_is_caught(office: Office) -> None:
    """The checks above look for what a hidden page would send: the verbs refuse by themselves."""
    from discreet.office.house.roles import Denied

    with pytest.raises(Denied):
        queue.queue(office.house, office.people["ann"])
    with pytest.raises(Denied):
        decisions.decide(office.house, office.people["adam"], office.desk().requests[0].id, "denied")


@pytest.mark.parametrize(
    ("host", "named", "address"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:8501"),
        ("0.0.0.0", "localhost", "http://localhost:8501"),
        ("192.0.2.11", "discreet.example.org", "https://discreet.example.org"),
    ],
)
def test_the_first_link_is_printed_as_people_can_open_it(host: str, named: str, address: str) -> None:
    """On this machine, out of a container, behind a proxy."""
    assert startup.address(host, 8501, named) == address
