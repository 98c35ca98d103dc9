"""What whoever deploys is given stays true: rights, the container's files, names in the guide."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from support.codes import code_of
from support.floors import FLOORS
from support.offices import APART, CHECKED, CONTENT, POLICY, PURPOSE, REGISTRATION
from support.postgres import Postgres

from discreet.budget.durable import store as ledgers
from discreet.curator import Request
from discreet.mechanisms import registry as mechanisms
from discreet.office import House
from discreet.office.__main__ import _parser, main
from discreet.office.datasets import changes, letterhead, lifecycle, places, registering
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import tables as offices
from discreet.office.house.roles import TERMINAL
from discreet.office.notices import drafts, mail, news
from discreet.office.notices.mail import deliver_letters
from discreet.office.people import accounts, joining, second_factor_setup, signing_in, tokens
from discreet.office.people.second_factor import PERIOD, new_secret
from discreet.office.people.signing_in import Halfway
from discreet.office.rules import substitutes
from discreet.queries.mean import Mean
from discreet.rows.engines.connection import DatabaseSource
from discreet.ui.gate import addresses

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
RIGHTS = (DEPLOY / "rights.sql").read_text(encoding="utf-8")
GUIDE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "how-to").glob("*.md")))
APP = "discreet_app"
GUARDED = ("datasets", "declarations", "versions", "errata")  # of what was withdrawn they lose lines
FLEETING = (
    "drafts",
    "links",
    "sessions",
    "attempts",
    "motions",
    "devices",
    "refusals",
    "looks",
    "readings",
    "credentials",
    "substitutes",
    "mailboxes",
    "tongues",
)
METADATA = (ledgers.metadata, offices.metadata)
TABLES = [name for metadata in METADATA for name in metadata.tables]


class Post:
    """A mail server that keeps the last text."""

    text = ""

    def post(self, receivers: object, subject: str, text: str, name: str) -> None:
        """Keep it."""
        self.text = text


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Make a database as the guide says; return the address of its owner, and of the servers."""
    server = Postgres(tmp_path_factory.mktemp("postgres"))
    owner = server.database()
    House(tmp_path_factory.mktemp("owner") / "home", owner).store.close()
    with psycopg.connect(owner.replace("+psycopg", ""), autocommit=True) as connection:
        named = connection.info.dbname
        for statement in (
            f"CREATE ROLE {APP} LOGIN",
            f"REVOKE ALL ON DATABASE {named} FROM PUBLIC",
            f"GRANT CONNECT ON DATABASE {named} TO {APP}",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC",  # as it is from PostgreSQL 15 on
            *[RIGHTS.replace(':"app"', APP)] * 2,  # after every migration
        ):
            connection.execute(statement.encode())
    yield owner, sa.make_url(owner).set(username=APP).render_as_string(hide_password=False)
    server.stop()


def test_the_servers_role_may_do_all_that_the_office_does(urls: tuple[str, str], tmp_path: Path) -> None:
    """From the first link to a backup: whatever the code writes, rights.sql lets it write."""
    now = [1_900_000_000.0]
    house = House(tmp_path / "home", urls[1], lambda: now[0])
    link = joining.setup_link(house)
    assert link is not None
    ann = joining.set_up(house, link, "ann", "Ann", "a long password")
    bob = joining.choose_password(
        house, joining.invite(house, ann, "bob", "Bob", frozenset({"analyst"})), "a long password"
    )
    with pytest.raises(ValueError):
        signing_in.sign_in(house, "bob", "a wrong password")
    with pytest.raises(ValueError):
        signing_in.sign_in(house, "bob", "a wrong password")  # the second is counted with the first
    device = signing_in.remember(house, bob, "")
    signing_in.sign_in(house, "bob", "a long password", device=device)
    secret = signing_in.enter(house, signing_in.ticket(house, bob, "browser"), "browser")
    assert secret is not None
    now[0] += 100
    assert signing_in.of_session(house, secret) == bob
    signing_in.end_session(house, secret, bob)
    program = tokens.issue(house, bob, "a program", frozenset({"read"}), 1)
    bearer = tokens.bearer(house, program)
    assert bearer is not None and bearer.who == bob
    tokens.revoke(house, bob, bearer.credential.id)
    joining.renew(house, ann, "bob")
    joining.from_provider(house, "s", "cem", "Cem", frozenset({"officer"}))
    joining.from_provider(house, "s", "cem", "Cem", frozenset({"analyst"}))

    mistaken = replace(REGISTRATION, name="mistaken")
    first = registering.register(house, ann, CONTENT, mistaken, POLICY)
    assert lifecycle.withdraw(house, ann, first.id, "the wrong file was taken")
    dataset = registering.register(house, ann, CONTENT, REGISTRATION, POLICY)
    kind = mechanisms["laplace"]
    small, *large = [
        asking.submit(
            house,
            bob,
            dataset.id,
            Request(kind(query=Mean(), epsilon=epsilon), ("age",)),
            PURPOSE,  # type: ignore[call-arg]
        )
        for epsilon in (0.1, 0.5, 0.6, 0.7)
    ]
    assert small.status == "answered"
    assert decisions.decide(house, ann, large[0].id, "approved", "", CHECKED).status == "answered"
    decisions.decide(house, ann, large[1].id, "denied", "it is not clear enough")
    decisions.withdraw(house, bob, large[2].id)
    with sqlite3.connect(tmp_path / "rows.db") as rows:
        rows.execute("CREATE TABLE people (age INTEGER, town TEXT)")
    table = DatabaseSource(f"sqlite:///{tmp_path / 'rows.db'}", "people")
    said = replace(REGISTRATION, name="table", apart=APART)
    live = registering.register(house, ann, table, said, POLICY)
    lifecycle.reconnect(house, ann, live.id, table)
    letterhead.declare(house, ann, letterhead.Letterhead("Town"))
    letterhead.declare(house, ann, letterhead.Letterhead("City"))
    for _ in range(2):
        places.connect(house, ann, "x", f"sqlite:///{tmp_path / 'rows.db'}")
    places.disconnect(house, ann, "x")
    for form in ("register:x", "register:x"):
        drafts.save_draft(house, ann, form, "x", {"0:basis": "y"})
    drafts.discard_draft(house, ann, "register:x")
    now[0] += 1
    changes.amend(house, ann, dataset.id, replace(POLICY, free=0.1))
    lifecycle.publish(house, ann, dataset.id, True)
    assert lifecycle.check_ledger(house, ann, dataset.id).holds
    again = joining.invite(house, TERMINAL, "ozan", "Ozan", frozenset({"officer"}))
    oz = joining.choose_password(house, again, "a long password")
    assert not changes.amend(house, ann, dataset.id, POLICY)
    assert changes.amend(house, oz, dataset.id, POLICY)
    today = house.now.date()
    substitutes.name_substitute(house, ann, "ozan", today, today)
    for absence in substitutes.substitutions(house, ann):
        substitutes.end_substitution(house, oz, absence.id)
    post = Post()
    mail.set_address(house, ann, "ann", "ann@example.org")
    mail.send_code(house, ann, post)
    mail.confirm(house, ann, post.text.removeprefix("Your code is ")[:8])
    mail.choose_mail(house, ann, ("waiting",), False)
    news.choose_tongue(house, ann, "zh")
    assert not changes.amend(house, oz, dataset.id, replace(POLICY, free=0.3))
    assert deliver_letters(house, post, "") == 1
    secret = new_secret()
    recoveries = second_factor_setup.set_up_factor(house, bob, secret, code_of(secret, now[0]))
    now[0] += PERIOD
    for code in (code_of(secret, now[0]), recoveries[0]):
        half = signing_in.sign_in(house, "bob", "a long password")
        assert isinstance(half, Halfway) and signing_in.give_code(house, half, code) == bob
    second_factor_setup.take_factor(house, ann, "bob")
    accounts.end_sessions(house, ann, "bob")
    where = ["--home", str(tmp_path / "home"), "--database", urls[1]]
    decisions.sweep(house)
    for words in (["migrate"], ["verify"], ["retention"], ["backup", str(tmp_path / "b")]):
        assert main([*words, *where]) == 0
    lifecycle.close(house, ann, dataset.id)
    lifecycle.erase(house, ann, dataset.id)
    accounts.change(house, ann, "bob", frozenset({"analyst"}), False)
    accounts.erase_name(house, ann, "bob")
    house.store.close()


@pytest.mark.parametrize(
    "statement",
    [
        *(f"DELETE FROM {table}" for table in TABLES if table not in (*FLEETING, *GUARDED)),
        *(f"TRUNCATE {table} CASCADE" for table in TABLES),
        "UPDATE budgets SET limit_epsilon = 9",
        "UPDATE lines SET loss = 0",
        "UPDATE answers SET body = ''",
        "UPDATE acts SET told = ''",
        "UPDATE requests SET question = ''",
        "UPDATE datasets SET fingerprint = ''",
        "UPDATE people SET login = ''",
        "DROP TABLE lines",
        "ALTER TABLE lines DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "CREATE TABLE x (a int)",
        "CREATE TEMP TABLE x (a int)",
        "INSERT INTO alembic_version VALUES ('9')",
        "INSERT INTO ledger_version VALUES ('9')",
    ],
)
def test_the_servers_role_cannot_change_what_was_written(urls: tuple[str, str], statement: str) -> None:
    """Not the rows, not the tables, not the triggers."""
    engine = sa.create_engine(urls[1])
    with pytest.raises(DBAPIError, match="permission denied|must be owner"), engine.begin() as role:
        role.exec_driver_sql(statement)
    engine.dispose()


@pytest.mark.parametrize("table", GUARDED)
def test_a_dataset_that_was_not_withdrawn_stays_with_all_that_follows_it(urls: tuple[str, str], table: str) -> None:
    """The role may let go of what was withdrawn, and a trigger keeps everything else."""
    owner, app = (sa.create_engine(url) for url in urls)
    columns = {column["name"]: column for column in sa.inspect(owner).get_columns(table)}
    row = {name: 1 if isinstance(column["type"], sa.Integer | sa.Boolean) else "x" for name, column in columns.items()}
    with pytest.raises(DBAPIError, match="kept for good|never changes"), owner.begin() as connection:
        row |= {"state": "open"} if "state" in row else {}
        names = ", ".join(f'"{name}"' for name in row)
        values = ", ".join(f"'{value}'" for value in row.values())
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")  # nothing else of it is looked at
        connection.exec_driver_sql(f"INSERT INTO {table} ({names}) VALUES ({values})")
        connection.exec_driver_sql("SET LOCAL session_replication_role = origin")
        connection.exec_driver_sql(f"SET LOCAL ROLE {APP}")
        connection.exec_driver_sql(f"DELETE FROM {table}")
    for engine in (owner, app):
        engine.dispose()


def test_rights_name_every_table() -> None:
    """A new table is not forgotten."""
    (listing,) = re.findall(r"GRANT INSERT ON (.*) TO", RIGHTS)
    assert sorted(listing.split(", ")) == sorted(TABLES)


IMPORT_ALL = """
import app, importlib, pkgutil, sys
from pathlib import Path
import discreet.command
for one in pkgutil.iter_modules(discreet.command.__path__, "discreet.command."):
    importlib.import_module(one.name)
for top in FLOORS:
    for one in pkgutil.walk_packages([top], f"discreet.{top}."):
        if not one.name.endswith(("__main__", "shell")) and ".migrations." not in one.name:
            importlib.import_module(one.name)
from discreet.office.cards import proof
from discreet.office.__main__ import main
from discreet.ui import help
main(["migrate"])
print(bool(proof.program() and proof.lock() and len(help.documents()) > 50))
names = [getattr(module, "__file__", None) for module in sys.modules.values()]
files = [str(Path(name).resolve()) for name in names if name and "site-packages" not in name]
ours = [name for name in files if name.startswith(str(Path.cwd().resolve()))]
print(len(ours), len(set(ours)))
"""


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """Return what a process said that has imported everything in a copy of what the container holds."""
    folder = tmp_path_factory.mktemp("container")
    lines = (ROOT / ".containerignore").read_text(encoding="utf-8").split("\n")
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*" and rules[-2:] == ["**/__pycache__", "**/*.pyc"]
    for name in (rule[1:] for rule in rules if rule.startswith("!")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored, symlinks=True)
        else:
            shutil.copy(ROOT / name, folder / name)
    assert (folder / "docs" / "guarantees.md").exists()  # the pages quote it
    return subprocess.run(
        [sys.executable, "-c", IMPORT_ALL.replace("FLOORS", str(FLOORS[:-1]))],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "DISCREET_HOME": str(folder / "home")},
    )


def test_the_server_starts_without_the_course(tmp_path: Path) -> None:
    """It is a package beside the house: where its folder is not there, its screens and papers are not, either."""
    for name in ("app.py", *FLOORS, "discreet"):
        if name != "course":
            source = ROOT / name
            ignored = shutil.ignore_patterns("__pycache__", "course")
            copy = shutil.copy if source.is_file() else partial(shutil.copytree, symlinks=True, ignore=ignored)
            copy(source, tmp_path / name)
    seen = "import app; print(app.PACKED, app.ALONE)"
    env = {"PATH": os.environ["PATH"], "DISCREET_HOME": str(tmp_path / "home")}
    done = subprocess.run([sys.executable, "-c", seen], cwd=tmp_path, capture_output=True, text=True, env=env)
    assert done.stdout.split("\n")[-2:] == ["[] None", ""], done.stderr


def test_the_container_holds_what_the_server_imports(container: subprocess.CompletedProcess[str]) -> None:
    """With the files that are let in, and no others, all is imported and migrated."""
    assert container.returncode == 0 and "up to date" in container.stdout, container.stderr
    assert container.stdout.splitlines()[-2] == "True"


def test_no_module_is_loaded_under_two_names(container: subprocess.CompletedProcess[str]) -> None:
    """Everything imported in one process: each of our files is there once."""
    loaded, files = map(int, container.stdout.splitlines()[-1].split())
    assert loaded == files > 200


def test_the_guide_names_files_and_commands_that_exist() -> None:
    """Every file of deploy is in the guide and the other way round; so are commands and names."""
    named = set(re.findall(r"deploy/([\w.]+\w)", GUIDE))
    assert named == {path.name for path in DEPLOY.iterdir()}
    asked = set(re.findall(r"^(?:office|OFFICE)(?: --\w+ \S+)* ([a-z]+)", GUIDE, re.MULTILINE))
    cron = (DEPLOY / "discreet.cron").read_text(encoding="utf-8")
    asked |= set(re.findall(r"\$OFFICE ([a-z]+)", cron))
    assert {"setup", "backup", "migrate", "verify", "retention"} <= asked
    assert asked <= set(re.findall(r"^    ([a-z]+) ", _parser().format_help(), re.MULTILINE))
    names = set(re.findall(r"DISCREET_[A-Z_]+", GUIDE + (DEPLOY / "environment.example").read_text()))
    code = "\n".join(
        path.read_text("utf-8") for folder in ("budget", "ui", "office") for path in (ROOT / folder).rglob("*.py")
    )
    assert names and all(f'"{name}"' in code for name in names)


def test_unit_proxy_and_container_keep_out_what_the_gate_keeps_out() -> None:
    """The proxy decides by the decoded path and the name; unit and container have limits."""
    proxy = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
    assert "acl own path,url_dec,lower -m sub _stcore" in proxy
    (needed,) = re.findall(r"acl needed path (.*)", proxy)
    assert set(needed.split()) == {addresses.HEALTH, addresses.HOST_CONFIG, addresses.STREAM}
    assert f"acl needed path_beg {addresses.UPLOAD}" in proxy and "403 if !named" in proxy
    unit = (DEPLOY / "discreet.service").read_text(encoding="utf-8")
    for name in (
        "SystemCallFilter",
        "RestrictNamespaces",
        "ProtectKernelTunables",
        "ProtectProc",
        "LockPersonality",
        "MemoryMax",
        "TasksMax",
        "LimitCORE=0",
        "MemorySwapMax=0",
    ):
        assert f"\n{name}" in unit, name
    assert "DISCREET_SIGN_IN=required" in (ROOT / "Containerfile").read_text(encoding="utf-8")
    for limit in ("--memory", "--pids-limit", "core=0"):
        assert limit in GUIDE
