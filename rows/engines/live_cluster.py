"""Live cluster: a table of a Spark cluster, reached through Spark Connect, under one budget.

The digest identifies the cluster and the table by the names of its catalog, and not the content; neither a token nor
another spelling changes it. A session is opened for each method and closed after it, so none can be lost between two
queries. Results are as in `spark`: integers, and nothing of a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.counting import Counts, Task
from discreet.rows.engines.address import Tabled
from discreet.rows.intake.parser import Unreachable
from discreet.rows.kernel import Estimate
from discreet.rows.persons import Lots

if TYPE_CHECKING:  # not needed by a server without rows on a cluster
    from discreet.rows.engines.spark import SparkSource

PORT = 15002
SCHEME = "sc://"
URL = re.compile(r"sc://([A-Za-z0-9.-]+)(?::([0-9]{1,5}))?(?:/(?:;([^\s]*))?)?")
TABLE = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+){0,2}")
OPTIONS = {"use_ssl", "token", "user_id"}  # others would set headers of their own
LOOPBACK = ("localhost", "127.0.0.1")
PATIENCE = {"max_retries": 3, "max_backoff": 2000}  # milliseconds: a query does not wait ten minutes for a cluster
S = TypeVar("S")


@dataclass(frozen=True, repr=False)
class Cluster(Tabled):
    """The address of a cluster, with its token, and one table of it."""

    format: ClassVar[str] = "cluster"
    schemes: ClassVar[tuple[str, ...]] = (SCHEME,)
    unreadable: ClassVar[Phrase] = Phrase("This cluster address cannot be read.")

    def __post_init__(self) -> None:
        """Raise ParameterError for an invalid address or table name, before anything is opened."""
        if not isinstance(self.table, str) or not TABLE.fullmatch(self.table):
            raise ParameterError("Enter one table of the cluster, as in catalog.folder.table.")
        if not isinstance(self.url, str) or not URL.fullmatch(self.url) or not set(self.options) <= OPTIONS:
            raise ParameterError("This is not a cluster address. Write sc://host:15002/;use_ssl=true;token=...")

    def __repr__(self) -> str:
        """Show the place without its token."""
        return f"Cluster({self.host!r}, {self.port}, {self.table!r})"

    @property
    def host(self) -> str:
        """The host name of the cluster."""
        return self._parts[0].lower()

    @property
    def port(self) -> int:
        """The port of the cluster."""
        return int(self._parts[1] or PORT)

    @property
    def options(self) -> dict[str, str]:
        """The options in the address."""
        return dict(pair.partition("=")[::2] for pair in self._parts[2].split(";") if pair)

    @property
    def _parts(self) -> tuple[str, str, str]:
        matched = URL.fullmatch(self.url)
        return ("", "", "") if matched is None else tuple(part or "" for part in matched.groups())  # type: ignore[return-value]

    @property
    def verified(self) -> bool:
        """Return whether the connection uses TLS with a verified certificate, or stays on this machine."""
        return self.options.get("use_ssl") == "true" or self.host in LOOPBACK

    @property
    def identity(self) -> tuple[Any, ...]:
        """Host, port and table, independent of letter case."""
        return self.host, self.port, self.table.lower()

    @property
    def bare(self) -> Cluster:
        """The address without the token."""
        return Cluster(f"{SCHEME}{self.host}:{self.port}", self.table)

    def source(self) -> LiveCluster:
        """Return the source; nothing is opened before it is needed."""
        return LiveCluster(self)

    def knock(self) -> None:
        """Check that the cluster answers; no table is read."""
        with _session(self.url):
            return


class LiveCluster:
    """Rows of a cluster's table, which may change between two queries."""

    ground: ClassVar[str | None] = None

    def __init__(self, where: Cluster) -> None:
        """Take an address; nothing is opened before it is needed."""
        self.where = where

    def __repr__(self) -> str:
        """Show the place without its token."""
        return f"LiveCluster({self.where!r})"

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns, as they were when first requested."""
        return self._asked(lambda source: source.names)

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns as in the catalog: public, like their names."""
        return self._asked(lambda source: source.types)

    @property
    def digest(self) -> str:
        """A hash of where the rows are stored: they may change, their budget does not."""
        return self.where.digest

    def settled(self) -> LiveCluster:
        """Return the source with the one full name of its table."""
        return replace(self.where, table=".".join(self._asked(lambda source: source.place))).source()

    def counts(self, task: Task) -> Counts:
        """Count rows, regardless of persons."""
        return self._asked(lambda source: source.counts(task))

    def capped(self, task: Task, lots: Lots) -> Counts:
        """Count at most the declared number of rows of each person, or one number for each."""
        return self._asked(lambda source: source.capped(task, lots))

    def group(self, estimate: Estimate, task: Task, lots: Lots, groups: int) -> list[Any]:
        """Collect the rows of each secret group and return the groups' estimates, in order."""
        return self._asked(lambda source: source.group(estimate, task, lots, groups))

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for open data."""
        return self._asked(lambda source: source.head(columns, most))

    def _asked(self, work: Callable[[SparkSource], S]) -> S:
        """Run a function in a session of its own."""
        from discreet.rows.engines.spark import SparkSource

        with _session(self.where.url) as session:
            return work(SparkSource(self.where.table, session))


@contextmanager
def _session(url: str) -> Iterator[Any]:
    """Open a session and close it; an error does not reveal why it could not be opened."""
    if find_spec("pyspark") is None or find_spec("grpc") is None:
        raise ParameterError(
            "This server cannot connect to a cluster. The server administrator must install it with the extra [spark]."
        )
    from pyspark.sql.connect.client.retries import DefaultPolicy
    from pyspark.sql.connect.session import SparkSession

    try:
        session = SparkSession.builder.remote(url).create()
        session.client.set_retry_policies([DefaultPolicy(**PATIENCE)])
        session.client.disable_reattachable_execute()  # no operation is repeated without our knowledge
        _ = session.version  # the first round trip
    except Exception:
        raise Unreachable("The cluster cannot be reached. Check its address and your permissions.") from None
    try:
        yield session
    finally:
        with suppress(Exception):
            session.stop()
