"""The same queries with OpenDP and diffprivlib, in the way their documentation shows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Numbers

Sampler = Callable[[], Any]
BINS = 10
CANDIDATES = 1_000  # an analyst's grid for a continuous quantile


def opendp_number(data: Numbers, epsilon: float) -> dict[tuple[str, str], Sampler]:
    """Return samplers by (statistic, relation) of one numeric column. a/r is add/remove."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    kind, values = (int, data.values.astype(int)) if data.whole else (float, data.values)
    low, high = kind(data.bounds.lower), kind(data.bounds.upper)
    values = np.clip(values, low, high)
    n, listed = values.size, values.tolist()
    space = dp.vector_domain(dp.atom_domain(bounds=(low, high), T=kind)), dp.symmetric_distance()
    plain = (
        dp.vector_domain(dp.atom_domain(T=kind, nan=False) if kind is float else dp.atom_domain(T=int)),
        dp.symmetric_distance(),
    )
    sized = dp.vector_domain(dp.atom_domain(bounds=(low, high), T=kind), size=n), space[1]

    def noisy(query: Any, share: float, d_in: int = 1, rows: list[Any] = listed) -> Sampler:
        def chain(scale: float) -> Any:
            return query >> dp.m.then_laplace(scale)

        scale = dp.binary_search_param(chain, d_in=d_in, d_out=epsilon * share, T=float)
        return _after(dp, query, lambda d, m: dp.m.make_laplace(d, m, scale), rows)

    total = space >> dp.t.then_sum()
    count = plain >> dp.t.then_count()
    above = [v for v in listed if v > data.cut]
    half_sum, half_count = noisy(total, 0.5), noisy(count, 0.5)
    public_sum = sized >> dp.t.then_sum()
    sized_sum = noisy(public_sum, 1.0, d_in=2)
    samplers: dict[tuple[str, str], Sampler] = {
        ("mean", "a/r"): lambda: half_sum() / max(1, half_count()),
        ("mean", "c/o"): lambda: sized_sum() / n,
        ("sum", "a/r"): noisy(total, 1.0),
        ("sum", "c/o"): sized_sum,
        ("count", "a/r"): noisy(count, 1.0, rows=above),
    }
    grid = sorted(
        {kind(v) for v in np.linspace(low, high, min(high - low, CANDIDATES) + 1 if data.whole else CANDIDATES)}
    )
    for name, alpha in (("median", 0.5), ("quantile 0.9", 0.9)):
        scored = plain >> dp.t.then_quantile_score_candidates(grid, alpha)

        def choose(scale: float, scored: Any = scored) -> Any:
            return scored >> dp.m.then_noisy_max(dp.max_divergence(), scale, negate=True)

        scale = dp.binary_search_param(choose, d_in=1, d_out=epsilon, T=float)
        index = _after(
            dp, scored, lambda d, m, s=scale: dp.m.make_noisy_max(d, m, dp.max_divergence(), s, negate=True), listed
        )
        samplers[name, "a/r"] = lambda index=index: grid[index()]  # type: ignore[misc]
    edges = np.linspace(low, high, BINS + 1)[1:-1].tolist()
    binned = (
        plain
        >> dp.t.then_find_bin([kind(e) for e in edges])
        >> dp.t.then_count_by_categories(list(range(BINS)), null_category=False)
    )
    samplers["histogram", "a/r"] = noisy(binned, 1.0)
    return samplers


def _after(dp: Any, query: Any, noise: Any, rows: list[Any]) -> Sampler:
    """Aggregate once, then draw: the distribution of the whole chain, without its time."""
    measurement = noise(query.output_domain, query.output_metric)
    exact = query(rows)
    return lambda: measurement(exact)


def opendp_category(rows: NDArray[np.str_], levels: list[str], epsilon: float) -> Sampler:
    """Return a sampler of the most common category (a/r)."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    counts = [int(np.sum(rows == level)) for level in levels]
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int, monotonic=True)

    def chooser(scale: float) -> Any:
        return dp.m.make_noisy_max(*space, dp.max_divergence(), scale)

    measurement = chooser(dp.binary_search_param(chooser, d_in=1, d_out=epsilon, T=float))
    return lambda: levels[measurement(counts)]


def diffprivlib_number(data: Numbers, epsilon: float) -> dict[tuple[str, str], Sampler]:
    """Return samplers by (statistic, relation); this library counts a changed row (c/o)."""
    warnings.filterwarnings("ignore", module="diffprivlib")
    from diffprivlib import tools

    x, bounds = data.values, (float(data.bounds.lower), float(data.bounds.upper))
    return {
        ("mean", "c/o"): lambda: tools.mean(x, epsilon=epsilon, bounds=bounds),
        ("sum", "c/o"): lambda: tools.sum(x, epsilon=epsilon, bounds=bounds),
        ("median", "c/o"): lambda: tools.median(x, epsilon=epsilon, bounds=bounds),
        ("quantile 0.9", "c/o"): lambda: tools.quantile(x, 0.9, epsilon=epsilon, bounds=bounds),
        ("count", "a/r"): lambda: tools.count_nonzero(x > data.cut, epsilon=epsilon),
        ("histogram", "a/r"): lambda: tools.histogram(x, epsilon=epsilon, bins=BINS, range=bounds)[0],
    }


def diffprivlib_category(rows: NDArray[np.str_], levels: list[str], epsilon: float) -> Sampler:
    """Return a sampler of the most common category by this library's best selection (a/r)."""
    from diffprivlib.mechanisms import PermuteAndFlip

    votes = dict(zip(*np.unique(rows, return_counts=True), strict=True))
    utility = [float(votes.get(level, 0)) for level in levels]
    chooser = PermuteAndFlip(epsilon=epsilon, sensitivity=1.0, utility=utility, candidates=levels, monotonic=True)
    return chooser.randomise


def opendp_counts(counts: NDArray[np.int64], epsilon: float) -> Sampler:
    """Return a sampler of the counts of all categories (a/r)."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)

    def noisy(scale: float) -> Any:
        return dp.m.make_laplace(*space, scale)

    measurement = noisy(dp.binary_search_param(noisy, d_in=1, d_out=epsilon, T=float))
    exact = [int(count) for count in counts]
    return lambda: measurement(exact)


def opendp_cells(exact: NDArray[np.float64], sensitivity: float, epsilon: float) -> Sampler:
    """Return a sampler of one number for each of some disjoint cells (a/r), of which a row changes one."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)

    def noisy(scale: float) -> Any:
        return dp.m.make_laplace(*space, scale)

    measurement = noisy(dp.binary_search_param(noisy, d_in=sensitivity, d_out=epsilon, T=float))
    listed = exact.tolist()
    return lambda: measurement(listed)


def diffprivlib_cells(cells: list[NDArray[np.float64]], bounds: tuple[float, float], epsilon: float) -> Sampler:
    """Return a sampler of the sum of each of some disjoint cells by this library."""
    from diffprivlib import tools

    return lambda: [tools.sum(cell, epsilon=epsilon, bounds=bounds) for cell in cells]


def diffprivlib_counts(counts: NDArray[np.int64], epsilon: float) -> Sampler:
    """Return a sampler of the counts by this library's histogram of indices (a/r)."""
    from diffprivlib import tools

    places = np.repeat(np.arange(len(counts)), counts)
    return lambda: tools.histogram(places, epsilon=epsilon, bins=len(counts), range=(-0.5, len(counts) - 0.5))[0]
