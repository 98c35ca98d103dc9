"""Budgets: the curators that serve each browser and signed-in session, and the ledger each of them charges."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock

from discreet.budget import BASIC, Cost, Ledger, ParameterError, Rule, SessionLedgers
from discreet.budget.durable.spent import LastingLedger, Spent
from discreet.curator import Curator
from discreet.rows import Dataset
from discreet.rows.dataset import Declared
from discreet.ui.session.project_file import Generations, ProjectFile

PROJECT = "project"  # used as the browser's name: everyone who works in the project's file
LIMIT = Cost.of("3.0", "1e-5")

Stay = tuple[str, str]  # a browser, and the session of the person signed in there


class Roads:
    """Ledgers by content, and curators by content and stay: results are private to a stay, budgets are not."""

    def __init__(self) -> None:
        """Start with nothing opened."""
        self._lock = RLock()
        self.spent: Spent | None = None  # spending on protected data, kept beyond the end of the process
        self.private: Callable[[], bool] = lambda: True  # whether no one else can reach the server
        self.clear()

    def clear(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._session = SessionLedgers()
            self._file: ProjectFile | None = None
            self._curators: dict[tuple[str, str, bool, str, str], Curator] = {}
            self._lasting: dict[str, LastingLedger] = {}

    def curator(self, dataset: Dataset, browser: str, session: str = "") -> Curator:
        """Return the curator of a dataset for a browser: results are private to the browser, the budget is shared."""
        key = (dataset.digest, dataset.schema.digest, dataset.protected, browser, session)
        with self._lock:
            if key not in self._curators:
                ledger = self.budget(dataset.digest, dataset.protected, browser)
                asked = self.asked(key[0], key[1], key[2]) if browser == PROJECT else None
                self._curators[key] = Curator(dataset, ledger, asked=asked)
            return self._curators[key]

    def budget(self, digest: str, protected: bool, browser: str) -> Ledger:
        """Return the ledger of a dataset."""
        ledgers = self._ledgers(protected, browser)
        owner = _owner(digest, protected, browser)
        if self.spent is None or not protected:
            return ledgers.open(owner, LIMIT)
        with self._lock, self.spent.holding():
            known = self.spent.budgets(owner)
            limit, rule = (known[-1].limit, known[-1].rule) if known else (LIMIT, BASIC)
            inner: Ledger = ledgers.open(owner, limit, rule)
            if known and (inner.limit, inner.rule) != (limit, rule):  # from an older project: what was spent counts
                inner = ledgers.replace(owner, limit, rule)
            elif not known:
                self.spent.begin(owner, inner.limit, inner.rule)
            return self._stands(owner, inner)

    def _stands(self, owner: str, inner: Ledger) -> LastingLedger:
        """Return the ledger that records spending durably; all callers with the same owner share it."""
        assert self.spent is not None
        lasting = self._lasting.get(owner)
        if lasting is None or lasting.inner is not inner:
            lasting = self._lasting[owner] = LastingLedger(inner, self.spent, owner)
        return lasting

    def _ledgers(self, protected: bool, browser: str) -> SessionLedgers | Generations:
        """Return the ledgers that hold a budget: those of the project file for the project or for protected data."""
        lasting = self._file is not None and (protected or browser == PROJECT)
        return self._file.ledgers if self._file is not None and lasting else self._session

    def asked(self, digest: str, declared: str, protected: bool) -> dict[str, None]:
        """Return what was asked of a dataset under a schema in the project."""
        assert self._file is not None
        return self._file.asked(_declared(digest, declared, protected))

    @contextmanager
    def begin(self, file: ProjectFile, stay: Stay = ("", "")) -> Iterator[None]:
        """Keep from now on, in a file, the budgets of all protected data and the results of one stay.

        Everything written inside the block is one transaction with it: a full disk changes nothing.
        """
        with self._lock:
            with ExitStack() as closing, file.store.writing(""):
                for owner, ledger in self._session.every.items():
                    if owner.partition(":")[2] in ("", stay[0]):
                        closing.enter_context(ledger.closing())
                        file.ledgers.take(owner.replace(f":{stay[0]}", f":{PROJECT}"), ledger)
                for key in [key for key in self._curators if key[3:] == stay]:
                    for name in self._curators[key].asked:
                        file.asked(_declared(*key[:3])).setdefault(name)
                yield
            self._file = file
            for key, curator in list(self._curators.items()):
                self._move(key, curator, stay)

    def _move(self, key: tuple[str, str, bool, str, str], curator: Curator, stay: Stay) -> None:
        digest, declared, protected = key[:3]
        if key[3:] == stay:
            curator.asked = self.asked(digest, declared, protected)
            self._curators[digest, declared, protected, PROJECT, ""] = self._curators.pop(key)
        if key[3:] == stay or protected:
            curator.ledger = self.budget(digest, protected, PROJECT)

    def may_begin_anew(self, protected: bool) -> bool:
        """Whether a dataset may get a new budget.

        Where others can reach the server, protected data keep theirs: anyone with the file could otherwise start a new
        budget without end.
        """
        return not protected or self.private()

    def replace(self, dataset: Declared, browser: str, limit: Cost, rule: Rule) -> None:
        """Close a budget and open a new one for its owner; the results are kept."""
        if not self.may_begin_anew(dataset.protected):
            raise ParameterError(
                "The budget of a protected dataset cannot be replaced on a server that other people can reach."
            )
        owner = _owner(dataset.digest, dataset.protected, browser)
        with self._lock:  # a file that is being opened at this moment takes it over, or holds the new one
            ledger: Ledger = self._ledgers(dataset.protected, browser).replace(owner, limit, rule)
            if self.spent is not None and dataset.protected:
                self.spent.begin(owner, limit, rule)
                ledger = self._stands(owner, ledger)
            for (digest, _, protected, who, _), curator in self._curators.items():
                same = (digest, protected) == (dataset.digest, dataset.protected)
                if same and (protected or who == browser):
                    curator.ledger = ledger

    def before(self, dataset: Declared, browser: str) -> tuple[Cost, ...]:
        """Return what was spent of each earlier budget of this dataset."""
        owner = _owner(dataset.digest, dataset.protected, browser)
        if self.spent is not None and dataset.protected:
            return tuple(budget.spent for budget in self.spent.budgets(owner)[:-1])
        return self._ledgers(dataset.protected, browser).before(owner)

    def drop(self, stay: Stay) -> None:
        """Forget the curators of a stay."""
        with self._lock:
            for key in [key for key in self._curators if key[3:] == stay]:
                del self._curators[key]

    def drop_others(self, stays: Container[Stay]) -> None:
        """Forget the curators of tabs that were still running when their stay ended."""
        with self._lock:
            for key in [key for key in self._curators if key[3:] not in stays]:
                del self._curators[key]


def _owner(digest: str, protected: bool, browser: str) -> str:
    """Return the key of a budget's owner: the content and, for public data, the browser.

    Protected data have one budget on the whole server, whoever uploads them again. Public data protect no one, so in a
    workshop every participant spends their own budget.
    """
    return digest if protected else f"{digest}:{browser}"


def _declared(digest: str, declared: str, protected: bool) -> str:
    """Return the key of the queries asked in a project of a dataset under a schema."""
    return f"{_owner(digest, protected, PROJECT)}:{declared}"
