"""Safety: the commands that verify everything, back it up and bring it back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from discreet.budget.durable import backup as lines
from discreet.budget.durable.store import PRIVATE_FOLDER
from discreet.office.auditing import inspection
from discreet.office.datasets import registry
from discreet.office.house import acts, audit_log
from discreet.office.house.house import House
from discreet.office.house.roles import TERMINAL
from discreet.office.running import backup as beside
from discreet.office.running.backup import restored
from discreet.office.terminal.datasets import retention
from discreet.office.terminal.lookup import dataset_named
from discreet.office.terminal.output import end, stop, tell

MOST = 20  # number of findings of a verification that the trail keeps


def verify(house: House, name: str, head: Sequence[str], trail: str) -> int:
    """Replay trail, ledgers, rows, heads."""
    if head and not name:
        stop("Enter the NAME of the dataset that this hash belongs to.")
    data = dataset_named(house, name) if name else None
    findings = inspection.look(house, {data.id: lines.head_of(*head)} if data else None)
    wrong = [str(word) for word in findings.all]
    if trail and not audit_log.on_trail(house.store, trail):
        wrong.append(f"The audit log does not contain {trail}: it was cut or rebuilt.")
    with house.writing() as connection:
        house.act(connection, TERMINAL.id, acts.AUDITED, holds=not wrong, wrong=wrong[:MOST])
    for each in [data] if data else registry.everything(house):
        tell(quote(lines.word_of(each.name, findings.verdicts[each.id])))
    tell(f"--trail {audit_log.head(house.store)}")
    return end(wrong, "All is well.")


def backup(house: House, folder: str) -> int:
    """Write everything to a new private folder, and print what to keep apart."""
    target = Path(folder)
    target.mkdir(mode=PRIVATE_FOLDER)
    findings = inspection.look(house)
    with house.writing() as connection:
        house.act(connection, TERMINAL.id, acts.BACKUP, target.name, holds=not findings.all)
    words, missing = beside.backup(house, target)
    for word in words:
        tell(word)
    wrong = [*map(str, findings.all)] or [f"{name} is missing." for name in missing]
    more = ["The backup contains these errors, too. Keep an older backup without errors."] if wrong else []
    return end([*wrong, *more], "Keep these hashes separate from the backup. You need them to restore it.")


def restore(house: House, folder: str, words: Sequence[str], trail: str, seal: str, yes: bool) -> int:
    """Fill an empty house; with `yes` parts that do not verify, except ledgers, are restored and reported."""
    with house.writing() as connection, restored(house, Path(folder), words, trail, seal) as (_, missing):
        house.begin_seals()
        findings = inspection.look(house)
        forgotten = any(word.endswith("=unknown") for word in words)
        for odd in [] if yes else [*findings.wrong, *([] if forgotten else findings.cut)]:
            stop(f"The backup is damaged. {odd} Add --yes to restore it as it is.")
        for place in inspection.damaged(house, connection):
            if place not in missing:
                house.vault.leave_out(place)
        house.act(connection, TERMINAL.id, acts.SET_UP, restored=words)
    retention(house)
    wrong = [f"{odd}" for odd in (*findings.wrong, *findings.cut)]
    wrong += [
        f"The rows of {name} are not restored; its budget and results are. {why}" for name, why in findings.rows.items()
    ]
    return end(wrong, "Restored. Budget spent and rows deleted after these hashes are not recorded here.")
