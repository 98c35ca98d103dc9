"""Book of lesson 6: local sensitivity, its leak, its jump, and the three frameworks."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_LEI, NISSIM, BookPage

PAGES = {
    "local": BookPage(
        (
            r"\mathrm{LS}(f, x) = \max_{x' : d(x, x') \le 1} |f(x) - f(x')|",
            r"A(f, x, k) = \max_{y : d(x, y) \le k} \mathrm{LS}(f, y)",
        ),
        Phrase(
            "Global sensitivity is about every dataset, local sensitivity about this one; A(0) = LS ≤ "
            "GS. The difference is like that between strong and weak collision resistance of a hash "
            "function."
        ),
        """
import numpy as np
from discreet.queries import Bounds, Column
from discreet.queries.median import Median

values = [40 + i / 2 for i in range(9)] + [80 + i / 2 for i in range(4)]
ages = Column.from_values(Bounds(0, 100, step=0.5), values)
print(Median().ladder(ages, np.arange(1))[0])
""",
        Phrase(
            "A book derives u/(n+1) for the mean: a person with the value u is added. It does not "
            "consider that a person may be removed, or that values may be below 0. The ladder A(k) "
            "here covers both."
        ),
        (NISSIM,),
    ),
    "leak": BookPage(
        (
            r"F(x) = f(x) + \mathrm{Lap}\left(\frac{\mathrm{LS}(f, x)}{\varepsilon}\right)",
            r"n = \frac{u}{\mathrm{LS}(f, x)} - 1",
        ),
        Phrase(
            "This is not differentially private, although it looks private: the size of the noise "
            "reveals data. This matters where n is private. Take a mean over all people named Joe: is "
            "it in the top 2%? It is about few people."
        ),
        """
import numpy as np
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.exhibits.global_mean import TextbookLocalMean
from discreet.queries import Bounds, Column

secret = Column.from_values(Bounds(0, 100, step=0.5), np.linspace(20, 80, 300))
law = TextbookLocalMean(0.5).law(secret)
results = law.simulate(SimulationNoise(1).uniforms(law.draws, 400_000)).reshape(400, 1000)
for m in range(10, 1000, 10):
    seen = results[:, :m]
    scale = np.abs(seen - np.median(seen, axis=1, keepdims=True)).mean(axis=1)
    n = 100 / (0.5 * scale) - 1
    if np.mean(np.abs(n - 300) <= 30) >= 0.95:
        print(m)
        break
""",
        sources=(NISSIM,),
    ),
    "jump": BookPage(
        (r"\delta = \max_S \big(\Pr[F(x) \in S] - e^\varepsilon \Pr[F(x') \in S]\big)",),
        Phrase(
            "This is the δ that two neighbouring datasets need at ε. Here it is near 1: a claim of "
            "ε-differential privacy is worthless. Noise on A(0) does not help: one person can change A(0) by half the "
            "range, and without bounds by any amount."
        ),
        """
import numpy as np
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.laws.law import Noisy
from discreet.mechanisms.laws.law import Laplace
from discreet.queries import Bounds, Column
from discreet.queries.median import Median

def law(young, old, epsilon=1.0):
    values = [40 + i / 2 for i in range(young)] + [80 + i / 2 for i in range(old)]
    column = Column.from_values(Bounds(0, 100, step=0.5), values)
    local = Median().ladder(column, np.arange(1))[0]
    return Noisy(Median().value(column), max(local, 0.25) / epsilon, Laplace())

print(largest([(law(5, 4), law(6, 4))], 1.0))
""",
        sources=(NISSIM,),
    ),
    "test": BookPage(
        (
            r"D = \min\{k : A(f, x, k) > b\}, \qquad \hat D = D + Z",
            r"T = \left\lceil \frac{1}{\varepsilon_1} \ln \frac{1}{\delta (1 + e^{-\varepsilon_1})} \right\rceil",
            r"F(x) = \begin{cases} f(x) + \mathrm{Lap}(b / \varepsilon_2) & \hat D \ge T \\"
            r" \bot & \hat D < T \end{cases}",
        ),
        Phrase(
            "One person changes D by at most 1, so D can be tested with integer noise Z for ε₁. A "
            "dataset at distance 0 passes with probability at most δ. From distance 1 on, b is enough "
            "for the result, which has ε₂ = ε − ε₁."
        ),
        """
from discreet.lab.explain import census_ground
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.queries.median import Median

ages = census_ground("age").resized(300).column
mechanism = ProposeTestRelease(query=Median(), epsilon=1.0, delta=1e-6, b=2.0)
test = mechanism.tested(ages)
print(test.distance)
""",
        Phrase(
            "A book's formula says A(k) > b, but its program stops at A(k) ≥ b. Here it is > b: noise "
            "for b covers a change of exactly b. The book gives the test and the result ε each and "
            "uses the threshold ln(2/δ)/(2ε): lesson 9 attacks this. Here both share ε, and the "
            "threshold is proven for integer noise."
        ),
        (DWORK_LEI,),
    ),
    "tent": BookPage(
        (r"S = \max_{k \ge 0} e^{-\beta k} A(f, x, k)", r"S(x) \le e^{\beta} S(x')"),
        Phrase(
            "Adding or removing one person shifts the sequence A(k) by at most one place, and so "
            "changes S by at most the factor e^β. Noise scaled to S therefore reveals almost nothing "
            "by its size."
        ),
        """
import numpy as np
from discreet.course.lessons.local.numbers import two_groups
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.median import Median

beta = SmoothCoreTail(query=Median(), epsilon=1.0, m=3).beta
k = np.arange(18)
product = np.exp(-beta * k) * Median().ladder(two_groups(9, 4), k)
print(product.argmax())
""",
        Phrase(
            "A book's formula begins at k = 1, its program at k = 0, and the program stops before k = "
            "200. Here k = 0 counts, and it is proven where the search may stop."
        ),
        (NISSIM,),
    ),
    "blocks": BookPage(
        (
            r"a_i = \max(l, \min(u, f(x_i)))",
            r"F(x) = \frac1k \sum_i a_i + \mathrm{Lap}\left(\frac{u - l}{k \varepsilon}\right)",
        ),
        Phrase(
            "One person is in one block, so one of the k results a changes, by u − l at most. Their mean moves by "
            "(u − l)/k at most: this is its global sensitivity, whatever f is. A k or a range chosen from the rows "
            "would reveal something about them."
        ),
        """
import numpy as np
from discreet.lab.explain import census_ground

rng = np.random.default_rng(1)
ages = census_ground("age").resized(300).column.values()

def error(k):
    off = []
    for _ in range(20):
        block = rng.integers(k, size=ages.size)
        medians = [np.median(ages[block == i]) if i in block else 50 for i in range(k)]
        released = np.clip(medians, 20, 80).mean() + rng.laplace(0, 60 / k, 40)
        off.append(np.abs(np.clip(released, 20, 80) - np.median(ages)))
    return np.quantile(off, 0.95)

print(min((1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300), key=error))
""",
        Phrase(
            "A book cuts the rows into k chunks in their order, so one person moves all later people into other "
            "chunks: lesson 9 attacks this. Here each person draws a block, and blocks stay private."
        ),
        (NISSIM,),
    ),
    "ways": BookPage(
        (
            r"D(f, x, b) = \min\{k : A(f, x, k) > b\}",
            r"S = \max_{k \ge 0} e^{-\beta k} A(f, x, k)",
            r"a_i = \max(l, \min(u, f(x_i)))",
            r"\frac1k \sum_i a_i + \mathrm{Lap}\left(\frac{u - l}{k \varepsilon}\right)",
        ),
        Phrase(
            "Propose-test-release adds noise of scale b/ε₂ if the noisy distance D is large. Smooth "
            "sensitivity adds noise that scales with S. Sample and aggregate needs no sensitivity of "
            "f."
        ),
        """
from discreet import Cost
from discreet.lab import contest
from discreet.course.lessons.local.numbers import WAYS
from discreet.lab.explain import census_ground
from discreet.queries.median import Median

ground, query = census_ground("age").resized(300), Median()
entrants = [contest.entrant(way, query, Cost.of("1", "1e-6"), ground) for way in WAYS]
named = [contest.Contender(m.slug, ground.tuned(m)) for m in entrants]
errors = [r.summary()["q95"] for r in contest.run(named, query, ground, 2000, seed=1)]
print(errors.index(min(errors)))
""",
        Phrase(
            "In a book, a failed test spends (ε, δ) like a result. Here it spends only the cost of "
            "the test, (ε₁, δ), because no result was drawn. The textbook's smooth noise 2S/ε is at "
            "least twice the local sensitivity. Core-tail noise needs no δ. To find S, it must be "
            "proven where the search may stop: see the median in *The textbook's comparisons*."
        ),
        (DWORK_LEI, NISSIM),
    ),
}
