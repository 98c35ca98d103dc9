"""The verb `class`: which addresses it prints and allows, and what it says where no phone can reach it."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from discreet.office.running.settings import CLASS
from discreet.ui.gate import addresses

COMMAND = importlib.import_module("discreet.command.class")
TWO = ["192.0.2.7", "198.51.100.4"]


def rules(*words: str) -> dict[str, Any]:
    """Return what the command makes of its words."""
    return dict(COMMAND.begun(COMMAND._parser().parse_args(words)))


def test_every_own_address_is_allowed_and_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine in two networks is reached in both; a given address comes first."""
    monkeypatch.setattr(COMMAND, "own_addresses", lambda: TWO)
    begun = rules("--port", "8600")
    assert begun["address"] == "http://192.0.2.7:8600" and begun["others"] == ["http://198.51.100.4:8600"]
    hosts = COMMAND.surroundings(begun, {})["STREAMLIT_SERVER_ALLOWED_HOSTS"].split()
    assert hosts == [*TWO, "127.0.0.1", "localhost"]
    COMMAND._announce(begun, 8600)
    printed = capsys.readouterr().out
    assert all(f"http://{address}:8600" in printed for address in TWO)
    given = rules("--port", "80", "--address", "school.example")
    assert given["address"] == "http://school.example" and len(given["others"]) == 2
    assert "school.example" in COMMAND.surroundings(given, {})["STREAMLIT_SERVER_ALLOWED_HOSTS"].split()


def test_the_addresses_of_this_machine_are_found() -> None:
    """Loopback is none of them, unless there is no other."""
    own = COMMAND.own_addresses()
    assert own and len(own) == len(set(own))
    assert own == ["127.0.0.1"] or not any(address.startswith("127.") for address in own)


def test_a_machine_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that leads elsewhere, or nowhere, is named with the machine's own."""
    monkeypatch.setattr(COMMAND, "_routed", lambda: "")
    monkeypatch.setattr(COMMAND, "_of_interfaces", lambda: ["127.0.0.1"])
    monkeypatch.setattr(COMMAND, "_of_name", lambda: ["127.0.1.1"])
    assert COMMAND.own_addresses() == ["127.0.0.1"]
    assert "no phone can join" in COMMAND.doubts("", ["127.0.0.1"])[0]
    assert COMMAND.doubts("192.0.2.7", TWO) == COMMAND.doubts("", TWO) == []
    assert "is not an address of this machine" in COMMAND.doubts("203.0.113.9", TWO)[0]


def test_a_pupil_at_a_wrong_address_is_sent_to_the_teacher(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a class no settings of the server are named; elsewhere they are."""
    scope = {"type": "http", "scheme": "http", "server": ("127.0.0.1", 8600), "headers": [(b"host", b"evil.example")]}
    monkeypatch.delenv(CLASS, raising=False)
    assert "STREAMLIT_SERVER_ALLOWED_HOSTS" in addresses.refused(scope)
    monkeypatch.setenv(CLASS, "{}")
    said = addresses.refused(scope)
    assert "Ask your teacher for the address on the board." in said and "请向老师" in said and "STREAMLIT" not in said
