"""The office's screens without a browser: what people read, type and press, and what then holds in the house."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from support.office_seats import Town, answer_all, work_on
from support.seats import Seat
from support.town import CANARY, PASSWORD, PURPOSE, SCHEMA

from discreet.office.datasets import registry
from discreet.office.decisions import decisions
from discreet.office.house import audit_log
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining
from discreet.office.requests.request import find

REASON = "Please use the share of the town as a whole."


def test_within_policy_a_question_runs_at_once(town: Town) -> None:
    """Nobody waits for what the policy allows; the same question again costs nothing."""
    ann = work_on(town.at("ann")).open("global_sensitivity")
    ann.app.slider[0].set_value(0.1)
    ann.fill(**{"Purpose": PURPOSE}).run()
    assert "The policy allows this query without approval." in ann.text()
    (button,) = [button for button in ann.app.button if button.label.startswith("Release result (")]
    ann.press(button.label)
    assert "ledger entry 2" in ann.text() or "Done. Running the same query" in ann.text()
    (asked,) = town.desk("ann").requests
    assert asked.release is not None and asked.purpose == PURPOSE
    again = ann.run().text()
    assert again.count("ledger entry") == 1 and len(town.desk("ann").requests) == 1


def test_a_question_that_the_button_did_not_name_is_not_sent(town: Town) -> None:
    """A number is typed and the button pressed at once: neither the old question nor the new."""
    abe = work_on(town.at("abe")).open("smooth_sensitivity")
    abe.fill(The_number_of_rows_in_this_query_is_public=True, **{"Purpose": PURPOSE}).run()
    abe.fill(Number_of_rows_in_the_query=500).press("Send request (reserves ")
    assert "This page was out of date, so nothing was" in abe.text() and not town.desk("abe").requests
    abe.press("Send request (reserves ")
    assert "waiting for approval" in abe.text()
    assert [asked.request.mechanism.neighbours.size for asked in town.desk("abe").requests] == [500]


def test_denied_changed_and_withdrawn_requests_say_so_and_cost_nothing(town: Town) -> None:
    """The analyst reads the officer's reason; what was reserved is back."""
    left = town.desk("abe").ledger.left
    denied, changed = town.ask(0.5), town.ask(0.6)
    olga = town.at("olga")
    for number, button in ((denied.number, "Deny"), (changed.number, "Request changes to")):
        olga.open("review", waiting=str(number)).press(f"{button} #{number}")
        assert "Give the reason in at least" in olga.text()
        olga.fill(Message_to_the_analyst=REASON).press(f"{button} #{number}")
        assert "was returned to the budget" in olga.text()
    (lines, *_) = town.at("olga").open("review", review_view="decided").app.dataframe
    assert list(lines.value["Reason or conditions"][:2]) == [REASON, REASON]
    withdrawn = town.ask(0.7)
    for number, words in ((denied.number, "was denied"), (changed.number, "An officer asks you to change request #")):
        abe = town.at("abe").open("requests", request=str(number))
        assert words in abe.text() and "share of the town" in abe.text()
    abe.press("Edit and send again")
    assert abe.app.title[0].value == "Global sensitivity" and abe.field("Purpose").value == PURPOSE
    abe.open("requests").press("Withdraw")
    assert f"Request #{withdrawn.number} withdrawn. Nothing was spent." in abe.text()
    assert town.desk("abe").ledger.left == left


def test_a_request_is_talked_about_sent_back_and_asked_again(town: Town) -> None:
    """The comment is read by its analyst as it was written, and the form stands as the frozen question did."""
    asked, hostile = town.ask(0.45), "Which of <b>both</b>, and [why](http://x)?"
    olga, abe = town.at("olga"), town.at("abe")
    olga.open("review", waiting=str(asked.number)).fill(Your_comment=hostile, Readers="all").press("Comment")
    assert olga.field("Your comment").value == "" and hostile in [text.value for text in olga.app.text]
    other = town.at("olga").open("review", waiting=str(asked.number))
    olga.fill(Message_to_the_analyst=REASON).press(f"Request changes to #{asked.number}")
    other.press(f"Approve and run #{asked.number} once")
    assert "changes requested by Olga, " in other.text() and "had no effect" in other.text()
    assert f"Olga commented on #{asked.number}" in abe.open("news").text()
    abe.buttons(f"Open #{asked.number}")[0].click()
    assert hostile in [text.value for text in abe.run().app.text]
    abe.open("requests", request=str(asked.number)).press("Edit and send again")  # AppTest stays where it was sent from
    abe.open("global_sensitivity")
    assert f"This query replaces request #{asked.number}" in abe.text()
    assert abe.field("Purpose").value == PURPOSE
    abe.press("Send request (reserves ε = 0.45")
    (again,) = [each for each in town.desk("abe").requests if each.state == "waiting"]
    assert f"Replaces #{asked.number}" in olga.open("review", waiting=str(again.number)).text()


def test_a_decision_about_another_text_is_refused(town: Town) -> None:
    """Somebody's answer came in between: the officer reads anew, and then decides."""
    asked = town.ask(0.55)
    olga = town.at("olga").open("review", waiting=str(asked.number))
    answer_all(olga)
    town.ask(0.15)
    olga.press(f"Approve and run #{asked.number} once")
    assert "This page was out of date, so nothing was" in olga.text() and find(town.house, asked.id).state == "waiting"
    olga.press(f"Approve and run #{asked.number} once")
    assert f"Approved #{asked.number}. It ran once" in olga.text()
    assert find(town.house, asked.id).release is not None


def test_an_officer_cannot_decide_about_an_own_request(town: Town) -> None:
    """Somebody with both roles sees the card and no button."""
    both = frozenset({"analyst", "officer"})
    accounts.change(town.house, town.people["adam"], "abe", both, active=True)
    asked = town.ask(0.9)
    abe = town.at("abe").open("review", waiting=str(asked.number))
    assert "This is your own request. Another officer must decide" in abe.text() and not abe.buttons("Approve")
    assert town.at("olga").open("review", waiting=str(asked.number)).buttons("Approve and run #")
    decisions.withdraw(town.house, town.people["abe"], asked.id)


def test_a_changed_policy_holds_for_the_next_question(town: Town) -> None:
    """An officer lets more run at once; the trail says who did it."""
    olga = town.at("olga").open("datasets")
    olga.fill(**{"Runs without approval up to ε": 0.3}).press("Change policy")
    assert registry.find(town.house, town.dataset).policy.free == 0.3
    assert town.ask(0.25).release is not None
    assert "Audit log verified: no entry was changed," in olga.open("audit-log").text()


def registered(officer: Seat) -> Seat:
    """Import the declaration of what was chosen, say what it is, read what will be frozen, and register it."""
    officer.uploaded("Schema or codebook file", "d.json", SCHEMA.to_json().encode()).run()
    officer.fill(
        Source="A register",
        Legal_basis_for_collection="A law",
        Or_the_reason_for_having_no_deletion_date="A law keeps this register.",
    ).run()
    assert "Answer “Were any bounds chosen by looking at the data?”: yes or no." in officer.text()
    officer.fill(Were_any_bounds_chosen_by_looking_at_the_data=True, Are_there_other_releases=False).run()
    assert "Give details for “Were any bounds chosen by looking at the data?”: you answered yes." in officer.text()
    officer.fill(
        Were_any_bounds_chosen_by_looking_at_the_data=False, **{"Can one person have more than one row?": "no"}
    ).run()
    others = "If not: why does it cover different people?"
    if others in [field.label for field in (*officer.app.text_input, *officer.app.text_area)]:
        officer.fill(**{others: "They live in another town."}).run()
    assert "Summary of the registration" in officer.text()
    assert "You are the only officer, so the limit for releases without approval" in officer.text()
    return officer.press("Register")


def test_a_table_of_a_database_is_registered_and_reached_anew(town: Town, tmp_path: Path) -> None:
    """Its address is asked for like a password, and sent to nobody; another table is refused in one sentence."""
    rows = tmp_path / "rows.db"
    with closing(sqlite3.connect(rows)) as db, db:
        for name in ("folk", "others"):
            db.execute(f'CREATE TABLE {name} (age INTEGER, "group" TEXT)')
        db.execute("INSERT INTO folk VALUES (41, 'a')")
    olga, where = town.at("olga"), {"Address of the database or cluster": f"sqlite:///{rows}"}
    olga.open("datasets", registered_view="new", registered_from="table")
    secret = olga.field("Address of the database or cluster").proto
    assert secret.type == secret.PASSWORD
    olga.fill(**where, Table_or_view="nothing").press("Connect")
    assert "No table or view has this name, or several" in olga.text()
    olga.fill(**where, Table_or_view="folk").press("Connect")
    assert "Verify ledger" in [button.label for button in registered(olga).app.button]
    olga.fill(**where, Table_or_view="others").press("Change connection")
    assert "This is a different table" in olga.text()
    olga.fill(**where, Table_or_view="main.folk").press("Change connection")
    assert "This is a different table" not in olga.text()
    assert "reconnected" in [act.what for act in audit_log.trail(town.house.store)] and str(rows) not in olga.sent()


def test_a_folder_is_registered(town: Town, tmp_path: Path) -> None:
    """One that holds no files is refused in one sentence; its address is not asked for anew."""
    rows = tmp_path / "lake"
    rows.mkdir()
    pq.write_table(pa.table({"age": [41], "group": ["a"]}), rows / "part.parquet")
    olga = town.at("olga").open("datasets", registered_view="new", registered_from="folder")
    olga.fill(Folder_on_this_server=str(tmp_path)).press("Connect")
    assert "This folder has no Parquet files" in olga.text()
    olga.fill(Folder_on_this_server=str(rows)).press("Connect")
    assert "Suggested from column names, types and labels; no row was read: age." in olga.text()
    assert registered(olga).buttons("Verify ledger") and not olga.buttons("Change connection")


def test_a_level_more_is_declared_by_two_officers(town: Town) -> None:
    """Another order is no level more; nothing holds on one word. A column more: test_extending.py."""
    invitation = joining.invite(town.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    town.people["otto"] = joining.choose_password(town.house, invitation, PASSWORD)
    before = registry.find(town.house, town.dataset).registration.schema
    olga = town.at("olga").open("datasets").press("Extend schema")
    assert "The schema has no additions yet" in olga.run().text()
    assert olga.buttons("Extend schema")[0].disabled
    assert "cannot be changed. You can only add allowed values" in olga.fill(Allowed_values="b, a, c").run().text()
    olga.fill(Allowed_values="a, b, c").run().press("Extend schema")
    assert "proposes to extend the schema as follows" in olga.text()
    assert registry.find(town.house, town.dataset).registration.schema == before
    otto = town.at("otto").open("datasets").press("Confirm schema")
    assert "Extended by Otto on " in otto.text()
    assert registry.find(town.house, town.dataset).registration.schema != before


def closed(town: Town) -> set[str]:
    """Return whose accounts are closed."""
    return {account["person"].login for account in accounts.everybody(town.house) if not account["active"]}


def test_an_administrator_keeps_accounts(town: Town) -> None:
    """A wrong password, a right one, a new link, a closed account that stays closed."""
    door = town.at().open("sign_in").fill(Login="abe", Password="not this one").press("Sign in")
    assert "Wrong login or password, or the account is" in door.text()
    abe = town.at("abe").open("requests")
    adam = town.at("adam").open("people")
    account = adam.field("Account")
    account.select(next(option for option in account.options if "(abe)" in option))
    adam.run().press("New password link")
    assert any("link=" in code.value for code in adam.app.code)
    adam.fill(**{"Closed (cannot sign in)": True}).run().press("Save")
    assert closed(town) == {"abe"}
    assert not abe.run().buttons("Sign out") and PURPOSE not in abe.text()
    door.open("sign_in").fill(Login="abe", Password=PASSWORD).press("Sign in")
    assert "Wrong login or password, or the account is" in door.text()
    again = town.at("adam").open("people")
    account = again.field("Account")
    account.select(next(option for option in account.options if "(abe)" in option))
    assert again.run().field("Closed (cannot sign in)").value
    again.press("Save")
    assert closed(town) == {"abe"}


def test_an_officer_ends_a_dataset(town: Town, tmp_path: Path) -> None:
    """Published and not, closed, its rows deleted: each on purpose, each seen at once."""
    assert town.ask(0.1, "ann").release is not None
    olga = town.at("olga").open("published_results").press("Publish results")
    assert "Anyone can read the published results." in olga.text()
    assert olga.press("Stop publishing").buttons("Publish results")
    olga.open("datasets")
    for confirmation, label in (
        ("I understand that a closed dataset cannot be reopened", "Close dataset"),
        ("I understand that deleted rows cannot be restored", "Delete rows"),
    ):
        assert olga.buttons(label)[0].disabled
        assert not olga.fill(**{confirmation: True}).run().press(label).buttons(label)
    assert "The rows are deleted." in olga.text()
    dataset = registry.find(town.house, town.dataset)
    assert (dataset.state, dataset.published) == ("deleted", False)
    assert [file.name for file in (tmp_path / "home" / "vault").iterdir()] == ["key"]
    assert "entries are verified" in olga.press("Verify ledger").text()
    ann = town.at("ann")
    assert not any("town" in str(box.options) for box in ann.app.selectbox)
    assert "Result released." in ann.open("requests").text() and CANARY not in ann.text()


def test_what_a_list_lacks_is_made_on_its_page(town: Town) -> None:
    """An analyst comes from the requests to Query; an officer publishes, and makes the audit file, beside the lists."""
    town.ask(0.1, "ann")
    links = {each.proto.page for each in town.at("abe").open("requests").app.get("page_link")}
    assert any("query" in each for each in links)
    olga = town.at("olga")
    assert olga.open("published_results").buttons("Publish results") and "Privacy guarantee" in olga.sent()
    assert "Create audit file" in olga.open("audit_log").sent()
    for name in ("abe", ""):
        assert not town.at(name).open("published_results").buttons("Publish results")
    links = {each.proto.page for each in olga.open("datasets").app.get("page_link")}
    assert any("published" in each for each in links) and any("audit" in each for each in links)
