"""Health: a server that cannot do its work says so, with a part by name for its keeper alone; metrics name nobody."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from support.offices import CANARY, ON_SQLITE, REASON, Clock, Office

from discreet.budget import ParameterError
from discreet.office import House
from discreet.office.__main__ import main
from discreet.office.decisions import decisions
from discreet.office.house.failures import FULL
from discreet.office.running import health, settings
from discreet.office.running.health import Pulse, wrongs
from discreet.office.running.metrics import CallTally, metrics
from discreet.report.public import OUTPUTS, strangers

SMALL = 3  # MiB
WRONG_PORT = "postgresql+psycopg://discreet:secret4711@127.0.0.1:1/discreet"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of three MiB; where nobody may, `test_causes` fills the device that is always full."""
    place = tmp_path / "small"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL}m", "tmpfs", str(place)], capture_output=True)
    if done.returncode:
        pytest.skip("Nobody may mount a disk on this machine.")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_house_at_work_is_well(office: Office) -> None:
    """On either database."""
    assert wrongs(office.house) == {} and not list(office.home.glob(".probe*"))


@ON_SQLITE
def test_a_key_that_is_gone_or_another_one_is_told(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both keys, with the path where they belong."""
    key, seal = office.house.vault.folder / "key", office.home / "seal.key"
    content = key.read_bytes()
    key.write_bytes(b"0" * len(content))
    assert "differs from the one that was used to register" in wrongs(office.house)["keys"]
    key.unlink()
    assert str(key) in wrongs(office.house)["keys"]
    key.write_bytes(content)
    assert wrongs(office.house) == {}
    seal.rename(office.home / "elsewhere")
    assert str(seal) in wrongs(office.house)["keys"]


@ON_SQLITE
def test_a_database_that_is_not_reached_is_told_without_its_password(
    office: Office, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part and the class of the error are logged; strangers learn that something is not well."""
    for engine in ("engine", "_looking"):
        monkeypatch.setattr(office.store, engine, sa.create_engine(WRONG_PORT, hide_parameters=True))
    monkeypatch.setattr(office.store, "lite", False)
    wrong = wrongs(office.house)
    assert set(wrong) == {"database", "keys"} and "The database refuses" in wrong["database"]
    assert not Pulse().well(lambda: office.house) and not Pulse().well(lambda: None)
    assert "health of database: OperationalError" in caplog.text and "not well: database" in caplog.text
    assert "secret4711" not in caplog.text + str(wrong)
    text = metrics(office.house, CallTally())
    assert 'discreet_healthy{part="database"} 0' in text and 'discreet_healthy{part="disk"} 1' in text


def test_a_full_disk_is_told_before_and_when_it_is_full(small_disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Little room is not well; with none a command ends with one sentence, and nothing is lost."""
    home = small_disk / "home"
    house = House(home, f"sqlite:///{home / 'ledger.db'}", Clock())
    assert "nearly full" in wrongs(house)["disk"]
    with pytest.raises(OSError, match="No space"), open(small_disk / "filler", "wb", 0) as filler:
        while True:
            filler.write(b"x" * 65536)
    with pytest.raises(OSError, match="No space"), open(small_disk / "rest", "wb", 0) as rest:
        while True:
            rest.write(b"x")
    with pytest.raises(SystemExit) as ended:
        main(["setup", "--home", str(home)])
    assert str(ended.value.code).startswith(str(FULL))
    with pytest.raises(SystemExit) as ended:
        main(["people", "--home", str(small_disk / "new")])
    assert str(ended.value.code).startswith(str(FULL))
    (small_disk / "filler").unlink()
    assert main(["setup", "--home", str(home)]) == 0
    house.store.close()


@ON_SQLITE
def test_a_look_is_good_for_some_seconds(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks a thousand times a second makes one look."""
    now, looks = [0.0], []
    monkeypatch.setattr(health, "wrongs", lambda _: looks.append(1) or {})
    pulse = Pulse(lambda: now[0])
    assert all(pulse.well(lambda: office.house) for _ in range(100)) and len(looks) == 1
    now[0] += health.FRESH
    assert pulse.well(lambda: office.house) and len(looks) == 2


@ON_SQLITE
def test_metrics_count_and_name_nobody(office: Office) -> None:
    """What waits, was decided and released; no dataset, person, question or row, in lines that Prometheus reads."""
    for at, epsilon in enumerate((0.1, 0.5, 0.6)):
        asked = office.ask(epsilon, round=at)
    decisions.decide(office.house, office.who["olga"], asked.id, "denied", REASON)
    tally = CallTally()
    tally.count("send", 200, 1.5)
    tally.count("send", 200, 1.0)
    text = metrics(office.house, tally)
    for line in (
        'discreet_requests{state="waiting"} 1',
        'discreet_decisions_total{kind="denied"} 1',
        "discreet_releases_total 1",
        "discreet_datasets 1",
        'discreet_api_calls_total{operation="send",status="200"} 2',
        'discreet_api_seconds_total{operation="send"} 2.5',
        'discreet_healthy{part="keys"} 1',
    ):
        assert line in text.splitlines(), text
    for name in ("people", "bob", "Olga", office.dataset, asked.id, CANARY, "300"):
        assert name not in text, name
    good = re.compile(r'# (HELP|TYPE) discreet_\w+ .+|discreet_\w+(\{\w+="[\w-]+"(,\w+="[\w-]+")*\})? [0-9.e+]+')
    assert all(good.fullmatch(line) for line in text.splitlines())
    assert strangers(re.findall("# TYPE ([^ ]+)", text), OUTPUTS["A metric"]) == []


def test_metrics_listen_on_this_machine_unless_an_address_is_named() -> None:
    """A port alone is of loopback; what is neither stops the start."""
    assert settings.listening({}) is None
    assert settings.listening({"DISCREET_METRICS": "9464"}) == ("127.0.0.1", 9464)
    assert settings.listening({"DISCREET_METRICS": "192.0.2.3:9464"}) == ("192.0.2.3", 9464)
    for wrong in ("x", "0", "99999", ":9464", "9464:", "host:"):
        with pytest.raises(ParameterError, match="DISCREET_METRICS"):
            settings.check({"DISCREET_METRICS": wrong})
