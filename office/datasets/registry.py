"""Registry: the datasets that officers have registered, their budgets, policies and ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from discreet.budget import ParameterError
from discreet.budget.durable import DurableLedger
from discreet.curator.release import Curator
from discreet.office.datasets import places
from discreet.office.house import replay
from discreet.office.house.curators import Answerers
from discreet.office.house.house import House
from discreet.office.house.versions import Erratum, Version, format_of, history, layout_of, notes, rows_at
from discreet.office.rules.registration import ENDED, OF_A_WAVE, Edition, Policy, Registration, asked_under, editions
from discreet.office.rules.visit import Visit, looking
from discreet.rows.dataset import Dataset
from discreet.rows.engines.connection import Live
from discreet.rows.engines.registry import Tabled, is_live, sources
from discreet.rows.schema import Schema
from discreet.rows.source import Source


@dataclass(frozen=True)
class Registered:
    """The public facts about a registered dataset: its declaration, never its rows.

    Its registration has the declaration that holds now, or held for the request that is looked at.
    """

    id: str
    registration: Registration
    policy: Policy
    fingerprint: str
    state: str
    published: bool
    by: str
    at: str
    remote: bool  # the rows stay where they are, and may change
    table: bool  # they are in a table of a database or of a cluster
    first: Schema  # as it was registered
    later: tuple[Edition, ...] = ()  # how it was extended
    versions: tuple[Version, ...] = ()  # its rows, oldest first
    errata: tuple[Erratum, ...] = ()  # dated notes on what was said

    def version_at(self, number: int) -> Version:
        """Return the rows that a request is answered from."""
        return [version for version in self.versions if version.since <= number][-1]

    def check_open(self) -> None:
        """Refuse data that take no more requests."""
        if self.state == "closed" and self.registration.unit == OF_A_WAVE:
            raise ParameterError(ENDED)
        if self.state != "open":
            raise ParameterError("This dataset is closed and accepts no more requests.")

    def bounded_otherwise(self, number: int) -> bool:
        """Return whether a bound goes further now than for a request."""
        now = self.registration.schema.ends
        return any(now[name] != end for name, end in self.schema_at(number).ends.items())

    def schema_at(self, number: int) -> Schema:
        """Return the declaration under which a request was asked."""
        held = [edition.schema for edition in self.later if edition.since <= number]
        return held[-1] if held else self.first

    @property
    def name(self) -> str:
        """What it is called."""
        return self.registration.name


def everything(house: House) -> list[Registered]:
    """Return all registered datasets by name."""
    with house.store.reading() as connection:
        return sorted(map(registered, replay.rows(connection, "dataset")), key=lambda data: data.name)


def find(house: House, dataset: str, number: int | None = None) -> Registered:
    """Return one registered dataset, as it is now or as a request was asked under it."""
    with looking(house, dataset=dataset) as visit:
        return of(visit, number)


def of(visit: Visit, number: int | None = None) -> Registered:
    """Return the dataset of a visit likewise."""
    return registered(visit.row, number)


def ledger(house: House, dataset: str) -> DurableLedger:
    """Return the ledger of a dataset, on the clock of the house; a wave of its periods begins with new rows."""

    def wave() -> int:
        return len(history(row_of(house, dataset)))

    return DurableLedger(house.store, dataset, clock(house), wave)


def clock(house: House) -> Callable[[], str]:
    """Return the clock of the house as ledgers write it."""
    return lambda: house.now.isoformat(timespec="microseconds")


def curator(house: House, dataset: str, number: int | None = None) -> Curator:
    """Return who answers for a dataset, for a request as it was asked; only the office itself calls this.

    What stays where it is is looked for every time: if it cannot be read, nothing is charged. A
    declaration that the trail does not know answers nothing.
    """
    with looking(house, dataset=dataset) as visit:
        check_described(visit)
    return answerer(house, visit.row, number)


def check_described(visit: Visit) -> None:
    """Refuse a dataset with a declaration that is not on the trail."""
    if not replay.described(visit.trail, visit.row):
        raise ParameterError(
            "The schema does not match the audit log, so nothing was released. Contact the server administrator."
        )


def answerer(house: House, row: Any, number: int | None = None) -> Curator:
    """Return who answers for the row of a dataset that the trail knows; no transaction waits while rows are opened."""
    dataset = row["id"]
    if row["state"] == "deleted":
        house.forget(dataset)  # another process deleted them; no copy in memory outlives that
        raise ParameterError("The rows of this dataset are deleted. It accepts no more requests.")
    newest = schema_of(row)
    asked = schema_of(row, number)
    row = rows_at(row, number)
    asked = asked.read_as(layout_of(row["layout"]))
    there = open_rows(house, row, newest) if is_remote(row) else None

    def asking(rows: Dataset) -> Curator:
        return Curator(rows, ledger(house, dataset), refines=False)

    opened = house.answering(
        f"{dataset}/{len(history(row, number))}",
        f"{row['content']}:{len(row['declarations'])}:{places.mark(house, row)}",
        lambda: Answerers(there or open_rows(house, row, newest), asking),
        ahead=house.ahead and there is None,
    )
    return opened.of(asked)


def schema_of(row: Any, number: int | None = None) -> Schema:
    """Return the declaration of a row of the table as a request was asked under it, or as it is now."""
    return asked_under(Registration.from_json(row["body"]), editions(row["declarations"], number)).schema


def open_rows(house: House, row: Any, schema: Schema) -> Dataset:
    """Open the rows of a dataset, where they lie or by the address that lies there."""
    source = house.vault.open(row["content"], row["layout"], row["fingerprint"], schema.used)
    if is_live(source):
        source = places.current(house, row, source)
        places.permit(source.where)
    return dataset_of(source, schema)


def dataset_of(source: Source, schema: Schema) -> Dataset:
    """Return rows as they are declared: a file, or what is read anew each time."""
    return Live(source, schema) if is_live(source) else Dataset(source, schema.read_as(getattr(source, "layout", None)))


def is_remote(row: Any) -> bool:
    """Return whether the rows of a dataset stay where they are, outside of the vault."""
    return format_of(row["layout"]) in sources


def is_table(row: Any) -> bool:
    """Return whether the rows of a dataset are a table of a database or of a cluster."""
    return is_remote(row) and issubclass(sources[format_of(row["layout"])], Tabled)


def row_of(house: House, dataset: str) -> Any:
    """Return the row of a dataset."""
    with looking(house, dataset=dataset) as visit:
        return visit.row


@lru_cache(maxsize=256)
def _said(body: str) -> Registration:
    """Read what was said at registration, which never changes: every screen lists all data."""
    return Registration.from_json(body)


def registered(row: Any, number: int | None = None) -> Registered:
    """Return the dataset of a row, as it is now or as a request was asked under it."""
    later = editions(row["declarations"], number)
    said = _said(row["body"])
    return Registered(
        row["id"],
        asked_under(said, later),
        Policy.from_json(row["policy"]),
        rows_at(row, number)["fingerprint"],
        "closed" if row["state"] == "open" and said.unit == OF_A_WAVE else row["state"],
        row["published"],
        row["by"],
        row["at"],
        is_remote(row),
        is_table(row),
        said.schema,
        later,
        history(row, number),
        notes(row),
    )
