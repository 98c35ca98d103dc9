"""Analysis: the short way in Python asks and charges as the long way does, and answers mistakes in words."""

from __future__ import annotations

import inspect
import io
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from support.for_each import for_each

import discreet
from discreet import (
    Analysis,
    ArrowSource,
    Bands,
    Bounds,
    BudgetExceeded,
    Category,
    Cost,
    Curator,
    Dataset,
    Date,
    Filter,
    Ignored,
    LocalSource,
    Number,
    ParameterError,
    Person,
    Recode,
    Relation,
    Request,
    Schema,
    SessionLedger,
    YesNo,
    bands,
    open_ledger,
)
from discreet.analysis import OpenPlan
from discreet.curator.release import name_of
from discreet.curator.request import plain
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.plans import Plan, Wanted, planned
from discreet.plans.methods import by_blocks, plannable
from discreet.plans.planning import choice
from discreet.plans.profile import profile
from discreet.queries.extremes import Largest
from discreet.queries.mean import Mean
from discreet.queries.median import Median

LEFT_OUT = pa.table({"patient_id": ["a", "a"], "age": [30, 40]})


@pytest.mark.parametrize(
    ("columns", "warned"), [({}, True), ({"patient_id": Person(rows=3)}, False), ({"patient_id": Ignored()}, False)]
)
def test_a_column_that_is_named_like_an_identifier_and_left_out_is_warned_of(
    columns: dict[str, Any], warned: bool
) -> None:
    """By its name alone, in the line that opens the data, with what to do; not where its meaning is declared."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        discreet.open(LEFT_OUT, {"age": (0, 100), **columns}, epsilon=1)
    found = [each for each in said if "patient_id seems to identify people" in str(each.message)]
    assert bool(found) == warned
    for each in found:
        assert each.filename == __file__ and "Person(rows=10)" in str(each.message)


COLUMNS = {"age": (0, 100), "sex": ["f", "m"], "day": ("2020-01-01", "2020-12-31"), "hours": (0, 60), "well": bool}
SIZE = 2000
FRAME = pd.DataFrame(
    {
        "age": np.arange(SIZE) % 90,
        "sex": np.array(["f", "m"])[np.arange(SIZE) % 2],
        "day": [f"2020-{1 + at % 12:02}-01" for at in range(SIZE)],
        "hours": np.arange(SIZE) % 90 // 3 + np.arange(SIZE) % 7,
        "well": np.arange(SIZE) % 3 == 0,
    }
)
SCHEMA = Schema(COLUMNS)  # type: ignore[arg-type]  # a short form is accepted, and no type of a schema


def opened(epsilon: float = 50, **more: Any) -> Analysis:
    """Open the frame, with answers that need not wait."""
    data = discreet.open(FRAME, COLUMNS, epsilon, 1e-6, **more)
    data._curator = Curator(data._dataset, data.ledger, tick=0)
    return data


shared = cache(opened)


# --- The same law, the same charge ---


def ways() -> Iterator[tuple[str, Wanted]]:
    """Yield each method with a query that it asks: of all rows, and by groups with a condition."""
    for name in plannable():
        method = name.replace("-", "_")
        level = {"quantile": 0.9, "prediction": 40}.get(name)
        second = "hours" if plannable()[name].columns == 2 else None
        column = {"counts": "sex", "most-common": "sex", "weighted-share": "well"}.get(name, "age")
        alone = Wanted(name, column, level=level, interval=True, second=second)
        yield method, alone
        if name not in ("counts", "most-common") and not by_blocks(name):
            yield method, replace(alone, by="sex", where=(Filter("age", ">=", 18),))
    yield "std", Wanted("standard-deviation", "age", interval=True)
    yield "histogram", Wanted("counts", "age", interval=True, bins=4)
    yield "median", Wanted("median", "day", interval=True)
    yield "count", Wanted("count", "age", Bands("age", every=10), interval=True)


@for_each(list(ways()))
def test_a_method_asks_and_charges_what_the_long_way_does(way: tuple[str, Wanted]) -> None:
    """The mechanism is the one that the chooser of the screens takes; the stored answer is that of the curator."""
    name, item = way
    data = shared()
    before = len(data.ledger.entries)
    given = {"at" if name == "prediction" else "level": item.level, "bins": item.bins}
    more = {word: value for word, value in given.items() if value}
    result = getattr(data, name)(*item.columns, **more, by=item.by, where=item.where, epsilon=0.5)
    subject = replace(item.subject(data.schema, data.people, data.shape), coarse=False)
    best = choice(subject, 0.5, 1e-7) or choice(replace(subject, interval=False), 0.5, 1e-7)
    assert best is not None
    request = Request(best.offers[best.best][0], item.columns, item.where, item.by)
    assert result.release.request.identity == request.identity
    assert result.release.id == name_of(request, data._nonce(""))
    if not result.stored:  # a method and its other name ask the same query
        (charge, _) = data.ledger.entries[before:]
        assert (charge.cost + charge.held, charge.account) == (request.cost(), request.account())
    assert data._curator.ask(request, data._nonce("")) == result.release


def test_every_statistic_of_plans_is_a_method_and_no_other() -> None:
    """Of a dataset and of a plan alike; `ask` takes the same names."""
    methods = {name.replace("-", "_") for name in plannable()}
    own = {name for name in vars(discreet.analysis.Asked) if not name.startswith("_")}  # type: ignore[attr-defined]
    assert own == methods | {"ask", "sd", "std", "histogram"}
    assert shared().sd("age", epsilon=0.5).stored == shared().std("age", epsilon=0.5).stored
    assert shared().ask("standard-deviation", "age", epsilon=0.5).stored


def test_a_plan_is_forecast_before_anything_is_spent_and_charged_once() -> None:
    """By the planning of the screens: the same queries, one entry of the ledger, and the stored results afterwards."""
    data = opened(2)
    plan = data.plan(epsilon=1).mean("age").std("age", by="sex").count(by=bands("age", 20)).most_common("sex")
    spans = [Wanted("mean", "age", interval=True), Wanted("standard-deviation", "age", "sex", interval=True)]
    spans += [Wanted("count", "age", bands("age", 20), interval=True), Wanted("most-common", "sex")]
    way = planned(Plan(tuple(spans), Cost.of(1, 1e-6)), data.schema)
    assert plan.forecast.fixed == way.fixed
    said = repr(plan)
    assert f"release() costs {way.total.cost}. Left: ε = 2, δ = 1e-6." in said and "±" in said
    assert not data.ledger.entries and "Not released yet" in plan._repr_html_()
    results = plan.release()
    assert results.cost == data.spent == way.fixed.cost() and results[0].release.id.startswith(
        name_of(way.fixed, data._nonce(""))
    )
    assert plan.release()[0].value == results[0].value and len(data.ledger.entries) == 2
    assert len(results) == 4 and repr(results).endswith(f"Left: {data.left}.")
    assert results.to_pandas()["query"].nunique() == 4 and set(results.to_arrow().column_names) >= {"sex", "value"}
    assert plan.ask("mean", "age", epsilon=0.2, wish=3).items[-1].held == 0.2
    assert [item.level for item in data.plan().quantile("age", [0.1, 0.9]).items] == [
        0.1,
        0.9,
    ]  # so they have intervals
    assert data.plan(Wanted("mean", "age")).total == data.left and "Add one" in repr(data.plan())


# --- What a result shows ---


def test_a_result_reads_as_numbers_text_table_and_html() -> None:
    """A single one, one by a group, and by two."""
    data = opened()
    mean = data.mean("age")
    low, high = mean.interval
    assert low <= mean.value <= high and mean.cost == Cost.of(5)
    first, cost = repr(mean).split("\n")
    assert first.startswith("Mean of age: 44.") and "(95% interval 44." in first
    assert cost.startswith("Cost: ε = 5. Left: ε = 45, δ = 1e-6. Mechanism: ")
    frame = mean.to_pandas()
    assert list(frame) == ["value", "low", "high"] and frame["value"][0] == mean.value
    by_sex = data.median("age", by="sex")
    assert set(by_sex.value) == set(by_sex.interval) == {"f", "m"}
    lines = repr(by_sex).split("\n")
    assert [line.split()[0] for line in lines[1:4]] == ["sex", "f", "m"] and lines[0] == "Median of age by sex"
    assert list(by_sex.to_pandas()) == ["sex", "value", "low", "high"]
    cells = data.count(by=["sex", bands("age", 50)]).value
    assert set(cells) == {(sex, band) for sex in "fm" for band in ("0 to under 50", "50 to 100")}
    assert list(data.counts("sex").to_pandas()["sex"]) == ["f", "m"]
    html = by_sex._repr_html_()
    assert '<figure class="fig"' in html and ">f</th>" in html and "Left: ε = 40" in html
    assert pa.table(by_sex).num_rows == 2  # as Polars and DuckDB take it
    day = data.median("day")
    assert date.fromisoformat(day.value) and day.interval[0] <= day.value <= day.interval[1]


def test_a_repeated_query_is_free_and_fresh_noise_is_not() -> None:
    """And the text says which it was."""
    data = opened(1)
    first, second = (data.mean("age", epsilon=0.25) for _ in range(2))
    assert second.value == first.value and data.spent == Cost.of(0.25) == first.cost
    assert "paid before" in repr(second) and "paid before" not in repr(first)
    data.ask("mean", "age", epsilon=0.25, again="x")
    assert data.spent == Cost.of(0.5)


def test_a_query_costs_a_tenth_of_the_budget_and_the_end_is_said() -> None:
    """An exhausted budget says by how much, whatever is asked; nothing is spent then."""
    data = opened(0.2)
    assert [data.count(where=("age", "<", at)).cost for at in range(40, 50)] == [Cost.of(0.02)] * 10
    assert data.left.epsilon == 0 and data.count(where=("age", "<", 40)).stored
    with pytest.raises(BudgetExceeded, match=r"needs ε = 0.02, but only ε = 0.* is left \(ε = 0.02 too little\)"):
        data.mean("age")
    with pytest.raises(ParameterError, match="nothing is left for a plan"):
        data.plan()
    assert data.spent == Cost.of(0.2)


def test_a_ledger_file_outlives_the_process_and_keeps_datasets_apart(tmp_path: Path) -> None:
    """A second opening finds the answer; other rows with the same columns get their own answer, at its cost."""
    file = tmp_path / "budget.db"
    first = opened(1, ledger=file)
    mean = first.mean("age")
    assert "in memory" not in repr(first) and "in memory" in repr(opened())
    assert "Each row is one person" in repr(first)
    again = discreet.open(FRAME, COLUMNS, ledger=open_ledger(file))
    assert again.mean("age").value == mean.value and again.spent == mean.cost
    other = discreet.open(FRAME.head(500), COLUMNS, 1, 1e-6, ledger=str(file))
    other._curator = Curator(other._dataset, other.ledger, tick=0)
    assert not other.mean("age").stored and other.spent == Cost.of(0.2)
    with pytest.raises(ParameterError, match="Leave out epsilon"):
        discreet.open(FRAME, COLUMNS, 1, ledger=open_ledger(file))


def test_an_id_does_not_confirm_a_guess_of_the_rows() -> None:
    """It depends on a secret of the ledger: the same query of the same rows has another id elsewhere."""
    first, second = (opened(1).mean("age", epsilon=0.1).release.id for _ in range(2))
    assert first != second
    with pytest.raises(ParameterError, match="path of its file"):
        discreet.open(FRAME, COLUMNS, ledger=object())  # type: ignore[arg-type]


def test_a_path_bytes_a_frame_a_source_and_a_dataset_are_opened(tmp_path: Path) -> None:
    """Each gives the same rows; a file says how it was read."""
    file = tmp_path / "people.csv"
    FRAME.to_csv(file, index=False)
    source = LocalSource(file)
    data = Dataset(source, SCHEMA)
    for given in (str(file), file, file.read_bytes(), FRAME, pa.table(dict(FRAME)), source):
        (column,) = {discreet.open(given, COLUMNS, 1)._dataset.column("age", (), None).n}  # type: ignore[arg-type]
        assert column == SIZE
    assert discreet.open(data, epsilon=1)._dataset is data
    assert discreet.open(str(file), COLUMNS, 1).schema.layout == source.layout


# --- Mistakes ---


def raised(call: Callable[[], object]) -> str:
    """Return the sentence of what a call raises."""
    with pytest.raises((ParameterError, BudgetExceeded, AttributeError)) as error:
        call()
    return str(error.value)


def noisy(**more: Any) -> Geometric:
    """Return a mechanism."""
    return Geometric(**{"epsilon": 0.5} | more)


def asked(*parts: Any, **more: Any) -> Callable[[], object]:
    """Return a call that asks a request of the frame."""
    return lambda: Curator(Dataset(FRAME, COLUMNS), SessionLedger(0.5), tick=0).ask(Request(*parts, **more))


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "epsilon as text": (lambda: noisy(epsilon="0.5"), "ε must be a number. Got '0.5'."),
    "epsilon as a frame": (lambda: noisy(epsilon=FRAME), "ε must be a number. Got 'DataFrame'."),
    "epsilon 0": (lambda: noisy(epsilon=0), "must be between 1e-06 and 50"),
    "epsilon below 0": (lambda: noisy(epsilon=-1), "must be between 1e-06 and 50"),
    "epsilon far above": (lambda: noisy(epsilon=1e5), "must be between 1e-06 and 50"),
    "epsilon nan": (lambda: noisy(epsilon=float("nan")), "must be between 1e-06 and 50"),
    "a class as query": (lambda: SmoothCoreTail(query=Median), "not a class. Write Median()."),  # type: ignore[arg-type]
    "a class as mechanism": (asked(Geometric, "age"), "needs a mechanism, with its parameters in brackets"),
    "a frame as mechanism": (asked(FRAME, "age"), "Got DataFrame."),
    "budget in units": (lambda: SessionLedger(Cost(1, 0)), "counts units of 1e-9. Write Cost.of(1)."),
    "budget as text": (lambda: SessionLedger("much"), "Got 'much'"),  # type: ignore[arg-type]
    "no budget": (lambda: SessionLedger(None), "such as Cost.of(1, 1e-6), or a number"),  # type: ignore[arg-type]
    "budget of a plan": (lambda: Plan([], FRAME), "Got something of type DataFrame"),  # type: ignore[arg-type]
    "a file of the network": (lambda: LocalSource("s3://bucket/people.csv"), "Only files of this machine"),
    "an address": (lambda: Dataset("https://example.org/a.csv", COLUMNS), "Only files of this machine"),
    "a frame as file": (lambda: LocalSource(FRAME), "Got DataFrame. Pass a frame to Dataset"),
    "an open file": (lambda: LocalSource(io.BytesIO(b"")), "by its path or its bytes. Got BytesIO"),  # type: ignore[arg-type]
    "a missing file": (lambda: LocalSource("nowhere.csv"), "File not found. Check the path."),
    "rows not read": (lambda: ArrowSource(ds.dataset(pa.table(dict(FRAME)))), "Add .scanner().to_reader()"),  # type: ignore[arg-type]
    "rows not computed": (lambda: ArrowSource(type("LazyFrame", (), {"collect": None})()), "Add .collect()"),
    "a list as rows": (lambda: Dataset([1], COLUMNS), "Pass a pandas or Polars frame"),  # type: ignore[arg-type]
    "a list as schema": (lambda: Dataset(FRAME, ["age"]), 'by name: {"age": (0, 100)}. Got list.'),  # type: ignore[arg-type]
    "a number as column": (lambda: Schema({"age": 100}), "Column 'age': declare bounds as a pair (0, 100)"),  # type: ignore[dict-item]
    "a kind without bounds": (lambda: Schema({"age": Number}), "Got Number."),  # type: ignore[dict-item]
    "allowed values in a pair": (lambda: Schema({"sex": ("f", "m")}), "allowed values as a list of texts"),  # type: ignore[dict-item]
    "bounds reversed": (lambda: Schema({"age": (100, 0)}), "Column 'age': Lower must be smaller"),  # type: ignore[dict-item]
    "bounds as texts": (lambda: Number("0", "100"), "Lower must be a number"),  # type: ignore[arg-type]
    "bounds infinite": (lambda: Schema({"age": (0, np.inf)}), "Upper must be a finite number"),  # type: ignore[dict-item]
    "an unknown column": (lambda: shared().mean("height"), "Column 'height' is not declared."),
    "a column that is not there": (lambda: Dataset(FRAME, {"pay": (0, 1)}), "has no column 'pay'"),
    "a median of a category": (lambda: shared().median("sex"), "No mechanism can release median of sex"),
    "an unknown statistic": (lambda: shared().ask("average", "age"), "Choose one of count, largest,"),
    "the same in a plan": (lambda: planned(Plan((Wanted("average", "age"),), Cost.of(1)), SCHEMA), "mean, median, sum"),
    "an unknown method": (lambda: shared().average("age"), "The statistics are count, largest"),  # type: ignore[attr-defined]
    "the same of a plan": (lambda: shared().plan().average("age"), "There is no 'average' here."),  # type: ignore[attr-defined]
    "an unknown mechanism": (lambda: shared().ask("mean", "age", method="magic"), "Choose another statistic or mech"),
    "an unknown group": (lambda: shared().mean("age", by="town"), "Column 'town'"),
    "a group by a number": (lambda: shared().mean("age", by="age"), "is not declared as a category"),
    "a group by nothing": (lambda: shared().mean("age", by=3), "must be the name of a category, bands"),  # type: ignore[arg-type]
    "an unknown level": (lambda: shared().mean("age", where={"sex": "x"}), "its allowed values: f, m."),
    "a condition in a text": (lambda: shared().mean("age", where="age > 3"), '("age", ">=", 18). Got str.'),
    "half a condition": (lambda: shared().mean("age", where=[("age", 18)]), "Got tuple."),
    "an unknown comparison": (lambda: Filter("sex", "~", "m"), "must be one of =, !="),
    "a quantile above 1": (lambda: shared().quantile("age", 2), "Quantile must be between 0 and 1"),
    "no column": (lambda: shared().ask("mean"), "Name the column. The schema has age, sex, day, hours, well."),
    "no epsilon": (lambda: discreet.open(FRAME, COLUMNS), "Set its total, such as epsilon=1."),
    "no schema": (lambda: discreet.open(FRAME, epsilon=1), "Pass the data and its columns"),
    "more than is left": (asked(noisy(epsilon=2), "age"), "needs ε = 2, but only ε = 0.5 is left"),
}


@for_each(MISTAKES)
def test_a_mistake_is_answered_with_what_was_wanted(mistake: str) -> None:
    """By a sentence, which quotes no row, and before anything is spent."""
    call, sentence = MISTAKES[mistake]
    spent = shared().spent
    said = raised(call)
    assert sentence in said and shared().spent == spent, said
    assert "dtype" not in said and "\n" not in said


def test_what_can_be_meant_in_one_way_only_is_taken_so() -> None:
    """Numbers of numpy, a text for one column, one condition for several, ==, a mapping, a number as cost."""
    thin = np.float32(0.1)
    pairs: list[tuple[Any, Any]] = [
        (noisy(epsilon=thin), noisy(epsilon=0.1)),
        (Number(np.int64(0), np.int64(100), missing=np.float64(5)), Number(0, 100, missing=5.0)),  # type: ignore[arg-type]
        (Bounds(np.int8(0), np.float32(1.5), step=thin), Bounds(0, 1.5, step=0.1)),
        (Relation(rows=np.int64(3)), Relation(rows=3)),  # type: ignore[arg-type]
        (Person(rows=np.int64(3)), Person(rows=3)),  # type: ignore[arg-type]
        (Largest(j=np.int64(3)), Largest(j=3)),  # type: ignore[arg-type]
        (GlobalLaplace(query=Mean(), epsilon=np.float64(0.5)), GlobalLaplace(query=Mean(), epsilon=0.5)),
        (Wanted("mean", "age", wish=np.float32(0.5)), Wanted("mean", "age", wish=0.5)),
        (Filter("age", "==", np.int64(18)), Filter("age", "=", 18)),
        (Request(noisy(), "age"), Request(noisy(), ("age",))),  # type: ignore[arg-type]
        (Request(noisy(), ("age",), Filter("sex", "=", "f")), Request(noisy(), ("age",), (Filter("sex", "=", "f"),))),  # type: ignore[arg-type]
        (Request(noisy(), ("age",), {"sex": ["f"]}), Request(noisy(), ("age",), (Filter("sex", "in", ("f",)),))),  # type: ignore[arg-type]
        (bands("age", 10), Bands("age", every=10)),
        (bands("age", [18, 65]), Bands("age", (18, 65))),
        (Plan((Wanted("mean", "age"),), 1.5), Plan((Wanted("mean", "age"),), Cost.of(1.5))),  # type: ignore[arg-type]
        (SessionLedger(1).limit, Cost.of(1)),
        (SessionLedger((thin, 1e-6)).limit, Cost.of("0.1", "1e-6")),  # type: ignore[arg-type]
        (Dataset(FRAME, COLUMNS).digest, ArrowSource(FRAME).digest),
    ]
    for short, long in pairs:
        assert short == long and str(short) == str(long)
        assert json.dumps(plain(short)) == json.dumps(plain(long))
    declared = {
        "y": bool,
        "d": (date(2020, 1, 1), date(2020, 2, 1)),
        "n": (np.int64(0), thin),
        "c": ["a"],
        "p": Person(),
    }
    kinds = {"y": YesNo(), "d": Date("2020-01-01", "2020-02-01"), "n": Number(0, 0.1), "c": Category(("a",))}
    assert Schema(declared).to_json() == Schema({**kinds, "p": Person()}).to_json()  # type: ignore[arg-type]


def test_a_recode_groups_and_a_reduced_person_keeps_its_charge() -> None:
    """What a person may be in several groups with is charged by the same rule as ever."""
    frame = pd.DataFrame({"id": np.arange(600) % 200, "town": np.array(["a", "b", "c"])[np.arange(600) % 3], "n": 1.0})
    data = discreet.open(frame, {"id": Person(rows=3), "town": ["a", "b", "c"], "n": (0, 2)}, 9)
    assert "one person" not in repr(data)
    merged = data.sum("n", by=Recode("town", {"a": "coast", "b": "coast"}))  # type: ignore[arg-type]
    assert set(merged.value) == {"coast", "other"} and merged.release.request.mechanism.neighbours.rows == 3
    assert merged.cost == merged.release.request.cost() == data.spent == Cost.of(0.9)
    thirds = data.ask("mean", "n", by="town", epsilon=0.2, method="smooth-core-tail")  # paid once for each row
    assert thirds.cost == Cost.of("0.199999998") and thirds.release.request.times() == 3


def test_help_shows_what_a_method_takes() -> None:
    """The methods are written out: an editor and a type checker read them, too."""
    assert str(inspect.signature(Analysis.quantile)).startswith(
        "(self, column: 'str', level: 'float | Sequence[float]'"
    )
    assert str(Mean.__doc__).startswith(str(Analysis.mean.__doc__)) and vars(OpenPlan).get("mean") is None


def test_a_profile_is_a_plan_of_all_columns_that_says_what_it_left_out() -> None:
    """The rows of the screens' profile, nothing spent; more rows follow, and one charge releases them."""
    data = opened(2, people=300)
    plan = data.profile(epsilon=1)
    made = profile(data.schema, lambda items: Plan(items, Cost.of(1, 1e-6), 300))
    assert plan.items == made.plan.items and not data.ledger.entries
    said = repr(plan)
    assert len(plan.notes) == len(made.notes) > 0 and all(note in said for note in plan.notes)
    assert "coarser than usual" in said or "left out" in said
    more = plan.sum("age")
    assert more.items[:-1] == plan.items and len(more.release()) == len(plan.items) + 1
    assert data.spent.epsilon <= 1
