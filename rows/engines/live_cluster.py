"""Live cluster: a table of a Spark cluster that is reached through Spark Connect, under one budget.

The digest names the cluster and the table by the names of its catalog, and not the content; neither a
token nor another spelling changes it. A session is begun for each verb and ended behind it, so none can
be lost between two questions. The kernels come back as in `spark`: whole numbers, and nothing of a row.
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

if TYPE_CHECKING:  # a server whose rows lie on no cluster does without
    from discreet.rows.engines.spark import SparkSource

PORT = 15002
SCHEME = "sc://"
URL = re.compile(r"sc://([A-Za-z0-9.-]+)(?::([0-9]{1,5}))?(?:/(?:;([^\s]*))?)?")
TABLE = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+){0,2}")
OPTIONS = {"use_ssl", "token", "user_id"}  # others would name headers of their own
LOOPBACK = ("localhost", "127.0.0.1")
PATIENCE = {"max_retries": 3, "max_backoff": 2000}  # milliseconds: a question does not wait ten minutes for a cluster
S = TypeVar("S")


@dataclass(frozen=True, repr=False)
class Cluster(Tabled):
    """The address of a cluster, with its token, and one table of it."""

    format: ClassVar[str] = "cluster"
    schemes: ClassVar[tuple[str, ...]] = (SCHEME,)
    unreadable: ClassVar[Phrase] = Phrase("This address of a cluster cannot be read.")

    def __post_init__(self) -> None:
        """Refuse what is no address or no plain name, before anything is opened."""
        if not isinstance(self.table, str) or not TABLE.fullmatch(self.table):
            raise ParameterError("Name one table of the cluster, as in catalog.folder.table.")
        if not isinstance(self.url, str) or not URL.fullmatch(self.url) or not set(self.options) <= OPTIONS:
            raise ParameterError("This is no address of a cluster. Write sc://host:15002/;use_ssl=true;token=...")

    def __repr__(self) -> str:
        """Show the place without its token."""
        return f"Cluster({self.host!r}, {self.port}, {self.table!r})"

    @property
    def host(self) -> str:
        """The machine that is asked."""
        return self._parts[0].lower()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._parts[1] or PORT)

    @property
    def options(self) -> dict[str, str]:
        """What is said beside the place."""
        return dict(pair.partition("=")[::2] for pair in self._parts[2].split(";") if pair)

    @property
    def _parts(self) -> tuple[str, str, str]:
        matched = URL.fullmatch(self.url)
        return ("", "", "") if matched is None else tuple(part or "" for part in matched.groups())  # type: ignore[return-value]

    @property
    def verified(self) -> bool:
        """Say whether the way there is encrypted and its certificate looked at, or never leaves this machine."""
        return self.options.get("use_ssl") == "true" or self.host in LOOPBACK

    @property
    def identity(self) -> tuple[Any, ...]:
        """Which table of which machine; capitals make no other one."""
        return self.host, self.port, self.table.lower()

    @property
    def bare(self) -> Cluster:
        """The same table without the token of whoever asks."""
        return Cluster(f"{SCHEME}{self.host}:{self.port}", self.table)

    def source(self) -> LiveCluster:
        """Return its rows; nothing is opened before it is needed."""
        return LiveCluster(self)

    def knock(self) -> None:
        """See whether the cluster answers; no table is looked at."""
        with _session(self.url):
            return


class LiveCluster:
    """Rows of a table of a cluster, which may change between two questions."""

    ground: ClassVar[str | None] = None

    def __init__(self, where: Cluster) -> None:
        """Take an address; nothing is opened before it is needed."""
        self.where = where

    def __repr__(self) -> str:
        """Show the place without its token."""
        return f"LiveCluster({self.where!r})"

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns, as they were when they were first asked for."""
        return self._asked(lambda source: source.names)

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns as the catalog has them: public, like their names."""
        return self._asked(lambda source: source.types)

    @property
    def digest(self) -> str:
        """A hash of where the rows are: they may change, their budget stays."""
        return self.where.digest

    def settled(self) -> LiveCluster:
        """Return the same rows under the one full name of their table."""
        return replace(self.where, table=".".join(self._asked(lambda source: source.place))).source()

    def counts(self, task: Task) -> Counts:
        """Count rows, of whomever they are."""
        return self._asked(lambda source: source.counts(task))

    def capped(self, task: Task, lots: Lots) -> Counts:
        """Count at most the declared rows of each person, or one number for each."""
        return self._asked(lambda source: source.capped(task, lots))

    def group(self, estimate: Estimate, task: Task, lots: Lots, groups: int) -> list[Any]:
        """Bring all rows of a secret group together and estimate each, in order of the groups."""
        return self._asked(lambda source: source.group(estimate, task, lots, groups))

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for data that are open."""
        return self._asked(lambda source: source.head(columns, most))

    def _asked(self, work: Callable[[SparkSource], S]) -> S:
        """Do one thing in a session of its own."""
        from discreet.rows.engines.spark import SparkSource

        with _session(self.where.url) as session:
            return work(SparkSource(self.where.table, session))


@contextmanager
def _session(url: str) -> Iterator[Any]:
    """Begin a session and end it; nothing says why none could be begun."""
    if find_spec("pyspark") is None or find_spec("grpc") is None:
        raise ParameterError(
            "This server cannot speak to a cluster. Whoever keeps it installs it again with the extra [spark]."
        )
    from pyspark.sql.connect.client.retries import DefaultPolicy
    from pyspark.sql.connect.session import SparkSession

    try:
        session = SparkSession.builder.remote(url).create()
        session.client.set_retry_policies([DefaultPolicy(**PATIENCE)])
        session.client.disable_reattachable_execute()  # nothing is asked a second time behind our back
        _ = session.version  # the first word that goes there and back
    except Exception:
        raise Unreachable("The cluster cannot be reached now. Check its address and your rights.") from None
    try:
        yield session
    finally:
        with suppress(Exception):
            session.stop()
