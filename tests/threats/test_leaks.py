"""L1 to L11: what could tell about rows beside the answer. Each check also catches a naive twin."""

from __future__ import annotations

import ast
import functools
import json
import math
import random
import sqlite3
import time
import tomllib
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import psutil
import psycopg
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from scipy import stats
from support.pages import press
from support.postgres import Postgres
from support.soak import some, times
from threats.screens import MECHANISMS, PAGES, ROOT, at, naive, sent, space, upload, visit, working_on

import discreet.ui.session.state
from discreet.budget import BudgetExceeded, Cost, SessionLedger
from discreet.budget.durable import Store, open_budget
from discreet.curator import Curator, Release, ReleaseNoise, Request
from discreet.curator.clock import tick_of
from discreet.mechanisms import Forecast, Mechanism, Public, registry
from discreet.mechanisms.base.distance_test import PureTest, Threshold
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.laws.law import CoreTail, Gated, Law, Noisy
from discreet.mechanisms.smooth import SmoothCoreTail, smooth_bound
from discreet.queries import Column, Relation
from discreet.queries.mean import Mean
from discreet.report.export import release_record
from discreet.rows import ArrowSource, Category, Dataset, Date, Filter, LocalSource, Number, Person, Schema, cells
from discreet.rows.columns import YesNo
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.persons import DrawnLots
from discreet.rows.source import Source

pytestmark = pytest.mark.long

Look = Callable[[bytes], str]
Ask = Callable[[Request], Any]
CANARY = "salary 48151623"
AGES = Schema({"age": Number(0, 100, integer=True)})
MEAN = Request(SmoothCoreTail(query=Mean(), epsilon=0.5), ("age",))
DECLARED = {0: {"lower": 0.0, "upper": 100.0}, 1: {"levels": "a, b", "other": True}}


def people(*ages: float) -> Dataset:
    """Return protected people of these ages."""
    return Dataset(LocalSource(pa.table({"age": [str(age) for age in ages]})), AGES)


def curator_of(dataset: Dataset, limit: float = 10, **options: Any) -> Curator:
    """Return who answers for a dataset, at once if no tick is given."""
    return Curator(dataset, SessionLedger(Cost.of(limit, "1e-3")), **{"tick": 0.0, **options})


# Screens: two files that differ in one thing only must look the same.


def file(rows: int = 300, youngest: int = 20, towns: str = "ab") -> bytes:
    """Return a table of people."""
    lines = [f"{youngest + i % 50},{towns[i % len(towns)]}\n" for i in range(rows)]
    return ("age,town\n" + "".join(lines)).encode()


@functools.cache
def our_screens(data: bytes) -> str:
    """Upload a file, declare it, use it, and look at every page and into every mechanism."""
    app = upload(visit(), "people.csv", data, DECLARED)
    assert not app.exception and not app.error
    screens = [sent(app)]
    press(app, "Use this dataset")
    for page in PAGES:
        screens.append(sent(at(app, page)))
    for page, key in MECHANISMS.items():
        app.session_state[f"{key}-view"] = "how"
        screens.append(sent(at(app, page)))
    return "\n".join(screens)


def looks_different(look: Look, data: bytes, other: bytes) -> bool:
    """Say whether somebody who sees the screens can tell two files apart."""
    return look(data) != look(other)


def naive_count(data: bytes) -> None:
    """Say how many rows were loaded, as everybody does."""
    import io

    import pandas as pd
    import streamlit as st

    st.success(f"{len(pd.read_csv(io.BytesIO(data))):,} rows loaded")


def naive_presets(data: bytes) -> None:
    """Start the bounds from the data, so that they fit."""
    import io

    import pandas as pd
    import streamlit as st

    ages = pd.read_csv(io.BytesIO(data)).age
    st.slider("Bounds", 0, 100, (int(ages.min()), int(ages.max())))


def naive_levels(data: bytes) -> None:
    """Offer the categories that are there."""
    import io

    import pandas as pd
    import streamlit as st

    st.selectbox("Town", sorted(pd.read_csv(io.BytesIO(data)).town.unique()))


def test_l1_the_number_of_rows_is_not_shown() -> None:
    """Ten rows more or three times as many: every screen before an answer is the same."""
    for rows in (310, 900):
        assert not looks_different(our_screens, file(), file(rows=rows))
        assert looks_different(lambda d: naive(naive_count, data=d), file(), file(rows=rows))


def test_l2_nothing_is_preset_or_previewed_from_rows() -> None:
    """People who are all 25 years older: bounds, proposals and figures do not move."""
    assert not looks_different(our_screens, file(), file(youngest=45))
    twin = functools.partial(naive, naive_presets)
    assert looks_different(lambda d: twin(data=d), file(), file(youngest=45))


def test_l3_a_category_comes_from_the_declaration_alone() -> None:
    """A town that one person has appears on no screen and in no answer by groups."""
    rare = file().replace(b"\n20,a", b"\n20,z", 1)
    assert not looks_different(our_screens, file(), rare)
    assert looks_different(lambda d: naive(naive_levels, data=d), file(), rare)


def test_l3_groups_are_the_declared_levels_whether_anybody_is_in_them() -> None:
    """Grouping by the data shows who is there; ours answers for every declared level."""
    schema = Schema({"age": Number(0, 100), "town": Category(("a", "b", "nobody"), other=True)})

    def ours(data: bytes) -> list[str]:
        asked = curator_of(Dataset(LocalSource(data), schema))
        return [level for level, _ in asked.ask(Request(MEAN.mechanism, ("age",), by="town")).answer]

    def naive_groups(data: bytes) -> list[str]:
        rows = [line.split(",") for line in data.decode().split()[1:]]
        return sorted({town for _, town in rows})

    files = file(), file().replace(b"\n20,a", b"\n20,z", 1)
    assert ours(files[0]) == ours(files[1]) == ["a", "b", "nobody", "other"]
    assert naive_groups(files[0]) != naive_groups(files[1])


# Errors and logs.


@dataclass(frozen=True)
class Fails(Mechanism):
    """A mechanism that fails where anybody is 99, with all ages in its message."""

    title: ClassVar[str] = "Fails"
    family: ClassVar[str] = "test"

    def cost(self) -> Cost:
        """Return epsilon 1."""
        return Cost.of(1)

    def law(self, data: Column) -> Law:
        """Fail on one person."""
        if 99 in data.values():
            raise ValueError(f"{CANARY} among {data.values()}")
        return Noisy(0.0, 1.0, CoreTail(3))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Promise nothing."""
        return Forecast(None, "nothing")


FAILS = Request(Fails(), ("age",))


@pytest.fixture
def told_by(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Callable[[Callable[[], Any]], str]:
    """Return what gives back all that an act says: result, error, traceback, warning, log."""

    def transcript(act: Callable[[], Any]) -> str:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                said = repr(act())
            except Exception:
                said = traceback.format_exc()
        spoken = [str(warning.message) for warning in warned if warning.category is not DeprecationWarning]
        return " ".join([said, *spoken, caplog.text, *capfd.readouterr()])

    return transcript


def naive_read(data: bytes) -> float:
    """Read a column of numbers, as everybody does."""
    import io

    return float(pd.read_csv(io.BytesIO(data)).age.astype(float).mean())


def naive_law(dataset: Dataset, request: Request) -> Any:
    """Compute, and let errors through."""
    view = dataset.column("age", (), DrawnLots(ReleaseNoise()))
    return request.mechanism.law(view).draw(ReleaseNoise())


def test_l4_no_error_warning_or_log_holds_a_cell(told_by: Callable[[Callable[[], Any]], str]) -> None:
    """A cell that is no number, a damaged file and a mechanism that fails say nothing of rows."""
    bad = f"age,town\n20,a\n{CANARY},b\n".encode()
    torn = f'age,town\n20,a\n"{CANARY}'.encode() * 60_000
    schema = Schema({"age": Number(0, 100)})
    for act in (
        lambda: curator_of(Dataset(LocalSource(bad), schema)).ask(MEAN),
        lambda: LocalSource(torn),
        lambda: LocalSource(bad.replace(b"age", b"")),
        lambda: curator_of(people(20, 99)).ask(FAILS),
    ):
        assert CANARY not in told_by(act)
    assert CANARY in told_by(lambda: naive_read(bad))
    assert CANARY in told_by(lambda: naive_law(people(20, 99), FAILS))


def test_l4_an_error_of_a_page_is_not_sent_to_the_browser() -> None:
    """Streamlit shows every error with its traceback unless it is told not to."""

    def shows_errors(config: str) -> bool:
        client = tomllib.loads(config).get("client", {})
        return client.get("showErrorDetails", "full") != "none"

    assert not shows_errors((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    naive_config = "[client]\ntoolbarMode = 'viewer'\n"
    assert shows_errors(naive_config)


def free_bit(ask: Callable[[Dataset, SessionLedger], Any]) -> bool:
    """Say whether the presence of one person can be learned for nothing."""
    seen, spent = [], []
    for dataset in (people(20, 30), people(20, 99)):
        ledger = SessionLedger(Cost.of(10))
        try:
            seen.append(ask(dataset, ledger) is None)
        except ValueError:
            seen.append(True)
        spent.append(ledger.spent)
    return seen[0] != seen[1] and Cost.zero() in spent


def test_l5_an_error_that_one_person_causes_is_a_charged_refusal() -> None:
    """The charge comes first: whether somebody is there is learned at the full price only."""

    def ours(dataset: Dataset, ledger: SessionLedger) -> Any:
        return Curator(dataset, ledger, tick=0).ask(FAILS).answer

    def naive_order(dataset: Dataset, ledger: SessionLedger) -> Any:
        answer = naive_law(dataset, FAILS)
        ledger.charge("question", FAILS.cost())
        return answer

    assert not free_bit(ours)
    assert free_bit(naive_order)


# What is told beside an answer.


CALM, WILD = (50,) * 300, (0, 100) * 20  # the same mean, very different sensitivities


class Same(ReleaseNoise):
    """Release noise that draws the same answer always, so that all else can be compared."""

    def core_tail(self, centre: float, scale: float, m: int) -> float:
        """Draw 50."""
        return 50.0

    def geometric(self, centre: int, scale: float) -> int:
        """Draw one that passes no test."""
        return 0


def test_l6_neither_noise_scale_nor_true_error_is_told_with_an_answer() -> None:
    """The same answer about calm and about wild data comes with the same words."""
    asked = SmoothCoreTail(query=Mean(), epsilon=0.5)

    def ours(ages: tuple[int, ...]) -> str:
        dataset = people(*ages)
        release = curator_of(dataset, noise=Same()).ask(MEAN)
        record = release_record(release, dataset.schema) | {"at": ""}
        return f"{record} {release.interval} {dataset!r}"

    def naive_interval(ages: tuple[int, ...]) -> str:
        column = people(*ages).column("age", (), DrawnLots(ReleaseNoise()))
        width = 3 * smooth_bound(asked.query, column, asked.beta) / asked.epsilon
        return f"50 ± {width:.2f}, accuracy {abs(50 - asked.query.value(column)):.1%}"

    assert ours(CALM) == ours(WILD)
    assert naive_interval(CALM) != naive_interval(WILD)


def naive_card(ages: tuple[int, ...]) -> None:
    """Show an answer with its standard error, as everybody does."""
    import statistics

    import streamlit as st

    st.metric("Mean", 50.0, f"± {statistics.pstdev(ages) / len(ages) ** 0.5:.2f}")


def test_l6_the_screens_after_an_answer_show_no_scale_and_no_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Card, sidebar, figures, comparison and ledger are those of any other data."""
    monkeypatch.setattr(ReleaseNoise, "core_tail", Same.core_tail)

    def ours(ages: tuple[int, ...]) -> str:
        app = press(at(working_on(people(*ages)), "smooth_sensitivity"), ":spend")
        (release,) = space(app).curator.releases
        pages = ("smooth_sensitivity", "compare", "budget")
        return "\n".join(sent(at(app, page), release.id) for page in pages)

    assert ours(CALM) == ours(WILD)
    assert naive(naive_card, ages=CALM) != naive(naive_card, ages=WILD)


FAR, NEAR, NOBODY = (40,) * 12, (0, 100) * 3, ()  # all refused, for three different reasons


def naive_refusal(ages: tuple[int, ...]) -> None:
    """Say why there is no answer, to be helpful."""
    import streamlit as st

    distance = len(ages) - len(set(ages))
    st.error("There are no rows." if not ages else f"Distance {distance} is below 27.")


def test_l8_every_refusal_looks_the_same_and_costs_the_same() -> None:
    """Far, near or nobody there at all: one page, one record and one charge for all refusals."""

    def ours(ages: tuple[int, ...]) -> str:
        app = working_on(people(*ages))
        press(at(app, "propose_test_release"), ":spend")
        (release,) = space(app).curator.releases
        assert release.refused
        record = release_record(release, space(app).dataset.schema) | {"at": "", "id": ""}
        return sent(app) + str(record) + str(space(app).curator.ledger.spent)

    assert ours(FAR) == ours(NEAR) == ours(NOBODY)
    refusals = {naive(naive_refusal, ages=ages) for ages in (FAR, NEAR, NOBODY)}
    assert len(refusals) == 3


# Time. A tick is public; what is seen must not follow the work that was done in it.

ASKERS = 20  # they mostly wait; together they need less than half of one processor
RELEASES = times(1_000, 4_000)
PLAIN = times(400, 2_000)  # without a pad the time shows more than twice as much as is asked for, as surely
TRIES = 3
HIDDEN = 4.5 / math.sqrt(RELEASES)  # standard deviations of no correlation: a false alarm in 100,000 comparisons
SHOWN = 2 * HIDDEN
STEPS = 40  # of the book's loop, for one person of distance
DISTANCES = tuple(range(20, 140, 20))


@dataclass(frozen=True)
class BooksTest(Mechanism):
    """The book's propose-test-release: it walks to the distance, a longer way takes longer."""

    title: ClassVar[str] = "The book's test"
    family: ClassVar[str] = "test"

    def cost(self) -> Cost:
        """Return next to nothing: thousands are asked."""
        return Cost.of("0.000001")

    def law(self, data: Column) -> Law:
        """Walk, then answer behind a test that the nearer half of the data mostly fails."""
        walked = 0
        while walked < STEPS * data.n:
            walked += 1
        return Gated(PureTest(data.n, Threshold(0.1, 1e-3)), Noisy(0.0, 1.0, CoreTail(3)))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Promise nothing."""
        return Forecast(None, "nothing")


class ByTrials(ReleaseNoise):
    """The textbook's sampler: one toss after the other, so that a larger noise takes longer."""

    def geometric(self, centre: int, scale: float) -> int:
        """Draw two-sided geometric noise."""
        toss, keep, size = random.SystemRandom().random, math.exp(-1 / scale), 0
        while toss() < keep:
            size += 1
        return centre + (size if toss() < 0.5 else -size)


@dataclass(frozen=True)
class Seen:
    """What somebody with a clock saw: the time of each release, and what was secret in it."""

    time: float
    distance: int
    refused: bool
    noise: float


def watched(request: Request, releases: int, askers: int = ASKERS, **options: Any) -> list[Seen]:
    """Ask again and again, about people at a distance drawn anew each time, with a real clock."""
    datasets = {n: people(*[n] * n) for n in DISTANCES}
    seen: list[Seen] = []

    def watch(seed: int) -> None:
        choose, ledger = random.Random(seed), SessionLedger(Cost.of(50))
        roads = {n: Curator(dataset, ledger, **options) for n, dataset in datasets.items()}
        time.sleep(0.1 * seed / askers)  # not all at once
        for turn in range(releases // askers):
            distance = choose.choice(DISTANCES)
            start = time.perf_counter()
            release = roads[distance].ask(request, f"{seed}:{turn}")
            taken = time.perf_counter() - start
            noise = math.nan if release.refused else abs(release.answer)
            seen.append(Seen(taken, distance, release.refused, noise))

    running = [Thread(target=watch, args=(seed,)) for seed in range(askers)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return seen


def shown(seen: list[Seen], secret: Callable[[Seen], float]) -> float:
    """Return how much of a secret the time shows: correlation of its rank with time and its rank.

    A rank is bounded, so that one late waking beside one large secret proves nothing.
    """
    spans, ranks = [sighting.time for sighting in seen], stats.rankdata([secret(sighting) for sighting in seen])
    correlations = (np.corrcoef(series, ranks)[0, 1] for series in (spans, stats.rankdata(spans)))
    return max(abs(float(r)) for r in correlations)


def hidden(request: Request, *secrets: Callable[[Seen], float], **options: Any) -> list[Seen]:
    """Return what was seen of padded answers, once it shows none of the secrets.

    Work that does not fit its tick shows (a limit that the threat model names), and on a machine
    that others use, work of a millisecond may not fit. So it is watched again, at most three
    times: without a pad the time shows every secret, every time.
    """
    for _ in range(TRIES):
        seen = watched(request, RELEASES, **options)
        most = max(shown(seen, secret) for secret in secrets)
        if most < HIDDEN:
            return seen
    raise AssertionError(f"the time of padded answers shows a secret: {most:.3f}")


BOOK = Request(BooksTest(), ("age",))
COUNT = Request(Geometric(epsilon=0.004), ("age",))
SECRETS: dict[str, Callable[[Seen], float]] = {
    "distance": lambda sighting: sighting.distance,
    "refused": lambda sighting: sighting.refused,
}


@pytest.mark.soak
def test_l7_the_time_of_an_answer_shows_neither_distance_nor_refusal() -> None:
    """Padded to a tick, the time of a thousand answers and more is correlated with neither; without it, it is.

    The time is measured as it passes, late wakings and second ticks included.
    """
    padded = hidden(BOOK, *SECRETS.values())
    assert 0.2 < np.mean([sighting.refused for sighting in padded]) < 0.8
    twins = {
        "naive": watched(BOOK, PLAIN, 1, tick=0.0),
        "naive pause": watched(BOOK, PLAIN, 1, sleep=lambda _: time.sleep(0.001)),
    }
    for name, secret in SECRETS.items():
        for twin, seen in twins.items():
            assert shown(seen, secret) > SHOWN, (twin, name)


@pytest.mark.soak
def test_l9_the_time_of_an_answer_does_not_show_the_size_of_its_noise() -> None:
    """Even a sampler that takes longer for larger noise hides behind the tick."""

    def far(sighting: Seen) -> float:
        return abs(sighting.noise - sighting.distance)

    hidden(COUNT, far, noise=ByTrials())
    naive_time = watched(COUNT, PLAIN, 1, tick=0.0, noise=ByTrials())
    assert shown(naive_time, far) > SHOWN


def test_l7_no_stamp_of_a_release_lies_inside_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written down about a release says when it was asked or padded, never when done.

    A stamp is as good as a clock: neither a release nor the ledger may hold the moment in which
    the rows were done with.
    """
    began: list[datetime] = []
    ended: list[datetime] = []

    def law(self: SmoothCoreTail, data: Column) -> Law:
        began.append(datetime.now(UTC))
        time.sleep(0.02)
        return Noisy(50.0, 1.0, CoreTail(3))

    def pad(seconds: float) -> None:
        time.sleep(0.02)
        ended.append(datetime.now(UTC))

    def inside(stamps: list[datetime]) -> bool:
        return any(began[-1] <= stamp <= ended[-1] for stamp in stamps)

    monkeypatch.setattr(SmoothCoreTail, "law", law)
    ledger = open_budget(Store(f"sqlite:///{tmp_path / 'ledger.db'}").prepare(), "b", Cost.of(9))
    release = Curator(people(50), ledger, tick=0.001, sleep=pad).ask(MEAN)
    written = [datetime.fromisoformat(line["time"]) for line in ledger.lines]
    assert len(written) == 3 and not inside([release.at, *written])
    naive_release = Release("id", MEAN, 50.0, MEAN.cost(), 0, at=began[-1])
    assert inside([naive_release.at])


# Time of a processor: one person's cells, wherever rows lie, whatever they hold.

HOSTILE = {
    "digits": "9" * 2**20,
    "zeros": "1." + "0" * 2**20,
    "groups": "1" + ",234" * 2**18,
    "blanks": " " * 2**20 + "7",
    "a date and more": "2024-01-31 " + "0" * 2**20,
    "accents": "\u0130" * 2**19,
}
LOOKED_AT = {
    "pay": Number(0, 1e6, thousands=",", affixes=("EUR", "()")),
    "day": Date("1999-01-01", "2029-12-31", order="day-month-year", zone="Europe/Berlin"),
    "town": Category(("1", "2", "b")),
    "member": YesNo(),
}
ROWS_OF_ONE = times(12, 40)
BY_TOWN = Request(
    registry["laplace"](query=Mean(), epsilon=0.5),  # type: ignore[call-arg]
    ("pay",),
    (Filter("day", ">=", "2001-01-01"), Filter("member", "=", "yes")),
    "town",
)


def crowd(hostile: Sequence[str], rows: int) -> pa.Table:
    """Return two thousand ordinary people, and one with so many rows, in which every cell is hostile."""
    plain = pa.table(
        {
            "who": [f"p{at}" for at in range(2000)],
            "pay": [f"EUR {at % 9},{at % 900 + 100}" for at in range(2000)],
            "day": [f"{at % 28 + 1}.{at % 12 + 1}.2020" for at in range(2000)],
            "town": ["1" if at % 3 else "b" for at in range(2000)],
            "member": ["yes" if at % 2 else "no" for at in range(2000)],
        }
    ).cast(pa.schema([(name, pa.large_string()) for name in ("who", *LOOKED_AT)]))
    cells = pa.array([hostile[at % len(hostile)] for at in range(rows)], pa.large_string())
    return pa.concat_tables([plain, pa.table([cells] * 5, schema=plain.schema)])


def in_parquet(table: pa.Table, folder: Path, url: str) -> Source:
    """Leave a file where it is."""
    pq.write_table(table, folder / "rows.parquet")
    return LocalSource(folder / "rows.parquet")


def in_feather(table: pa.Table, folder: Path, url: str) -> Source:
    """Bring a file."""
    feather.write_feather(table, folder / "rows.feather")
    return LocalSource((folder / "rows.feather").read_bytes())


def in_json(table: pa.Table, folder: Path, url: str) -> Source:
    """Bring a text of objects, as many as one may be long."""
    objects = (json.dumps(row, ensure_ascii=False) for row in table.slice(0, 2020).to_pylist())
    return LocalSource("\n".join(objects).encode())


def in_sqlite(table: pa.Table, folder: Path, url: str) -> Source:
    """Fill a database in a file."""
    with closing(sqlite3.connect(folder / "rows.db")) as lite, lite:
        lite.execute(f"CREATE TABLE people ({', '.join(table.column_names)})")
        lite.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", zip(*table.to_pydict().values(), strict=True))
    return TableSource(DatabaseSource(f"sqlite:///{folder / 'rows.db'}", "people"))


def in_postgres(table: pa.Table, folder: Path, url: str) -> Source:
    """Fill a database of a server."""
    with psycopg.connect(url.replace("+psycopg", "")) as db:
        db.execute(f"CREATE TABLE people ({', '.join(f'{name} text' for name in table.column_names)})".encode())
        rows = zip(*table.to_pydict().values(), strict=True)
        db.cursor().executemany(b"INSERT INTO people VALUES (%s, %s, %s, %s, %s)", rows)
    return TableSource(DatabaseSource(url, "people"))


ENGINES: dict[str, Callable[[pa.Table, Path, str], Source]] = {
    "memory": lambda table, folder, url: LocalSource(table),
    "repeated": lambda table, folder, url: LocalSource(
        pa.table([column.dictionary_encode() for column in table.columns], names=table.column_names)
    ),
    "stream": lambda table, folder, url: ArrowSource(table),
    "parquet": in_parquet,
    "feather": in_feather,
    "json": in_json,
    "sqlite": in_sqlite,
    "postgres": in_postgres,
}


def processor(url: str) -> Callable[[], float]:
    """Return a clock that goes by what this process and the server of a database take of a processor."""
    with psycopg.connect(url.replace("+psycopg", "")) as db:
        server = psutil.Process(psutil.Process(db.info.backend_pid).ppid())

    def clock() -> float:
        alive = [server, *server.children(), *psutil.Process().children(recursive=True)]
        taken = []
        for process in alive:
            with suppress(psutil.NoSuchProcess):
                taken.append(process.cpu_times())
        ended = sum(sum(each[2:4]) for each in taken[:1])  # a server process has an end for each connection
        return time.process_time() + sum(each.user + each.system for each in taken) + ended

    return clock


def ticks_of(source: Source, clock: Callable[[], float], persons: bool, tries: int = 2) -> float:
    """Return after how many ticks an answer came, at best: another process may come between."""
    schema, taken = Schema(LOOKED_AT | ({"who": Person(rows=2)} if persons else {})), []
    for _ in range(tries):
        waits: list[float] = []
        relation = Relation(rows=2) if persons else Relation()
        asked = replace(BY_TOWN, mechanism=registry["laplace"](query=Mean(relation), epsilon=0.5))  # type: ignore[call-arg]
        road = Curator(Dataset(source, schema), SessionLedger(Cost.of(9)), clock=clock, sleep=waits.append)
        start = clock()
        assert not road.ask(asked).refused
        taken.append((clock() - start + waits[-1]) / tick_of(Dataset(source, schema)))
    return min(taken)


@pytest.mark.soak
@pytest.mark.parametrize("persons", [False, True], ids=["one row", "one person"])
@pytest.mark.parametrize("engine", sorted({*some(ENGINES, 2), "postgres"}))
def test_l7_the_time_of_a_processor_does_not_show_the_cells_of_one_person(
    engine: str, persons: bool, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte in every cell of somebody's rows: the answer comes in the first tick, here and on a server.

    Read as they are, as a naive reader does, the same cells take longer than a tick.
    """
    url = postgres.database()
    clock, table = processor(url), crowd(list(HOSTILE.values()), ROWS_OF_ONE if persons else 1)
    source = ENGINES[engine](table, tmp_path, url)
    assert ticks_of(source, clock, persons) < 1.5
    if engine == "memory" and persons:
        monkeypatch.setattr(cells, "longest", lambda array: 0)
        naive_ticks = ticks_of(ENGINES[engine](crowd(list(HOSTILE.values()), 36), tmp_path, url), clock, persons, 1)
        assert naive_ticks > 1.5


# Stores and repetitions.


def shares_answers(ask: Callable[[str], Any], spent: Callable[[], Cost]) -> bool:
    """Say whether a second person gets what the first one paid for."""
    first = ask("one")
    second = ask("two")
    return bool(first == second or spent() != MEAN.cost() + MEAN.cost())


def test_l10_no_answer_is_shared_between_people() -> None:
    """Each browser pays for a draw of its own, and sees no other's; a cache by question shares."""
    server, dataset = discreet.ui.session.state.Server(), people(*range(90))

    def ours(browser: str) -> Any:
        road = server.roads.curator(dataset, browser)
        road._tick = 0.0
        assert road.stored(MEAN, f"{browser}:0") is None and not road.releases
        return road.ask(MEAN, f"{browser}:0").answer

    twin = curator_of(dataset)

    @functools.cache
    def naive_cache(request: Request) -> Any:
        return twin.ask(request).answer

    assert not shares_answers(ours, lambda: server.roads.curator(dataset, "three").ledger.spent)
    assert shares_answers(lambda browser: naive_cache(MEAN), lambda: twin.ledger.spent)


def test_l10_nothing_private_is_in_a_cache_of_streamlit() -> None:
    """Nothing at all is: everybody would share it, and a message from outside could clear it."""

    def streamlit_caches(source: str) -> list[str]:
        nodes = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Attribute | ast.Name)]
        names = [n.attr if isinstance(n, ast.Attribute) else n.id for n in nodes]
        return [name for name in names if name in ("cache_data", "cache_resource")]

    screens = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]
    sources = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in screens}
    assert "_SERVER = Server()" in sources["ui/session/server.py"]
    assert not [name for name, source in sources.items() if streamlit_caches(source)]
    naive_source = "@st.cache_data\ndef answer(dataset: Dataset, question: str): ..."
    assert streamlit_caches(naive_source) == ["cache_data"]


def cheap_draws(ask: Callable[[int], Any], spent: Callable[[], Cost], tries: int = 1_000) -> bool:
    """Say whether more answers can be averaged than were paid for."""
    answers = set()
    for turn in range(tries):
        try:
            answers.add(ask(turn))
        except BudgetExceeded:
            break
    return len(answers) * MEAN.cost().nano_epsilon > spent().nano_epsilon


def test_l11_every_draw_is_charged_and_a_repetition_is_the_stored_answer() -> None:
    """A thousand repetitions give one answer; a thousand draws give as many as are paid for."""
    dataset = people(*range(90))
    repeated, drawn = curator_of(dataset), curator_of(dataset)
    assert not cheap_draws(lambda _: repeated.ask(MEAN, "0").answer, lambda: repeated.ledger.spent)
    assert repeated.ledger.spent == MEAN.cost()
    assert not cheap_draws(lambda turn: drawn.ask(MEAN, str(turn)).answer, lambda: drawn.ledger.spent)
    assert drawn.ledger.spent == Cost.of(10) and len(drawn.releases) == 20
    paid = SessionLedger(Cost.of(10))

    def naive_refresh(turn: int) -> Any:
        if turn == 0:
            paid.charge("mean", MEAN.cost())
        return naive_law(dataset, MEAN)

    assert cheap_draws(naive_refresh, lambda: paid.spent)
