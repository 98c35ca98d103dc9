"""Steps: one idea of a lesson with its figure, its guess and its page of the textbook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from discreet.course.controls import Controls
from discreet.course.guessing import GuessPoint
from discreet.course.letters import Letter
from discreet.ui.frame.words import say
from discreet.ui.session.guesses import Prediction

# Book page: the textbook's text for a step, and a program that computes the number of its question.

DWORK_2006 = "Dwork, McSherry, Nissim and Smith 2006, “Calibrating noise to sensitivity in private data analysis”"
DWORK_KOHLI = "Dwork, Kohli and Mulligan 2019, “Differential privacy in practice: expose your epsilons!”"
DWORK_LEI = "Dwork and Lei 2009, “Differential privacy and robust statistics”"
DWORK_ROTH = "Dwork and Roth 2014, “The algorithmic foundations of differential privacy”"
NISSIM = "Nissim, Raskhodnikova and Smith 2007, “Smooth sensitivity and sampling in private data analysis”"
SWEENEY = "Sweeney 2002, “k-anonymity: a model for protecting privacy”"
MIRONOV = "Mironov 2017, “Rényi differential privacy”"
BUN_STEINKE = "Bun and Steinke 2016, “Concentrated differential privacy: simplifications, extensions, and lower bounds”"
BALLE_WANG = "Balle and Wang 2018, “Improving the Gaussian mechanism for differential privacy”"
MCSHERRY_TALWAR = "McSherry and Talwar 2007, “Mechanism design via differential privacy”"
MCKENNA_SHELDON = "McKenna and Sheldon 2020, “Permute-and-flip: a new mechanism for differentially private selection”"
CHAUDHURI = "Chaudhuri, Monteleoni and Sarwate 2011, “Differentially private empirical risk minimization”"
LYU = "Lyu, Su and Li 2017, “Understanding the sparse vector technique for differential privacy”"
WARNER = "Warner 1965, “Randomized response: a survey technique for eliminating evasive answer bias”"
GHOSH = "Ghosh, Roughgarden and Sundararajan 2009, “Universally utility-maximizing privacy mechanisms”"
KAIROUZ = "Kairouz, Oh and Viswanath 2015, “The composition theorem for differential privacy”"


@dataclass(frozen=True)
class BookPage:
    """Formulas in LaTeX, their meaning, the program, where books differ from the screen and why, and sources."""

    formulas: tuple[str, ...]
    meaning: str
    program: str
    differs: str = ""
    sources: tuple[str, ...] = ()


# Answer: what one sees on trying what a step suggests.


@dataclass(frozen=True)
class Answer:
    """What one sees on trying: a sentence, and its numbers by the names of their places, computed when it is shown."""

    text: str
    numbers: Callable[[], Mapping[str, str]] = dict

    def said(self) -> str:
        """Return the sentence with its numbers, in the language of the screen."""
        return say(self.text, **self.numbers())


# Step: one idea of a lesson, with its figure, its guess and its page of the book.


@dataclass(frozen=True)
class Step:
    """A step: its name in the address, its text, what to try, its controls, and its figure.

    With a point, its guess is put on the figure itself; the letters are those of its formulas. A step for
    mathematicians is behind the others, none of which needs it. A part of another step, by the name of that step, is
    its second figure: it has its own guess and address, and is not counted. Its answer is folded below what to try.
    """

    name: str
    title: str
    tell: str
    attempt: str
    controls: Callable[[Controls], Any]
    figure: Callable[[Any, str], None]
    prediction: Prediction
    page: BookPage
    point: GuessPoint | None = None
    letters: Mapping[str, Letter] = field(default_factory=dict)
    mathematical: bool = False
    part_of: str = ""
    answer: Answer = field(kw_only=True)

    @property
    def counts(self) -> bool:
        """Whether it is one of the steps that everyone goes."""
        return not self.mathematical and not self.part_of
