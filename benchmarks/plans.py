"""Plans: twenty rows under one total, compared with one by one and with the peers; times of forecast and run."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import peers
from benchmarks.data import Numbers
from benchmarks.report import table, verdict
from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.curator.plan import FixedPlan
from discreet.lab import explain
from discreet.lab.samples import census
from discreet.noise.source import ReleaseNoise
from discreet.plans import Plan, Wanted, plan_text, planned
from discreet.rows import Dataset, Filter, Person, Schema
from discreet.rows.dataset import OpenData

TOTAL = Cost.of(1, "1e-6")
PEOPLE, DRAWS = 32_561, 400
NUMBERS = ("age", "hours", "education_years", "capital_gain")
CATEGORIES = ("occupation", "marital_status", "sex")
CUT = 40
TIE = 0.2  # two medians of 400 absolute errors differ by more with probability 1 in 200
LESS, NO_WORSE = 0.75, 1.05
Sampler = Callable[[], Any]
Found = dict[str, NDArray[np.float64]]


def wanted() -> dict[str, Wanted]:
    """Return the rows of the plan, by name."""
    rows = {f"{name}, mean": Wanted("mean", name) for name in NUMBERS}
    rows |= {f"{name}, median": Wanted("median", name) for name in NUMBERS}
    rows |= {f"{name}, quantile 0.9": Wanted("quantile", name, level=0.9) for name in NUMBERS}
    rows |= {f"{name}, sum": Wanted("sum", name) for name in NUMBERS}
    rows |= {"age, count": Wanted("count", "age", where=(Filter("age", ">", CUT),))}
    return rows | {f"{name}, counts": Wanted("counts", name) for name in CATEGORIES}


def columns(data: OpenData) -> dict[str, Numbers]:
    """Return the number columns in the peers' format."""
    bounds = data.schema.bounds
    return {name: Numbers(name, bounds(name), explain.ground(data, name).column.values(), CUT) for name in NUMBERS}


def truth_of(name: str, numbers: Mapping[str, Numbers], data: OpenData) -> Any:
    """Return the exact answer of a row."""
    column, statistic = name.split(", ")
    if column in CATEGORIES:
        return np.asarray(explain.counts(data, column).counts, dtype=float)
    x = numbers[column].values
    ways: dict[str, Callable[[], Any]] = {
        "mean": x.mean,
        "median": lambda: np.median(x),
        "quantile 0.9": lambda: np.quantile(x, 0.9, method="inverted_cdf"),
        "sum": x.sum,
        "count": lambda: np.sum(x > CUT),
    }
    return ways[statistic]()


def errors(samplers: Mapping[str, Sampler], truths: Mapping[str, Any]) -> Found:
    """Return the absolute errors of many answers of every row; in lists every number counts."""
    return {
        name: np.abs(np.array([np.asarray(sample(), dtype=float) - truths[name] for _ in range(DRAWS)])).ravel()
        for name, sample in samplers.items()
    }


def ours(requests: Mapping[str, Request], data: OpenData) -> dict[str, Sampler]:
    """Return a sampler for each row, from the release source."""
    noise = ReleaseNoise()
    laws = {name: next(iter(explain.laws(data, request).values())) for name, request in requests.items()}
    return {name: lambda law=law: law.draw(noise) for name, law in laws.items()}  # type: ignore[misc]


def theirs(rows: Mapping[str, Wanted], numbers: Mapping[str, Numbers], data: OpenData, peer: str) -> dict[str, Sampler]:
    """Return a peer's sampler for each row, at an equal share of epsilon."""
    share = TOTAL.epsilon / len(rows)
    source = peers.opendp_number if peer == "OpenDP" else peers.diffprivlib_number
    samplers = {}
    for name in NUMBERS:
        for (statistic, _), sample in source(numbers[name], share).items():
            if f"{name}, {statistic}" in rows:
                samplers.setdefault(f"{name}, {statistic}", sample)
    counted = peers.opendp_counts if peer == "OpenDP" else peers.diffprivlib_counts
    for name in CATEGORIES:
        samplers[f"{name}, counts"] = counted(explain.counts(data, name).counts, share)
    return samplers


def ran(fixed: FixedPlan, dataset: Dataset) -> float:
    """Time a run of all rows, including the tick that hides how long it really took."""
    curator = Curator(dataset, SessionLedger(Cost.of(2, "1e-5")))
    start = time.perf_counter()
    curator.run(fixed)
    return time.perf_counter() - start


FIRST = """
import sys, time
from discreet.budget import accounts
from discreet.lab.samples import census_schema
from discreet.plans import plan_from, planned
accounts.ready()  # as a server has it
plan, schema = plan_from(sys.stdin.read()), census_schema()
start = time.process_time()
planned(plan, schema)
print(time.process_time() - start)
"""


def first(plan: Plan) -> float:
    """Return the processor time of the first forecast of a plan with intervals, in a process of its own."""
    spanned = replace(plan, items=tuple(replace(item, interval=True) for item in plan.items))
    command = [sys.executable, "-c", FIRST]
    done = subprocess.run(command, input=plan_text(spanned), capture_output=True, text=True, check=True)
    return float(done.stdout)


def sooner(plan: Plan, data: OpenData) -> list[tuple[str, ...]]:
    """Time a forecast after a change, a run of all rows, and a plan of two hundred."""
    schema = data.schema
    planned(plan, schema)
    changes = []
    for at in range(7):
        changed = plan.edited(0, wish=0.2 + at / 50)
        start = time.perf_counter()
        way = planned(changed, schema)
        changes.append(time.perf_counter() - start)
    nobody = Schema({name: column for name, column in schema.columns.items() if not isinstance(column, Person)})
    runs = [ran(way.fixed, Dataset(data._source, each)) for each in (nobody, schema)]
    many = Plan(tuple(Wanted("mean", "age", by=("sex", "marital_status")) for _ in range(200)), TOTAL, PEOPLE)
    start = time.perf_counter()
    whole = planned(many, schema)
    two_hundred = time.perf_counter() - start
    forecast, levels = float(np.median(changes)), tuple(level / 101 for level in range(1, 101))
    hundred = Plan((Wanted("quantile", "age", level=tuple(round(level, 4) for level in levels)),), TOTAL, PEOPLE)
    start = time.thread_time()
    planned(hundred, schema)
    quantiles = time.thread_time() - start
    began = float(np.median([first(plan) for _ in range(3)]))
    return [
        ("first forecast, with intervals, processor", f"{began:.2f} s", "2 s", verdict(began, 2.0)),
        ("forecast after a change", f"{1000 * forecast:.0f} ms", "100 ms", verdict(forecast, 0.1)),
        ("run of 20 rows, protected", f"{runs[0]:.2f} s", "2 s", verdict(runs[0], 2.0)),
        ("the same with a column of persons", f"{runs[1]:.2f} s", "2 s", verdict(runs[1], 2.0)),
        ("row of 100 quantiles", f"{quantiles:.2f} s", "5 s", verdict(quantiles, 5.0)),
        ("plan of 200 crossed rows", f"{two_hundred:.2f} s", "-", f"costs {whole.total.cost}"),
    ]


def run() -> None:
    """Print errors compared with one by one and the peers, and times."""
    data, rows = census(), wanted()
    plan = Plan(tuple(rows.values()), TOTAL, PEOPLE)
    way = planned(plan, data.schema)
    numbers = columns(data)
    truths = {name: truth_of(name, numbers, data) for name in rows}
    together = errors(ours(dict(zip(rows, way.fixed.rows, strict=True)), data), truths)
    share = Cost.of(TOTAL.epsilon / len(rows))
    alone = {name: planned(Plan((row,), share, PEOPLE), data.schema).fixed.rows[0] for name, row in rows.items()}
    by_one = errors(ours(alone, data), truths)
    others = {peer: errors(theirs(rows, numbers, data, peer), truths) for peer in ("OpenDP", "diffprivlib")}
    lines, ratios, ahead = [], [], 0
    for name in rows:
        mine, single = float(np.median(together[name])), float(np.median(by_one[name]))
        ratio = mine / single if single else (np.nan if mine == 0 else np.inf)
        ratios.append(ratio)
        beside = {peer: float(np.median(errors_of[name])) for peer, errors_of in others.items() if name in errors_of}
        lost = [peer for peer, error in beside.items() if mine > error * (1 + TIE)]
        ahead += len(lost)
        lines.append(
            (name, f"{mine:.4g}", f"{single:.4g}", f"{ratio:.2f}", *(f"{beside.get(p, np.nan):.4g}" for p in others))
        )
    head = ("row", "plan", "one by one", "ratio", *others)
    table(f"Plan of {len(rows)} rows at {TOTAL}: median absolute error of {DRAWS} answers each", head, lines)
    moved = [ratio for ratio in ratios if 0 < ratio < np.inf]  # if both are exact there is nothing to gain
    overall = float(np.exp(np.mean(np.log(moved))))
    print(f"\ntotal {way.total.cost}, by {way.total.proof}; the plain sum is {way.total.plain}")
    some, worst = f"{len(moved)} rows that have any", float(np.nanmax(ratios))
    print(f"errors together, of one by one, in {some}: {overall:.3f} (promised {LESS}): {verdict(overall, LESS)}")
    print(f"worst row: {worst:.2f} (promised {NO_WORSE}): {verdict(worst, NO_WORSE)}")
    print(f"peers ahead: {ahead} rows (promised 0): {verdict(ahead, 0)}")
    table("Plans in time", ("what", "took", "promised", "verdict"), sooner(plan, data))


if __name__ == "__main__":
    run()
