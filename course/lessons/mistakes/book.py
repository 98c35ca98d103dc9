"""Book of lesson 9: five published guarantees, and the correct ones."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_LEI, DWORK_ROTH, NISSIM, BookPage

OF_GLOBAL = BookPage(
    (
        r"\frac{\sum x_i + \mathrm{Lap}(2u/\varepsilon)}{n + \mathrm{Lap}(2/\varepsilon)}",
        r"\frac{\varepsilon}{2}\Big(1 + \frac{\max(|l|, |u|)}{u}\Big)",
    ),
    Phrase("The textbook's version, and its true ε. It is the claimed one as long as l is not below −u."),
    """
lower, upper, epsilon = -100, 20, 1.0


def loss(newcomer):
    in_sum = abs(min(newcomer, upper)) / (2 * upper / epsilon)  # the change divided by the scale of the noise
    in_count = 1 / (2 / epsilon)
    return in_sum + in_count


print(max(loss(newcomer) for newcomer in range(lower, 101)))
""",
    Phrase("The program clips only from above, so no lower bound is declared. For ages, with l = 0, it is right."),
)
OF_LOCAL = BookPage(
    (r"\mathrm{Lap}\Big(\frac{u}{(n+1)\,\varepsilon}\Big), \qquad \mathrm{LS} \le \frac{u - l}{n}",),
    Phrase(
        "The textbook's noise, and what one person can change. Noise of local size is not "
        "private with any constant, without a δ."
    ),
    """
import math

def printed(rows, upper=100, epsilon=1.0):
    return sum(rows) / len(rows), upper / (len(rows) + 1) / epsilon

def density(x, centre, scale):
    return math.exp(-abs(x - centre) / scale) / (2 * scale)

def delta(law, other):
    grid = [x / 100 for x in range(-20_000, 0)]
    return sum(max(0, density(x, *law) - math.e * density(x, *other)) for x in grid) / 100

without, within = printed([-100] * 39), printed([-100] * 39 + [100])
print(max(delta(without, within), delta(within, without)))
""",
    sources=(NISSIM,),
)
OF_TEST = BookPage(
    (
        r"D + \mathrm{Lap}(1/\varepsilon) < \frac{\ln(2/\delta)}{2 \varepsilon} \Rightarrow \bot",
        r"T = \left\lceil \frac{1}{\varepsilon_1} \ln \frac{1}{\delta (1 + e^{-\varepsilon_1})} \right\rceil",
    ),
    Phrase(
        "The textbook's test, and the threshold that is proven for integer noise. In the proven "
        "version, the test has ε₁ and the result the rest of ε. Where the bound is wrong, a test "
        "must pass with probability at most δ."
    ),
    """
import math

epsilon, delta, b = 1.0, 1e-3, 0.5
threshold = math.log(2 / delta) / (2 * epsilon)

def passes(distance):  # how often distance + Lap(1/epsilon) reaches the threshold
    beyond = math.exp(-epsilon * abs(distance - threshold)) / 2
    return beyond if distance < threshold else 1 - beyond

def density(x, median):  # of median + Lap(b/epsilon)
    return math.exp(-abs(x - median) * epsilon / b) * epsilon / (2 * b)

grid = [x / 1000 for x in range(-20_000, 20_000)]  # [0, 0, 0, 1, 1, 1000]: D = 3; with one more at 1000: D = 2
above = (passes(3) * density(x, 0.5) - math.e * passes(2) * density(x, 1.0) for x in grid)
print(sum(max(0, more) for more in above) / 1000)
""",
    Phrase(
        "For ε = 1, δ = 1/n² and n = 32,561 the textbook's threshold is 10.737. The proven one is 41, with "
        "half of ε for the test. A failed test still spends the cost of the test."
    ),
    (DWORK_LEI,),
)
OF_SMOOTH = BookPage(
    (r"S = \max_{k = 1, \dots, n} e^{-\beta k} A(f, x, k), \qquad \beta = \frac{\varepsilon}{2 \ln(2/\delta)}",),
    Phrase("With k = 0 in the maximum it is right. The program beside it starts at k = 0, the formula at k = 1."),
    """
import math
from statistics import median

epsilon, beta = 6.0, 6.0 / (2 * math.log(2 / 0.1))

def printed(rows, first=1):  # with first=0 it is right
    n, row = len(rows), dict(enumerate([0] * 99 + rows + [100] * 99, -98))
    pairs = [(k, w) for k in range(first, 60) for w in (n, n + 1, n + 2) if (w + k) % 2]
    s = max(math.exp(-beta * k) * (row[(w + k + 1) // 2] - row[(w - k - 1) // 2]) / 2 for k, w in pairs)
    return median(rows), 2 * s / epsilon

rows = [0.0] * 20 + [100 * (1 - math.exp(-beta))] + [100.0] * 21
(one, few), (two, more) = printed(rows), printed([*rows, 100.0])
grid = [x / 100 for x in range(-10_000, 20_000)]
above = (math.exp(-abs(x - one) / few) / few - math.exp(epsilon - abs(x - two) / more) / more for x in grid)
print(sum(max(0, most) for most in above) / 200)
""",
    Phrase("0.006142 in the book is 2u/(n+1): the scale 2S/ε at ε = 1, with u/(n+1) for A(0)."),
    (NISSIM,),
)
OF_CHUNKS = BookPage(
    (r"c_i = (x_{(i-1) m + 1}, \dots, x_{i m}), \quad m = \lceil n/k \rceil",),
    Phrase("Disjoint chunks are not enough: the rows in a chunk must not depend on who else is in the dataset."),
    """
import math
from statistics import pstdev

k, lower, upper, epsilon = 20, 0, 50, 0.1

def mean_of_chunks(rows):
    m = math.ceil(len(rows) / k)
    chunks = [rows[i : i + m] for i in range(0, len(rows), m)]
    answers = [pstdev(chunk) if len(chunk) > 1 else 25 for chunk in chunks]
    return sum(max(lower, min(upper, a)) for a in answers) / len(chunks)

rows = [0, 0, 100, 100] * 10
moved = mean_of_chunks(rows[1:]) - mean_of_chunks(rows)
loss = abs(moved) / ((upper - lower) / (k * epsilon))
print(1 - math.exp((epsilon - loss) / 2))
""",
    Phrase(
        "A book states that any split is good enough. Here each row gets its block at random, in "
        "secret, and keeps it when other people are added."
    ),
    (NISSIM,),
)
OF_CATASTROPHE = BookPage(
    (
        r"F(x) = \begin{cases} x & \Pr = \delta \\ \bot & \Pr = 1 - \delta \end{cases}",
        r"\Pr[F(x) \in S] \le e^0 \Pr[F(x') \in S] + \delta",
    ),
    Phrase("The catastrophe mechanism has ε = 0, but with probability δ it reveals everything."),
    """
delta, hidden = 0.001, 1.0
for day in range(365):
    hidden = hidden * (1 - delta)
print(100 * (1 - hidden))
""",
    Phrase(
        "Lecture notes claim that with probability 1 − δ the guarantee is that of ε. The "
        "definition guarantees less: with δ it allows any result. Propose-test-release is better "
        "than this: it never releases a result without noise."
    ),
    (DWORK_ROTH,),
)
