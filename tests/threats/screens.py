"""Screens: all that one browser is sent, so that two files can be told apart by it, or cannot."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest
from support.pages import on_dataset

import discreet.ui.session.state
from discreet.rows import Dataset
from discreet.ui.session.workspace import Draft

ROOT = Path(__file__).resolve().parents[2]
MECHANISMS = {
    "global_sensitivity": "global",
    "propose_test_release": "ptr",
    "smooth_sensitivity": "smooth",
    "sample_and_aggregate": "blocks",
    "exponential_mechanism": "selection",
}
PAGES = ("dataset", *MECHANISMS, "compare", "budget")
BY_CHANCE = re.compile(r"\b[0-9a-f]{32,64}\b|\d{4}-\d\d-\d\d \d\d:\d\d")  # ids and the time of day


def visit() -> AppTest:
    """Return the app in front of a new visitor of a new server."""
    discreet.ui.session.state.server().clear()
    return on_dataset()


def space(app: AppTest) -> discreet.ui.session.state.Workspace:
    """Return the workspace behind an app."""
    return discreet.ui.session.state.server().workspace(app.session_state["browser"])


def upload(app: AppTest, name: str, data: bytes, edits: dict[int, dict[str, Any]]) -> AppTest:
    """Upload a file and declare some of its columns."""
    (uploader,) = [part for part in app.file_uploader if part.label == "Upload a dataset"]
    uploader.upload(name, data).run()
    draft = spreadsheet(app)
    key = f"declared:{draft.number}:{draft.version}"
    app.session_state[key] = {"edited_rows": edits, "added_rows": [], "deleted_rows": []}
    app.run()
    several = [radio for radio in app.radio if radio.label == "Can one person have more than one row?"]
    return several[0].set_value("no").run() if several else app


def spreadsheet(app: AppTest) -> Draft:
    """Turn from the cards of a draft to the spreadsheet, and return the draft."""
    draft = space(app).draft
    assert draft is not None
    app.session_state[f"way:{draft.number}"] = "table"
    app.run()
    return draft


def working_on(dataset: Dataset) -> AppTest:
    """Return the app of a visitor who works on a dataset."""
    app = visit()
    space(app).open("mine", dataset)
    return app.run()


def at(app: AppTest, page: str) -> AppTest:
    """Go to a page, which must stand."""
    app.switch_page(f"../pages/{page}.py").run()
    assert not app.exception, page
    return app


def elements(app: AppTest) -> Iterator[Any]:
    """Yield every element, as it goes over the wire."""
    waiting = [app._tree]
    while waiting:
        node = waiting.pop()
        waiting += list(getattr(node, "children", {}).values())
        if getattr(node, "proto", None) is not None:
            yield node.proto


def sent(app: AppTest, *drawn: str) -> str:
    """Return all that a browser is sent, but for what differs from visit to visit."""
    text = "\n".join(str(proto) for proto in elements(app))
    for name in drawn:
        text = text.replace(name, "by chance").replace(name[:8], "by chance")
    return BY_CHANCE.sub("by chance", text)


def naive(page: Callable[..., None], **given: Any) -> str:
    """Return all that a browser is sent by a page of somebody else."""
    app = AppTest.from_function(page, kwargs=given, default_timeout=60).run()
    assert not app.exception
    return sent(app)
