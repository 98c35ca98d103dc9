"""Couriers: what leaves the house is signed, encrypted, in order and once; a decision never waits for it."""

from __future__ import annotations

import hmac
import json
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import sqlalchemy as sa
from support.offices import CHECKED, ON_SQLITE, PURPOSE, REASON, Office, together

from discreet.budget import ParameterError
from discreet.office.decisions import decisions
from discreet.office.house.tables import couriers
from discreet.office.notices import transport
from discreet.office.notices.mail import FIRST, LONGEST, TRIES, Message, deliver
from discreet.office.requests.remarks import remark
from discreet.office.running import settings

KEY = "0123456789abcdef0123456789abcdef"


@dataclass
class Listener:
    """A courier that keeps what it is given, or refuses it."""

    name: str = "listener"
    broken: bool = False
    heard: list[Message] = field(default_factory=list)

    def send(self, message: Message) -> None:
        """Keep a message."""
        if self.broken:
            raise OSError("away")
        self.heard.append(message)


def said(listener: Listener) -> list[tuple[str, str]]:
    """Return what was heard, in short."""
    return [(message["what"], message["about"]) for message in listener.heard]


def test_a_courier_begins_with_now_and_tells_in_order_and_once(office: Office) -> None:
    """Two servers share a place in the database: each message is sent by one of them."""
    listener = Listener()
    assert deliver(office.house, listener) == 0  # what was before is not told
    first = office.ask(0.5)
    office.ask(0.1)
    remark(office.house, office.who["bob"], first.id, "a comment that stays here")
    decisions.decide(office.house, office.who["olga"], first.id, "denied", REASON)
    houses = [office.house, office.again(), office.again()]
    together([lambda house=house: deliver(house, listener) for house in houses])
    deliver(office.house, listener)
    released = ("answered", "#2")
    assert said(listener) == [("asked", "#1"), released, ("remarked", "#1"), ("denied", "#1")]
    everything = json.dumps(listener.heard)
    assert not any(text in everything for text in (PURPOSE, REASON, "comment that", "Bob", "bob", "age"))
    assert listener.heard[0]["path"] == "/review?waiting=1"


def test_what_cannot_be_sent_waits_longer_each_time_and_is_given_up(office: Office) -> None:
    """A decision is made all the same; later messages get out in the end."""
    listener, waits = Listener(broken=True), []
    deliver(office.house, listener)
    first = office.ask(0.5)
    decisions.decide(office.house, office.who["olga"], first.id, "approved", "", CHECKED)
    for _ in range(TRIES):
        assert deliver(office.house, listener) == 0
        with office.store.reading() as connection:
            (after,) = connection.execute(sa.select(couriers.c.after)).scalars()
        waits.append(after - office.clock.now)
        assert deliver(office.house, Listener()) == 0  # another server waits as long
        office.clock.now = after
    assert waits[:3] == [FIRST, 2 * FIRST, 4 * FIRST] and max(waits) == LONGEST == waits[-1]
    listener.broken = False
    deliver(office.house, listener)
    messages = [("approved", "#1"), ("answered", "#1"), ("unsent", "listener")]  # what was asked is given up
    assert said(listener) == messages


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Make a certificate for this machine."""
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    words = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2", "-nodes"]
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-keyout", str(key), "-out", str(cert), *words]
    subprocess.run(new, check=True, capture_output=True)
    return key, cert


@dataclass
class Receiver:
    """A server with TLS that answers with a status and keeps what it got."""

    status: int = 200
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0


@pytest.fixture
def receiver(certificate: tuple[Path, Path]) -> Iterator[Receiver]:
    """Start one."""
    here = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            here.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(here.status)
            self.send_header("location", f"https://localhost:{here.port}/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate[1], certificate[0])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    here.port = server.server_port
    Thread(target=server.serve_forever, daemon=True).start()
    yield here
    server.shutdown()
    server.server_close()


def trusting(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    """Return what verifies certificates, and knows this one."""
    return ssl.create_default_context(cafile=str(certificate[1]))


def hook_of(receiver: Receiver, folder: Path) -> transport.Hook:
    """Return the hook that settings make."""
    (folder / "key").write_text(KEY)
    environment = {transport.HOOK: f"https://localhost:{receiver.port}/in?a=b", transport.HOOK_KEY: str(folder / "key")}
    (hook,) = transport.ways(environment)
    assert isinstance(hook, transport.Hook)
    return hook


@ON_SQLITE
def test_a_hook_is_signed_over_time_and_body(
    office: Office, receiver: Receiver, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    """The receiver can check who speaks, and when."""
    hook = replace(hook_of(receiver, tmp_path), context=trusting(certificate), clock=lambda: 12.0)
    deliver(office.house, hook)
    office.ask(0.5)
    assert deliver(office.house, hook) == 1
    ((path, headers, body),) = receiver.got
    digest = hmac.digest(KEY.encode(), b"12." + body, "sha256").hex()
    assert path == "/in?a=b" and headers["x-discreet-time"] == "12"
    assert headers["x-discreet-signature"] == f"sha256={digest}"
    assert json.loads(body) | {"id": 0, "at": ""} == {
        "id": 0,
        "at": "",
        "what": "asked",
        "words": "asked",
        "about": "#1",
        "path": "/review?waiting=1",
    }


def test_a_hook_follows_nobody_and_trusts_no_unknown_certificate(
    receiver: Receiver, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    """A redirect is no success, and nothing is sent before the other side has proven its name."""
    hook = hook_of(receiver, tmp_path)
    message = {"id": 1, "at": "", "what": "asked", "words": "asked", "about": "#1", "path": "/"}
    with pytest.raises(ssl.SSLCertVerificationError):
        hook.send(message)
    with pytest.raises(ssl.SSLCertVerificationError):  # another name of the same machine
        replace(hook, host="127.0.0.1", context=trusting(certificate)).send(message)
    assert receiver.got == []
    for status in (302, 307, 500):
        receiver.status = status
        with pytest.raises(OSError, match=f"status {status}"):
            replace(hook, context=trusting(certificate)).send(message)
    assert [path for path, *_ in receiver.got] == ["/in?a=b"] * 3


def post_office(certificate: tuple[Path, Path], heard: list[str]) -> int:
    """Start a server for one mail with TLS from the first byte; return its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate[1], certificate[0])
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        line, _ = listener.accept()
        with context.wrap_socket(line, server_side=True) as safe, safe.makefile("rwb") as talk:
            talk.write(b"220 here\r\n")
            talk.flush()
            inside = False
            for raw in talk:
                text = raw.decode().rstrip("\r\n")
                heard.append(text)
                word = text.lower()
                inside = inside and text != "."
                answer = {"data": b"354 go on\r\n", "quit": b"221 bye\r\n"}.get(word, b"250 well\r\n")
                if not inside:
                    talk.write(answer)
                    talk.flush()
                inside = inside or word == "data"
                if word == "quit":
                    return

    Thread(target=serve, daemon=True).start()
    return int(listener.getsockname()[1])


def test_mail_goes_over_a_verified_connection(certificate: tuple[Path, Path]) -> None:
    """A name that would begin a line of its own does not."""
    heard: list[str] = []
    port = post_office(certificate, heard)
    address = f"smtps://localhost:{port}?from=office@example.org&to=a@example.org,b@example.org"
    (mail,) = transport.ways({transport.MAIL: address})
    assert isinstance(mail, transport.Mail)
    message = {
        "id": 7,
        "at": "2030-01-01",
        "what": "alarmed",
        "words": "told",
        "about": "x\nBcc: c@d",
        "path": "/trail",
    }
    replace(mail, context=trusting(certificate)).send(message)
    assert "rcpt TO:<b@example.org>" in heard and "Subject: Discreet: told x Bcc: c@d" in heard
    assert not any(text.startswith("Bcc") for text in heard) and "Read more in Discreet: /trail" in heard


def test_mail_without_encryption_is_not_sent() -> None:
    """A server that offers no STARTTLS gets nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    heard: list[bytes] = []

    def serve() -> None:
        line, _ = listener.accept()
        with line, line.makefile("rwb") as talk:
            talk.write(b"220 here\r\n")
            talk.flush()
            for raw in talk:
                heard.append(raw)
                talk.write(b"250 well\r\n")
                talk.flush()

    Thread(target=serve, daemon=True).start()
    port = listener.getsockname()[1]
    (mail,) = transport.ways({transport.MAIL: f"smtp://localhost:{port}?from=a@b.org&to=c@d.org"})
    with pytest.raises(OSError, match="STARTTLS"):
        mail.send({"id": 1, "at": "", "what": "asked", "words": "asked", "about": "#1", "path": "/"})
    assert not any(b"rcpt" in raw.lower() for raw in heard)


@pytest.mark.parametrize(
    "environment",
    [
        {transport.HOOK: "http://inside/x"},
        {transport.HOOK: "https://user:word@inside/x"},
        {transport.HOOK: "https://inside:port/x"},
        {transport.HOOK: "https://inside/x"},  # without a key
        {transport.HOOK: "https://inside/x", transport.HOOK_KEY: "SHORT"},
        {transport.MAIL: "smtp://inside"},
        {transport.MAIL: "http://inside?from=a@b&to=c@d"},
        {transport.MAIL: "smtps://me:word@inside?from=a@b&to=c@d"},
        {transport.MAIL: "smtps://me@inside?from=a@b&to=c@d"},  # without the file of a password
        {transport.MAIL: "smtps://inside?from=a@b&to=c%0a@d"},
    ],
)
def test_settings_that_mean_nothing_are_refused_at_the_start(environment: dict[str, str], tmp_path: Path) -> None:
    """In one sentence, before anything is sent."""
    short = tmp_path / "short"
    short.write_text("x")
    environment = {name: str(short) if value == "SHORT" else value for name, value in environment.items()}
    with pytest.raises(ParameterError, match="DISCREET_"):
        settings.check(environment)
