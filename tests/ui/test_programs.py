"""Programs: calls over plain HTTP, as the guide writes them, and as somebody sends them who means ill."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from shutil import which
from string import Template
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from starlette.requests import Request
from support.town import CANARY, Office, start, visitor
from support.visitor import free_port, serve
from support.wire import Answer, ask

from discreet.office.api.forms import LARGEST
from discreet.office.api.operations import BASE, at
from discreet.office.people import tokens
from discreet.office.running.health import FRESH
from discreet.ui.office import programs

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "use-the-api.md").read_text(encoding="utf-8")
PREPARED = 503  # rows are being opened
METERED = free_port()


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with four people and one dataset."""
    town, stop = start(tmp_path_factory.mktemp("programs"), DISCREET_METRICS=str(METERED))
    yield town
    stop()


def token(office: Office, name: str, *scopes: str) -> str:
    """Make a token as its owner."""
    return tokens.issue(office.house, office.people[name], "a test", frozenset(scopes or tokens.SCOPES), 1)


def call(office: Office, words: list[str]) -> Any:
    """Do what a line of curl does, and once more for as long as the server says that it is too early."""
    url, headers, body = words[-1], {}, None
    for option, value in zip(words, words[1:], strict=False):
        if option == "-H":
            headers |= {value.partition(": ")[0].replace("-", "_"): value.partition(": ")[2]}
        if option == "-d":
            body = value.encode()
    path = url.removeprefix("http://127.0.0.1:8501")
    for _ in range(100):
        answer = ask(office.server.url, path, "GET" if body is None else "POST", body, **headers)
        if answer.status != PREPARED:
            break
        time.sleep(float(answer.header("retry-after")) / 4)
    assert answer.status == 200, answer.text
    return json.loads(answer.text)


def test_the_calls_of_the_guide_are_answered(office: Office) -> None:
    """What stands there for a shell, line by line: from the list of data to a released answer."""
    (block,) = re.findall(r"```sh\n(API=.*?)```", GUIDE, re.S)
    held = {"DISCREET_TOKEN": token(office, "ann"), "DATASET": office.dataset}
    answers = []
    for line in block.splitlines():
        if re.match("[A-Z]+=", line):
            name, _, value = line.partition("=")
            held[name] = Template(shlex.split(value)[0] if "'" in value else value.strip('"')).safe_substitute(held)
        else:
            # a shell puts values into its words after it has told them apart
            answers.append(call(office, [Template(word).substitute(held) for word in shlex.split(line)]))
    data, forecast, sent, requests = answers
    assert data["datasets"][0]["id"] == office.dataset and forecast["outcome"] == "answered"
    assert sent["status"] == "answered" and isinstance(sent["release"]["answer"], float)
    assert [each["id"] for each in requests["requests"]] == [sent["id"]]


def with_r() -> bool:
    """Say whether R, and the package that the lines use, is on this machine."""
    return which("Rscript") is not None and not subprocess.run(["Rscript", "-e", "library(httr2)"]).returncode


def test_the_guide_calls_in_r_what_there_is(office: Office, tmp_path: Path) -> None:
    """Each address that the lines for R put together is one, and the question is the shell's; R is run where it is."""
    (block,) = re.findall(r"```r\n(.*?)```", GUIDE, re.S)
    calls = re.findall(r"office\((\"[^)]*)\)", block)
    assert len(calls) == 3
    for parts in calls:
        named = [part.strip().strip('"') for part in parts.split(",")]
        path = "/".join({"dataset": "0" * 32, "sent$id": "0" * 64}.get(part, part) for part in named)
        assert at(f"{BASE}/{path}"), parts
    said = re.search(r"question <- list\((.*?)\n\)", block, re.S)
    assert said is not None
    words = ["Request", "age", "GlobalLaplace", "Mean", "0.1"]
    assert [word for word in re.findall(r"[\w.]+", said[1]) if word in words] == words
    if with_r():
        program = tmp_path / "ask.R"
        program.write_text(
            block.replace("http://127.0.0.1:8501", office.server.url) + "cat(answer)\n", encoding="utf-8"
        )
        around = os.environ | {"DISCREET_TOKEN": token(office, "ann")}
        run = subprocess.run(["Rscript", "--vanilla", str(program)], env=around, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert 0 <= float(run.stdout.split()[-1]) <= 150


def test_a_call_is_nobody_without_a_token_whatever_else_it_has(office: Office) -> None:
    """No cookie counts and none is set, no other page reads an answer, no way around leads in."""
    url, cookie, mine = office.server.url, f"discreet_session={office.cookie('olga')}", token(office, "olga")
    bearer = f"Bearer {mine}"
    for refused in (
        ask(url, f"{BASE}/datasets", Cookie=cookie, Accept="text/html"),
        ask(url, f"{BASE}/datasets", Authorization=f"Basic {mine}"),
        ask(url, f"{BASE}/datasets?token={mine}", Cookie=cookie),
    ):
        assert refused.status == 401 and refused.header("www-authenticate").startswith("Bearer")
        assert not refused.header("set-cookie") and not refused.header("access-control-allow-origin")
    for foreign in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
        assert ask(url, f"{BASE}/datasets", Authorization=bearer, **foreign).status == 403
    assert ask(url, f"{BASE}/datasets", "OPTIONS", Origin=url).status == 405
    for path in (
        "/api",
        "/api/v2/me",
        f"{BASE}/../v1/me",
        f"/{BASE}/me",
        f"{BASE}//me",
        f"{BASE}/me%00",
        f"{BASE}/%2e%2e/me",
    ):
        answer = ask(url, path, Authorization=bearer)
        assert answer.status in (400, 404) or "<html" in answer.text, path
        assert '"login"' not in answer.text, path
    assert ask(url, f"{BASE}/openapi.json").status == 200
    assert mine not in office.server.log_text() and CANARY not in office.server.log_text()


def test_large_bodies_and_many_calls_leave_the_screens_alone(office: Office) -> None:
    """A body is refused as soon as it is too large; hundreds of calls at once are answered or refused in order."""
    url, path = office.server.url, f"{BASE}/datasets/{office.dataset}/forecasts"
    headers = {"Authorization": f"Bearer {token(office, 'ann')}", "Content_Type": "application/json"}
    assert ask(url, path, "POST", b" " * (LARGEST + 1), **headers).status == 413
    assert ask(url, path, "POST", b"[" * LARGEST, **headers).status == 400
    assert ask(url, path, "POST", b"\x1f\x8b", Content_Encoding="gzip", **headers).status == 415

    def wrong(number: int) -> Answer:
        return ask(url, f"{BASE}/me", Authorization=f"Bearer discreet_{number:016x}_{number:064x}")

    with ThreadPoolExecutor(48) as many:
        calls = [many.submit(wrong, number) for number in range(400)]
        begun = time.monotonic()
        assert ask(url, "/_stcore/health").status == 200
        waited = time.monotonic() - begun
        statuses = {each.result().status for each in calls}
    assert statuses <= {401, 429, 503} and 401 in statuses and 429 in statuses
    assert waited < 10  # a way that hangs; how fast it is nobody promises
    assert ask(url, f"{BASE}/me", **headers).status == 200


def test_a_body_that_does_not_come_is_not_waited_for(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes in time or is refused; without a token nobody waits for it at all."""
    monkeypatch.setattr(programs, "PATIENCE", 0.05)
    monkeypatch.setattr(programs.door, "house", lambda: office.house)

    async def never() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    scope: dict[str, Any] = {"type": "http", "method": "POST", "query_string": b"", "client": None}
    path = f"{BASE}/datasets/{'0' * 32}/requests"
    for bearer, status in ((token(office, "ann"), 408), ("x", 401)):
        entry, headers = programs.Programs(), [(b"authorization", f"Bearer {bearer}".encode())]
        request = Request({**scope, "path": path, "headers": headers}, never)
        with ThreadPoolExecutor(1) as aside:  # where a browser was before, this thread has a loop
            answer = aside.submit(asyncio.run, entry.answer(request)).result()
        assert answer.status_code == status and entry._inside == 0


def slowly(url: str, path: str, secret: str, more: str = "Content-Length: 100", first: str = "{") -> socket.socket:
    """Send a call whose body does not come."""
    host, _, port = url.removeprefix("http://").partition(":")
    line = socket.create_connection((host, int(port)), 30)
    head = f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {secret}\r\n"
    line.sendall(f"{head}Content-Type: application/json\r\n{more}\r\n\r\n{first}".encode())
    return line


def test_slow_bodies_of_one_account_take_no_place_of_others(office: Office) -> None:
    """However many tokens it has; whatever is beyond its own few is refused at once, and what is slow after a while."""
    url, path = office.server.url, f"{BASE}/datasets/{office.dataset}/forecasts"
    slow, others = [token(office, "abe") for _ in range(3)], token(office, "olga")
    with ExitStack() as held:
        lines = [held.enter_context(slowly(url, path, slow[at % 3])) for at in range(48)]
        time.sleep(1)
        calls = [ask(url, f"{BASE}/me", Authorization=f"Bearer {others}").status for _ in range(12)]
        assert calls == [200] * 12
        said = [line.recv(4096).decode() for line in lines]
    statuses = Counter(int(words.split()[1]) for words in said)
    assert statuses[408] == programs.BODIES_OF_ONE and set(statuses) <= {408, 429, 503}, statuses
    assert "calls of this account" in next(words for words in said if " 429 " in words)


def test_a_body_is_measured_by_its_head_and_while_it_comes(office: Office) -> None:
    """Neither waits until it is there: one that says that it is too large, and one that does not say how long it is."""
    url, path = office.server.url, f"{BASE}/datasets/{office.dataset}/forecasts"
    secret = token(office, "olga")
    with slowly(url, path, secret, f"Content-Length: {LARGEST + 1}") as line:
        begun = time.monotonic()
        assert line.recv(4096).startswith(b"HTTP/1.1 413") and time.monotonic() - begun < programs.PATIENCE / 2
    piece = b"%x\r\n" % 2**16 + b" " * 2**16 + b"\r\n"
    with slowly(url, path, secret, "Transfer-Encoding: chunked", "1\r\n{\r\n") as line:
        line.settimeout(programs.PATIENCE / 2)
        for _ in range(LARGEST // 2**16 + 1):
            line.sendall(piece)
        assert line.recv(4096).startswith(b"HTTP/1.1 413")


def test_calls_of_one_account_leave_workers_to_others(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it asks for, two at once, a few more wait, and the rest is told to come again."""
    monkeypatch.setattr(programs.door, "house", lambda: office.house)
    entry, secrets = programs.Programs(), [token(office, "abe") for _ in range(3)]
    many, working, most, over = 30, [0], [0], threading.Event()

    def work(house: object, sent: Any, bearer: Any) -> dict[str, Any]:
        if bearer.who.login == "abe":
            working[0] += 1
            most[0] = max(most[0], working[0])
            assert over.wait(30)
            working[0] -= 1
        return {"who": bearer.who.login}

    monkeypatch.setattr(entry.service, "work", work)

    def call(secret: str) -> Any:
        headers = [(b"authorization", f"Bearer {secret}".encode())]
        return entry.answer(
            Request({"type": "http", "method": "GET", "query_string": b"", "path": f"{BASE}/me", "headers": headers})
        )

    async def play() -> tuple[list[int], Counter[int]]:
        held = [asyncio.create_task(call(secrets[at % 3])) for at in range(many)]
        await asyncio.sleep(1)
        others = [(await call(token(office, "olga"))).status_code for _ in range(5)]
        over.set()
        return others, Counter([(await each).status_code for each in held])

    with ThreadPoolExecutor(1) as aside:
        others, own = aside.submit(asyncio.run, play()).result()
    assert others == [200] * 5 and most[0] == programs.AT_ONCE_OF_ONE
    assert own[200] == programs.CALLS_OF_ONE and own[200] + own[429] == many


def test_a_token_is_made_seen_once_and_revoked_on_the_screen(chromium: Browser, office: Office) -> None:
    """What the screen shows opens, with the scope that was chosen; after a click it does not."""
    abe = visitor(chromium, office, "abe")
    page = abe.open("account")
    page.get_by_label("Name").fill("<b>nightly</b> *report*")
    page.get_by_role("button", name="Create token").click()
    shown = page.get_by_test_id("stCode")
    expect(shown).to_contain_text("discreet_")
    secret = re.sub(r"\s", "", shown.inner_text())
    answer = ask(office.server.url, f"{BASE}/me", Authorization=f"Bearer {secret}")
    assert answer.status == 200 and json.loads(answer.text)["scopes"] == ["read"]
    expect(page.get_by_text("<b>nightly</b> *report*", exact=True)).to_be_visible()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("You have no tokens yet.")).to_be_visible()
    assert secret not in page.content()
    assert ask(office.server.url, f"{BASE}/me", Authorization=f"Bearer {secret}").status in (401, 429)
    abe.leave()


def test_a_server_tells_strangers_whether_it_is_well_and_its_keeper_what_it_counts(office: Office) -> None:
    """Under any name, in two words; the metrics are on an address of their own, and not on that of the screens."""
    url, meter = office.server.url, f"http://127.0.0.1:{METERED}"
    for path in ("/health/live", "/health/ready"):
        answer = ask(url, path, Host="192.0.2.7", Accept="text/html")
        assert (answer.status, answer.text) == (200, "ok") and not answer.header("set-cookie")
    metrics = ask(meter, "/metrics")
    assert metrics.status == 200 and 'discreet_healthy{part="database"} 1' in metrics.text
    # R may have asked
    assert re.search(r'discreet_api_calls_total{operation="send",status="200"} [12]\n', metrics.text)
    assert office.dataset not in metrics.text and "town" not in metrics.text
    assert ask(meter, "/").status == 404 and "discreet_healthy" not in ask(url, "/metrics").text
    key = office.house.vault.folder / "key"
    key.rename(key.with_name("elsewhere"))
    try:
        time.sleep(FRESH)
        answer = ask(url, "/health/ready")
        assert (answer.status, answer.text) == (503, "not ok") and ask(url, "/health/live").status == 200
        assert "not well: keys" in office.server.log_text() and str(key) not in office.server.log_text()
    finally:
        key.with_name("elsewhere").rename(key)


def test_a_database_that_is_not_there_is_one_sentence_at_the_start_and_for_programs(tmp_path: Path) -> None:
    """The server lives, for samples; it is not ready, and what needs registered data says so."""
    port, log, where = free_port(), tmp_path / "log.txt", "postgresql+psycopg://u:secret4711@127.0.0.1:1/none"
    process = serve("app.py", log, port, DISCREET_DATABASE=where)
    try:
        url = f"http://127.0.0.1:{port}"
        assert ask(url, "/health/live").status == 200
        assert ask(url, "/health/ready").status == 503
        answer = ask(url, f"{BASE}/me", Authorization="Bearer x")
        assert answer.status == 503 and "Try again in a minute" in answer.text
        said = log.read_text(encoding="utf-8")
        assert "Registered data cannot be reached: The database refuses." in said
        assert "Traceback" not in said and "secret4711" not in said
    finally:
        process.kill()
