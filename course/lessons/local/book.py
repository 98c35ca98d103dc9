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
from statistics import median

ages = [40 + i / 2 for i in range(9)] + [80 + i / 2 for i in range(4)]
without = [ages[:i] + ages[i + 1 :] for i in range(len(ages))]
with_one_more = [[*ages, newcomer / 2] for newcomer in range(201)]
print(max(abs(median(neighbour) - median(ages)) for neighbour in without + with_one_more))
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
            "This is not differentially private, although it looks private: the size of the noise reveals "
            "data. This matters where n is private: the noise on the mean of all people named Mia reveals how "
            "few they are."
        ),
        """
import math

n = 300

def below(total, m):  # how often m waiting times of mean 1 take less than this together
    term, more = math.exp(-total), 0.0
    for i in range(1, m + 1):
        more, term = more + term, term * total / i
    return 1 - more

m = 1  # as many distances from the median as results: their mean is the scale
low, high = (n + 1) / (1.1 * n + 1), (n + 1) / (0.9 * n + 1)
while below(high * m, m) - below(low * m, m) < 0.95:
    m += 1
print(m)
""",
        sources=(NISSIM,),
    ),
    "jump": BookPage(
        (r"\delta = \max_S \big(\Pr[F(x) \in S] - e^\varepsilon \Pr[F(x') \in S]\big)",),
        Phrase(
            "This is the δ that two neighbouring datasets need at ε. Here it is near 1: a claim of "
            "ε-differential privacy is worthless. At ε = 0 it is how far the best guess between the two is above 50%, "
            "doubled. Noise on A(0) does not help: one person can change A(0) by half the "
            "range, and without bounds by any amount."
        ),
        """
import math
from statistics import median

def law(young, old):
    ages = [40 + i / 2 for i in range(young)] + [80 + i / 2 for i in range(old)]
    near = [ages[:i] + ages[i + 1 :] for i in range(len(ages))] + [[*ages, a / 2] for a in range(201)]
    return median(ages), max(0.25, max(abs(median(rows) - median(ages)) for rows in near))

def density(x, centre, scale):
    return math.exp(-abs(x - centre) / scale) / (2 * scale)

def delta(epsilon, one, other):
    places = [x / 100 for x in range(-29_999, 40_000)]
    return sum(max(0, density(x, *one) - math.exp(epsilon) * density(x, *other)) for x in places) / 100

print(50 * (1 + delta(0, law(5, 4), law(6, 4))))
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

ages = sorted(census_ground("age").resized(300).column.values())
n, b, k = len(ages), 2, 0

def row(i):
    return ages[i - 1] if 1 <= i <= n else 0 if i < 1 else 100

def ls_within(k):  # half the widest gap in the middle that k people can make
    return max(row((w + k + 1) // 2) - row((w - k - 1) // 2) for w in (n, n + 1, n + 2) if (w + k) % 2) / 2

while ls_within(k) <= b:
    k += 1
print(k)
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
            "changes S by at most the factor e^β. The size of suitable noise therefore reveals "
            "no more than ε and δ allow."
        ),
        """
import math

ages = [40 + i / 2 for i in range(9)] + [80 + i / 2 for i in range(4)]
n, beta = len(ages), 1 / 3

def row(i):
    return ages[i - 1] if 1 <= i <= n else 0 if i < 1 else 100

def ls_within(k):  # half the widest gap in the middle that k people can make
    return max(row((w + k + 1) // 2) - row((w - k - 1) // 2) for w in (n, n + 1, n + 2) if (w + k) % 2) / 2

print(max(range(18), key=lambda k: math.exp(-beta * k) * ls_within(k)))
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
            r"F(x) = \max\left(l, \min\left(u, \frac1k \sum_i a_i + "
            r"\mathrm{Lap}\left(\frac{u - l}{k \varepsilon}\right)\right)\right)",
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
            "sensitivity adds noise that scales with S: no b has to be proposed, but A(k) must be known at every "
            "distance. Sample and aggregate needs no sensitivity of f, but a number of blocks and a range."
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
