"""One-time codes: what an app shows for thirty seconds (RFC 6238), and the recovery codes for the day it is lost."""

from __future__ import annotations

from base64 import b32decode, b32encode

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from discreet.rows.sealing import new_key

PERIOD, DIGITS, DRIFT = 30, 6, 1  # seconds; of a code; periods by which the clocks of both may differ
SECRET, RECOVERY, RECOVERIES = 20, 10, 10  # bytes of a secret, and of one of so many recovery codes
SIGNS, GROUP = 16, 4  # of a recovery code, as it is written
ISSUER = "Discreet"


def new_secret() -> str:
    """Return a secret for an app, as people type it: 160 bits."""
    return b32encode(new_key()[:SECRET]).decode()


def new_recoveries() -> tuple[str, ...]:
    """Return recovery codes of 80 bits each."""
    codes = (b32encode(new_key()[:RECOVERY]).decode().lower() for _ in range(RECOVERIES))
    return tuple("-".join(grouped(code)) for code in codes)


def grouped(text: str) -> list[str]:
    """Return a text in parts that an eye can copy."""
    return [text[at : at + GROUP] for at in range(0, len(text), GROUP)]


def plain(code: str) -> str:
    """Return a code as it is compared, however it was typed."""
    return "".join(code.split()).replace("-", "").lower()


def is_recovery(code: str) -> bool:
    """Say whether a plain code has the length of a recovery code."""
    return len(code) == SIGNS


def address(secret: str, login: str) -> str:
    """Return what the square code says: whose secret it is, of which program."""
    return _totp(secret).get_provisioning_uri(login, ISSUER)


def step_of(secret: str, code: str, time: float) -> int | None:
    """Return the period that a plain code is of, if it is of now or of a neighbour; the newest first."""
    if len(code) != DIGITS or not (code.isascii() and code.isdecimal()):
        return None
    totp, now = _totp(secret), int(time // PERIOD)
    steps = (step for step in range(now + DRIFT, now - DRIFT - 1, -1) if step >= 0)
    return next((step for step in steps if totp.generate(step * PERIOD) == code.encode()), None)


def _totp(secret: str) -> TOTP:
    return TOTP(b32decode(secret), DIGITS, SHA1(), PERIOD)
