"""State: what a browser session remembers, and what outlives it in the server process."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from uuid import uuid4

import streamlit as st

from budget import Cost, SessionLedgers
from curator import Curator, Dataset
from curator.samples import census

LIMIT = Cost.of("3.0", "1e-5")
KEY = "workspace"


@dataclass
class Workspace:
    """The dataset a session works on, its curator, and the nonce of the open form."""

    name: str
    dataset: Dataset
    curator: Curator
    nonce: str

    def renew(self) -> None:
        """Start a new form: the next release is a new, charged draw."""
        self.nonce = uuid4().hex


class Curators:
    """One curator per content and declaration, so that a reload sees its budget and answers."""

    def __init__(self) -> None:
        """Start with none."""
        self._lock = Lock()
        self._ledgers = SessionLedgers()
        self._known: dict[tuple[str, str, bool], Curator] = {}

    def open(self, dataset: Dataset) -> Curator:
        """Return the curator of a dataset; the budget belongs to the content alone."""
        key = (dataset.digest, dataset.schema.digest, dataset.protected)
        with self._lock:
            if key not in self._known:
                ledger = self._ledgers.open(dataset.digest, LIMIT)
                self._known[key] = Curator(dataset, ledger)
            return self._known[key]


@st.cache_resource
def curators() -> Curators:
    """Return the process-wide curators."""
    return Curators()


def workspace() -> Workspace:
    """Return this session's workspace; it starts on the sample."""
    if KEY not in st.session_state:
        use("Sample: census of people who do not exist", census())
    found: Workspace = st.session_state[KEY]
    return found


def use(name: str, dataset: Dataset) -> None:
    """Work on another dataset from now on."""
    st.session_state[KEY] = Workspace(name, dataset, curators().open(dataset), uuid4().hex)
