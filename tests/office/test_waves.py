"""Waves as units: each wave is a budget of its own, and whatever would make that untrue is refused or found."""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.durable.chain import line_hash
from discreet.budget.durable.periods import COUNTING
from discreet.office import (
    House,
    Policy,
    beside,
    bundle_check,
    bundles,
    cards,
    decisions,
    enrolment,
    inspection,
    outlook,
    overlaps,
    per_wave,
    registry,
    releases,
    renewal,
    signing,
    submissions,
    versions,
)
from discreet.office.asked import find, listed, select_requests
from discreet.office.bundles import Period
from discreet.office.desk import Desk
from discreet.office.snapshot import snapshot
from discreet.office.vault import IMPRINTS
from discreet.rows.connection import Connection
from tests.office.offices import APART, CHECKED, ON_SQLITE, PURPOSE, REGISTRATION, Office, question

FORK = multiprocessing.get_context("fork")
EACH, OWN = Cost.of("0.5", "1e-6"), "these visits were billed in both months"
SAID = replace(
    REGISTRATION,
    name="visits",
    apart=APART,
    limit=EACH,
    unit=per_wave.UNIT,
    wave="the visits of one month, and of no other",
    compared=True,
)
WHY = "the visits of the next month"


def visits(month: int, many: int = 300) -> bytes:
    """Return the rows of a month: no other month has one of them."""
    rows = "\n".join(f"{at % 90},{('north', 'south')[at % 2]},visit {month}-{at}" for at in range(many))
    return f"age,town,note\n{rows}\n".encode()


def by_month(office: Office) -> None:
    """Register data of which each month is a budget of 0.5."""
    office.dataset = enrolment.register(office.house, office.who["olga"], visits(1), SAID, Policy()).id
    office.amend(free=0.2)


@pytest.fixture
def monthly(another: Callable[..., Office]) -> Office:
    """Return a house with such data."""
    return another(by_month)


def renew(office: Office, content: bytes, why: str = WHY, **more: Any) -> registry.Registered:
    """Bring rows."""
    data = renewal.renew(office.house, office.who["olga"], office.dataset, content, why, **more)
    assert data is not None
    return data


def wrong(office: Office) -> list[str]:
    """Return what an inspection finds."""
    return [str(each) for each in inspection.look(office.house).all]


def waves(office: Office) -> dict[str, int]:
    """Return what each wave has counted."""
    sums: Counter[str] = Counter()
    for line in office.ledger.lines:
        sums[line["note"]] += line["loss"] if line["kind"] in COUNTING else 0
    return {wave: loss for wave, loss in sums.items() if loss}


def test_each_wave_has_the_whole_budget_and_a_correction_has_what_is_left(monthly: Office) -> None:
    """A corrected file is of the newest wave: whoever is in it has lost what was told of it before."""
    assert monthly.ask(0.2).release is not None and monthly.ledger.left.epsilon == 0.3
    assert renew(monthly, visits(1, 299), "one visit was taken twice", correction=True).versions[-1].wave == 1
    assert monthly.ledger.left.epsilon == 0.3 and monthly.ask(0.19).release is not None
    with pytest.raises(BudgetExceeded):
        monthly.ask(0.15)
    assert [version.wave for version in renew(monthly, visits(2)).versions] == [1, 1, 2]
    assert monthly.ledger.left == EACH and monthly.ledger.spent == Cost.zero()
    monthly.ask(0.18)
    assert waves(monthly) == {"wave 1": 390_000_000, "wave 2": 180_000_000} and wrong(monthly) == []


def test_what_waits_is_answered_and_charged_in_the_wave_of_its_rows(monthly: Office) -> None:
    """Decided after the next wave came, denied, or late: nothing of that moves into another wave."""
    waits, denied, late = monthly.ask(0.25), monthly.ask(0.15), monthly.ask(0.09)
    assert (waits.state, denied.release is None, late.release is None) == ("waiting", False, False)
    renew(monthly, visits(2))
    second = [monthly.ask(0.3), monthly.ask(0.2)]
    decisions.decide(monthly.house, monthly.who["otto"], waits.id, "approved", "", CHECKED)
    decisions.decide(monthly.house, monthly.who["otto"], second[0].id, "denied", "not for this purpose")
    assert waves(monthly) == {"wave 1": 490_000_000, "wave 2": 200_000_000}
    card = cards.card(snapshot(monthly.house, find(monthly.house, waits.id)))
    assert card["accounting"]["period"]["label"] == "wave 1" and card["data"]["version"]["wave"] == 1
    assert wrong(monthly) == []


def test_a_share_is_of_each_wave(monthly: Office) -> None:
    """Who has had theirs of one month has it of the next again; what waits counts in its own."""
    monthly.amend(free=0.2, share=0.3)
    monthly.ask(0.25)
    with pytest.raises(ParameterError, match="Your share"):
        monthly.ask(0.1)
    renew(monthly, visits(1, 290), "ten visits were taken twice", correction=True)
    with pytest.raises(ParameterError, match="Your share"):
        monthly.ask(0.1)
    renew(monthly, visits(2))
    desk = Desk(monthly.house, monthly.who["bob"], monthly.dataset)
    assert desk.share == (0.3, Cost.zero()) and monthly.ask(0.1).release is not None
    monthly.ask(0.2)
    with pytest.raises(ParameterError, match="Your share"):
        monthly.ask(0.05)


def test_the_same_question_is_not_the_same_of_another_wave(monthly: Office) -> None:
    """The old answer stays what it is; of the new rows the question is a new draw, and is charged."""
    early = monthly.ask(0.1)
    desk = Desk(monthly.house, monthly.who["bob"], monthly.dataset)
    assert desk.stored(question(0.1)) is not None and desk.next_round(question(0.1)) == 1
    renew(monthly, visits(1, 290), "ten visits were taken twice", correction=True)
    assert monthly.ask(0.1).id == early.id
    renew(monthly, visits(2))
    desk = Desk(monthly.house, monthly.who["bob"], monthly.dataset)
    assert desk.stored(question(0.1)) is None and desk.next_round(question(0.1)) == 1
    with pytest.raises(ParameterError, match="of an earlier wave"):
        monthly.ask(0.1)
    again = monthly.ask(0.1, round=1)
    assert again.id != early.id and waves(monthly) == {"wave 1": 100_000_000, "wave 2": 100_000_000}


def test_a_question_that_waits_is_asked_anew_of_the_next_wave(monthly: Office) -> None:
    """Its round goes on, so that both can be decided."""
    monthly.ask(0.3)
    renew(monthly, visits(2))
    desk = Desk(monthly.house, monthly.who["bob"], monthly.dataset)
    assert desk.next_round(question(0.3)) == 1 and monthly.ask(0.3, round=1).state == "waiting"


def test_a_wave_that_repeats_rows_of_another_is_refused_until_somebody_says_why(monthly: Office) -> None:
    """A table that has grown is no wave: also with a column more, in another order; the word is on the card."""
    grown = visits(1) + b"\n".join(visits(2).split(b"\n")[1:])
    lines = visits(1).decode().split("\n")
    wider = "\n".join([f"{lines[0]},day", *(f"{line},{at % 7}" for at, line in enumerate(lines[:0:-1]) if line)]) + "\n"
    few = visits(2) + b"\n".join(visits(1).split(b"\n")[1:40]) + b"\n"
    for content, tenths in ((grown, 10), (wider.encode(), 10), (few, 1)):
        with pytest.raises(overlaps.Repeating) as refused:
            renew(monthly, content)
        assert f"About {tenths} in 10 rows are those of wave 1" in str(refused.value)
        with pytest.raises(overlaps.Repeating):
            renew(monthly, content, own="no")
    data = renew(monthly, few, own=OWN)
    assert data.versions[-1].wave == 2 and data.versions[-1].why == f"{WHY} {OWN}"
    with pytest.raises(overlaps.Repeating, match="of wave 1"):
        renew(monthly, visits(1) + b"5,north,new\n", "rows of before", correction=True)


def test_without_marks_each_file_comes_in_with_a_word(another: Callable[..., Office]) -> None:
    """Marks answer without noise, so nobody has to keep any: then somebody says what nobody notices."""
    office = another()
    said = replace(SAID, compared=False)
    office.dataset = enrolment.register(office.house, office.who["olga"], visits(1), said, Policy()).id
    for own in ("", "no"):
        with pytest.raises(ParameterError, match="nobody notices rows of another wave"):
            renew(office, visits(2), own=own)
    data = renew(office, visits(2), own=OWN)
    assert data.versions[-1].wave == 2 and data.versions[-1].why == f"{WHY} {OWN}"
    assert not [file for file in (office.home / "vault").rglob("*") if file.suffix == IMPRINTS] and not wrong(office)


def test_the_same_people_with_other_values_are_another_wave(monthly: Office) -> None:
    """Whoever comes again repeats no row; a correction may repeat all rows of its own wave."""
    lines = visits(1).decode().split("\n")
    later = "\n".join([lines[0], *(f"{(int(line.split(',')[0]) + 1)},{line.split(',', 1)[1]}" for line in lines[1:-1])])
    assert renew(monthly, later.encode() + b"\n").versions[-1].wave == 2
    assert renew(monthly, later.encode() + b"\n7,north,late\n", "a row more", correction=True).versions[-1].wave == 2


def test_the_same_bytes_are_never_a_wave(monthly: Office) -> None:
    """Not as a new wave and not as a correction, whatever is said."""
    for correction in (False, True):
        with pytest.raises(ParameterError, match="registered already"):
            renew(monthly, visits(1), own=OWN, correction=correction)


@ON_SQLITE
def test_rows_that_cannot_be_compared_are_no_wave(monthly: Office) -> None:
    """Where the marks of another wave are gone, nobody can tell; a correction of the only wave needs none."""
    place = registry.row_of(monthly.house, monthly.dataset)["content"]
    next(monthly.home.rglob(f"{place}.imprints")).unlink()
    with pytest.raises(ParameterError, match="of wave 1 are compared by is lost"):
        renew(monthly, visits(2))
    renew(monthly, visits(1, 250), "fewer visits", correction=True)


UNTRUE: dict[str, dict[str, Any]] = {
    "no word on waves": {"wave": ""},
    "a short word": {"wave": "month"},
    "a rule of months": {"period": "month 100000000 0 0"},
    "a word for persons": {"unit": "person"},
}


@ON_SQLITE
@pytest.mark.parametrize("what", UNTRUE)
def test_what_would_not_be_true_is_not_registered(office: Office, what: str) -> None:
    """In one sentence, before anything is read."""
    with pytest.raises(ParameterError, match="wave"):
        replace(SAID, **UNTRUE[what])


@ON_SQLITE
def test_rows_that_may_change_have_no_waves(office: Office, tmp_path: Path) -> None:
    """And where waves are no unit, nothing is said to be a correction."""
    with pytest.raises(ParameterError, match="can change within a wave"):
        enrolment.register(office.house, office.who["olga"], Connection("sqlite:////rows/x.db", "t"), SAID, Policy())
    with pytest.raises(ParameterError, match="Only where each wave"):
        renew(office, visits(1), correction=True, apart=APART)


def test_no_wave_is_skipped_or_opened_again_by_hand(monthly: Office) -> None:
    """The database refuses it."""
    renew(monthly, visits(2))
    for wave in (1, 4, 0):
        with pytest.raises(sa.exc.DBAPIError, match="newest one or follows"):
            monthly.by_hand(
                "INSERT INTO versions SELECT dataset, version + 1, since + 9, fingerprint || 'x', content, layout, why,"
                f" by, at, {wave} FROM versions WHERE dataset = '{monthly.dataset}'"
            )


def test_a_card_promises_a_wave_and_says_what_several_cost(monthly: Office) -> None:
    """On the card, in the record of the registry, on the lists, and in the checklist; a person is promised k times."""
    monthly.ask(0.1)
    renew(monthly, visits(2))
    asked = monthly.ask(0.2)
    card = cards.card(snapshot(monthly.house, asked))
    guarantee, accounting = card["guarantee"], card["accounting"]
    assert guarantee["privacy_unit"] == "what a person did in one wave"
    assert "A wave is: “the visits of one month" in guarantee["privacy_unit_details"]
    assert "at most k times what is promised" in guarantee["privacy_unit_details"]
    assert guarantee["risk_of_waves"]["odds_factor"] == pytest.approx(2.718281828**1.0)
    assert "a person is in the data" in guarantee["risk_of_waves"]["in_words"][0]
    assert "up to wave 2" in guarantee["risk_of_waves"]["in_words"][0]
    assert (accounting["spent_before"]["epsilon"], accounting["spent_after"]["epsilon"]) == (0, 0.2)
    assert accounting["left_now"]["epsilon"] == 0.3 and accounting["total"]["epsilon"] == 0.5
    assert "Waves are not added up" in accounting["composition"] and "each wave" in accounting["period"]["rule"]
    assert cards.strange_parts(card) == []
    text = " ".join(cards.card_yaml(card).split())
    assert "privacy_unit: what a person did in one wave" in text and "k times what is promised" in text
    every = releases.releases(monthly.house, monthly.dataset)
    assert [(each["wave"], each["epsilon"]) for each in every["waves"]] == [(1, 0.1), (2, 0.2)]
    assert [each["wave"] for each in every["releases"]] == [1, 2] and every["spent"]["epsilon"] == 0.2


@ON_SQLITE
def test_the_overview_shows_the_wave_that_is_spent_now(monthly: Office) -> None:
    """What was spent of an earlier one is no part of it, and no pace of it."""
    monthly.ask(0.2)
    monthly.clock.now += 20 * 24 * 3600.0
    monthly.ask(0.1)
    (mine,) = [each for each in outlook.outlooks(monthly.house, monthly.who["olga"]) if each.data.id == monthly.dataset]
    assert mine.ends and mine.spent.epsilon == pytest.approx(0.3)
    renew(monthly, visits(2))
    (mine,) = [each for each in outlook.outlooks(monthly.house, monthly.who["olga"]) if each.data.id == monthly.dataset]
    assert (mine.ends, mine.spent.epsilon, mine.left.epsilon) == ("", 0, 0.5)
    assert mine.period is not None and mine.period.label == "wave 2"
    points = outlook.spent_over_time(monthly.house, monthly.who["olga"], monthly.dataset)
    assert [spent for _, spent in points] == [0, 0]
    monthly.ask(0.19)
    points = outlook.spent_over_time(monthly.house, monthly.who["olga"], monthly.dataset)
    assert max(spent for _, spent in points) == pytest.approx(0.19)


def moved(office: Office) -> None:
    """Let the newest request count in wave 1, and make all hashes of the ledger and their seals anew."""
    office.without_guards()
    mine = f"budget = '{office.dataset}'"
    office.by_hand(f"UPDATE lines SET note = 'wave 1' WHERE {mine} AND note = 'wave 2'")
    with office.store.engine.begin() as connection:
        before = connection.exec_driver_sql(f"SELECT hash FROM budgets WHERE id = '{office.dataset}'").scalar_one()
        rows = connection.exec_driver_sql(f"SELECT * FROM lines WHERE {mine} ORDER BY seq").mappings().all()
        for row in rows:
            line = dict(row) | {"previous": before, "taken": None if row["taken"] is None else bool(row["taken"])}
            before = line_hash(line)
            place = f"{mine} AND seq = {line['seq']}"
            connection.exec_driver_sql(
                f"UPDATE lines SET previous = '{line['previous']}', hash = '{before}' WHERE {place}"
            )
            seal = office.house.seal.of(office.dataset, line["seq"], before)
            chain = f"chain = '{office.dataset}' AND seq = {line['seq']}"
            connection.exec_driver_sql(f"UPDATE seals SET seal = '{seal}' WHERE {chain}")


@ON_SQLITE
def test_an_answer_that_counts_in_another_wave_than_its_rows_is_found(monthly: Office, tmp_path: Path) -> None:
    """By the office and by an auditor, even where hashes and seals were made anew: versions say which wave it is."""
    monthly.ask(0.2)
    renew(monthly, visits(2))
    asked = monthly.ask(0.1)
    assert wrong(monthly) == [] and findings(monthly, tmp_path) == []
    moved(monthly)
    stray = f"Request #{asked.number} of visits counts in another wave than its rows."
    assert stray in wrong(monthly)
    assert f"Request #{asked.number} counts in another wave than its rows." in findings(monthly, tmp_path)


def findings(office: Office, folder: Path) -> list[str]:
    """Return what an auditor finds in the file of these data."""
    path = folder / "bundle.zip"
    path.write_bytes(bundles.bundle(office.house, office.who["adam"], office.dataset, Period()))
    return [str(each) for each in bundle_check.findings(bundle_check.read(path), signing.public_key(office.house))]


@ON_SQLITE
def test_a_backup_brings_every_wave_back(monthly: Office, empty: House, tmp_path: Path) -> None:
    """With what each has spent, and which version is of which."""
    monthly.ask(0.2)
    renew(monthly, visits(1, 280), "some visits were taken twice", correction=True)
    renew(monthly, visits(2))
    monthly.ask(0.15)
    (tmp_path / "backup").mkdir()
    words, _ = beside.backup(monthly.house, tmp_path / "backup")
    with beside.restored(empty, tmp_path / "backup", [w for w in words if not w.startswith("--")], "", ""):
        empty.begin_seals()
    there = replace(monthly, house=empty, others=[])
    data = registry.find(empty, monthly.dataset)
    assert [version.wave for version in data.versions] == [1, 1, 2] and wrong(there) == []
    assert waves(there) == waves(monthly) and there.ledger.left.epsilon == 0.35


@ON_SQLITE
def test_what_was_registered_before_keeps_its_hash(office: Office) -> None:
    """Nobody said a word on waves, so none is written."""
    said = json.loads(REGISTRATION.to_json())
    assert "wave" not in said and REGISTRATION.allowance is None
    assert replace(SAID, unit="person", wave="").allowance is None


def ask_and_renew(office: Office, name: int) -> None:
    """Be a server: one brings waves, and both ask, as fast as it goes."""
    house = House(office.home, office.url, office.clock)
    for at in range(8):
        with suppress(BudgetExceeded, ParameterError):
            submissions.submit(house, office.who["bob"], office.dataset, question(0.15), PURPOSE, 100 * name + at)
        if name == 0 and at % 3 == 2:
            renewal.renew(house, office.who["olga"], office.dataset, visits(10 + at), WHY)
    house.store.close()


def test_two_servers_and_new_waves_never_spend_more_of_one(monthly: Office) -> None:
    """Each request counts in the wave of the rows that it is answered from, whoever was faster."""
    monthly.store.engine.dispose()
    servers = [FORK.Process(target=ask_and_renew, args=(monthly, name)) for name in range(2)]
    [server.start() for server in servers]
    [server.join() for server in servers]
    assert [server.exitcode for server in servers] == [0, 0]
    data, spent = registry.find(monthly.house, monthly.dataset), Counter[str]()
    numbers = {asked.id: asked.number for asked in listed(monthly.house, select_requests())}
    for line in monthly.ledger.lines:
        if line["kind"] in COUNTING:
            spent[line["note"]] += line["loss"]
            assert line["note"] == f"wave {data.version_at(numbers[line['request']]).wave}"
            assert 0 <= spent[line["note"]] <= EACH.nano_epsilon
    assert len(data.versions) == 3 and sum(spent.values()) > EACH.nano_epsilon and wrong(monthly) == []


def test_a_broken_twin_without_the_wave_of_the_rows_is_caught(monthly: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version that opens no wave, and an answer that pays from the newest one: the inspection names both."""
    monthly.ask(0.2)
    monkeypatch.setattr(overlaps, "wave_of", lambda data, correction: data.versions[-1].wave + 1)
    renew(monthly, visits(2))
    monkeypatch.setattr(registry, "history", lambda row, number=None: [registry_first(row)])
    monthly.ask(0.1)
    monkeypatch.undo()
    assert any("counts in another wave than its rows" in each for each in wrong(monthly))


def registry_first(row: Any) -> Any:
    """Return the first version, as a ledger would see it that looks at no newer one."""
    return versions.history(row)[0]
