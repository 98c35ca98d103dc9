"""Book of lesson 5: composition, divergences, Rényi and zCDP, norms."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import BALLE_WANG, BUN_STEINKE, DWORK_ROTH, KAIROUZ, MIRONOV, BookPage

PAGES = {
    "sequential": BookPage(
        (
            r"(F_1(x), \dots, F_k(x)): \ \varepsilon = \textstyle\sum_i \varepsilon_i",
            r"(F_1(x_1), \dots, F_k(x_k)): \ \varepsilon = \max_i \varepsilon_i",
        ),
        Phrase(
            "Sequential and parallel composition. If the results have a δ each, the values of δ add up in the "
            "same way, or only the largest counts. Post-processing: whatever is computed from a result alone "
            "is at least as private as the result."
        ),
        """
people = [group for group in range(10) for _ in range(30)]
spent = [0.0] * len(people)
for asked in range(10):
    for person, group in enumerate(people):
        if group == asked:
            spent[person] += 0.1
print(max(spent))
""",
        sources=(DWORK_ROTH,),
    ),
    "divergences": BookPage(
        (
            r"D_\infty(P \| Q) = \max_S \ln \frac{P(S)}{Q(S)}, \qquad "
            r"\mathrm{KL}(P \| Q) = \mathbb{E}_P \ln \frac{P}{Q}",
            r"\Pr[F(x) \in S] \le e^\varepsilon \Pr[F(x') \in S] + \delta",
        ),
        Phrase(
            "ε-differential privacy bounds the max divergence both ways. Divergences are not "
            "symmetric: KL(P‖Q) and KL(Q‖P) differ in general. For two distributions that are mirror "
            "images they agree."
        ),
        """
import math

scale = 2.0


def density(result, count):
    return math.exp(-abs(result - count) / scale) / (2 * scale)


results = [880 + step / 10 for step in range(400)]
print(max(math.log(density(x, 900) / density(x, 899)) for x in results))
""",
        Phrase(
            "Some lecture notes read δ as the probability that privacy fails. It is not. δ is the "
            "area by which one distribution may exceed e^ε times the other. A mechanism that "
            "publishes everything with probability δ satisfies the same definition. That is why δ "
            "must be far below 1/n."
        ),
        (DWORK_ROTH, BALLE_WANG),
    ),
    "coins": BookPage(
        (r"\mathrm{KL}(P \| Q) = \sum_a P(a) \ln \frac{P(a)}{Q(a)} \ne \mathrm{KL}(Q \| P)",),
        Phrase(
            "The average of the loss, weighted by the probabilities of the first distribution. The "
            "max divergence is not an average."
        ),
        """
import math

p, q = [0.5, 0.5], [0.99, 0.01]


def kl(one, other):
    return sum(a * math.log(a / b) for a, b in zip(one, other))


print(kl(p, q) / kl(q, p))
""",
        Phrase(
            "Lecture notes state that KL is not symmetric, and give no example. KL is therefore not a "
            "distance, and privacy bounds the loss both ways."
        ),
        (DWORK_ROTH,),
    ),
    "accounts": BookPage(
        (
            r"\varepsilon_k = \varepsilon\sqrt{2k \ln(1/\delta)}"
            r" + k\,\varepsilon\,\frac{e^\varepsilon - 1}{e^\varepsilon + 1}",
        ),
        Phrase(
            "Advanced composition in one of its forms: 5.76 for 100 results of ε = 0.1 at δ = 10⁻⁶. Optimal "
            "composition, 4.77, is exact for the worst mechanisms of this ε, randomized responses. Both are "
            "valid if the ε of each query is fixed in advance. Rényi and zCDP lose a little in the conversion "
            "to ε."
        ),
        """
import math

k, epsilon, delta = 100, 0.1, 1e-6
truth = 1 / (1 + math.exp(-epsilon))  # the worst case: a coin that says the truth this often


def excess(total):
    said = [math.comb(k, lies) * truth ** (k - lies) * (1 - truth) ** lies for lies in range(k + 1)]
    return sum(max(0, p - math.exp(total) * q) for p, q in zip(said, reversed(said)))


low, high = 0.0, k * epsilon
while high - low > 1e-6:
    middle = (low + high) / 2
    low, high = (middle, high) if excess(middle) > delta else (low, middle)
print(high)
""",
        sources=(KAIROUZ, DWORK_ROTH),
    ),
    "curves": BookPage(
        (
            r"D_\alpha(P \| Q) = \frac{1}{\alpha - 1} \ln \mathbb{E}_{Q}\left(\frac{P}{Q}\right)^{\alpha}",
            r"\varepsilon = \bar\varepsilon + \frac{\ln(1/\delta)}{\alpha - 1}",
            r"\varepsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}",
        ),
        Phrase(
            "Rényi divergences of results add up order by order. Order 1 is KL, order ∞ the max divergence. "
            "zCDP bounds the whole curve by the line ρα: ρ is 1/(2σ²) for Gaussian noise on a count, ε²/2 for "
            "a result of ε. Both noises of the figure have the same standard deviation."
        ),
        """
import numpy as np

k, epsilon, delta = 50, 0.2, 1e-6
a = 1 + np.geomspace(0.05, 500, 161)
mean = a / (2 * a - 1) * np.exp((a - 1) * epsilon) + (a - 1) / (2 * a - 1) * np.exp(-a * epsilon)
renyi = np.log(mean) / (a - 1)
proven = k * renyi + np.log((a - 1) / a) - (np.log(delta) + np.log(a)) / (a - 1)
print(a[proven.argmin()])
""",
        Phrase(
            "The textbook's two conversions are right but loose: for ρ = 1 and δ = 10⁻⁶ they give 8.43, the "
            "conversion used here 7.77. The whole curve of 50 results with Laplace noise, with ρ equal to 1, "
            "proves 7.01."
        ),
        (MIRONOV, BUN_STEINKE),
    ),
    "noise": BookPage(
        (
            r"\|a\|_1 = \textstyle\sum |a_i|, \qquad \|a\|_2 = \sqrt{\textstyle\sum a_i^2}",
            r"\sigma^2 = \frac{2 s^2 \ln(1.25/\delta)}{\varepsilon^2} \quad (\varepsilon < 1)",
        ),
        Phrase(
            "Laplace noise scales with the L1 sensitivity of a list, Gaussian noise with the L2 "
            "sensitivity. The figure uses the exact σ, which is smaller than this formula's and "
            "holds for every ε."
        ),
        """
from math import erf, exp, log, sqrt

counts, epsilon, delta = 30, 1.0, 1e-6


def below(x):
    return (1 + erf(x / sqrt(2))) / 2


low, high = 0.1, 100.0
while high - low > 1e-6:
    sigma = (low + high) / 2
    needed = below(0.5 / sigma - epsilon * sigma) - exp(epsilon) * below(-0.5 / sigma - epsilon * sigma)
    low, high = (sigma, high) if needed > delta else (low, sigma)
print(log(20) * counts / epsilon / (1.959964 * sqrt(counts) * high))
""",
        Phrase(
            "The textbook's σ is valid for ε < 1 only, and is wider than needed. For s = 1, ε = 0.5 and δ = "
            "10⁻⁶ it is 10.60; the exact one used here is 8.06."
        ),
        (BALLE_WANG, DWORK_ROTH),
    ),
}
