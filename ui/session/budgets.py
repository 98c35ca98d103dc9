"""Roads: who answers in which browser and stay, and out of which budget."""

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

PROJECT = "project"  # in the place of a browser: whoever works in the project's file
LIMIT = Cost.of("3.0", "1e-5")

Stay = tuple[str, str]  # a browser, and the session of whoever is signed in there


class Roads:
    """Budgets by content, and curators by content and stay: answers are somebody's own."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lock = RLock()
        self.spent: Spent | None = None  # of protected data: it outlives the process
        self.private: Callable[[], bool] = lambda: True  # nobody else reaches the server
        self.clear()

    def clear(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._session = SessionLedgers()
            self._file: ProjectFile | None = None
            self._curators: dict[tuple[str, str, bool, str, str], Curator] = {}
            self._lasting: dict[str, LastingLedger] = {}

    def curator(self, dataset: Dataset, browser: str, session: str = "") -> Curator:
        """Return who answers: answers are somebody's own in a browser, the budget is not."""
        key = (dataset.digest, dataset.schema.digest, dataset.protected, browser, session)
        with self._lock:
            if key not in self._curators:
                ledger = self.budget(dataset.digest, dataset.protected, browser)
                asked = self.asked(key[0], key[1], key[2]) if browser == PROJECT else None
                self._curators[key] = Curator(dataset, ledger, asked=asked)
            return self._curators[key]

    def budget(self, digest: str, protected: bool, browser: str) -> Ledger:
        """Return the budget of data."""
        ledgers = self._ledgers(protected, browser)
        owner = _owner(digest, protected, browser)
        if self.spent is None or not protected:
            return ledgers.open(owner, LIMIT)
        with self._lock, self.spent.holding():
            known = self.spent.budgets(owner)
            limit, rule = (known[-1].limit, known[-1].rule) if known else (LIMIT, BASIC)
            inner: Ledger = ledgers.open(owner, limit, rule)
            if known and (inner.limit, inner.rule) != (limit, rule):  # kept work of another time: what is spent counts
                inner = ledgers.replace(owner, limit, rule)
            elif not known:
                self.spent.begin(owner, inner.limit, inner.rule)
            return self._stands(owner, inner)

    def _stands(self, owner: str, inner: Ledger) -> LastingLedger:
        """Return the ledger of which what is spent lasts, the same for all who spend from it."""
        assert self.spent is not None
        lasting = self._lasting.get(owner)
        if lasting is None or lasting.inner is not inner:
            lasting = self._lasting[owner] = LastingLedger(inner, self.spent, owner)
        return lasting

    def _ledgers(self, protected: bool, browser: str) -> SessionLedgers | Generations:
        """Return where a budget is: in the file, where it is of the project or of protected data."""
        lasting = self._file is not None and (protected or browser == PROJECT)
        return self._file.ledgers if self._file is not None and lasting else self._session

    def asked(self, digest: str, declared: str, protected: bool) -> dict[str, None]:
        """Return what was asked in the project of data under a declaration."""
        assert self._file is not None
        return self._file.asked(_declared(digest, declared, protected))

    @contextmanager
    def begin(self, file: ProjectFile, stay: Stay = ("", "")) -> Iterator[None]:
        """Keep in a file, from now on, all budgets of protected data, and what was answered in a stay.

        All that is written is one step with what is written inside: a disk that is full changes nothing.
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
        """Say whether data may have another budget.

        Where others reach the server, protected data keep theirs: whoever has the file could begin anew for ever.
        """
        return not protected or self.private()

    def replace(self, dataset: Declared, browser: str, limit: Cost, rule: Rule) -> None:
        """Close a budget and open another one for the same owner, answers kept."""
        if not self.may_begin_anew(dataset.protected):
            raise ParameterError("The budget of protected data stays the same on a server that others reach.")
        owner = _owner(dataset.digest, dataset.protected, browser)
        with self._lock:  # a file that is begun at the same time takes it over, or holds the new one
            ledger: Ledger = self._ledgers(dataset.protected, browser).replace(owner, limit, rule)
            if self.spent is not None and dataset.protected:
                self.spent.begin(owner, limit, rule)
                ledger = self._stands(owner, ledger)
            for (digest, _, protected, who, _), curator in self._curators.items():
                same = (digest, protected) == (dataset.digest, dataset.protected)
                if same and (protected or who == browser):
                    curator.ledger = ledger

    def before(self, dataset: Declared, browser: str) -> tuple[Cost, ...]:
        """Return what was spent of each budget that the one of these data was put in the place of."""
        owner = _owner(dataset.digest, dataset.protected, browser)
        if self.spent is not None and dataset.protected:
            return tuple(budget.spent for budget in self.spent.budgets(owner)[:-1])
        return self._ledgers(dataset.protected, browser).before(owner)

    def drop(self, stay: Stay) -> None:
        """Forget who answered in a stay."""
        with self._lock:
            for key in [key for key in self._curators if key[3:] == stay]:
                del self._curators[key]

    def drop_others(self, stays: Container[Stay]) -> None:
        """Forget who answers to a tab that was still at work when its stay ended."""
        with self._lock:
            for key in [key for key in self._curators if key[3:] not in stays]:
                del self._curators[key]


def _owner(digest: str, protected: bool, browser: str) -> str:
    """Name the owner of a budget: the content, and for open data the browser too.

    The budget of protected data is one for the whole server, whoever uploads them again. Open
    data protect nobody, so in a workshop every participant spends a budget of their own.
    """
    return digest if protected else f"{digest}:{browser}"


def _declared(digest: str, declared: str, protected: bool) -> str:
    """Name what was asked in a project of data under a declaration."""
    return f"{_owner(digest, protected, PROJECT)}:{declared}"
