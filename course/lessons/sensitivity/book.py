"""Book of lesson 4: distance, global sensitivity, clipping, bounds."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_2006, DWORK_ROTH, LYU, BookPage

PAGES = {
    "distance": BookPage(
        (r"d(x, x') = \left| (x \setminus x') \cup (x' \setminus x) \right|",),
        Phrase(
            "The symmetric difference. Unbounded differential privacy compares datasets at distance 1; bounded "
            "differential privacy compares those with one changed row, which is distance 2."
        ),
        """
from collections import Counter

first = Counter([25, 30, 30, 45, 50, 65])
second = Counter([25, 30, 30, 60, 50, 65])
print(((first - second) + (second - first)).total())
""",
        Phrase(
            "Notes call datasets neighbours if one person's data differ, and then count that as 1 or as 2. Every "
            "card here says which neighbours it means."
        ),
        (DWORK_ROTH,),
    ),
    "statistics": BookPage(
        (
            r"\mathrm{GS}(f) = \max_{d(x,x') \le 1} |f(x) - f(x')|",
            r"\mathrm{GS}_{\pm}(\textstyle\sum) = \max(|l|, |u|), \qquad \mathrm{GS}_{=}(\textstyle\sum) = u - l",
        ),
        Phrase(
            "The most that one person can move f, whatever the data. For f(x) = x it is 1 if x moves by 1, for "
            "f(x) = n x it is n, for f(x) = x² it depends on x: without bounds there is none."
        ),
        """
from discreet.queries import Bounds
from discreet.queries.sum import Sum

ages = Bounds(20, 100, integer=True)
print(Sum().global_sensitivity(ages))
""",
        Phrase(
            "Books print u − l for sums. That is right if a row changes; if a row comes or goes it is the larger "
            "of |l| and |u|. With l = 0 both agree."
        ),
        (DWORK_2006,),
    ),
    "functions": BookPage(
        (r"f(x) = x: \ 1, \qquad f(x) = n x: \ n, \qquad f(x) = x^2: \ \max_x\,(2x + 1)",),
        Phrase("Sensitivity is how far the result moves if the input moves by 1, at the worst place."),
        """
from discreet.course.lessons.sensitivity.numbers import FUNCTIONS

square = FUNCTIONS["square"]
print(square(51, 1) - square(50, 1))
""",
        Phrase("Notes call the sensitivity of x² unknown. With a bound on x it is known: 2u − 1 for x from 0 to u."),
        (DWORK_2006,),
    ),
    "clipping": BookPage(
        (r"\sum_i \min(x_i, u) + \mathrm{Lap}(u/\varepsilon)",),
        Phrase(
            "Clipping makes an unbounded sensitivity bounded. It trades noise, which shrinks with ε, for bias, "
            "which does not."
        ),
        """
from discreet.lab.explain import clipping
from discreet.lab.explain import census_ground

gains = census_ground("capital_gain").resized(3000).column
curve = clipping(gains, epsilon=0.1)
print(curve.bounds[(curve.bias + curve.noise).argmin()])
""",
        Phrase(
            "Notes take bounds from a histogram of the data, and say that this is not private. The next step has "
            "private ways."
        ),
        (DWORK_ROTH,),
    ),
    "bounds": BookPage(
        (r"\hat u = \min\{u : \#\{x_i > u\} + Z \le T\}",),
        Phrase(
            "A bound may be found with a part of the budget: by the sparse vector technique, which pays once, or "
            "by a histogram."
        ),
        """
from discreet.course.lessons.sensitivity.numbers import WAYS, chosen

firm, highest, epsilon = 500, 600_000, 0.5
right = {way: chosen(way, firm, highest, epsilon).guess for way in WAYS}
print(max(right, key=right.get))
""",
        Phrase("Notes widen bounds until the answer stops changing. Every look is an answer, and costs ε each time."),
        (LYU,),
    ),
}
