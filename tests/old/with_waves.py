"""Make an archive of a house whose waves had budgets of their own, and whose officers agreed on other people.

Versions after it let nobody begin either. It was run in a checkout of the last version that did:

    cd CHECKOUT && python PATH/tests/old/with_waves.py NAME

It writes `ended/NAME.tar.gz` beside itself; `notes.json` in it says what has to be found again, and
`test_with_waves.py` opens it.
"""

from __future__ import annotations

import json
import os
import sys
import tarfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
NOW = 1_900_000_000.0  # when all of it happens: a day in 2030
PURPOSE = "to plan the beds of next year"
OTHERS = "the people of another town"
PEOPLE = {"olga": "officer", "otto": "officer", "bob": "analyst"}


def secret_of(login: str) -> str:
    """Return somebody's password, which was made for this."""
    return f"a long password of {login}"


def rows(of: str, many: int = 300) -> bytes:
    """Return rows that no other file has."""
    lines = "\n".join(f"{at % 90},{('north', 'south')[at % 2]},{of}-{at}" for at in range(many))
    return f"age,town,note\n{lines}\n".encode()


def fill(home: Path) -> dict[str, Any]:
    """Fill a house; return what has to be found in it again."""
    from discreet.budget import Cost
    from discreet.curator import Request
    from discreet.mechanisms.laplace import GlobalLaplace
    from discreet.office import (
        House,
        Policy,
        Registration,
        apart,
        bundles,
        cards,
        decisions,
        duties,
        enrolment,
        invitations,
        memberships,
        registration_file,
        registry,
        renewal,
        rulings,
        signing,
        submissions,
        upkeep,
    )
    from discreet.office.bundles import Period
    from discreet.office.checklist import POINTS
    from discreet.office.snapshot import snapshot
    from discreet.queries.mean import Mean
    from discreet.rows import Category, Number, Schema

    house = House(home, f"sqlite:///{home / 'ledger.db'}", lambda: NOW)
    link = invitations.setup_link(house)
    assert link is not None
    ann: Any = invitations.set_up(house, link, "ann", "Ann", secret_of("ann"))
    for login, role in PEOPLE.items():
        invitation = invitations.invite(house, ann, login, login.title(), frozenset({role}))
        invitations.choose_password(house, invitation, secret_of(login))
    who = {account["person"].login: account["person"] for account in memberships.everybody(house)}
    olga, otto, bob = who["olga"], who["otto"], who["bob"]
    ids = {}

    columns = {
        "age": Number(0, 120, integer=True, origin="life span"),
        "town": Category(("north", "south"), origin="a map"),
    }
    plain = Registration("people", Schema(columns), Cost.of("3", "1e-5"), "survey", "consent", alone=True)
    waves: dict[str, Any] = {"unit": "person-wave", "wave": "the visits of one month, and of no other"}
    visits = replace(
        plain, name="visits", source="visits", apart=OTHERS, limit=Cost.of("0.5", "1e-6"), compared=True, **waves
    )
    rounds = replace(
        plain, name="rounds", source="rounds", apart=OTHERS, limit=Cost.of("1", "1e-6"), rule="zCDP", **waves
    )
    policies = {"visits": Policy(free=0.3), "rounds": Policy(free=0.3), "people": Policy(free=0.3, both=("version",))}
    for said in (visits, rounds, plain):
        ids[said.name] = enrolment.register(house, olga, rows(f"{said.name}-1"), said, policies[said.name]).id
        for each in (olga, otto):
            rulings.amend(house, each, ids[said.name], policies[said.name])

    def ask(name: str, epsilon: float, round: int = 0) -> Any:
        question = Request(GlobalLaplace(query=Mean(), epsilon=epsilon), ("age",))
        return submissions.submit(house, bob, ids[name], question, PURPOSE, round)

    def bring(name: str, of: str, **more: Any) -> None:
        assert renewal.renew(house, olga, ids[name], rows(f"{name}-{of}"), f"the file {of} of these data", **more)

    first = ask("visits", 0.3)
    ask("visits", 0.1)
    ask("rounds", 0.2)
    for wave, epsilon in ((2, 0.3), (3, 0.15)):
        bring("visits", str(wave))
        ask("visits", epsilon, wave)
        bring("rounds", str(wave), own="no person of a round is asked in another round")
        ask("rounds", 0.2, wave)
    bring("visits", "3-corrected", correction=True)
    waits = ask("visits", 0.31)
    checked = dict.fromkeys(POINTS, "explained: looked at it")
    approved = decisions.decide(house, otto, ask("people", 0.4).id, "approved", "", checked)
    assert upkeep.publish(house, olga, ids["visits"], True)

    def beside(of: str) -> Any:
        words = replace(plain, name=of, source="survey", apart=OTHERS)
        return enrolment.register(house, olga, rows(of), words, Policy())

    for of in ("beside", "later"):
        with suppress(apart.Unagreed):
            beside(of)
        motion = duties.pending(house, apart.KIND, ids["people"])
        assert motion is not None
        if of == "beside":
            apart.agree(house, otto, ids["people"], motion.id)
            ids[of] = beside(of).id

    notes = {
        "at": NOW,
        "people": {login: secret_of(login) for login in ("ann", *PEOPLE)},
        "public_key": signing.public_key(house),
        "datasets": ids,
        "waits": waits.id,
        "approved": approved.id,
        "requests": _requests(house),
        "card": json.loads(cards.card_json(cards.card(snapshot(house, first)))),
        "registration": registration_file.written(registry.find(house, ids["visits"])),
    }
    (home.parent / "bundle.zip").write_bytes(bundles.bundle(house, ann, ids["visits"], Period()))
    house.store.close()
    return notes


def _requests(house: Any) -> list[dict[str, Any]]:
    """Note every request, with what was answered."""
    from discreet.office.asked import listed, select_requests

    return [
        {
            "id": asked.id,
            "dataset": asked.dataset,
            "number": asked.number,
            "status": asked.status,
            "cost": [asked.cost.nano_epsilon, asked.cost.delta_units],
            "answers": [answer.answer for answer in asked.answers],
        }
        for asked in listed(house, select_requests())
    ]


def main(name: str) -> None:
    """Make everything in a folder, and write it as one file."""
    sys.path[:0] = [str(Path.cwd()), str(HERE.parent)]
    from old.make import _nobody, _settled

    with TemporaryDirectory() as folder:
        os.environ["DISCREET_HOME"] = f"{folder}/nobody"
        made = Path(folder, name)
        made.mkdir()
        notes = fill(made / "home")
        Path(made, "notes.json").write_text(json.dumps(notes, indent=1, ensure_ascii=False), encoding="utf-8")
        for database in made.rglob("*.db"):
            _settled(database)
        (HERE / "ended").mkdir(exist_ok=True)
        with tarfile.open(HERE / "ended" / f"{name}.tar.gz", "w:gz") as archive:
            archive.add(made, name, filter=_nobody)


if __name__ == "__main__":
    main(sys.argv[1])
