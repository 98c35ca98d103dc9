"""Datasets: the commands that hand the data of a dataset on, or delete them."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from shlex import quote

from discreet.budget.durable.store import private
from discreet.office.auditing import bundles, signing
from discreet.office.cards.records import record_of
from discreet.office.datasets import lifecycle, registry
from discreet.office.house.house import House
from discreet.office.house.roles import TERMINAL
from discreet.office.house.versions import contents
from discreet.office.requests.request import released
from discreet.office.running import housekeeping
from discreet.office.running.backup import FILES
from discreet.office.terminal.lookup import dataset_named
from discreet.office.terminal.output import stop, tell

MIRROR = "The key of the rows is deleted, too. Mirror the folder of keys now, so that no copy keeps this key."


def erase(house: House, name: str, yes: bool = False) -> None:
    """Delete the rows of a dataset for good; its budget and answers stay."""
    data = dataset_named(house, name)
    if not yes:
        stop(f"This cannot be undone. To confirm, run: erase {quote(data.name)} --yes")
    places = contents(registry.row_of(house, data.id))
    more = f"Delete {' and '.join(f'{FILES}/{place}' for place in places)} in all backups, too."
    if all(house.vault.sealed(place) for place in places):
        more = MIRROR
    lifecycle.erase(house, TERMINAL, data.id)
    tell(f"The rows of {data.name} are deleted. {more}")


def retention(house: House) -> None:
    """Erase the rows of all datasets with a past deletion date."""
    for data in housekeeping.past_retention(house):
        erase(house, data.name, yes=True)


def export(house: House, name: str, file: str) -> None:
    """Write the answers and the ledger of a dataset to a new file, as JSON."""
    data = dataset_named(house, name)
    answers = [(asked.release, asked.number) for asked in released(house, data.id) if asked.release is not None]
    ledger = registry.ledger(house, data.id)
    contents = {
        "discreet_dataset": 1,
        "name": data.name,
        "id": data.id,
        "rule": ledger.rule.name,
        "limit": [ledger.limit.epsilon, ledger.limit.delta],
        "releases": [record_of(answer, data.schema_at(number)) for answer, number in answers],
        "lines": ledger.lines,
    }
    with private(Path(file)) as sink:
        sink.write(dumps(contents, indent=1, ensure_ascii=False).encode())
    tell(f"Results written: {len(answers)}.")


def bundle(house: House, name: str, file: str, first: str, last: str) -> None:
    """Write a signed file about a dataset for auditors, of some days or all."""
    period = bundles.Period(first or bundles.FIRST, last or bundles.LAST)
    content = bundles.bundle(house, TERMINAL, dataset_named(house, name).id, period)
    with private(Path(file)) as sink:
        sink.write(content)
    tell(f"Audit file written. To verify it, run: discreet verify {quote(file)} --key {signing.public_key(house)}")
