"""Book of lesson 9: five published guarantees, and the correct ones."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_LEI, DWORK_ROTH, NISSIM, BookPage

OF_GLOBAL = BookPage(
    (
        r"\frac{\sum x_i + \mathrm{Lap}(2u/\varepsilon)}{n + \mathrm{Lap}(2/\varepsilon)}",
        r"\frac{\varepsilon}{2}\Big(1 + \frac{\max(|l|, |u|)}{u}\Big)",
    ),
    Phrase("The textbook's version, and its true ε. Both agree as long as l is not below −u."),
    """
from discreet.mechanisms import Public
from discreet.mechanisms.exhibits.global_mean import TextbookGlobalMean
from discreet.queries import Bounds

bounds = Bounds(-100, 20, integer=True)
print(TextbookGlobalMean(1.0).true_guarantee(Public(bounds)).epsilon)
""",
    Phrase("The program clips only from above, so no lower bound is declared. For ages, with l = 0, it is right."),
)
OF_LOCAL = BookPage(
    (r"\mathrm{Lap}\Big(\frac{u}{(n+1)\,\varepsilon}\Big), \qquad \mathrm{LS} \le \frac{u - l}{n}",),
    Phrase(
        "The textbook's noise, and what one person can change. Noise of local size is not private with any constant."
    ),
    """
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.exhibits.global_mean import TextbookLocalMean
from discreet.queries import Bounds, Column

bounds, printed = Bounds(-100, 100, integer=True), TextbookLocalMean(1.0)
without = Column.from_values(bounds, [-100] * 39)
within = Column.from_values(bounds, [-100] * 39 + [100])
print(largest([(printed.law(without), printed.law(within))], 1.0))
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
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.exhibits.ptr import TextbookPTR
from discreet.queries import Bounds, Column
from discreet.queries.median import Median

printed = TextbookPTR(1.0, 1e-3, Median(), 0.5)
bounds, rows = Bounds(0, 1000, integer=True), [0, 0, 0, 1, 1, 1000]
pair = [Column.from_values(bounds, data) for data in (rows, [*rows, 1000])]
print(largest([(printed.law(pair[0]), printed.law(pair[1]))], 1.0))
""",
    Phrase(
        "For δ = 1/n² and n = 32,561 the textbook's threshold is 10.737. The proven one is 41, "
        "with half of ε for the test. A failed test still spends the cost of the test."
    ),
    (DWORK_LEI,),
)
OF_SMOOTH = BookPage(
    (r"S = \max_{k = 1, \dots, n} e^{-\beta k} A(f, x, k), \qquad \beta = \frac{\varepsilon}{2 \ln(2/\delta)}",),
    Phrase("With k = 0 in the maximum it is right. The program beside it starts at k = 0, the formula at k = 1."),
    """
import math
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.exhibits.smooth import TextbookSmooth
from discreet.queries import Bounds, Column
from discreet.queries.median import Median

printed = TextbookSmooth(6.0, 0.1, Median())
rows = [0.0] * 20 + [100 * (1 - math.exp(-printed.beta))] + [100.0] * 21
pair = [Column.from_values(Bounds(0, 100), data) for data in (rows, [*rows, 100])]
print(largest([(printed.law(pair[0]), printed.law(pair[1]))], 6.0))
""",
    Phrase("0.006142 in the book is 2u/(n+1): the scale 2S/ε at ε = 1, with u/(n+1) for A(0)."),
    (NISSIM,),
)
OF_CHUNKS = BookPage(
    (r"c_i = (x_{(i-1) m + 1}, \dots, x_{i m}), \quad m = \lceil n/k \rceil",),
    Phrase("Disjoint chunks are not enough: the rows in a chunk must not depend on who else is in the dataset."),
    """
import numpy as np
from discreet.mechanisms import registry
from discreet.mechanisms.exhibits.exhibit import largest

rows = np.resize([0.0, 0.0, 100.0, 100.0], 40)
printed = registry["textbook-chunks"](
    estimator="standard-deviation", k=20, lower=0.0, upper=50.0, epsilon=0.1
)
print(largest([(printed.law(rows[1:]), printed.law(rows))], 0.1))
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
