"""Signing: each exported file carries a signature that can be checked with the public key.

The key is made from that of the seals, for this use alone: it is kept, backed up and guarded with it. A signature or
neither can be derived from the public key.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from discreet.office.house.house import House

USE = "signing of bundles, ed25519"


def public_key(house: House) -> str:
    """Return the public key for checking the signatures of this house."""
    return _key(house).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def signed(house: House, content: bytes) -> str:
    """Return the signature of a text."""
    return _key(house).sign(content).hex()


def holds(public: str, signature: str, content: bytes) -> bool:
    """Return whether a signature was made of a text with the key that belongs to a public one."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def _key(house: House) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(house.seal.derived(USE))
