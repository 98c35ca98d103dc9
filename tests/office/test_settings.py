"""Settings: a word that means nothing stops the start; what may be opened is named."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest
from support.offices import APART, ON_SQLITE, POLICY, REGISTRATION, Office
from support.visitor import ROOT

from discreet.budget import ParameterError
from discreet.office.datasets import lifecycle, places, registering, registry
from discreet.office.house.roles import Denied
from discreet.office.people import second_factor
from discreet.office.running import settings
from discreet.rows.engines import database
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.intake.parser import Unreachable

PG = "postgresql+psycopg://"


@pytest.mark.parametrize(
    "environment",
    [{"DISCREET_SIGN_IN": word} for word in ("true", "Required", '"required"', "yes", "1")]
    + [{"DISCREET_SECOND_FACTOR": word} for word in ("true", "Required", "yes", "open")]
    + [{"DISCREET_SIGNIN": "required"}, {"DISCREET_HOME": '"/x"'}, {"DISCREET_HOME": "x"}]
    + [{"DISCREET_DATABASE": url} for url in ("mysql://u@h/d", "x", '"sqlite:////x"')]
    + [{"DISCREET_DATABASE": url} for url in ("sqlite:///x.db", "sqlite://", "sqlite:///:memory:")]
    + [{"DISCREET_DATABASES": pattern} for pattern in ("db.inside", "h:x/d", "sqlite:x.db", "h/d")],
)
def test_a_setting_that_means_nothing_is_refused(environment: dict[str, str]) -> None:
    """In a sentence that names it."""
    with pytest.raises(ParameterError) as refused:
        settings.check(environment)
    assert next(iter(environment)) in str(refused.value)


def test_settings_that_mean_something_are_taken() -> None:
    """Nothing said is open, as before."""
    for word in ("", "open", "required"):
        settings.check({"DISCREET_SIGN_IN": word})
    for word in ("", "optional", "required"):
        settings.check({"DISCREET_SECOND_FACTOR": word})
        assert second_factor.factor_required({"DISCREET_SECOND_FACTOR": word}) == (word == "required")
    settings.check({})
    assert settings.mode({}) == settings.mode({"DISCREET_SIGN_IN": ""}) == settings.OPEN
    settings.check({"DISCREET_HOME": "/x", "DISCREET_DATABASE": "sqlite:////x/y.db"})
    settings.check({"DISCREET_DATABASES": f"{places.EXAMPLES} *:*/*"})


def service(name: str, host: str = "10.0.0.7", port: int = 8501, more: str = "HTTP") -> dict[str, str]:
    """Return what Kubernetes puts into every container beside a service, from its documentation."""
    shown = f"[{host}]" if ":" in host else host
    link = f"{name}_PORT_{port}_TCP"
    return {
        f"{name}_SERVICE_HOST": host,
        f"{name}_SERVICE_PORT": str(port),
        f"{name}_SERVICE_PORT_{more}": str(port),
        f"{name}_PORT": f"tcp://{shown}:{port}",
        link: f"tcp://{shown}:{port}",
        f"{link}_PROTO": "tcp",
        f"{link}_PORT": str(port),
        f"{link}_ADDR": host,
    }


AROUND = [
    service("DISCREET"),
    service("DISCREET_DB", port=5432, more="PSQL"),
    service("DISCREET") | service("DISCREET_DB", "fd00::7") | service("DISCREET_DB_REPLICA_2"),
    {"DISCREET_TOKEN": "discreet_0_0"},
]


@pytest.mark.parametrize("around", AROUND)
def test_what_is_told_of_services_and_a_token_of_the_interface_are_no_settings(around: dict[str, str]) -> None:
    """A service may be called discreet, and the guide keeps a token in a variable."""
    settings.check(around | {"DISCREET_SIGN_IN": "required"})
    for name in ("DISCREET_SIGNIN", "DISCREET_PORTS", "DISCREET_TOKENS", "DISCREET_DB_SERVICE_HOSTS"):
        with pytest.raises(ParameterError, match=f"The setting {name} does not exist"):
            settings.check(around | {name: "required"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCREET_PORT", "8600"),
        ("DISCREET_PORT", "tcp://10.0.0.7:8501/x"),
        ("DISCREET_SERVICE_PORT", "no"),
        ("DISCREET_SERVICE_PORT_SIGN_IN", "required"),
        ("DISCREET_PORT_8501_TCP_ADDR", "required"),
    ],
)
def test_a_setting_that_only_looks_like_a_service_is_refused(name: str, value: str) -> None:
    """Beside a service, and where there is none."""
    for around in (service("DISCREET"), {}):
        with pytest.raises(ParameterError, match=f"The setting {name} does not exist"):
            settings.check(around | {name: value})
    for alone in service("DISCREET").keys() - {"DISCREET_SERVICE_HOST"}:
        with pytest.raises(ParameterError, match=f"The setting {alone} does not exist"):
            settings.check({alone: service("DISCREET")[alone]})
    with pytest.raises(ParameterError, match="The setting DISCREET_SERVICE_HOST does not exist"):
        settings.check({"DISCREET_SERVICE_HOST": "the other one"})


def test_a_command_of_the_office_runs_beside_a_service_and_a_token(tmp_path: Path) -> None:
    """As in a pod, and as somebody has set it who follows the guide."""
    around = service("DISCREET") | {"DISCREET_TOKEN": "discreet_0_0", "DISCREET_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "discreet", "office", "people"]
    ended = subprocess.run(command, cwd=ROOT, env=os.environ | around, capture_output=True, text=True)
    assert "does not exist" not in ended.stderr and ended.returncode != 78, ended.stderr


def test_a_wrong_word_stops_the_start(tmp_path: Path) -> None:
    """Of a command, with one sentence and no trace of the program; of a server in test_package.py, which starts one."""
    environment = {"DISCREET_HOME": str(tmp_path / "home"), "DISCREET_SIGN_IN": "true"}
    command = [sys.executable, "-m", "discreet.office", "people"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode != 0
    assert "DISCREET_SIGN_IN must be “required” or “open”" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def folk(tmp_path: Path) -> Path:
    """Return a database with a table of people."""
    file = tmp_path / "folk.db"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE folk (age INTEGER, town TEXT)")
    return file


@pytest.mark.parametrize(
    ("pattern", "url", "good"),
    [
        ("", f"{PG}u:p@db.inside/registry", False),
        ("db.inside:5432/registry", f"{PG}u:p@db.inside/registry", True),
        ("db.inside:5432/registry", f"{PG}u:p@DB.INSIDE:5432/registry", True),
        ("db.inside:5432/registry", f"{PG}u:p@db.inside:5433/registry", False),
        ("db.inside:5432/registry", f"{PG}u:p@db.inside/other", False),
        ("db.inside:5432/registry", f"{PG}u:p@elsewhere/registry", False),
        ("*.inside:*/registry", f"{PG}u:p@b.inside:6000/registry", True),
        ("/run/pg:5432/*", f"{PG}u@/registry?host=/run/pg", True),
        ("*:*/*", "sqlite:////srv/x.db", False),
        ("sqlite:/srv/*.db", "sqlite:////srv/x.db", True),
        ("sqlite:/srv/*.db", "sqlite:////srv/../etc/x.db", False),
        ("sqlite:/srv/*", f"{PG}u:p@srv/x", False),
    ],
)
def test_only_named_databases_are_opened(pattern: str, url: str, good: bool) -> None:
    """By host, port and name, or by file; where nothing is named, none."""
    environment = {places.DATABASES: pattern}
    if good:
        places.permit(DatabaseSource(url, "t"), environment)
        return
    with pytest.raises(ParameterError, match="may not open this database"):
        places.permit(DatabaseSource(url, "t"), environment)


def test_a_connection_to_another_machine_is_verified() -> None:
    """Nobody reads along, answers in its place, or is sent a password in the clear."""
    environment = {places.DATABASES: "*:*/*"}
    for weak in ("prefer", "require", "disable", "verify-ca"):
        with pytest.raises(ParameterError, match="certificate verified"):
            places.permit(DatabaseSource(f"{PG}u:p@db.inside/d?sslmode={weak}", "t"), environment)
        places.permit(DatabaseSource(f"{PG}u:p@127.0.0.1/d?sslmode={weak}", "t"), environment)
    for url in (f"{PG}u:p@db.inside/d", f"{PG}u:p@db.inside/d?sslmode=verify-full"):
        where = DatabaseSource(url, "t")
        places.permit(where, environment)
        used = database.engine(where.address)
        asked = used.dialect.create_connect_args(used.url)[1] | database.precautions(where.address)
        assert asked["sslmode"] == "verify-full" and asked["require_auth"] == "scram-sha-256"


@ON_SQLITE
def test_a_database_that_is_not_named_is_opened_by_no_verb(
    office: Office, folk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither to look, to register, to reach anew, nor to answer."""
    where, olga = DatabaseSource(f"sqlite:///{folk}", "folk"), office.who["olga"]
    said = REGISTRATION.__class__(**vars(REGISTRATION) | {"name": "folk", "apart": APART})
    dataset = registering.register(office.house, olga, where, said, POLICY)
    monkeypatch.setenv(places.DATABASES, "sqlite:/elsewhere/*")
    opened: list[object] = []
    monkeypatch.setattr(database, "moment", lambda engine: opened.append(engine))
    for verb in (
        lambda: places.look(office.house, olga, where),
        lambda: registering.register(office.house, olga, where, said, POLICY),
        lambda: lifecycle.reconnect(office.house, olga, dataset.id, where),
        lambda: registry.curator(office.again(), dataset.id),
    ):
        with pytest.raises(ParameterError, match="may not open this database"):
            verb()
    with pytest.raises(Denied):
        places.look(office.house, office.who["bob"], where)
    assert not opened


def test_a_house_is_known_by_its_tables(office: Office, tmp_path: Path) -> None:
    """By another name, as a link, as a copy: accounts are shown to nobody."""
    urls = [office.url]
    if office.store.lite:
        for at, make in enumerate((os.link, os.symlink, shutil.copy)):
            make(office.home / "ledger.db", tmp_path / f"{at}.db")
            urls.append(f"sqlite:///{tmp_path / f'{at}.db'}")
    for url in urls:
        with pytest.raises(ParameterError, match="This is Discreet's own database"):
            places.look(office.house, office.who["olga"], DatabaseSource(url, "people"))
        with pytest.raises(ParameterError, match="This is Discreet's own database"):
            TableSource(DatabaseSource(url, "people")).head(["login"], 5)


def test_failures_to_connect_sound_and_last_alike(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port where nobody listens and one that speaks something else: no way to scan with it."""
    monkeypatch.setattr(places, "PADDED", 1.0)
    heard = set()
    for url in (f"{PG}u:p@127.0.0.1:1/d", f"{PG}u:p@nowhere.invalid/d", "sqlite:////nothing.db"):
        start = monotonic()
        with pytest.raises(Unreachable) as refused:
            places.look(office.house, office.who["olga"], DatabaseSource(url, "t"))
        late = (monotonic() - start) % 1.0
        assert late < 0.3 or late > 0.97, late
        heard.add(str(refused.value))
    assert len(heard) == 1
