"""OpenID provider: a provider started by a test, with a sign-in form for an organisation's people."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from support.visitor import free_port

PROGRAM = Path(__file__).parent / "openid" / "provider.py"
PEOPLE: dict[str, dict[str, Any]] = {
    "anna": {
        "password": "anna's password",
        "sub": "person-1",
        "email": "anna@example.org",
        "email_verified": True,
        "name": "Anna Ahlgren",
        "groups": ["curators", "staff"],
    },
    "bert": {
        "password": "bert's password",
        "sub": "person-2",
        "email": "bert@example.org",
        "email_verified": False,
        "name": "Bert Öberg",
        "groups": [],
    },
}


class Provider:
    """A provider in a process of its own, with one registered app and some people.

    Its addresses use localhost while servers of tests use 127.0.0.1: to a browser these are two sites, as in
    production, so same-site cookies are not sent on the way back.
    """

    def __init__(
        self, folder: Path, redirects: list[str], people: dict[str, dict[str, Any]] | None = None, lifetime: int = 300
    ) -> None:
        """Start it, with the addresses of the app to which it may redirect.

        An ID token is valid for so many seconds. Streamlit accepts one up to two minutes longer, because clocks differ,
        so a test that needs an expired one asks for a second.
        """
        self.client_id, self.client_secret = "discreet", secrets.token_hex(16)
        self.file, self.log, self.port = folder / "people.json", folder / "log.txt", free_port()
        self.issuer = f"http://localhost:{self.port}"
        self.discovery = f"{self.issuer}/.well-known/openid-configuration"
        self.know(PEOPLE if people is None else people)
        command = [sys.executable, str(PROGRAM), "--port", str(self.port)]
        command += ["--client", self.client_id, "--secret", self.client_secret]
        command += ["--users", str(self.file), f"--lifetime={lifetime}"]
        command += [word for address in redirects for word in ("--redirect", address)]
        with self.log.open("wb") as sink:
            self._process = subprocess.Popen(command, stdout=sink, stderr=sink)
        self._wait()

    def _wait(self) -> None:
        for _ in range(300):
            try:
                urllib.request.urlopen(self.discovery, timeout=2).read()
                return
            except OSError:
                time.sleep(0.1)
                if self._process.poll() is not None:
                    break
        self.stop()
        raise AssertionError(f"The provider did not start: {self.log.read_text()}")

    def know(self, people: dict[str, dict[str, Any]]) -> None:
        """Replace the people; every entry other than password and subject becomes a claim."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(people), encoding="utf-8")
        fresh.replace(self.file)  # the provider may be reading

    def secrets(self, redirect: str, cookie_secret: str, **more: Any) -> str:
        """Return a secrets.toml with which Streamlit uses this provider."""
        auth = {
            "redirect_uri": redirect,
            "cookie_secret": cookie_secret,
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            "server_metadata_url": self.discovery,
            **more,
        }
        # Text and lists of text have one syntax in JSON and TOML.
        return "[auth]\n" + "".join(f"{key} = {json.dumps(auth[key])}\n" for key in auth)

    def stop(self) -> None:
        """Stop it."""
        self._process.kill()
        self._process.wait()


def fill_form(page: Page, name: str, password: str | None = None) -> None:
    """Fill in the form of the provider, by default with the person's own password."""
    entry = str(PEOPLE[name]["password"]) if password is None else password
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(entry)
    page.get_by_role("button", name="Sign in").click()
