"""The pages of one person in this process: what is uploaded, pressed and shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import discreet.ui.session.state

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def app() -> AppTest:
    """Return the app in a fresh server process's state."""
    discreet.ui.session.state.server().clear()
    return on_dataset()


def on_dataset() -> AppTest:
    """Return the app on its page Dataset."""
    return (
        AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60)
        .run()
        .switch_page("../pages/dataset.py")
        .run()
    )


def space(app: AppTest) -> discreet.ui.session.state.Workspace:
    """Return the workspace behind an app."""
    return discreet.ui.session.state.server().workspace(app.session_state["browser"])


def at(app: AppTest, page: str) -> AppTest:
    """Return the app on a page, which must stand."""
    app.switch_page(f"../pages/{page}.py").run()
    assert not app.exception, page
    return app


def shown(app: AppTest) -> str:
    """Return all text on the screen."""
    return "\n".join(str(getattr(e, "value", "")) for e in [*app.main, *app.sidebar])


def press(app: AppTest, ending: str) -> AppTest:
    """Press the button whose key or label ends so."""
    (button,) = [
        b
        for b in app.button
        if str(b.key).endswith(ending) or b.label.partition(" · ")[0].partition(" (")[0].endswith(ending)
    ]
    return button.click().run()


def use(app: AppTest) -> AppTest:
    """Use what was declared, and go to its page Dataset."""
    return at(press(app, "Use this dataset"), "dataset")


def button(app: AppTest, label: str) -> Any:
    """Return the button of a label."""
    (only,) = [each for each in app.button if each.label == label]
    return only


def several(app: AppTest, answer: str) -> AppTest:
    """Say whether one person can have several rows."""
    (question,) = [radio for radio in app.radio if radio.label == "Can one person have more than one row?"]
    return question.set_value(answer).run()


def uploader(app: AppTest) -> Any:
    """Return what takes a table."""
    (taker,) = [part for part in app.file_uploader if part.label == "Upload a dataset"]
    return taker


def upload(app: AppTest, data: bytes, edits: dict[int, dict[str, object]]) -> AppTest:
    """Upload a file and declare some of its columns."""
    uploader(app).upload("people.csv", data).run()
    typed(app, edits)
    asked = any(radio.label == "Can one person have more than one row?" for radio in app.radio)
    return several(app, "no") if asked else app


def typed(app: AppTest, edits: dict[int, dict[str, object]]) -> AppTest:
    """Type into the spreadsheet of the columns."""
    draft = space(app).draft
    assert draft is not None
    app.session_state[f"way:{draft.number}"] = "table"
    app.run()
    key = f"declared:{draft.number}:{draft.version}"
    app.session_state[key] = {"edited_rows": edits, "added_rows": [], "deleted_rows": []}
    return app.run()


def strip(app: AppTest) -> list[str]:
    """Return what the budget strip says: its numbers from left to right, and the button that opens its ledger."""
    (legend,) = [part.proto.body for part in app.main if part.type == "html" and "discreet-legend" in part.proto.body]
    numbers = re.findall(r"<span><i [^>]*></i>(.*?)</span>", legend)
    return [re.sub("</?b>", "", words) for words in numbers] + [_ledger(app.main).proto.popover.label.replace("**", "")]


def ledger_of(app: AppTest) -> str:
    """Return what stands in the ledger of the strip."""
    parts = [*_ledger(app.main)]
    return "\n".join(str(getattr(part, "value", "")) for part in parts).replace("\\", "")


def widths(app: AppTest) -> dict[str, float]:
    """Return how much of the strip each part takes, in percent."""
    (bar,) = [part.proto.body for part in app.main if part.type == "html" and "discreet-bar" in part.proto.body]
    return {kind: float(width) for kind, width in re.findall(r'class="(\w+)" style="width:([\d.]+)%', bar)}


def _ledger(block: Any) -> Any:
    inside = [each for each in block.children.values() if hasattr(each, "children")]
    found = [each for each in inside if each.type == "popover" and " left" in each.proto.popover.label]
    return next(iter(found), None) or next(filter(None, map(_ledger, inside)), None)


def figures(app: AppTest) -> list[str]:
    """Return the markup of the figures that are shown."""
    found = [each.proto.body for each in app.get("html")]
    return [body for body in found if body.startswith('<figure class="fig"')]
