"""Roads: who answers in which browser and stay, and out of which budget."""

from __future__ import annotations

from collections.abc import Container
from threading import RLock

from discreet.budget import Cost, Rule, SessionLedgers
from discreet.curator import Curator
from discreet.rows import Dataset
from discreet.rows.declared import Declared

LIMIT = Cost.of("3.0", "1e-5")

Stay = tuple[str, str]  # a browser, and the session of whoever is signed in there


class Roads:
    """Budgets by content, and curators by content and stay: answers are somebody's own."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lock = RLock()
        self.clear()

    def clear(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._ledgers = SessionLedgers()
            self._curators: dict[tuple[str, str, bool, str, str], Curator] = {}

    def curator(self, dataset: Dataset, browser: str, session: str = "") -> Curator:
        """Return who answers: answers are somebody's own in a browser, the budget is not."""
        key = (dataset.digest, dataset.schema.digest, dataset.protected, browser, session)
        with self._lock:
            if key not in self._curators:
                ledger = self._ledgers.open(self.owner(dataset, browser), LIMIT)
                self._curators[key] = Curator(dataset, ledger)
            return self._curators[key]

    def owner(self, dataset: Dataset | Declared, browser: str) -> str:
        """Name the owner of a budget: the content, and for open data the browser too.

        The budget of protected data is one for the whole server, whoever uploads them again. Open
        data protect nobody, so in a workshop every participant spends a budget of their own.
        """
        return dataset.digest if dataset.protected else f"{dataset.digest}:{browser}"

    def replace(self, dataset: Declared, browser: str, limit: Cost, rule: Rule) -> None:
        """Close a budget and open another one for the same owner, answers kept."""
        ledger = self._ledgers.replace(self.owner(dataset, browser), limit, rule)
        with self._lock:
            for (digest, _, protected, who, _), curator in self._curators.items():
                same = (digest, protected) == (dataset.digest, dataset.protected)
                if same and (protected or who == browser):
                    curator.ledger = ledger

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
