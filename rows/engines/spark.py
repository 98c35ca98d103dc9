"""Spark: a table of a cluster as a source. The kernels run where the rows are stored and return integers.

Only the DataFrame API is used, so a session of Spark Connect suffices. The executors need this package. A task that is
lost is run again, maybe when others have already used its output. So nothing that decides where a row goes is drawn on
the executors: the shard of a person, and the block, are derived from the identifier and a key of this query, and a row
that is processed again goes where it went before. Without a person column a block would have to be drawn row by row,
and is refused.

The operator of the cluster sees the rows anyway; its user interface, event log and executor errors are visible to the
operator, and contain no key and no count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.cells import LONGEST
from discreet.rows.counting import Counts, Task
from discreet.rows.engines.cluster import capping, counting, estimating, finishing, key_of, labelling, row_form
from discreet.rows.intake.parser import Unreachable, check_header
from discreet.rows.kernel import Estimate
from discreet.rows.persons import Lots

FORMAT = "spark"
PLACES = "place long, n long"
TEXTS = ("string", "char", "varchar", "binary")
CHECKSUMS = "spark.sql.shuffle.orderIndependentChecksum"
CAREFUL = (f"{CHECKSUMS}.enabled", f"{CHECKSUMS}.enableFullRetryOnMismatch")


class SparkSource:
    """The rows of a table, wherever the cluster of a session stores them. They may change: use `Live`."""

    def __init__(self, table: str, session: Any) -> None:
        """Take the name of a table; raise ParameterError if the cluster could count a row twice after a failure."""
        if not all(_is_on(session, name) for name in CAREFUL):
            raise ParameterError(
                "This cluster does not detect when a repeated step returns different rows. Use Spark 4.1 "
                "or later, and leave {settings} on.",
                settings=" and ".join(CAREFUL),
            )
        self._table = table
        self._session = session

    def __repr__(self) -> str:
        """Show the name."""
        return f"SparkSource({self._table!r})"

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns, as they were when first requested."""
        with _silent():
            names = list(self._session.table(self._table).columns)
        check_header(names)
        return names

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns as in the catalog: public, like their names."""
        with _silent():
            schema = self._session.table(self._table).limit(0).toArrow().schema
        return dict(zip(schema.names, schema.types, strict=True))

    @cached_property
    def place(self) -> tuple[str, ...]:
        """The one full name of the table: catalog, namespaces and name."""
        with _silent():
            table = self._session.catalog.getTable(self._table)
        return tuple(part for part in (table.catalog, *(table.namespace or ()), table.name) if part)

    @cached_property
    def digest(self) -> str:
        """A hash of where the rows are stored, independent of letter case: they may change, their budget does not."""
        return sha256(json.dumps([FORMAT, *self.place]).lower().encode()).hexdigest()

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for open data."""
        with _silent():
            return self._frame(columns).limit(most).toArrow()

    def counts(self, task: Task) -> Counts:
        """Count rows, regardless of persons."""
        return self._counted(task, self._numbered(task).mapInArrow(counting(task), PLACES))

    def capped(self, task: Task, lots: Lots) -> Counts:
        """Count at most the declared number of rows of each person, or one number for each."""
        rows = self._numbered(task).mapInArrow(capping(task, key_of(lots), _part), row_form(task))
        return self._counted(task, rows.groupBy("shard").applyInArrow(finishing(task), PLACES))

    def group(self, estimate: Estimate, task: Task, lots: Lots, groups: int) -> list[Any]:
        """Collect the rows of each secret group and return the groups' estimates, in order."""
        if task.person is None:
            raise ParameterError(
                "On a cluster, blocks need a column that identifies people. Declare it, or use another mechanism."
            )
        values = ", ".join(f"v{at} double" for at in range(len(task.columns)))
        with _silent():
            labelled = self._numbered(task).mapInArrow(labelling(task, key_of(lots), groups), f"label int, {values}")
            table = labelled.groupBy("label").applyInArrow(estimating(estimate), "label int, value double").toArrow()
        estimates = dict(zip(table["label"].to_pylist(), table["value"].to_pylist(), strict=True))
        return [estimates[label] if label in estimates else estimate() for label in range(groups)]

    def _frame(self, columns: Sequence[str]) -> Any:
        """Return some columns, with names quoted, and without the cells that are too long for any column."""
        frame = self._session.table(self._table)
        types = dict(frame.dtypes)
        return frame.selectExpr(*(_short(name, types[name]) for name in columns))

    def _numbered(self, task: Task) -> Any:
        """Return the columns of a task, renamed by number: some names are not passed on to the kernels correctly."""
        return self._frame(task.reads).toDF(*(f"c{at}" for at in range(len(task.reads))))

    def _counted(self, task: Task, frame: Any) -> Counts:
        """Add up the counts of all partitions."""
        with _silent():
            table = frame.groupBy("place").sum("n").toArrow()
        places, rows = (np.asarray(column.combine_chunks()).astype(np.int64) for column in table.columns)
        order = np.argsort(places)
        return Counts(task.cells, task.grid, places[order], rows[order])


@contextmanager
def _silent() -> Iterator[None]:
    """Replace every error of the cluster by one sentence: its messages quote plans and cells."""
    try:
        yield
    except ParameterError:
        raise
    except Exception:
        raise Unreachable(
            "The table of the cluster cannot be read. Check its name and your permissions, or ask the "
            "cluster administrator."
        ) from None


def _short(name: str, form: str) -> str:
    """Return a column in SQL, with texts that are too long for any column replaced by null.

    Functions of Python make columns of a session in this process alone, where a remote one is not known as such.
    """
    cell = "`{}`".format(name.replace("`", "``"))
    return f"CASE WHEN octet_length({cell}) <= {LONGEST} THEN {cell} END AS {cell}" if form.startswith(TEXTS) else cell


def _is_on(session: Any, name: str) -> bool:
    """Return whether a setting of a cluster exists and is on."""
    try:
        return str(session.conf.get(name)) == "true"
    except Exception:  # an older cluster does not have it
        return False


def _part() -> int:
    """Return the number of the partition that the current task reads."""
    from pyspark import TaskContext

    return int(TaskContext.get().partitionId())
