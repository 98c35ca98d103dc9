"""The one road: charge, read, draw, record."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Barrier, Event, Thread
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest

from discreet.budget import ZCDP, BudgetExceeded, Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator, FixedPlan, ReleaseNoise, Request
from discreet.lab import explain
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Forecast, Mechanism, Public
from discreet.mechanisms.counts_above import CountsAbove
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import Gated, Laplace, Noisy
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Column, Relation
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.trimmed import TrimmedMean
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, OpenData, Person, Schema

CANARY = 87_654.25


@dataclass(frozen=True)
class Explodes(Mechanism):
    """A mechanism that fails with the value of a row in its message: what must never get out."""

    title: ClassVar[str] = "Explodes"
    family: ClassVar[str] = "test"

    def cost(self) -> Cost:
        """Return epsilon 1."""
        return Cost.of(1)

    def law(self, data: Column) -> Any:
        """Fail on the data."""
        raise ValueError(f"bad row {data.values().max()}")

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Promise nothing."""
        return Forecast(None, "nothing")


@dataclass(frozen=True)
class Coin:
    """A test that always says the same."""

    chance: float

    def draw(self, noise: Any) -> bool:
        """Say it."""
        return self.chance > 0.5


@dataclass(frozen=True)
class Guarded(Explodes):
    """A mechanism behind a test, with the proven cheaper refusal."""

    passes: bool = True

    def refusal_cost(self) -> Cost:
        """Return the cost of the test alone."""
        return Cost.of("0.25")

    def law(self, data: Column) -> Any:
        """Pass or refuse for sure."""
        return Gated(Coin(float(self.passes)), Noisy(0.0, 1.0, Laplace()))


def open_dataset() -> OpenData:
    """Return the same table, open."""
    data = dataset(protected=False)
    assert isinstance(data, OpenData)
    return data


def dataset(protected: bool = True, rows: int | None = None) -> Dataset:
    """Return a small table with a planted value."""
    table = pa.table(
        {
            "pay": pa.array(["10", "20", str(CANARY), "x", "", "inf"]),
            "sex": pa.array(["a", "b", "a", "b", "c", "a"]),
            "who": pa.array(["p", "P ", "q", "r", "s", "t"]),
        }
    )
    columns: dict[str, Any] = {"pay": Number(0, 100_000), "sex": Category(("a", "b"), other=True)}
    if rows:
        columns["who"] = Person(rows=rows)
    return (Dataset if protected else OpenData)(LocalSource(table), Schema(columns))


def curator(limit: str = "10", **options: Any) -> Curator:
    """Return a curator over the small table with a budget."""
    given = options.pop("data", None) or dataset()
    return Curator(given, SessionLedger(Cost.of(limit, "1e-3")), tick=0, **options)


MEAN = Request(SmoothCoreTail(query=Mean(), epsilon=1.0), ("pay",))


def test_one_question_of_one_form_is_one_charge_and_one_answer() -> None:
    """Asking the same again returns the stored answer and charges nothing (B5, L11)."""
    road = curator()
    first = road.ask(MEAN, "form-1")
    assert road.ask(MEAN, "form-1") is first
    assert road.ledger.spent == Cost.of(1)
    assert road.ask(MEAN, "form-2").id != first.id
    assert road.ledger.spent == Cost.of(2)


def test_a_double_click_from_two_threads_is_one_charge_and_one_answer() -> None:
    """Eight threads that ask the same at once get the same release (B5)."""
    road, start, got = curator(), Barrier(8), []

    def click() -> None:
        start.wait()
        got.append(road.ask(MEAN, "n"))

    threads = [Thread(target=click) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8 and len({id(release) for release in got}) == 1
    assert road.ledger.spent == Cost.of(1)


def test_an_error_on_the_rows_is_a_charged_refusal_that_tells_nothing(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A failure that depends on rows costs the same and carries no message (L4, L5)."""
    road = curator()
    release = road.ask(Request(Explodes(), ("pay",)))
    assert release.refused and release.answer is None and release.interval is None
    assert road.ledger.spent == Cost.of(1)
    output = repr(release) + caplog.text + "".join(capfd.readouterr())
    assert str(CANARY) not in output and "bad row" not in output


def test_the_charge_comes_before_the_first_row_is_read() -> None:
    """A question that does not fit the budget reads nothing, and an error after it is not free."""

    class Watched:
        def __init__(self) -> None:
            self.reads = 0
            self.inner = dataset()
            self.protected, self.schema = True, self.inner.schema
            self.read_by = self.inner.read_by

        def column(self, *args: Any, **options: Any) -> Any:
            self.reads += 1
            return self.inner.column(*args, **options)

    watched = Watched()
    road = curator("1.5", data=watched)
    road.ask(MEAN)
    with pytest.raises(BudgetExceeded):
        road.ask(MEAN, "again")
    assert watched.reads == 1
    assert road.ledger.spent == Cost.of(1)


@pytest.mark.parametrize(("passes", "spent"), [(True, "1"), (False, "0.25")])
def test_a_proven_cheaper_refusal_is_settled_inside_the_road(passes: bool, spent: str) -> None:
    """The test's share is charged either way, the rest only with an answer (B9)."""
    road = curator()
    release = road.ask(Request(Guarded(passes=passes), ("pay",)))
    assert release.refused is not passes
    assert road.ledger.spent == release.cost == Cost.of(spent)


def test_the_held_part_must_fit_before_the_test_is_drawn() -> None:
    """A question whose release would not fit is refused as a whole, so a refusal is never free."""
    road = curator("0.5")
    with pytest.raises(BudgetExceeded):
        road.ask(Request(Guarded(passes=False), ("pay",)))
    assert road.ledger.spent == Cost.zero()


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (Request(MEAN.mechanism, ("nope",)), "not declared"),
        (Request(MEAN.mechanism, ("sex",)), "as a number"),
        (Request(MEAN.mechanism, ("pay", "pay")), "needs 1 column"),
        (Request(MEAN.mechanism, ("pay",), by="pay"), "'pay' is not a declared category"),
        (Request(MEAN.mechanism, ("pay",), where=(Filter("no", "=", "a"),)), "not declared"),
        (Request(CountsAbove(bins=(0, 5, 10)), ("pay",)), "Give bins as Bins, by their edges"),  # type: ignore[arg-type]
    ],
)
def test_a_question_that_does_not_fit_the_declaration_costs_nothing(request_: Request, says: str) -> None:
    """The sentence says what is wrong, before anything is charged."""
    road = curator()
    with pytest.raises(ParameterError, match=says):
        road.ask(request_)
    assert road.ledger.spent == Cost.zero()


def test_a_question_must_count_on_the_rows_one_person_may_have() -> None:
    """Three rows a person need a mechanism for three rows a person."""
    road = curator(data=dataset(rows=3))
    with pytest.raises(ParameterError, match="3 rows per person"):
        road.ask(MEAN)
    fitting = SmoothCoreTail(query=Mean(Relation(rows=3)), epsilon=1.0)
    assert isinstance(road.ask(Request(fitting, ("pay",))).answer, float)


def test_groups_by_a_declared_category_cost_one_and_name_every_level() -> None:
    """Every declared level answers, present or not, for the cost of one (parallel composition)."""
    road = curator()
    release = road.ask(Request(MEAN.mechanism, ("pay",), by="sex"))
    assert [level for level, _ in release.answer] == ["a", "b", "other"]
    assert road.ledger.spent == Cost.of(1)


SIZED = Relation(size=1000)


@pytest.mark.parametrize(
    "mechanism",
    [
        GlobalLaplace(Mean(SIZED), 1.0),
        AnalyticGaussian(Mean(SIZED), 1.0),
        SmoothCoreTail(Median(SIZED), 1.0),
        QuantileExponential(relation=SIZED),
        SeveralGaussian((Mean(SIZED), Median(SIZED)), 1.0),
        GlobalLaplace(TrimmedMean(resize=1000), 1.0),
        SeveralGaussian((TrimmedMean(resize=1000),), 1.0),
    ],
    ids=lambda mechanism: mechanism.slug,
)
def test_groups_and_filters_do_not_go_with_a_public_number_of_rows(mechanism: Any) -> None:
    """A group of one person counts one row, not a thousand: its answer would be that row.

    A filter under change-one would be filled up with rows nobody has. Both are refused, for free.
    """
    road = curator()
    with pytest.raises(ParameterError, match="The number of rows in a group is private,"):
        road.ask(Request(mechanism, ("pay",), by="sex"))
    few = Request(mechanism, ("pay",), where=(Filter("sex", "=", "b"),))
    if mechanism.neighbours.change_one:
        with pytest.raises(ParameterError, match="The number of rows that pass a filter is"):
            road.ask(few)
    else:
        assert road.ask(few).answer is not None
    assert road.ledger.spent in (Cost.zero(), mechanism.cost())


def test_several_statistics_of_a_resized_column_are_all_resized() -> None:
    """An empty group and one of one row answer alike: noise is that of a thousand rows."""
    mechanism = SeveralGaussian((TrimmedMean(resize=1000), TrimmedMean(cut=0.2, resize=1000)), 1.0)
    request = Request(mechanism, ("pay",), where=(Filter("sex", "=", "other"),))
    ((_, view),) = explain.views(open_dataset(), request)
    assert view.n == 1000
    with pytest.raises(ParameterError, match="the same public number of rows"):
        SeveralGaussian((Mean(), TrimmedMean(resize=1000)), 1.0)


def test_a_public_number_of_rows_costs_nothing_by_its_size() -> None:
    """A million million rows are one count of the middle tick, and as exact as six."""
    huge = Relation(size=2**40)
    request = Request(GlobalLaplace(Mean(huge), 1.0), ("pay",))
    ((_, view),) = explain.views(open_dataset(), request)
    assert view.n == 2**40 and view.levels.size < 10
    assert view.total == sum(int(a) * int(b) for a, b in zip(view.levels, view.counts, strict=True))
    with pytest.raises(ParameterError, match="2\\^40"):
        Relation(size=2**40 + 1)


def test_a_wrong_public_size_never_fails() -> None:
    """Under change-one the rows are resized to the declared size, whatever they were."""
    for size in (1, 3, 6, 50):
        sized = SmoothCoreTail(query=Median(Relation(size=size)), epsilon=1.0)
        assert isinstance(curator().ask(Request(sized, ("pay",))).answer, float)


def test_protected_data_refuse_a_source_of_noise_that_can_be_seeded() -> None:
    """A seeded source would let anybody subtract the noise (R1)."""
    with pytest.raises(ParameterError, match="secure noise source"):
        curator(noise=SimulationNoise(0))
    assert curator(data=dataset(protected=False), noise=SimulationNoise(0)).ask(MEAN)


def test_an_exhibit_never_releases() -> None:
    """A textbook's broken construction is refused before anything is charged."""

    class Shown(Explodes):
        open_only: ClassVar[bool] = True

    road = curator()
    with pytest.raises(ParameterError, match="textbook version"):
        road.ask(Request(Shown(), ("pay",)))
    assert road.ledger.spent == Cost.zero()


def test_groups_that_one_person_touches_count_under_every_rule() -> None:
    """Five rows a person touch five groups: a zCDP ledger counts rho five times over."""
    mechanism = AnalyticGaussian(query=Mean(relation=Relation(None, 5)), epsilon=0.5, delta=1e-7)
    counted = []
    for by in (None, "sex"):
        ledger = SessionLedger(Cost.of("20", "1e-4"), ZCDP)
        road = Curator(dataset(rows=5), ledger)
        road.ask(Request(mechanism, ("pay",), by=by))
        counted.append(ledger.entries[0].amount)
    assert counted[1].loss == pytest.approx(5 * counted[0].loss, rel=1e-6)
    assert counted[1].delta_units == 5 * counted[0].delta_units


def paced(work: float, limit: int, start: float) -> tuple[Curator, Request, list[float]]:
    """Return a curator by a clock that only work and sleep move, a question that takes so long, and the clock."""
    now = [start]

    class Slow(Explodes):
        def law(self, data: Column) -> Any:
            now[0] += work
            return Noisy(0.0, 1.0, Laplace())

    def sleep(seconds: float) -> None:
        now[0] += seconds

    road = Curator(dataset(), SessionLedger(Cost.of(limit)), tick=0.1, clock=lambda: now[0], sleep=sleep)
    return road, Request(Slow(), ("pay",)), now


@pytest.mark.parametrize("work", [0.003, 0.099, 0.101, 0.25])
def test_an_answer_waits_for_a_public_tick(work: float) -> None:
    """However long the work takes, the time of an answer is a multiple of the tick (L7, L9)."""
    road, request, now = paced(work, 9, 5.0)
    road.ask(request)
    assert (now[0] - 5.0) % 0.1 == pytest.approx(0.0, abs=1e-9) or (now[0] - 5.0) % 0.1 == pytest.approx(0.1, abs=1e-9)
    assert now[0] - 5.0 >= work


@pytest.mark.parametrize("work", [0.0, 0.002, 0.012])
def test_a_row_asked_many_times_in_a_plan_shows_no_more_than_alone(work: float) -> None:
    """What an eighth of a tick hides of one row it hides of fifty; what is longer shows its order of size."""
    road, request, now = paced(work, 50, 0.0)
    road.run(FixedPlan((request,) * 50))
    assert now[0] == pytest.approx(0.1 * (1 + 49 / 8))
    road, request, now = paced(0.09, 50, 0.0)
    road.run(FixedPlan((request,) * 50))
    assert now[0] == pytest.approx(8 * 0.1 * (1 + 49 / 8))


@pytest.mark.parametrize(("named", "tick"), [(False, 0.4), (True, 1.2)])
def test_protected_data_wait_for_a_tick_by_default(named: bool, tick: float) -> None:
    """Nobody has to remember to switch the padding on; a tick is longer where rows of persons are brought together."""
    slept: list[float] = []
    schema = Schema({"pay": Number(0, 9)} | ({"who": Person()} if named else {}))
    rows = Dataset(LocalSource(b"who,pay\na,1\n"), schema)
    Curator(rows, SessionLedger(Cost.of(9)), clock=lambda: 0.0, sleep=slept.append).ask(MEAN)
    assert slept == [tick]


def test_a_crash_between_charge_and_record_keeps_the_charge() -> None:
    """What was charged stays charged when the process dies in the middle (B4)."""

    class Dies(Explodes):
        def law(self, data: Column) -> Any:
            raise KeyboardInterrupt

    road = curator()
    with pytest.raises(KeyboardInterrupt):
        road.ask(Request(Dies(), ("pay",)))
    assert road.ledger.spent == Cost.of(1) and road.releases == ()


def test_a_question_whose_answer_was_lost_is_answered_for_what_it_was_charged() -> None:
    """Whoever was interrupted before anybody saw an answer asks again, and pays no second time."""

    class Stops(Explodes):
        stopped: ClassVar[bool] = False

        def law(self, data: Column) -> Any:
            if not self.stopped:
                type(self).stopped = True
                raise KeyboardInterrupt
            return Noisy(0.0, 1.0, Laplace())

    road, asked = curator(), Request(Stops(), ("pay",))
    with pytest.raises(KeyboardInterrupt):
        road.ask(asked)
    assert road.stored(asked) is None
    answer = road.ask(asked)
    assert not answer.refused and road.ledger.spent == Cost.of(1) == answer.cost
    assert road.releases == (answer,) == (road.stored(asked),)


def test_the_identity_of_a_question_follows_everything_that_is_asked() -> None:
    """Any change of parameter, column, filter or group is another question."""
    requests = [
        MEAN,
        Request(SmoothCoreTail(query=Mean(), epsilon=1.1), ("pay",)),
        Request(SmoothCoreTail(query=Median(), epsilon=1.0), ("pay",)),
        Request(SmoothCoreTail(query=Mean(Relation(rows=2)), epsilon=1.0), ("pay",)),
        Request(MEAN.mechanism, ("sex",)),
        Request(MEAN.mechanism, ("pay",), by="sex"),
        Request(MEAN.mechanism, ("pay",), where=(Filter("pay", ">", 3),)),
        Request(MEAN.mechanism, ("pay",), where=(Filter("pay", ">", 4),)),
    ]
    assert len({request.identity for request in requests}) == len(requests)
    assert MEAN.identity == Request(SmoothCoreTail(query=Mean(), epsilon=1.0), ("pay",)).identity


def test_released_means_are_finite_and_inside_the_bounds() -> None:
    """Hostile cells and tiny data give finite answers in the declared range (N1, N2, N8)."""
    road = curator("50")
    answers = np.array([road.ask(MEAN, str(i)).answer for i in range(20)], dtype=float)
    assert np.isfinite(answers).all() and (answers >= 0).all() and (answers <= 100_000).all()


def test_the_stored_answer_is_the_draw_itself_and_nothing_rounds_it_later() -> None:
    """What is exported, shown or asked again has the bits that were drawn, no others (R3, R4).

    The draw is the double nearest to the real-valued answer on a grid that no data choose, so there
    is no second, finer number behind a rounded one.
    """
    drawn: list[float] = []

    class Noted(ReleaseNoise):
        def core_tail(self, centre: float, scale: float, m: int) -> float:
            drawn.append(super().core_tail(centre, scale, m))
            return drawn[-1]

    road = curator(noise=Noted())
    release = road.ask(MEAN)
    bounds = Number(0, 100_000).bounds
    low, high = bounds.value(0), bounds.value(bounds.top)
    assert len(drawn) == 1 and release.answer == min(max(drawn[0], low), high)
    assert road.releases == (release,) and road.ask(MEAN) is release


def test_whoever_looks_during_a_release_sees_its_answer_and_never_its_charge_alone() -> None:
    """A page that is drawn anew meanwhile waits for what is on its way, and for nothing else."""
    drawing, on = Event(), Event()

    def sleep(seconds: float) -> None:
        drawing.set()
        assert on.wait(20)

    road = Curator(dataset(), SessionLedger(Cost.of(9)), tick=0.01, sleep=sleep)
    asking = Thread(target=road.ask, args=(MEAN,))
    asking.start()
    assert drawing.wait(20)
    counts: list[int] = []
    looking = Thread(target=lambda: counts.append(len(road.releases)))
    looking.start()
    looking.join(0.2)
    assert counts == [] and road.ledger.spent == MEAN.cost()
    on.set()
    for thread in (asking, looking):
        thread.join(20)
    assert counts == [1]
