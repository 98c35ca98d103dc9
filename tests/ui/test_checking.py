"""The check of what was read: of a limit and a filter, and of registered data, each asked as it is paid."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support.pages import at, on_dataset, press, shown, space, upload, use
from support.town import SCHEMA, prepare

import discreet.ui.session.state
from discreet.office import House, Member, Policy
from discreet.office.datasets import changes
from discreet.office.decisions import decisions
from discreet.office.desk import queue
from discreet.rows import Number
from discreet.ui.session import door

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = "who,age\n" + "".join(f"p{at},{at % 90}\n" for at in range(4000) for _ in range(4))


@pytest.fixture
def app() -> AppTest:
    """Return the shell in a fresh server process's state."""
    discreet.ui.session.state.server().clear()
    return on_dataset()


def test_a_limit_that_leaves_rows_out_is_named(app: AppTest) -> None:
    """Four rows a person where one counts are named, out of one budget and once; a filter is asked apart."""
    upload(app, PEOPLE.encode(), {0: {"kind": "person", "rows": 1.0}, 1: {"lower": 0.0, "upper": 100.0}})
    use(app)
    (slider,) = [choice for choice in app.select_slider if choice.label == "ε for the check"]
    slider.set_value(0.5).run()
    press(app, "Check data")
    spent = space(app).curator.ledger.spent.epsilon
    assert 0.49 < spent <= 0.5
    (warning,) = app.warning
    assert "Limit of rows per person" in warning.value and "Doubling the limit would keep about" in warning.value
    assert "Check these columns: Limit of rows per person." in warning.value.replace("\\", "") and not app.error
    (where,) = [choice for choice in app.multiselect if choice.label == "Filter by column"]
    where.set_value(["age"]).run()
    (low,) = [field for field in app.number_input if str(field.key).endswith(":from:age")]
    low.set_value(45.0).run()
    assert space(app).curator.ledger.spent.epsilon == spent
    press(app, "Check data")
    assert space(app).curator.ledger.spent.epsilon == spent + 0.5 and "of the rows pass" in tables(app)


def test_what_nobody_can_tell_is_no_fault(app: AppTest) -> None:
    """Ten rows are less than the noise: the check says so, and blames no column."""
    upload(app, ("age\n" + "31\n" * 10).encode(), {0: {"lower": 0.0, "upper": 100.0}})
    use(app)
    press(app, "Check data")
    assert (
        not app.warning
        and any("there are too few rows for this much noise" in info.value for info in app.info)
        and not app.error
    )


def test_a_check_without_a_fault_says_so_in_a_sentence(app: AppTest) -> None:
    """What the noise hides is said once, no larger cost is suggested, and an undeclared column is not checked."""
    upload(app, ("age,note\n" + "31,x\n" * 400).encode(), {0: {"lower": 0.0, "upper": 100.0}})
    use(app)
    press(app, "Check data")
    (verdict,) = app.success
    assert verdict.value.startswith("No fault was found. At most ") and not app.warning and not app.info[1:]
    assert "larger" not in shown(app) and "note" not in app.dataframe[-1].value.to_string()


GERMAN = "Nr;Einkommen\n" + "".join(f"{at};{1 + at % 40}.{at % 1000:03}\n" for at in range(3000))


def test_numbers_that_are_perhaps_written_otherwise_are_declared_so_by_a_button(app: AppTest) -> None:
    """The check names the likely cause, and its button opens the declaration with it."""
    upload(app, GERMAN.replace(";", "\t").encode(), {1: {"lower": "0", "upper": "50000"}})
    use(app)
    press(app, "Check data")
    (warning,) = app.warning
    assert "exactly three digits" in warning.value and "the numbers may be written like 1.234,5" in shown(app).replace(
        "\\", ""
    )
    press(app, "Declare numbers like 1.234,5")
    draft = space(app).draft
    assert draft is not None and draft.numbers == "1.234,5" and list(draft.lines["upper"]) == ["", "50000"]
    (ready,) = [button for button in app.button if button.label.startswith("Use this dataset")]
    assert ready.label == "Use this dataset · numbers like 1.234,5"
    press(app, "Use this dataset")
    declared = space(app).dataset.schema.columns["Einkommen"]
    assert declared == Number(0.0, 50_000.0, decimal=",", thousands=".")
    press(app, "Check data")
    assert (
        not app.warning
        and "All columns could be read; nothing to correct." in shown(app)
        and "are read as 1234" in tables(app)
    )


def test_one_column_of_several_is_declared_otherwise(app: AppTest) -> None:
    """What is read as it is meant stays."""
    rows = "".join(f"{at % 90}\t{1 + at % 40}.{at % 1000:03}\n" for at in range(3000))
    edits = {0: {"lower": "0", "upper": "90.5"}, 1: {"lower": "0", "upper": "50000.5"}}
    upload(app, f"size\tpay\n{rows}".encode(), edits)
    use(app)
    press(app, "Check data")
    press(app, "Declare numbers like 1.234,5")
    press(app, "Use this dataset")
    columns = space(app).dataset.schema.columns
    assert columns["size"] == Number(0.0, 90.5, thousands=",")
    assert columns["pay"] == Number(0.0, 50_000.5, decimal=",", thousands=".")


def test_the_check_is_skipped_by_a_word_and_brought_back(app: AppTest) -> None:
    """It costs a click at most, and nothing of the budget."""
    upload(app, b"age\n31\n", {0: {"lower": "0", "upper": "100"}})
    use(app)
    press(app, ":skip")
    assert not app.select_slider and not space(app).curator.ledger.spent.nano_epsilon
    press(app, "Check how the data was read")
    assert app.select_slider


def test_open_data_say_what_was_read_and_show_no_truth_of_nobody(app: AppTest) -> None:
    """At once and for nothing: how many cells, the first ones that are not read, and no figure of no row."""
    rows = "".join(f'"{6_971_805 + at:,}"\n' for at in range(500))
    upload(app, f"pay\n{rows}".encode(), {0: {"lower": "0", "upper": "10000000", "written": "1234.5"}})
    next(box for box in app.checkbox if box.label == "This dataset is public").check().run()
    press(app, "Use this dataset")
    text = shown(app).replace("\\", "")
    assert "pay: 0 of 500 cells were read. Not read: 6,971,805, 6,971,806, 6,971,807." in text
    assert [each.value for each in app.info] == [
        "No row of this dataset has a readable value in this column."
    ]  # no distribution
    for page in ("global_sensitivity", "smooth_sensitivity", "sample_and_aggregate", "propose_test_release"):
        text = shown(at(app, page))
        assert "No row of this dataset has a readable value in this column." in text and "truth" not in text.lower()
        app.query_params[f"{page.split('_')[0]}-view"] = "how"
        at(app, page)
    assert "No row of this dataset" in " ".join(each.value for each in (*at(app, "compare").error, *app.info))


@pytest.fixture
def desk(app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[AppTest, House, dict[str, Member]]:
    """Return an analyst in front of registered data, their house, and everybody in it."""
    house, people, dataset = prepare(tmp_path)
    monkeypatch.setattr(door, "house", lambda: house)
    monkeypatch.setattr(door, "who", lambda: people["ann"])
    monkeypatch.setattr(door, "stay", lambda: "a stay")
    app.run()
    discreet.ui.session.state.server().workspace(
        app.session_state["browser"], "a stay"
    ).current = f"registered:{dataset}"
    return at(app, "dataset"), house, people


def test_registered_data_are_checked_by_requests(desk: tuple[AppTest, House, dict[str, Member]]) -> None:
    """Within the policy the counts are answered at once, each on the record with its purpose."""
    app, house, people = desk
    press(app, "Check data")
    mine = queue.own(house, people["ann"])
    assert len(mine) == len(SCHEMA.askable) and all(inquiry.release is not None for inquiry in mine)
    assert {inquiry.purpose for inquiry in mine} == {"Check whether the schema fits the rows."}
    assert sum(inquiry.cost.epsilon for inquiry in mine) <= 0.1 and "Read." in tables(app) and not app.error


def test_where_the_policy_wants_an_officer_the_counts_wait(desk: tuple[AppTest, House, dict[str, Member]]) -> None:
    """They are reserved and named as requests; what is denied can be sent again."""
    app, house, people = desk
    changes.amend(house, people["olga"], sat_at(app), Policy(free=0.0))
    press(app.run(), "Send request")
    mine = queue.own(house, people["ann"])
    assert [inquiry.state for inquiry in mine] == ["waiting"] * 2 and "2 of 2 counts are waiting for approval" in shown(
        app
    )
    for inquiry in mine:
        decisions.withdraw(house, people["ann"], inquiry.id)
    press(app.run(), "Send request")
    assert len(queue.own(house, people["ann"])) == 4 and not app.error


def test_what_the_policy_forbids_is_said(desk: tuple[AppTest, House, dict[str, Member]]) -> None:
    """A policy without counts refuses the check with its sentence, and nothing is sent."""
    app, house, people = desk
    changes.amend(house, people["olga"], sat_at(app), Policy(families=("smooth",)))
    app.run()
    assert any("does not allow this mechanism" in error.value for error in app.error)
    assert not queue.own(house, people["ann"])


def tables(app: AppTest) -> str:
    """Return every table on the screen, whole."""
    return "\n".join(table.value.to_string() for table in app.dataframe)


def sat_at(app: AppTest) -> str:
    """Return the dataset at whose desk an analyst sits."""
    place = discreet.ui.session.state.server().workspace(app.session_state["browser"], "a stay")
    return place.current.removeprefix("registered:")
