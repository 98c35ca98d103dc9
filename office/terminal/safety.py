"""Safety: the commands that verify everything, back it up, bring it back, and bring it up to date."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from pathlib import Path
from shlex import quote

from discreet.budget.durable import backup as lines
from discreet.budget.durable.files import PRIVATE_FOLDER, private
from discreet.office import acts, beside, bundles, inspection, memberships, registry, signing
from discreet.office.beside import restored
from discreet.office.health import wrongs
from discreet.office.house import House
from discreet.office.roles import TERMINAL
from discreet.office.terminal.holdings import retention
from discreet.office.terminal.lookup import dataset_named
from discreet.office.terminal.speech import end, stop, tell

MOST = 20  # so many findings of a verification stand on the trail


def verify(house: House, name: str = "", *, head: Sequence[str] = (), trail: str = "") -> int:
    """verify [NAME [--head LINE:HASH]] [--trail LINE:HASH]: replay trail, ledgers, rows, heads."""
    if head and not name:
        stop("Say of which dataset this head is known.")
    data = dataset_named(house, name) if name else None
    findings = inspection.look(house, {data.id: lines.head_of(*head)} if data else None)
    wrong = [str(word) for word in findings.all]
    if trail and not acts.on_trail(house.store, trail):
        wrong.append(f"The trail lacks {trail}: it was cut or rebuilt.")
    with house.writing() as connection:
        house.act(connection, TERMINAL.id, "audited", holds=not wrong, wrong=wrong[:MOST])
    for each in [data] if data else registry.everything(house):
        tell(quote(lines.word_of(each.name, findings.verdicts[each.id])))
    tell(f"--trail {acts.head(house.store)}")
    return end(wrong, "All is well.")


def trail(house: House, most: str = "20") -> None:
    """trail [N]: print the newest acts, 20 if nothing else is said."""
    if not (most.isascii() and most.isdigit() and len(most) < 10):
        stop("Say how many acts, as a number.")
    for act in acts.trail(house.store, int(most)):
        who, details = memberships.name_of(house, act.who), dumps(act.details) if act.details else ""
        time = f"{act.time:%Y-%m-%d %H:%M:%S}"
        tell(act=act.seq, time=time, who=who, what=act.words, about=act.about, details=details)


def backup(house: House, folder: str) -> int:
    """backup FOLDER: write everything to a new private folder, and print what to keep apart."""
    target = Path(folder)
    target.mkdir(mode=PRIVATE_FOLDER)
    findings = inspection.look(house)
    with house.writing() as connection:
        house.act(connection, TERMINAL.id, "backup", target.name, holds=not findings.all)
    words, missing = beside.backup(house, target)
    for word in words:
        tell(word)
    wrong = [*map(str, findings.all)] or [f"{name} is missing." for name in missing]
    more = ["The backup holds what is wrong, too: keep an older one that was well."] if wrong else []
    return end([*wrong, *more], "Keep these words apart from the backup: restore takes them.")


def restore(house: House, folder: str, *words: str, trail: str = "", seal: str = "", yes: bool = False) -> int:
    """restore FOLDER NAME=LINE:HASH ... [--trail LINE:HASH] [--seal HASH] [--yes]: fill a house.

    It must be empty. With --yes what does not verify, a ledger aside, comes back and is told.
    """
    with house.writing() as connection, restored(house, Path(folder), words, trail, seal) as (_, missing):
        house.begin_seals()
        findings = inspection.look(house)
        forgotten = any(word.endswith("=unknown") for word in words)
        for odd in [] if yes else [*findings.wrong, *([] if forgotten else findings.cut)]:
            stop(f"The backup is damaged. {odd} Say --yes to bring it back as it is.")
        for place in inspection.damaged(house, connection):
            if place not in missing:
                house.vault.leave_out(place)
        house.act(connection, TERMINAL.id, "set up", restored=words)
    retention(house)
    wrong = [f"{odd}" for odd in (*findings.wrong, *findings.cut)]
    wrong += [
        f"The rows of {name} are not restored; its budget and answers are. {why}" for name, why in findings.rows.items()
    ]
    return end(wrong, "Restored. What was spent or erased since these heads is not known here.")


def key(house: House) -> None:
    """key: print the public key with which everybody can check what this house has signed."""
    tell(signing.public_key(house))


def bundle(house: House, name: str, file: str, first: str = bundles.FIRST, last: str = bundles.LAST) -> None:
    """bundle NAME FILE [FIRST LAST]: write a signed file about a dataset for auditors, of some days or all."""
    content = bundles.bundle(house, TERMINAL, dataset_named(house, name).id, bundles.Period(first, last))
    with private(Path(file)) as sink:
        sink.write(content)
    tell(f"Written. Whoever has it verifies it with: discreet verify {quote(file)} --key {signing.public_key(house)}")


def health(house: House) -> int:
    """health: look at database, disk and keys; 0 if all of them are well."""
    return end([f"{part}: {why}" for part, why in wrongs(house).items()], "All is well.")


def migrate(house: House) -> None:
    """migrate: bring the database up to date, as every command does, and say where it is."""
    with house.store.reading() as connection:
        revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    tell(f"The database is up to date, at revision {revision}.")
