"""Transport: the two ways out of the house that its keeper may set: a signed request to one address, and mail.

DISCREET_HOOK is one https address, and no other is ever called: certificates are verified, and
redirects are not followed. DISCREET_HOOK_KEY is a file of 32 bytes or more: each request
carries the time and an HMAC over time and body, so that a receiver can verify sender and time.
DISCREET_MAIL is smtps://USER@HOST:465?from=A@B&to=C@D,E@F, or smtp:// with STARTTLS, which is
demanded; `to` is the office, and may be left out: people have mailboxes of their own (`letters`).
DISCREET_MAIL_PASSWORD is the file with the password of USER.
"""

from __future__ import annotations

import hmac
import json
import os
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from smtplib import SMTP, SMTP_SSL
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qs, urlsplit

from discreet.budget.errors import ParameterError

if TYPE_CHECKING:  # a start that looks at settings sends nothing yet
    from discreet.office.notices.mail import Courier, Message

HOOK: str = "DISCREET_HOOK"
HOOK_KEY: str = "DISCREET_HOOK_KEY"
MAIL: str = "DISCREET_MAIL"
MAIL_PASSWORD: str = "DISCREET_MAIL_PASSWORD"
PATIENCE, SHORTEST = 10.0, 32  # seconds; bytes
PORTS = {"smtps": 465, "smtp": 587}
Words = Mapping[str, str]


@dataclass(frozen=True)
class Hook:
    """One https address that receives signed messages about events."""

    host: str
    port: int
    path: str
    key: Path
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)
    clock: Callable[[], float] = time.time
    name: str = "hook"

    def send(self, message: Message) -> None:
        """Post a message; anything but plain success is tried again, also a redirect."""
        body = json.dumps(message).encode()
        moment = str(int(self.clock()))
        line = HTTPSConnection(self.host, self.port, timeout=PATIENCE, context=self.context)
        try:
            line.request("POST", self.path, body, self._headers(moment, body))
            status = line.getresponse().status
        except HTTPException as wrong:
            raise OSError(type(wrong).__name__) from None
        finally:
            line.close()
        if not 200 <= status < 300:
            raise OSError(f"status {status}")

    def _headers(self, moment: str, body: bytes) -> dict[str, str]:
        digest = hmac.digest(key_of(self.key), f"{moment}.".encode() + body, "sha256").hex()
        return {
            "content-type": "application/json",
            "x-discreet-time": moment,
            "x-discreet-signature": f"sha256={digest}",
        }


@dataclass(frozen=True)
class Mail:
    """Mail, to the office and to subscribers, over a connection that is encrypted and verified."""

    address: SplitResult
    sender: str
    receivers: tuple[str, ...]
    password: Path | None
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)
    name: str = "mail"

    def send(self, message: Message) -> None:
        """Send one short mail: what was done, and where to read more."""
        about = " ".join(str(message["about"]).split())  # a dataset's name in one line, as it may hold anything
        text = f"{message['at']}\n{message['words']} {about}\nRead more in Discreet: {message['path']}\n"
        name = f"{message['id']}-{message['at'].replace(':', '')}"
        self.post(self.receivers, f"Discreet: {message['words']} {about}", text, name)

    def post(self, receivers: tuple[str, ...], subject: str, text: str, name: str) -> None:
        """Send one letter."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = self.sender, ", ".join(receivers), subject
        letter["Message-ID"] = f"<discreet-{name}@{self.sender.split('@')[-1]}>"
        letter["Auto-Submitted"] = "auto-generated"  # so that no absence answers it
        letter.set_content(text)
        with self._line() as line:
            if self.address.username and self.password is not None:
                line.login(self.address.username, self.password.read_text("utf-8").strip())
            line.send_message(letter)

    def _line(self) -> SMTP:
        host = self.address.hostname or ""
        port = self.address.port or PORTS[self.address.scheme]
        if self.address.scheme == "smtps":
            return SMTP_SSL(host, port, timeout=PATIENCE, context=self.context)
        line = SMTP(host, port, timeout=PATIENCE)
        try:
            line.starttls(context=self.context)
        except BaseException:
            line.close()
            raise
        return line


def key_of(path: Path) -> bytes:
    """Return the key of the signatures; a short one is none."""
    key = path.read_bytes().strip()
    if len(key) < SHORTEST:
        raise ParameterError("{name} must be a file of at least {fewest} bytes.", name=HOOK_KEY, fewest=SHORTEST)
    return key


def ways(environment: Words = os.environ) -> list[Courier]:
    """Return the ways out that are set; refuse those that mean nothing."""
    hook = _hook(environment)
    mail = mail_of(environment)
    to_office = mail if mail is not None and mail.receivers else None
    return [way for way in (hook, to_office) if way is not None]


def check(environment: Words) -> None:
    """Refuse settings that mean nothing."""
    ways(environment)


def _hook(environment: Words) -> Hook | None:
    text = environment.get(HOOK, "")
    key = environment.get(HOOK_KEY, "")
    if not text:
        return None
    address = _split(text)
    if address is None or address.scheme != "https" or not address.hostname or address.username or address.fragment:
        raise ParameterError("{name} must be one address, as in https://host/path.", name=HOOK)
    if not (Path(key).is_absolute() and Path(key).is_file()):
        raise ParameterError("{name} needs a key file. Set its path in {key}.", name=HOOK, key=HOOK_KEY)
    key_of(Path(key))
    path = (address.path or "/") + (f"?{address.query}" if address.query else "")
    return Hook(address.hostname, address.port or 443, path, Path(key))


def mail_of(environment: Words = os.environ) -> Mail | None:
    """Return the way of mail, if it is set; without receivers of the office it serves people's own mailboxes."""
    text = environment.get(MAIL, "")
    password = environment.get(MAIL_PASSWORD, "")
    if not text:
        return None
    address = _split(text)
    said = {} if address is None else parse_qs(address.query)
    sender = said.get("from", [""])[0]
    receivers = tuple(filter(None, ",".join(said.get("to", [])).split(",")))
    named = all("@" in each and each.isprintable() and " " not in each for each in (sender, *receivers))
    if address is None or address.scheme not in PORTS or not address.hostname or not named:
        raise ParameterError("{name} must have the form smtps://user@host:465?from=a@b&to=c@d,e@f.", name=MAIL)
    if address.password or (address.username and not Path(password).is_file()):
        raise ParameterError(
            "{name} must not contain the password. Write the password into the file {file}.",
            name=MAIL,
            file=MAIL_PASSWORD,
        )
    return Mail(address, sender, receivers, Path(password) if password else None)


def _split(text: str) -> SplitResult | None:
    try:
        address = urlsplit(text)
        address.port  # noqa: B018 - raises for a port that is not a number
    except ValueError:
        return None
    return address
