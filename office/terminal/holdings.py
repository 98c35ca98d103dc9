"""Holdings: the commands about registered data and what is asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from shlex import quote

from discreet.budget.durable.files import private
from discreet.lab.report.titles import titled
from discreet.office import decisions, keeping, registry, renewal, upkeep
from discreet.office.asked import listed, released, select_requests
from discreet.office.beside import FILES
from discreet.office.house import House
from discreet.office.later_bounds import Later
from discreet.office.releases import record_of
from discreet.office.roles import TERMINAL
from discreet.office.terminal import lookup
from discreet.office.terminal.lookup import dataset_named
from discreet.office.terminal.speech import stop, tell, waits
from discreet.office.versions import contents

MIRROR = "What opens its rows is gone, too. Mirror the folder of keys now, so that no copy has it."


def datasets(house: House) -> None:
    """datasets: list the datasets with state, what is spent of the limit, version, period, and id."""
    for data in registry.everything(house):
        ledger = registry.ledger(house, data.id)
        version = f"version {len(data.versions)}"
        period = "" if ledger.period is None else f"{ledger.period.label}: {ledger.period.left} left"
        spent = f"{ledger.spent} of {ledger.limit}"
        tell(name=data.name, state=data.state, spent=spent, version=version, period=period, id=data.id)


def requests(house: House) -> None:
    """requests: list the requests and how they stand."""
    names = {data.id: data.name for data in registry.everything(house)}
    for asked in listed(house, select_requests()):
        data, title = names[asked.dataset], titled(asked.request)
        tell(number=f"#{asked.number}", state=asked.status, data=data, cost=asked.cost, question=title)


def expire(house: House) -> None:
    """expire: let requests expire that nobody decided in time."""
    tell(f"{decisions.sweep(house)} expired.")


def erase(house: House, name: str, *, yes: bool = False) -> None:
    """erase NAME --yes: delete the rows of a dataset for good; its budget and answers stay."""
    data = dataset_named(house, name)
    if not yes:
        stop(f"This cannot be undone. If it is meant, say erase {quote(data.name)} --yes")
    more = copies(house, data.id)
    upkeep.erase(house, TERMINAL, data.id)
    tell(f"{data.name} is erased. {more}")


def copies(house: House, dataset: str) -> str:
    """Say what to do about copies of rows that are deleted."""
    places = contents(registry.row_of(house, dataset))
    if all(house.vault.sealed(place) for place in places):
        return MIRROR
    return f"Delete {' and '.join(f'{FILES}/{place}' for place in places)} in all backups, too."


def version(
    house: House,
    name: str,
    file: str,
    why: str,
    apart: str = "",
    *,
    holds: bool = False,
    upper: list[str] | None = None,
    source: str = "",
    acting: str = "",
) -> int:
    """version NAME FILE WHY [APART] --holds [--as LOGIN]: add new rows to a dataset.

    --holds says that the declared bounds hold for them. In its place --upper COLUMN=END, once for each column, says
    that a last day is later or an upper bound higher from this version on, and --source from what public knowledge.

    Its budget goes on. APART says why people who seem to be in another dataset, too, are others. A second officer
    whom the policy wants gives the same file.
    """
    content, dataset, who = Path(file).read_bytes(), dataset_named(house, name).id, lookup.somebody(house, acting)
    later = _later(dataset_named(house, name).registration.schema.ends, holds, upper or [], source)
    data = renewal.renew(house, who, dataset, content, why, apart=apart, later=later)
    if data is None:
        return waits(f"A version of {name} is proposed.")
    tell(f"{data.name} has version {len(data.versions)}, from the next request on.")
    return 0


def _later(ends: Mapping[str, str], holds: bool, upper: Sequence[str], source: str) -> Later:
    """Return the bounds that go further; somebody has to say whether those that are declared hold."""
    if ends and holds == bool(upper):
        named = ", ".join(f"{name} up to {end}" for name, end in ends.items())
        stop(
            f"Do the declared bounds hold for these rows ({named})? Say --holds, or --upper COLUMN=END for each that "
            "goes further, with --source: from public knowledge, never from the rows. Nothing was added."
        )
    parts = [each.rpartition("=") for each in upper]
    if not all(name and end for name, _, end in parts):
        stop("Write --upper COLUMN=END, as in --upper admitted=2026-12-31.")
    return Later({name: end for name, _, end in parts}, source)


def note(house: House, name: str, text: str, *, acting: str = "") -> None:
    """note NAME TEXT [--as LOGIN]: add a dated note to what was said of a dataset; every card shows it."""
    renewal.note(house, lookup.somebody(house, acting), dataset_named(house, name).id, text)
    tell("It is noted.")


def retention(house: House) -> None:
    """retention: erase the rows of all datasets whose day is past."""
    for data in keeping.past_retention(house):
        erase(house, data.name, yes=True)


def reconnect(house: House, name: str, table: str) -> None:
    """reconnect NAME TABLE: reach the same table by a new address, read from standard input."""
    upkeep.reconnect(house, TERMINAL, dataset_named(house, name).id, lookup.table(table))
    tell(f"{name} is reached by the new address.")


def export(house: House, name: str, file: str) -> None:
    """export NAME FILE: write the answers and the ledger of a dataset to a new file, as JSON."""
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
    tell(f"{len(answers)} answers are written.")
