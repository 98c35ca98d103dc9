"""Backup: an office has more than budgets: tables, its rows, both keys.

It is a folder: one file with all tables, the vault's files that datasets and connections name, and the keys.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path
from shlex import quote

from discreet.budget.durable import backup as ledger_backup
from discreet.budget.durable.store import PRIVATE_FOLDER, copied, created
from discreet.budget.errors import ParameterError
from discreet.office.datasets import places
from discreet.office.house import tables
from discreet.office.house.house import House
from discreet.office.house.vault import IMPRINTS, KEY
from discreet.office.requests.states import WAITING, those

LEDGER = "ledger.jsonl"
FILES = "vault"
SEALS = "seal.key"
BEGUN = {"state": WAITING.name, "decided_by": None, "decided": None, "reason": "", "checklist": "{}"}
DECIDED = those(lambda state: state.verdict or state.returned)
# no links, no sessions; declarations and versions before requests: a guard lets none hold for what was asked already
GROWN = (tables.declarations, tables.versions, tables.errata)
SAID = (tables.remarks, tables.revisions)
WAYS = (tables.letterhead, tables.connections)
KEPT = (
    tables.people,
    tables.factor_steps,
    tables.datasets,
    tables.withdrawn,
    *GROWN,
    tables.requests,
    tables.acts,
    *SAID,
    *WAYS,
)


def backup(house: House, folder: Path) -> tuple[list[str], list[str]]:
    """Write everything into a new private folder; return what to keep apart, and files it lacks."""
    seal = house.store.seal
    try:
        verdicts = ledger_backup.backup(house.store, folder / LEDGER, KEPT)
        rows = ledger_backup.read(folder / LEDGER)
        (folder / FILES).mkdir(mode=PRIVATE_FOLDER)
        files = _files(rows)
        links = [name for name in files if (house.vault.folder / name).is_symlink()]  # not followed
        here = [name for name in files if name not in links]
        with copied([*here, *_imprints(here, house.vault.folder), KEY], house.vault.folder, folder / FILES) as lacking:
            missing = [*lacking, *links]
        if seal is not None and seal.path.is_file():
            created(folder / SEALS, seal.path.read_bytes())
    except BaseException:
        shutil.rmtree(folder)
        raise
    names = _names(rows)
    acts = ledger_backup.of(rows, "acts")
    words = [quote(ledger_backup.word_of(names[budget], verdict)) for budget, verdict in verdicts.items()]
    words += [f"--trail {act['seq']}:{act['hash']}" for act in acts[-1:]]
    return [*words, f"--seal {_digest(folder)}"], missing


@contextmanager
def restored(
    house: House, folder: Path, words: Sequence[str], trail: str, seal: str
) -> Iterator[tuple[list[ledger_backup.Row], list[str]]]:
    """Restore a folder if nothing fails inside; yield its rows and its missing files.

    `words` are as `heads_of` reads them; trail and seal, if known, are as `backup` gave them.
    """
    rows = ledger_backup.read(folder / LEDGER)
    store = house.store
    if seal and seal != _digest(folder):
        raise ParameterError("This backup was changed, or the seal belongs to another backup.")
    names = _names(rows)
    heads = ledger_backup.heads_of(words, names)
    ledger_backup.check("acts", ledger_backup.of(rows, "acts"), ledger_backup.head_of(trail) if trail else {})
    key = nullcontext() if store.seal is None else store.seal.brought(folder / SEALS)
    with key, store.writing(""):
        ledger_backup.restore(store, folder / LEDGER, heads, KEPT, _begun, names)
        files = _files(rows)
        with copied([*files, *_imprints(files, folder / FILES), KEY], folder / FILES, house.vault.folder) as missing:
            if KEY in missing:
                raise ParameterError("This file is not a backup, or it is damaged.")
            yield rows, missing


def _begun(table: str, row: ledger_backup.Row) -> ledger_backup.Row:
    """Return how a row began: a guard lets no request begin as decided."""
    decided = table == "requests" and row["state"] in DECIDED
    return row | BEGUN if decided else row


def _files(rows: Sequence[ledger_backup.Row]) -> list[str]:
    """Return the files that datasets and connections name."""
    here = {row["id"]: row["content"] for row in ledger_backup.of(rows, "datasets") if row["state"] != "deleted"}
    ways = [row["content"] for row in ledger_backup.of(rows, "connections") if row["state"] == places.OPEN]
    return [
        *here.values(),
        *(row["content"] for row in ledger_backup.of(rows, "versions") if row["dataset"] in here),
        *ways,
    ]


def _imprints(files: Sequence[str], folder: Path) -> list[str]:
    """Return the names of the stored imprints of these files of rows."""
    every = [(folder / name).with_suffix(IMPRINTS) for name in files if Path(name).name == name]
    return [path.name for path in every if path.is_file() and not path.is_symlink()]


def _names(rows: Sequence[ledger_backup.Row]) -> dict[str, str]:
    """Return what each budget of a backup is called."""
    budgets = {str(row.get("id")): str(row.get("id")) for row in ledger_backup.of(rows, "budgets")}
    data = ledger_backup.of(rows, "datasets")
    return budgets | {str(row.get("id")): str(row.get("name")) for row in data}


def _digest(folder: Path) -> str:
    """Return a hash of a backup, all but the files of rows: their fingerprints are in it."""
    key = (folder / FILES / KEY).read_bytes()
    return sha256(key + (folder / LEDGER).read_bytes()).hexdigest()
