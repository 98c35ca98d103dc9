"""Plans: methods, shares and forecasts from public things alone; what they cost is proven."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.budget import Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator
from discreet.lab import sweeps
from discreet.lab.contest import Ground, Scenario
from discreet.lab.explain import ground
from discreet.lab.samples import SAMPLES, census_schema
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public, registry
from discreet.mechanisms.base.vocabulary import BLOCKS, LAPLACE
from discreet.mechanisms.clipped_mean import ClippedMean
from discreet.mechanisms.gaussian import gaussian_delta
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.plans import Plan, Planned, Sizes, Wanted, plan_from, plan_text, planned, planning
from discreet.plans.methods import Subject
from discreet.plans.plan import SCHEMA, sizes_of, written
from discreet.plans.planning import (
    EQUAL,
    TENTH,
    Tradeoff,
    choice,
    curve,
    gaussian_epsilon,
    guesses,
    misfit,
    plan_record,
    summed,
)
from discreet.queries import ADD_REMOVE, Bounds
from discreet.rows import Bands, Category, Dataset, Filter, LocalSource, Number, Person, Schema

SEX, TOWN = Category(("m", "f")), Category(tuple("abcdefgh"))
DECLARED = Schema({"age": Number(0, 100, integer=True), "pay": Number(0, 9000, step=10), "sex": SEX, "town": TOWN})
ITEMS = (
    Wanted("mean", "age"),
    Wanted("mean", "pay", by="sex"),
    Wanted("median", "pay"),
    Wanted("quantile", "pay", level=0.9),
    Wanted("counts", "town"),
    Wanted("count", "age", by="sex", where=(Filter("age", ">=", 18),)),
    Wanted("sum", "pay", by="town"),
)
SPREAD = Wanted("variance", "age")  # shares a draw with a mean of its column
PLAN = Plan(ITEMS, Cost.of(1, "1e-6"), people=10_000, shape="skewed")


@pytest.mark.parametrize("name", SAMPLES)
def test_no_interval_of_a_mean_is_wider_than_its_forecast(name: str) -> None:
    """Of every number of every sample, wherever its mean lies; and the forecast is at most half as wide again."""
    noise = SimulationNoise(1)
    data = SAMPLES[name]()
    for column in data.schema.numbers:
        rows = ground(data, column).column
        for items in ((Wanted("mean", column, interval=True),), (Wanted("mean", column, interval=True), SPREAD)):
            items = tuple(replace(item, column=column) for item in items)
            row = planned(Plan(items, Cost.of("0.5"), rows.n), data.schema).rows[0]
            mechanism = row.request.mechanism
            law = mechanism.law(rows)
            spans = (mechanism.interval(law.draw(noise), Public(rows.bounds)) for _ in range(40))
            usual = float(np.median([(span[1] - span[0]) / 2 for span in spans if span is not None]))
            assert usual <= 1.02 * row.error, (column, mechanism.slug)
            assert row.error <= max(1.02 * row.subject.smallest, 1.75 * usual), (column, mechanism.slug)


def test_a_plan_costs_its_total_and_hardly_less() -> None:
    """Never more than the limit, and nearly all of it, with and without a delta and a reserve."""
    for total, reserve in ((Cost.of(1, "1e-6"), 0.0), (Cost.of("0.3"), 0.0), (Cost.of(2, "1e-6"), 0.5)):
        way = planned(Plan(ITEMS, total, 10_000, "skewed", reserve), DECLARED)
        assert way.fixed.cost() == way.total.cost
        assert way.total.cost.fits_in(way.plan.limit)
        assert way.total.cost.epsilon > 0.99 * way.plan.limit.epsilon
        way.fixed.check(DECLARED)


def test_normal_noise_that_fits_in_no_total_leaves_the_plan_to_the_others() -> None:
    """Where a margin is at the step of its column, a share has no influence on it."""
    asked = (Wanted("mean", "education_years"),)
    way = planned(Plan(asked, Cost.of("0.5", "1e-6"), people=32_561), census_schema())
    assert 0.49 < way.total.cost.epsilon <= 0.5 and way.rows[0].request.mechanism.slug == "two-counts"


def test_the_worst_ratio_of_error_to_wish_is_shared_by_all() -> None:
    """Nobody could give a share away and help the worst: all ratios are about the same."""
    wishes = (0.5, 50.0, 60.0, 200.0, 30.0, 20.0, 50_000.0)
    items = tuple(Wanted(**{**vars(item), "wish": wish}) for item, wish in zip(ITEMS, wishes, strict=True))
    way = planned(Plan(items, Cost.of(1), 10_000, "skewed"), DECLARED)
    ratios = [row.ratio for row in way.rows if row.error > 1.01 * row.subject.smallest]
    assert len(ratios) >= 6 and max(ratios) < 1.03 * min(ratios)  # type: ignore[type-var, operator]


def test_a_target_that_changes_the_mechanism_is_said() -> None:
    """With the mechanism that the row has without it; a row whose mechanism stays says nothing of it."""
    plain, aimed, fine = (
        planned(Plan((Wanted("count", "age", wish=wish), Wanted("mean", "pay")), Cost.of(4), 10_000), DECLARED).rows[0]
        for wish in (None, 3.0, 1.0)
    )
    assert (plain.mechanism.slug, aimed.mechanism.slug, fine.mechanism.slug) == ("geometric", "laplace", "geometric")
    assert [row.swayed for row in (plain, aimed, fine)] == [False, True, False]
    title = str(registry["geometric"].title)
    assert [title in str(row.reason) for row in (plain, aimed, fine)] == [False, True, False]


@pytest.mark.parametrize(("statistic", "column"), [("several", "age"), ("most-common", "age")])
def test_what_no_plan_can_forecast_is_refused_with_a_sentence(statistic: str, column: str) -> None:
    """Questions that other pages ask, but that are no number with an error here."""
    with pytest.raises(ParameterError, match="No mechanism can release"):
        planned(Plan((Wanted(statistic, column),), Cost.of(1, "1e-6")), DECLARED)


def test_two_columns_are_planned_with_one_draw_or_with_blocks() -> None:
    """With an interval by one draw, without one by blocks where few rows are guessed; one column is not enough."""
    ages = Schema({**DECLARED.columns, "hours": Number(0, 80, integer=True)})
    slope = Wanted("slope", "age", second="hours", interval=True)
    free = Wanted("correlation", "age", second="hours", by="sex")
    wide, grouped = planned(Plan((slope, free), Cost.of(2), 20_000, "even"), ages).rows
    assert {row.mechanism.slug for row in (wide, grouped)} == {"soft-pairs"}  # blocks take no groups
    assert wide.request.columns == ("age", "hours") and max(wide.error, grouped.error) < 0.02
    few = planned(Plan((replace(free, by=None),), Cost.of(1), 100), ages).rows[0]
    assert few.mechanism.family is BLOCKS and few.tuned().mechanism.view.k > 1
    assert plan_from(plan_text(Plan((slope, free), Cost.of(2)))).items == (slope, free)
    assert slope.query != replace(slope, second="pay").query != replace(slope, column="pay").query
    for wrong in (replace(slope, second=None), replace(slope, second="age"), Wanted("mean", "age", second="hours")):
        with pytest.raises(ParameterError, match="needs"):
            planned(Plan((wrong,), Cost.of(1)), ages)
    with pytest.raises(ParameterError, match="must be declared as a number"):
        planned(Plan((replace(slope, second="sex"),), Cost.of(1)), ages)


def test_a_prediction_is_planned_at_a_value_of_its_column() -> None:
    """Within the bounds, and no share; the file of the plan has it. Few rows are left to blocks in the unit of y."""
    schema = Schema({"age": Number(18, 90, integer=True), "pay": Number(100, 9000, step=10)})
    at = Wanted("prediction", "age", level=40, second="pay", interval=True)
    (row,) = planned(Plan((at,), Cost.of(1), 20_000), schema).rows
    assert row.mechanism.slug == "soft-pairs" and row.request.mechanism.view.at == 40
    (few,) = planned(Plan((replace(at, interval=False, level=88),), Cost.of(1), 200), schema).rows
    blocks: Any = few.mechanism
    assert few.mechanism.family is BLOCKS and (blocks.lower, blocks.upper, blocks.view.at) == (100, 9000, 88)
    assert plan_from(plan_text(Plan((at,), Cost.of(1)))).items == (at,)
    for level, why in ((None, "needs a value"), ((1.0, 2.0), "needs a value"), (17, "between 18 and 90")):
        with pytest.raises(ParameterError, match=why):
            planned(Plan((replace(at, level=level),), Cost.of(1)), schema)


def test_a_slope_that_a_draw_cannot_tell_is_left_to_blocks() -> None:
    """The interval of few rows says nothing; of many it says enough."""
    few, many = (
        Subject("slope", Bounds(0, 80, integer=True), None, n, "bell", ADD_REMOVE, interval=True, second=Bounds(0, 1))
        for n in (60, 30_000)
    )
    assert choice(few, 0.5, 0.0) is None and choice(many, 0.5, 0.0).best == "soft-pairs"  # type: ignore[union-attr]
    other = choice(replace(few, interval=False), 0.5, 0.0)
    assert other is not None and {"soft-pairs", "blocks-median", "blocks-mean"} <= set(other.offers)


def test_where_an_interval_is_wanted_a_method_is_taken_that_tells_one() -> None:
    """Found by registration; the error is half the width that is told, as the run shows."""
    wanted = (Wanted("mean", "age", interval=True), Wanted("median", "pay", interval=True), Wanted("median", "pay"))
    way = planned(Plan(wanted, Cost.of(1), 4000, "skewed"), DECLARED)
    assert [row.error > 0 for row in way.rows] == [True] * 3
    pay = "".join(f"{(i * 37) % 90},{int(1000 * math.exp(i / 4000)) // 10 * 10},m,a\n" for i in range(4000))
    rows = Dataset(LocalSource(f"age,pay,sex,town\n{pay}".encode()), DECLARED)
    mean, median, plain = Curator(rows, SessionLedger(Cost.of(2)), tick=0).run(way.fixed).releases
    for row, release in zip(way.rows, (mean, median), strict=False):
        low, high = release.interval
        assert low <= release.answer <= high and (high - low) / 2 < 20 * row.error
    assert plain.request.mechanism.slug != median.request.mechanism.slug


def test_lists_of_counts_have_intervals_as_they_are_and_choices_have_none() -> None:
    """What is counted has no stand-in of numbers; what tells no interval cannot answer a row that wants one."""
    way = planned(Plan((Wanted("counts", "town", interval=True),), Cost.of(1)), DECLARED)
    assert way.rows[0].mechanism.slug == "counts-geometric" and way.rows[0].error == pytest.approx(3, abs=1)
    with pytest.raises(ParameterError, match="No mechanism can release most-common of town"):
        planned(Plan((Wanted("most-common", "town", interval=True),), Cost.of(1)), DECLARED)


def test_a_wish_for_an_interval_is_kept_in_a_file() -> None:
    """As true or false, and nothing else."""
    plan = Plan((Wanted("mean", "age", interval=True), Wanted("mean", "age")), Cost.of(1))
    assert plan_from(plan_text(plan)) == plan and plan_text(plan).count('"interval": true') == 1
    for wrong in ("1", '"yes"', "null"):
        with pytest.raises(ParameterError, match="Query 1 of the plan has a value of the wrong type"):
            plan_from(plan_text(plan).replace('"interval": true', f'"interval": {wrong}'))


def test_a_row_is_doubled_beside_its_original_and_taken_away_again() -> None:
    """The copy stands behind its original with what was changed, and the rest is untouched."""
    more = PLAN.duplicated(1, by="town")
    assert more.items[:2] == PLAN.items[:2] and more.items[3:] == PLAN.items[2:]
    assert (more.items[2].statistic, more.items[2].column, more.items[2].groups) == ("mean", "pay", ("town",))
    assert more.without(2) == PLAN
    with pytest.raises(ParameterError, match="between 1 and"):
        Plan(ITEMS[:1], Cost.of(1), 100).without(0)


def test_bands_are_planned_like_a_category_with_these_levels() -> None:
    """The same mechanisms, shares and errors; bands survive a file, and equal rows are one query."""
    levels = ("0–19", "20–39", "40–59", "60–79", "80–100")
    schema = Schema({**DECLARED.columns, "group": Category(levels)})
    bands = Bands("age", every=20)
    asked = [("count", "pay", False), ("mean", "pay", True), ("median", "pay", False), ("quantile", "age", True)]
    ways = []
    for by in (bands, "group"):
        rows = [
            Wanted(name, column, by, level=0.9 if name == "quantile" else None, interval=sure)
            for name, column, sure in asked
        ]
        plan = Plan((*rows, Wanted("mean", "pay", (by, "sex"))), Cost.of(1, "1e-6"), people=10_000)
        assert plan_from(plan_text(plan)) == plan
        ways.append(planned(plan, schema))
    first, second = ([(row.mechanism, row.share, row.error) for row in way.rows] for way in ways)
    assert first == second and schema.category(bands).labels == levels
    assert Wanted("mean", "pay", bands).query == Wanted("mean", "pay", (Bands("age", every=20.0),)).query
    with pytest.raises(ParameterError, match="Bands of 'age': Edges must lie"):
        planned(Plan((Wanted("mean", "pay", Bands("age", (101,))),), Cost.of(1)), schema)


def test_a_wish_moves_one_row_and_a_weight_too_and_held_stays_held() -> None:
    """Half of the error for one row costs the others; what is held is not touched."""
    before = planned(PLAN, DECLARED)
    finer = planned(PLAN.edited(0, wish=before.rows[0].error / 4), DECLARED)
    assert finer.rows[0].error < before.rows[0].error and finer.rows[1].error > before.rows[1].error
    heavier = planned(PLAN.edited(0, weight=3.0), DECLARED)
    assert heavier.rows[0].error < before.rows[0].error / 2
    held = planned(PLAN.edited(0, held=0.125), DECLARED)
    assert held.rows[0].request.cost() == Cost.of("0.125")
    with pytest.raises(ParameterError, match="The queries with a fixed ε use up the whole"):
        planned(PLAN.edited(0, held=1.5), DECLARED)


def test_many_rows_are_sharper_together_than_one_by_one() -> None:
    """Twenty counts at the same total: at most three quarters of the error of equal shares."""
    plan = Plan(tuple(Wanted("counts", "town") for _ in range(20)), Cost.of(1, "1e-6"), 10_000)
    alone = planned(Plan(plan.items[:1], Cost.of("0.05"), 10_000), DECLARED)
    together = planned(plan, DECLARED)
    assert all(row.error <= 0.75 * alone.rows[0].error for row in together.rows)
    assert together.total.plain.epsilon > together.total.cost.epsilon and together.gained > 0


def test_without_a_delta_every_method_is_pure() -> None:
    """And the total is the plain sum."""
    way = planned(Plan(ITEMS, Cost.of(1), 10_000), DECLARED)
    assert all(row.request.cost().delta_units == 0 for row in way.rows) and way.total.cost == way.total.plain


def test_a_person_with_several_rows_is_counted_in_every_share() -> None:
    """The same plan where one person has three rows: larger errors; groups that are not additive count thrice."""
    schema = Schema({**DECLARED.columns, "who": Person(rows=3)})
    single, three = planned(PLAN, DECLARED), planned(PLAN, schema)
    assert all(b.error > a.error for a, b in zip(single.rows, three.rows, strict=True))
    three.fixed.check(schema)
    assert three.total.cost.fits_in(PLAN.limit)
    items = (Wanted("mean", "age", by="town"), Wanted("mean", "age", by="town", method="laplace", held=0.3))
    best, thrice = planned(Plan(items, Cost.of(1), 10_000), schema).rows
    assert best.mechanism.additive and best.charge.cost == best.mechanism.cost()
    assert thrice.mechanism.cost() == Cost.of("0.1") and thrice.charge.cost == Cost.of("0.3")


def test_a_method_somebody_chose_stays_and_is_said() -> None:
    """Laplace noise for the sum instead of the best; and a method that cannot answer is refused."""
    way = planned(Plan((Wanted("sum", "pay", method="laplace"), ITEMS[0]), Cost.of(1)), DECLARED)
    assert way.rows[0].mechanism.slug == "laplace" and way.rows[0].reason == "you chose it"
    assert way.rows[1].reason != "you chose it"
    with pytest.raises(ParameterError, match="No mechanism can release sum of pay"):
        planned(Plan((Wanted("sum", "pay", method="quantile-exponential"),), Cost.of(1)), DECLARED)


@pytest.mark.parametrize("wish", [1e22, 1e99])
def test_a_wish_that_costs_nothing_ends_with_a_plan_or_a_sentence(wish: float) -> None:
    """A share may be too small to be counted at all."""
    try:
        planned(Plan((Wanted("mean", "age", wish=wish),), Cost.of(1)), DECLARED)
    except ParameterError as refused:
        assert "ε" in str(refused)


@pytest.mark.parametrize("total", ["0.00001", "0.0001", "33", "50"])
@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_a_total_may_be_as_small_or_as_large_as_any_cost(total: str, delta: str) -> None:
    """Shares are looked at beside it that no question could have: they were refused in its place."""
    way = planned(Plan((Wanted("mean", "age"), Wanted("count", "age")), Cost.of(total, delta)), DECLARED)
    limit = way.plan.limit
    assert way.total.cost.fits_in(limit) and way.total.cost.epsilon > 0.99 * limit.epsilon
    assert all(row.request.mechanism.cost().epsilon <= 50 for row in way.rows)


@pytest.mark.parametrize("reserve", [0.999_999_9, 0.999_999_999_999])
def test_a_reserve_that_leaves_nothing_is_refused(reserve: float) -> None:
    """Of a total of 1 less than the smallest cost would be left."""
    with pytest.raises(ParameterError, match=r"ε must be between 0\.000001 and 50"):
        Plan((Wanted("mean", "age"),), Cost.of(1), reserve=reserve)


def test_what_would_say_next_to_nothing_is_marked() -> None:
    """Twelve people in eight towns at epsilon 0.01."""
    way = planned(Plan((Wanted("mean", "age", by="town"), Wanted("mean", "age")), Cost.of("0.01"), 96), DECLARED)
    assert way.rows[0].vague and not planned(PLAN, DECLARED).rows[0].vague


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        (Wanted("mean", "wage"), "Column 'wage' is not declared"),
        (Wanted("meen", "age"), "The statistic 'meen' does not exist"),
        (Wanted("mean", "sex"), "No mechanism can release mean of sex"),
        (Wanted("mean", "age", by="pay"), "pay"),
        (Wanted("mean", "age", method="none such"), "No mechanism can release mean of age"),
        (Wanted("mean", "age", level=0.5), "Only quantiles have a level"),
    ],
)
def test_a_row_that_cannot_be_says_so(item: Wanted, sentence: str) -> None:
    """In a sentence with the name of what is wrong."""
    with pytest.raises(ParameterError, match=sentence):
        planned(Plan((item,), Cost.of(1)), DECLARED)


def test_a_plan_of_one_row_and_a_plan_of_two_hundred() -> None:
    """The smallest, and cross tables of the largest kind."""
    assert planned(Plan(ITEMS[:1], Cost.of(1, "1e-6")), DECLARED).total.cost.fits_in(Cost.of(1, "1e-6"))
    many = Plan(tuple(Wanted("mean", "age", by=by) for by in ("sex", "town") * 100), Cost.of(5, "1e-6"), 10**5)
    assert 4.9 < planned(many, DECLARED).total.cost.epsilon <= 5


def test_plans_are_written_and_read_to_the_same_plan() -> None:
    """All that is said stays said, and what is not said stays away."""
    items = (*ITEMS, Wanted("mean", "age", wish=1.5, weight=2.0), Wanted("sum", "pay", held=0.1, method="laplace"))
    items = (*items, Wanted("mean", "pay", where=(Filter("age", ">=", 18),), passing=0.8))
    sizes = Sizes("town", (("a", 5), ("b", 1.5))), Sizes(Bands("age", every=50), {"0–49": 7, "50–100": 3})
    plan = Plan(items, Cost.of(1, "1e-6"), 500, "even", 0.25, name="Wages", sizes=sizes)
    assert plan_from(plan_text(plan)) == plan
    assert json.loads(plan_text(plan))["rows"][0] == {"statistic": "mean", "column": "age"}
    assert set(SCHEMA["properties"]) == set(json.loads(plan_text(plan)))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rows": []}, "A plan needs a list of queries in the field"),
        ({"rows": [{}] * 1001}, "between 1 and 1,000 queries"),
        ({"rows": [{"statistic": "mean"}]}, "Query 1 of the plan needs"),
        ({"rows": [{"statistic": "mean", "column": "age", "wich": 3}]}, "'wich' in query 1"),
        ({"rows": [{"statistic": "mean", "column": "age", "wish": "3"}]}, "a value of the wrong type"),
        ({"rows": [{"statistic": "mean", "column": "age", "wish": -3}]}, "wish of a query"),
        ({"rows": [{"statistic": "mean", "column": "age", "where": ["age > 3"]}]}, "conditions of query 1"),
        ({"rows": [{"statistic": "mean", "column": "age", "wish": 1e-320}]}, "wish of a query"),
        ({"rows": [{"statistic": "mean", "column": "age", "held": 10**400}]}, "a value of the wrong type"),
        ({"rows": [{"statistic": "mean", "column": "age", "where": [[{}, "=", 1]]}]}, "conditions of query 1"),
        (
            {"rows": [{"statistic": "mean", "column": "age", "where": [["age", "in", [["a"]]]]}]},
            "conditions of query 1",
        ),
        ({"rows": [{"statistic": "mean", "column": "age", "where": [["age", "=", 10**400]]}]}, "conditions of query 1"),
        ({"rows": [{"statistic": "mean", "column": "age", "where": [["age", ">", 1]], "passing": 2}]}, "at most 1"),
        ({"rows": [{"statistic": "mean", "column": "age", "passing": "most"}]}, "a value of the wrong type"),
        ({"sizes": {"town": {"a": 1}}}, "must be a list"),
        ({"sizes": [{"by": "town", "people": {"a": -1, "b": 2}}]}, "0 or more"),
        ({"sizes": [{"by": "town", "people": {"a": "many"}}]}, "0 or more"),
        ({"sizes": [{"by": "town", "people": {"a": 1}}] * 2}, "two lists of sizes"),
        ({"shape": ["even"]}, "between 1 and"),
        ({"epsilon": "much"}, "ε"),
        ({"people": 0}, "between 1 and"),
        ({"shape": "odd"}, "between 1 and"),
        ({"reserve": 1}, "reserve must be"),
        ({"discreet_plan": 9}, "not a plan file"),
        ({"total": 1}, "'total' in the plan"),
    ],
)
def test_a_plan_that_is_wrong_says_where(changed: dict[str, Any], sentence: str) -> None:
    """Nothing that is misspelt is passed over."""
    whole = json.loads(plan_text(PLAN)) | changed
    with pytest.raises(ParameterError, match=sentence):
        plan_from(json.dumps(whole))


def test_a_plan_file_can_cross_categories() -> None:
    """A list of JSON means what it says, and is the same plan as one that was made here."""
    crossed = Plan((Wanted("mean", "age", by=("sex", "town")),), Cost.of(1))
    assert plan_from(plan_text(crossed)) == crossed
    assert planned(plan_from(plan_text(crossed)), DECLARED).fixed.rows[0].groups == ("sex", "town")


HALF = json.dumps({"discreet_plan": 1, "epsilon": 1, "rows": [{"statistic": "mean", "column": "\ud800"}]})


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"a": NaN}', HALF])
def test_what_is_no_plan_is_told(text: str) -> None:
    """Nothing of it is evaluated."""
    with pytest.raises(ParameterError, match="This is not a plan file"):
        plan_from(text)


def test_a_forecast_knows_its_filter() -> None:
    """It is that of as many people as pass by the guess, or by equally frequent values; queries stay what they are."""
    adults = (Filter("age", ">=", 91),)  # 10 of 101 values
    way, given, none, tenth = (
        planned(Plan((item,), Cost.of(1), people), DECLARED)
        for item, people in (
            (Wanted("mean", "pay", where=adults), 10_100),
            (Wanted("mean", "pay", where=adults, passing=0.3), 10_000),
            (Wanted("mean", "pay"), 10_000),
            (Wanted("mean", "pay"), 1000),
        )
    )
    assert way.rows[0].error == tenth.rows[0].error > 8 * none.rows[0].error
    assert given.rows[0].subject.people == 3000
    assert list(map(str, guesses(way, [4]))) == ["No. 4: assumes that about 1 in 10 pass the filter.", str(TENTH)]
    assert guesses(given, [1]) == guesses(none, [1]) == []
    assert way.fixed == given.fixed  # nothing of the guess is in what is asked
    unfit = Wanted("mean", "pay", where=(Filter("town", "=", "z"),))
    assert unfit.part(DECLARED) == 1.0 and misfit(unfit, PLAN, DECLARED) is not None
    counts = planned(Plan((Wanted("count", "age", where=adults),), Cost.of(1)), DECLARED)
    assert guesses(counts, [1]) == []


def test_a_forecast_knows_the_sizes_of_groups() -> None:
    """The row is about a group of middle size; each group has its own; what is asked is the same."""
    halves = Plan((Wanted("mean", "age", by=("sex", "town")), Wanted("count", "age", by="town")), Cost.of(1), 8000)
    towns = Sizes("town", {"a": 10, "b": 1000, "z": 3})
    with pytest.raises(ParameterError, match="'z' is not a group of town"):
        planned(replace(halves, sizes=(towns,)), DECLARED)
    towns = Sizes("town", (("a", 1), ("b", 100), *((town, 50.5) for town in "cdef")))  # g and h are average
    way = planned(replace(halves, sizes=(towns, Sizes("sex", {"m": 3, "f": 1}))), DECLARED)
    crossed, counts = way.rows
    smallest, largest = min(crossed.subject.groups), max(crossed.subject.groups)
    assert (smallest, largest) == (int(8000 / 404 / 4), int(8000 * 300 / 404 / 4))
    assert sorted(crossed.subject.groups)[8] == crossed.subject.people and counts.span is None
    best, worst = crossed.span or (0, 0)
    assert worst > 20 * best and best < crossed.error < worst
    record = plan_record(way)["rows"][0]["groups"]
    assert record[0] == {"people": int(8000 * 3 / 404 / 4), "error": crossed.error_of(record[0]["people"])}
    assert guesses(way, [1, 2]) == [] and list(map(str, guesses(planned(halves, DECLARED), [1, 2])))[0] == str(EQUAL)
    inside = Wanted("mean", "age", where=(Filter("town", "=", "a"),))
    assert inside.part(DECLARED, (towns,)) == pytest.approx(1 / 404)


def test_sizes_are_typed_or_pasted_as_a_table() -> None:
    """By lines, cells or CSV, with a heading or without; equal sizes are none, and what is no number is named."""
    labels = ("a", "b, c", "d = e")
    expected = Sizes("town", (("a", 5), ("b, c", 1.5), ("d = e", 0)))
    for text in (
        "a = 5\nb, c = 1.5\n\nd = e = 0",
        "town\tpeople\na\t5\nb, c\t1.5\nd = e\t0",
        'a;5\n"b, c";1.5\nd = e;0',
    ):
        assert sizes_of("town", text, labels) == expected, text
    assert sizes_of("town", 'town,people\na,5\n"b, c",1.5\nd = e,0', labels) == expected
    assert sizes_of("town", written(expected, labels), labels) == expected
    assert sizes_of("town", written(None, labels), labels) is None is sizes_of("town", "", labels)
    for text in ("a = many", "a", "a = inf", "a = 1\nb, c"):
        with pytest.raises(ParameterError, match="Each line needs a group"):
            sizes_of("town", text, labels)


def test_forecasts_are_kept_by_real_answers() -> None:
    """On rows near the guessed shape: of 200 runs of a row 160 or more lie within its forecast.

    Of the guessed shape itself it would be 190; of these rows the mean keeps to it in about 181, so that
    this many or fewer come once in a million times.
    """
    rng = np.random.default_rng(5)
    ages = np.clip(-12 * np.log(rng.random(4000)), 0, 100).astype(int)
    towns = np.array(list("abcdefgh"))[rng.integers(0, 8, 4000)]
    table = pa.table({"age": [str(a) for a in ages], "town": towns.tolist()})
    schema = Schema({"age": DECLARED.columns["age"], "town": TOWN})
    items = (Wanted("mean", "age"), Wanted("counts", "town"), Wanted("count", "age"))
    way = planned(Plan(items, Cost.of(1, "1e-6"), 4000, "skewed"), schema)
    truths = [float(ages.mean()), None, 4000.0]
    asked = Curator(Dataset(LocalSource(table), schema), SessionLedger(Cost(10**12, 10**14)), tick=0)
    within = np.zeros(3)
    for run in range(200):
        for at, release in enumerate(asked.run(way.fixed, str(run)).releases):
            truth, answer = truths[at], release.answer
            if truth is None:
                truth, answer = float((towns == "a").sum()), answer[0]  # type: ignore[index]
            within[at] += abs(float(answer) - truth) <= way.rows[at].error  # type: ignore[arg-type]
    assert (within >= 160).all(), within


def test_curves_fall_and_are_inverted() -> None:
    """A larger share never has a larger error, and the share of an error has that error."""
    subject = ITEMS[0].subject(DECLARED, 10_000, "bell")
    errors = curve(subject, 1.0, 1e-6, True, None)
    assert isinstance(errors, Tradeoff)
    tried = [errors.error(share) for share in np.geomspace(1e-4, 2, 40)]
    assert all(a > b for a, b in zip(tried, tried[1:], strict=False))
    for error in np.geomspace(tried[-1], tried[0], 20):
        assert errors.error(errors.share(error)) == pytest.approx(error, rel=1e-6)


@pytest.mark.parametrize("sigma", [0.5, 3.0, 40.0, 5000.0])
def test_the_epsilon_of_a_deviation_is_the_smallest_that_holds(sigma: float) -> None:
    """It has the wished delta, and a little less would not."""
    epsilon = gaussian_epsilon(sigma, 1e-6)
    assert gaussian_delta(sigma, epsilon) <= 1e-6 * (1 + 1e-6) or epsilon == 50.0
    assert epsilon <= 1e-6 or math.isclose(epsilon, 50.0) or gaussian_delta(sigma, 0.99 * epsilon) > 1e-6


# --- One draw: rows that ask several statistics of the same rows ---


def test_statistics_of_the_same_rows_share_one_draw() -> None:
    """They are charged once and get all of the budget; a row with other groups, rows or a chosen method stays alone."""
    three = (Wanted("count", "age"), Wanted("mean", "age"), Wanted("sum", "age"))
    way = planned(Plan(three, Cost.of(1)), DECLARED)
    assert way.draws == ((0, 1, 2),) and {row.mechanism.slug for row in way.rows} == {"soft-counts"}
    assert way.fixed.cost() == way.total.cost and 0.99 <= way.total.cost.epsilon <= 1
    assert way.total.plain.epsilon == pytest.approx(3 * way.total.cost.epsilon)
    assert way.rows[0].reason == way.fixed.sharing[0] == "Count, Mean and Sum of age share one draw, charged once."
    alone = planned(Plan(tuple(replace(row, held=1 / 3.001) for row in three), Cost.of(1)), DECLARED)
    assert alone.draws == ((0,), (1,), (2,)) and alone.fixed.sharing == ()
    for joint, single in zip(way.rows, alone.rows, strict=True):
        assert joint.error < 0.7 * single.error
    apart = (three[0], replace(three[1], by="sex"), replace(three[2], method="laplace"))
    assert len(planned(Plan(apart, Cost.of(1)), DECLARED).draws) == 3


def test_a_spread_takes_three_pieces_and_has_an_interval() -> None:
    """Count, mean and standard deviation of a column by groups, each with an interval that holds what is shown."""
    rows = tuple(Wanted(name, "age", "sex", interval=True) for name in ("count", "mean", "standard-deviation"))
    way = planned(Plan((*rows, Wanted("median", "age")), Cost.of(4)), DECLARED)
    assert way.draws == ((0, 1, 2), (3,)) and way.rows[2].mechanism.slug == "soft-moments"
    assert all(math.isfinite(row.error) and row.error > 0 for row in way.rows)


def test_a_row_that_would_lose_by_sharing_stays_alone() -> None:
    """A mean far below its upper bound has a better method of its own, which it keeps."""
    schema = Schema({"pay": Number(0, 10_000_000, integer=True)})
    rows = (Wanted("count", "pay"), Wanted("mean", "pay"))
    terms = {"people": 20_000, "shape": "far below the bound"}
    way = planned(Plan(rows, Cost.of(1), **terms), schema)  # type: ignore[arg-type]
    assert way.draws == ((0,), (1,)) and way.rows[1].mechanism.slug == "clipped-mean"
    joint = registry["soft-counts"](epsilon=1.0).forecast(way.rows[1].subject.public).half_width  # type: ignore[call-arg]
    assert joint is not None and way.rows[1].error < joint


@pytest.mark.parametrize("statistic", ["variance", "standard-deviation"])
@pytest.mark.parametrize(
    ("top", "shape", "interval", "slug"),
    [
        (100_000_000, "far below the bound", False, "clipped-{}"),
        (100_000_000, "skewed", False, "clipped-{}"),
        (1000, "bell", False, "smooth-core-tail"),
        (100_000_000, "far below the bound", True, "smooth-core-tail-interval"),
    ],
)
def test_a_spread_under_loose_bounds_finds_its_bound(
    statistic: str, top: int, shape: str, interval: bool, slug: str
) -> None:
    """Where values are guessed far below; smooth sensitivity stays with a bell, and for intervals."""
    schema = Schema({"pay": Number(0, top, integer=True)})
    rows = (Wanted(statistic, "pay", interval=interval),)
    way = planned(Plan(rows, Cost.of(1), people=20_000, shape=shape), schema)
    assert way.rows[0].mechanism.slug == slug.format(statistic)
    assert planning.loose(way, [1]) is None
    asked = planning.choice(way.rows[0].subject, 1.0, 0.0)
    assert asked is not None and asked.best == way.rows[0].mechanism.slug


def test_statistics_of_two_columns_share_one_draw() -> None:
    """Six pieces, or nine where a correlation is asked; those with other groups stay alone."""
    schema = Schema({**DECLARED.columns, "hours": Number(0, 80, integer=True)})
    kinds = ("slope", "covariance", "correlation")
    slope, covariance, correlation = (Wanted(name, "age", second="hours", interval=True) for name in kinds)
    guesses = tuple(Wanted("prediction", "age", second="hours", level=level, interval=True) for level in (20, 40.0))
    single = planned(Plan((slope,), Cost.of("0.5"), 20_000, "even"), schema).rows[0]
    for rows, slug in (((slope, covariance), "soft-slopes"), ((slope, correlation), "soft-correlations")):
        way = planned(Plan(rows, Cost.of(1), 20_000, "even"), schema)
        assert way.draws == ((0, 1),) and {row.mechanism.slug for row in way.rows} == {slug}
        assert way.fixed.cost() == way.total.cost and 0.99 <= way.total.cost.epsilon <= 1
        assert way.rows[0].error < 0.6 * single.error
        assert str(way.rows[0].reason) == str(way.fixed.sharing[0])
    assert (
        str(way.fixed.sharing[0]) == "Regression slope and Correlation of age and hours share one draw, charged once."
    )
    mixed = (*guesses, replace(slope, by="sex"))
    way = planned(Plan(mixed, Cost.of(1), 20_000, "even"), schema)
    assert way.draws == ((0, 1), (2,))
    assert plan_record(way)["rows"][1]["draw"] == 1
    again = plan_from(plan_text(way.plan))
    assert planned(again, schema).draws == way.draws


def test_a_correlation_that_blocks_answer_better_stays_out_of_the_draw() -> None:
    """Without an interval, few rows of which x fills little: the guess decides, and never a row."""
    schema = Schema({**DECLARED.columns, "hours": Number(0, 80, integer=True)})
    rows = tuple(Wanted(name, "age", second="hours") for name in ("slope", "correlation"))
    way = planned(Plan(rows, Cost.of(1), 300), schema)
    assert len(way.draws) == 2 and all(row.mechanism.family is BLOCKS for row in way.rows)


def test_a_target_of_one_row_raises_the_share_of_its_draw() -> None:
    """All rows of a draw have the largest share that one of them needs, and together no more than the budget."""
    rows = (Wanted("count", "age", wish=2.5), Wanted("mean", "age", wish=1000.0), Wanted("median", "age", wish=1000.0))
    way = planned(Plan(rows, Cost.of(2)), DECLARED)
    count, mean, median = way.rows
    assert count.share == mean.share > 10 * median.share and way.total.cost.epsilon <= 2


def test_rows_are_shown_as_they_are_ready() -> None:
    """Each once and in order, with an error near that of the plan, before the last one is known."""
    shown: list[tuple[int, float]] = []
    way = planned(PLAN, DECLARED, ready=lambda *each: shown.append(each))
    assert [at for at, _ in shown] == list(range(len(ITEMS)))
    assert all(row.error / 3 <= error <= 3 * row.error for row, (_, error) in zip(way.rows, shown, strict=True))


def test_a_row_that_leaves_its_draw_has_the_best_method_of_all() -> None:
    """Not only of those of known error, which are tried while a draw is in prospect."""
    rows = tuple(Wanted(name, "age", interval=True) for name in ("count", "standard-deviation"))
    way = planned(Plan(rows, Cost.of(5), 1000), DECLARED)
    assert len(way.draws) == 2
    best = curve(way.rows[1].subject, 5.0, 0.0, False, None)
    assert best is not None and way.rows[1].error == best.error(way.rows[1].share) < way.rows[1].subject.range / 10


def test_a_useful_draw_spares_the_search_for_methods_of_unknown_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deviation beside a mean tries no method whose error is simulated; alone it tries them."""
    tried: list[str] = []
    plain = planning.attempt

    def noted(subject: Subject, slug: str, cost: Cost) -> Any:
        tried.append(slug)
        return plain(subject, slug, cost)

    monkeypatch.setattr(planning, "attempt", noted)
    schema = Schema({"age": Number(0, 123, integer=True)})  # no other test has cached its curves
    spread = Wanted("standard-deviation", "age", interval=True)
    planned(Plan((Wanted("mean", "age", interval=True), spread), Cost.of(1, "1e-6"), 5000), schema)
    assert "soft-moments" in tried and not any(slug.startswith("smooth") for slug in tried)
    planned(Plan((spread,), Cost.of(1, "1e-6"), 5000), schema)
    assert any(slug.startswith("smooth") for slug in tried)


def test_answers_that_bring_no_interval_are_drawn_once() -> None:
    """The width is as if many had been drawn: infinite; that of answers with intervals is the median of many."""
    bounds = Bounds(0, 100, integer=True)
    ground = Ground.of(Scenario(bounds, 300))
    public = Public(bounds, 300)
    noise = SimulationNoise(0)
    for kind, bare in ((QuantileExponential, True), (ClippedMean, True), (TwoCounts, False)):
        mechanism = kind(epsilon=0.5)
        law = mechanism.law(mechanism.view.stand_in(ground.column, None))
        drawn: list[Any] = []
        counted = _Counted(law, drawn)
        width = sweeps._drawn(mechanism, counted, public, noise)
        assert (len(drawn), math.isinf(width)) == ((1, True) if bare else (sweeps.DRAWS, False))


class _Counted:
    """A law whose draws are noted."""

    def __init__(self, law: Any, drawn: list[Any]) -> None:
        """Take the law and where its draws go."""
        self.law, self.drawn = law, drawn

    def draw(self, noise: Any) -> Any:
        """Draw, and note it."""
        self.drawn.append(self.law.draw(noise))
        return self.drawn[-1]


def test_counts_that_are_sums_of_finer_ones_are_found() -> None:
    """Where a sum of the finest counts with all shares has less noise than a margin with its own: a(2), o(14), both."""
    schema = Schema({"a": Category(tuple("ab")), "o": Category(tuple("cdefghijklmnop")), "v": Number(0, 9)})
    rows = [Wanted("count", "v", by) for by in ("a", "o", ("a", "o"))]
    way = planned(Plan(tuple(rows), Cost.of(1), people=30_000), schema)
    assert summed(way, schema) == [((1,), 2)]
    alone = planned(Plan((rows[2],), Cost.of(1), people=30_000), schema)
    assert math.sqrt(2) * alone.rows[0].error < way.rows[1].error < math.sqrt(14) * alone.rows[0].error
    other = replace(rows[1], where=(Filter("v", ">=", 3),))
    assert summed(planned(Plan((other, rows[2]), Cost.of(1), people=30_000), schema), schema) == []


# --- One table: counts by groups, and those by some of them, which are sums of its cells ---

WHOLE = Schema(
    {
        "a": Category(("a",), other=True),
        "o": Category(tuple("bcdefghijklmn"), other=True),
        "few": Category(("x", "y")),
        "v": Number(0, 9, integer=True),
    }
)
TABLE = tuple(Wanted("count", "v", by) for by in ("a", "o", ("a", "o")))


def counted(*items: Wanted, delta: float = 0) -> Planned:
    """Return the plan of these rows."""
    return planned(Plan(items, Cost.of(1, delta), people=30_000), WHOLE)


def test_counts_by_some_of_the_groups_share_the_draw_of_the_finest() -> None:
    """The measured case: 2, 14 and 2 x 14; the charge is that of one table, and the sentence names all of them."""
    way = counted(*TABLE)
    alone = counted(*(replace(row, held=0.333) for row in TABLE))
    assert way.draws == ((0, 1, 2),) and [row.mechanism.slug for row in way.rows] == ["cell-counts"] * 3
    assert len(alone.draws) == 3 and 0.99 <= way.total.cost.epsilon <= 1
    assert way.fixed.cost() == way.total.cost and way.total.plain.epsilon == pytest.approx(3 * way.total.cost.epsilon)
    ratios = [single.error / joint.error for joint, single in zip(way.rows, alone.rows, strict=True)]
    assert ratios == pytest.approx([0.86, 2.19, 3.0], abs=0.03)
    said = "Counts of v by a, by o and by a and o share one draw, charged once: coarser counts are sums of its cells."
    assert {str(row.reason) for row in way.rows} == {said} and [*map(str, way.fixed.sharing)] == [said]
    assert [row.subject.cells for row in way.rows] == [14, 2, 1] and summed(way, WHOLE) == []
    assert {row["draw"] for row in plan_record(way)["rows"]} == {1}
    again = plan_from(plan_text(way.plan))
    assert planned(again, WHOLE).fixed == way.fixed


def test_the_total_is_the_coarsest_margin() -> None:
    """Without groups: a sum of all cells, where many rows share the draw; alone where it would lose much."""
    total = Wanted("count", "v")
    way = counted(*TABLE, total)
    assert way.draws == ((0, 1, 2, 3),) and way.rows[3].subject.cells == 28 and way.rows[3].mechanism.over == ("a", "o")
    few = counted(TABLE[0], total)
    assert few.draws == ((0, 1),) and few.rows[1].subject.cells == 2
    many = counted(TABLE[2], total)
    assert many.draws == ((0,), (1,)), "28 cells have more noise than a count with half of the budget"


def test_only_counts_that_a_finer_one_contains_join() -> None:
    """Groups that leave out rows, another filter or column, a chosen method, a fixed share; others stay as they are."""
    finest = TABLE[2]
    apart = (
        (replace(TABLE[0], where=(Filter("v", ">=", 3),)), finest),
        (replace(TABLE[0], method="laplace"), finest),
        (replace(TABLE[0], held=0.2), finest),
        (Wanted("mean", "v", "a"), finest),
        (TABLE[0], Wanted("count", "v", ("a", "few"))),  # rows of neither x nor y are in no cell
    )
    for items in apart:
        assert len(counted(*items).draws) == 2, items
    by_few, both = counted(Wanted("count", "v", "few"), Wanted("count", "v", ("few", "a"))).rows
    assert (by_few.mechanism.over, both.mechanism.over) == (("a",), ())
    spans = counted(*(replace(row, interval=True) for row in TABLE))
    assert [row.error for row in spans.rows] == pytest.approx([row.error for row in counted(*TABLE).rows])


def test_a_table_is_drawn_once_only_where_the_whole_plan_is_better() -> None:
    """Whatever else is in the plan, its mean logarithm of errors is no worse than that of separate counts."""
    others = (Wanted("median", "v"), Wanted("count", "v", "few"))
    for delta in (0, 1e-6):
        for items in (TABLE, TABLE[1:], (*TABLE, *others), (TABLE[0], others[1])):
            way = counted(*items, delta=delta)
            alone = counted(*(replace(item, method=_usual(item, delta, 1 / len(items))) for item in items), delta=delta)
            assert way.badness <= alone.badness + 0.02, (items, delta)


def _usual(item: Wanted, delta: float, share: float) -> str:
    errors = curve(item.subject(WHOLE, 30_000, "bell"), 1.0, delta, bool(delta), None)
    assert errors is not None
    return errors.slug(share)


def test_many_tables_under_a_delta_take_normal_noise() -> None:
    """Thirty filters, each with a table and a margin: one normal draw each, within the budget."""
    filters = [Filter("v", sign, at) for sign in ("!=", ">=", "<=") for at in range(10)]
    items = tuple(replace(row, where=(each,), passing=0.9) for each in filters for row in TABLE[1:])
    way = counted(*items, delta=1e-6)
    assert {row.mechanism.slug for row in way.rows} == {"normal-cell-counts"} and len(way.draws) == 30
    assert way.fixed.cost().fits_in(Cost.of(1, 1e-6))


@pytest.mark.parametrize(("columns", "slug"), [(30, "normal-soft-moments"), (1, "soft-moments")])
def test_draws_of_many_columns_under_a_delta_take_normal_noise(
    columns: int, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Count, mean and SD of thirty columns have errors 1.3 times smaller than with Laplace noise; of one it stays."""
    schema = Schema({f"c{at}": Number(0, 100, integer=True) for at in range(columns)})
    names = ("count", "mean", "standard-deviation")
    plan = Plan(
        tuple(Wanted(name, each, interval=True) for each in schema.columns for name in names),
        Cost.of(1, 1e-6),
        people=5000,
    )
    way = planned(plan, schema)
    assert {row.mechanism.slug for row in way.rows} == {slug} and len(way.draws) == columns
    assert way.fixed.cost().fits_in(Cost.of(1, 1e-6))
    joint = planning._joint
    monkeypatch.setattr(planning, "_joint", lambda name, noise: joint(name, noise) if noise is LAPLACE else "")
    other = planned(plan, schema)
    assert {row.mechanism.slug for row in other.rows} == {"soft-moments"}
    ratios = [b.error / a.error for a, b in zip(way.rows, other.rows, strict=True)]
    assert min(ratios) > 1.3 if columns > 1 else ratios == [1.0] * 3
