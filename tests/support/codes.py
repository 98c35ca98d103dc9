"""Codes: one-time codes computed from RFC 4226 and 6238 without the library that the server uses."""

from __future__ import annotations

import hmac
from base64 import b32decode

import pytest

from discreet.budget import ParameterError
from discreet.office.people import second_factor_setup, signing_in
from discreet.office.people.second_factor import new_secret
from discreet.office.people.signing_in import Halfway
from support.offices import Office, secret_of

PERIOD = 30


def code_of(secret: str, time: float, digits: int = 6) -> str:
    """Return the code of a secret at a time."""
    digest = hmac.digest(b32decode(secret), int(time // PERIOD).to_bytes(8, "big"), "sha1")
    at = digest[-1] & 15
    number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**digits:0{digits}}"


def equip(office: Office, login: str) -> tuple[str, tuple[str, ...]]:
    """Set up a second factor for an account, as its screen does; return its secret and its recovery codes."""
    secret = new_secret()
    code = code_of(secret, office.clock.now)
    return secret, second_factor_setup.set_up_factor(office.house, office.who[login], secret, code)


def halfway(office: Office, login: str, **way: str) -> Halfway:
    """Enter the password of an account, and reach the second step."""
    half = signing_in.sign_in(office.house, login, secret_of(login), wait=lambda _: None, **way)
    assert isinstance(half, Halfway)
    return half


def wrong_code(office: Office, half: Halfway, code: str = "000000", place: str = "", device: str = "") -> str:
    """Enter a code that is refused; return the message."""
    with pytest.raises(ParameterError) as refused:
        signing_in.give_code(office.house, half, code, place, device, lambda _: None)
    return str(refused.value)
