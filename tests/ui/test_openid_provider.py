"""Streamlit's sign-in against a real OpenID provider: who gets in, who does not, what it tells."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from itsdangerous import URLSafeTimedSerializer
from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import KeySet
from playwright.sync_api import Browser, BrowserContext, Page, expect
from support.browsers import empty_page, leave
from support.openid_provider import PEOPLE, Provider, fill_form
from support.visitor import WAIT, Server, Visitor, free_port, serve
from support.wire import Wire, xsrf_token

COOKIE_SECRET = "a secret of this test and of no other place"
SCRIPT = """
import json
import streamlit as st

if not st.user.is_logged_in:
    st.button("Sign in", on_click=st.login)
    st.text("nobody")
else:
    st.button("Sign out", on_click=st.logout)
    st.text(json.dumps(st.user.to_dict()))
"""


@dataclass
class House:
    """A provider, and a server that sends people to it."""

    provider: Provider
    server: Server
    redirect: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Start both; the secrets lie beside the script."""
    folder, port = tmp_path_factory.mktemp("openid"), free_port()
    redirect = f"http://127.0.0.1:{port}/oauth2callback"
    provider = Provider(folder, [redirect])
    script, config = folder / "script.py", folder / ".streamlit" / "secrets.toml"
    script.write_text(SCRIPT, encoding="utf-8")
    config.parent.mkdir()
    config.write_text(provider.secrets(redirect, COOKIE_SECRET), encoding="utf-8")
    log = folder / "server.txt"
    process = serve(str(script), log, port)
    yield House(provider, Server(f"http://127.0.0.1:{port}", log), redirect)
    process.kill()
    provider.stop()


@pytest.fixture
def context(chromium: Browser, house: House) -> Iterator[BrowserContext]:
    """Open a browser without a past."""
    empty = empty_page(chromium, house.server.url)
    empty.context.set_default_timeout(WAIT)
    yield empty.context
    leave(empty, house.server.url)


@pytest.fixture
def page(context: BrowserContext, house: House) -> Page:
    """Open the app in it."""
    return Visitor(context.pages[0], house.server).open()


def user(page: Page) -> dict[str, Any]:
    """Return what the app knows of the person on a page."""
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    profile: dict[str, Any] = json.loads(page.get_by_test_id("stText").inner_text())
    return profile


def nobody(page: Page) -> None:
    """Expect that the app knows nobody."""
    expect(page.get_by_text("nobody")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def sign_in(page: Page, name: str, password: str | None = None) -> None:
    """Go from the app to the provider and fill its form."""
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    fill_form(page, name, password)


@pytest.mark.soak_alone
def test_a_person_signs_in_and_out_with_a_browser(page: Page, house: House) -> None:
    """The app learns who it is and their groups, and forgets on leaving; so does the provider.

    In `make test` test_openid.py signs in and out at this provider, on the screens of the house.
    """
    nobody(page)
    sign_in(page, "anna")
    profile, anna = user(page), PEOPLE["anna"]
    assert profile["is_logged_in"] is True and profile["email_verified"] is True
    for claim in ("sub", "email", "name", "groups"):
        assert profile[claim] == anna[claim]
    assert (profile["iss"], profile["aud"]) == (house.provider.issuer, [house.provider.client_id])
    assert profile["exp"] - profile["iat"] == 300 and abs(profile["iat"] - time.time()) < 60
    assert profile["tokens"] == {}

    page.reload()
    assert user(page)["sub"] == anna["sub"]

    page.get_by_role("button", name="Sign out").click()
    nobody(page)
    assert urlsplit(page.url).path == "/"
    page.reload()
    nobody(page)
    sign_in(page, "bert")  # asked again: the provider did not keep anna
    assert user(page)["groups"] == []


@pytest.mark.soak_alone
def test_the_cookie_is_kept_from_scripts_and_from_other_sites(page: Page) -> None:
    """What says who somebody is cannot be read by a script, nor sent by a form elsewhere.

    In `make test` test_openid.py looks at the cookie of a session, which is what the house believes.
    """
    sign_in(page, "anna")
    user(page)
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    for name in ("_streamlit_user", "_streamlit_user_tokens"):
        assert cookies[name]["httpOnly"] and cookies[name]["sameSite"] == "Lax"
        assert 29 < (cookies[name]["expires"] - time.time()) / 86400 < 31


@pytest.mark.soak_alone
def test_a_wrong_password_is_refused(page: Page, house: House) -> None:
    """The provider asks again, and nobody is signed in meanwhile.

    In `make test` the flow below is refused step by step, without a browser.
    """
    sign_in(page, "anna", "bert's password")
    expect(page.get_by_role("alert")).to_have_text("Wrong user name or password.")
    assert page.url.startswith(house.provider.issuer)
    nobody(Visitor(page.context.new_page(), house.server).open())
    fill_form(page, "anna")
    assert user(page)["sub"] == PEOPLE["anna"]["sub"]


def forged(server: Server, secret: str, **claims: Any) -> dict[str, Any]:
    """Return a cookie that says somebody signed in, made without the provider."""
    payload = {"origin": server.url, "is_logged_in": True, "provider": "default", **claims}
    value = URLSafeTimedSerializer(secret, salt="_streamlit_user").dumps(json.dumps(payload))
    return {"name": "_streamlit_user", "value": value, "url": server.url}


def sent_to(house: House, cookie: dict[str, Any]) -> str:
    """Return what the server sends to whoever has this cookie."""
    xsrf = xsrf_token(house.server.url)
    with Wire(house.server.url, {cookie["name"]: cookie["value"], "_streamlit_xsrf": xsrf}, xsrf=xsrf) as line:
        return line.run()


@pytest.mark.parametrize("secret", ["", "guessed", "another secret, long enough for anybody"])
def test_a_forged_cookie_is_nobody(house: House, secret: str) -> None:
    """Without the server's secret a cookie says nothing."""
    sent = sent_to(house, forged(house.server, secret, sub="person-1"))
    assert "nobody" in sent and "person-1" not in sent


def test_a_cookie_of_the_secret_is_believed_even_when_its_token_has_expired(house: House) -> None:
    """The forgeries above were well made; and whether exp has passed, the app must ask itself."""
    sent = sent_to(house, forged(house.server, COOKIE_SECRET, sub="person-1", exp=1))
    assert "person-1" in sent and re.search(r"exp\W+1\b", sent) and "nobody" not in sent


def test_a_cookie_of_another_origin_is_nobody(house: House) -> None:
    """A cookie signed for another address of the same machine is not believed."""
    sent = sent_to(house, forged(house.server, COOKIE_SECRET, sub="person-1", origin="http://127.0.0.1:1"))
    assert "nobody" in sent and "person-1" not in sent


@pytest.mark.soak_alone
def test_a_callback_nobody_asked_for_signs_nobody_in(page: Page, house: House) -> None:
    """A code brought from another browser is of no use: the state is bound to this one.

    In `make test` a code serves once below, and a cookie that the server did not sign is nobody.
    """
    code = Walk(house).code()
    page.goto(f"{house.redirect}?code={code}&state=invented")
    nobody(page)


class Walk:
    """The way of an app through the code flow, step by step, without a browser."""

    def __init__(self, house: House, provider: Provider | None = None) -> None:
        """Ask where everything is."""
        self.provider = provider or house.provider
        self.redirect = house.redirect
        self.where = httpx.get(self.provider.discovery).json()
        self.verifier = secrets.token_urlsafe(48)
        self.browser = httpx.Client()

    def ask(self, **changed: str | None) -> httpx.Response:
        """Ask for the form."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.provider.client_id,
            "redirect_uri": self.redirect,
            "scope": "openid email profile",
            "state": "a state",
            "nonce": "a nonce",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **changed,
        }
        parameters = {key: value for key, value in asked.items() if value is not None}
        return self.browser.get(self.where["authorization_endpoint"], params=parameters)

    def code(self, name: str = "anna") -> str:
        """Sign in; return the code that came back."""
        page = self.ask()
        assert page.status_code == 200, page.text
        token = page.text.split('name="token" value="')[1].split('"')[0]
        form = {"token": token, "username": name, "password": PEOPLE[name]["password"]}
        back = self.browser.post(f"{self.provider.issuer}/verify", data=form).headers["location"]
        query = parse_qs(urlsplit(back).query)
        assert back.startswith(self.redirect + "?") and query["state"] == ["a state"]
        return query["code"][0]

    def token(self, code: str, **changed: str) -> httpx.Response:
        """Exchange a code."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect,
            "code_verifier": self.verifier,
            **changed,
        }
        own = (self.provider.client_id, form.pop("secret", self.provider.client_secret))
        return httpx.post(self.where["token_endpoint"], data=form, auth=own)


def test_the_provider_signs_what_it_says(house: House) -> None:
    """An ID token carries our nonce and is signed RS256 by a key of the provider, of 2048 bits."""
    walk = Walk(house)
    answer = walk.token(walk.code())
    assert answer.status_code == 200, answer.text
    keys = httpx.get(walk.where["jwks_uri"]).json()
    (key,) = keys["keys"]
    assert key["kty"] == "RSA" and len(base64.urlsafe_b64decode(key["n"] + "==")) == 256
    assert "d" not in key
    read = jwt.decode(answer.json()["id_token"], KeySet.import_key_set(keys), algorithms=["RS256"])
    assert read.header["alg"] == "RS256" and read.claims["nonce"] == "a nonce"
    assert read.claims["groups"] == PEOPLE["anna"]["groups"]

    head, _, sign = answer.json()["id_token"].split(".")
    lie = base64.urlsafe_b64encode(json.dumps({**read.claims, "sub": "person-2"}).encode())
    changed = ".".join([head, lie.rstrip(b"=").decode(), sign])
    with pytest.raises(BadSignatureError):
        jwt.decode(changed, KeySet.import_key_set(keys), algorithms=["RS256"])


@pytest.mark.parametrize(
    "changed",
    [
        {"redirect_uri": "http://127.0.0.1:1/oauth2callback"},
        {"client_id": "somebody"},
        {"code_challenge": None},
        {"code_challenge_method": "plain"},
        {"response_type": "id_token"},
    ],
    ids=str,
)
def test_the_provider_shows_no_form_to_whom_it_does_not_know(house: House, changed: dict[str, str | None]) -> None:
    """A wrong address, an unknown app, no PKCE: refused, and nobody is sent anywhere."""
    answer = Walk(house).ask(**changed)
    assert answer.status_code in {400, 401} and "location" not in answer.headers, answer.text


@pytest.mark.parametrize(
    "changed",
    [
        {"secret": "wrong"},
        {"code_verifier": "x" * 64},
        {"redirect_uri": "http://127.0.0.1:1/oauth2callback"},
        {"code": "invented"},
    ],
    ids=str,
)
def test_the_provider_gives_no_token_for_less_than_everything(house: House, changed: dict[str, str]) -> None:
    """The secret, the verifier, the address and the code must all be right; and once only."""
    walk = Walk(house)
    code = walk.code()
    answer = walk.token(**{"code": code, **changed})
    assert answer.status_code in {400, 401} and "token" not in answer.json(), answer.text


def test_a_code_serves_once(house: House) -> None:
    """Whoever finds a used code has nothing."""
    walk = Walk(house)
    code = walk.code()
    assert walk.token(code).status_code == 200
    assert walk.token(code).status_code == 400


def test_lifetime_and_people_can_be_chosen(house: House, tmp_path: Path) -> None:
    """A token lives as long as told, and claims change when the people's file does."""
    provider = Provider(tmp_path, [house.redirect], lifetime=1)
    try:
        first = claims(token := id_token(walk := Walk(house, provider)))
        assert first["exp"] - first["iat"] == 1

        # Who stayed longer than the token can leave all the same, to a known address only.
        time.sleep(2.1)
        asked = {"id_token_hint": token, "client_id": provider.client_id}
        for address, allowed in (("http://127.0.0.1:1/oauth2callback", False), (house.redirect, True)):
            asked["post_logout_redirect_uri"] = address
            answer = walk.browser.get(walk.where["end_session_endpoint"], params=asked)
            assert answer.is_redirect == allowed
        answer = walk.browser.get(answer.headers["location"])
        assert answer.headers["location"] == house.redirect

        provider.know({**PEOPLE, "anna": {**PEOPLE["anna"], "groups": ["x"], "deep": {"a": [1]}}})
        second = claims(id_token(Walk(house, provider)))
        assert (second["groups"], second["deep"]) == (["x"], {"a": [1]})
        assert second["sub"] == first["sub"]
    finally:
        provider.stop()


def id_token(walk: Walk) -> str:
    """Sign anna in; return her token."""
    return str(walk.token(walk.code()).json()["id_token"])


def claims(token: str) -> dict[str, Any]:
    """Return what a token says."""
    payload: dict[str, Any] = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    return payload
