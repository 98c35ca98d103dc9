"""Contents: the lessons in their order, and the glossary."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.ui.frame.catalogue import said_in
from discreet.ui.frame.words import say
from discreet.ui.session.state import LANGUAGES

# Lessons: in the order of the textbook, with their time and the screens they lead to.


@dataclass(frozen=True)
class Lesson:
    """A lesson: its page, its topic, its minutes, and the screens it leads to.

    `minutes` is the time in a half-day workshop; `plan` says what a teacher does with it, `goals` what learners can do
    afterwards.
    """

    page: str
    title: Phrase
    idea: Phrase
    minutes: int
    leads: tuple[tuple[str, Phrase], ...]
    plan: Phrase
    goals: tuple[Phrase, ...]

    @property
    def number(self) -> int:
        """Its number in the course, from 1."""
        return LESSONS.index(self) + 1

    @property
    def key(self) -> str:
        """The prefix of the keys of all its widgets."""
        return f"lesson{self.number}"


SMOOTH = ("smooth_sensitivity", Phrase("Smooth sensitivity"))
TEST = ("propose_test_release", Phrase("Propose-test-release"))
BLOCKS = ("sample_and_aggregate", Phrase("Sample and aggregate"))
GLOBAL = ("global_sensitivity", Phrase("Global sensitivity"))
SELECTION = ("exponential_selection", Phrase("Exponential selection"))
BUDGET = ("budget", Phrase("Budget"))
COMPARE = ("compare", Phrase("Compare"))

# minutes of break after a lesson, in half a day
BREAKS = {3: 15, 6: 15}

LESSONS = (
    Lesson(
        "lesson_1_deidentification",
        Phrase("Names removed, people found"),
        Phrase("A table without names still points at people: a few harmless columns are enough."),
        20,
        (("data", Phrase("Data")),),
        Phrase("Join the two tables together with the class; let everybody find a k of 5 that loses least."),
        (
            Phrase("say which harmless columns together name a person"),
            Phrase("read k off a table, and say what a larger one costs"),
        ),
    ),
    Lesson(
        "lesson_2_differencing",
        Phrase("Two harmless questions"),
        Phrase("Exact answers to large questions give away one person. Noise stops it, a budget keeps it stopped."),
        25,
        (GLOBAL, BUDGET),
        Phrase("Ask the two questions aloud first. Then noise, then the ledger: who gets the best average?"),
        (
            Phrase("show how two harmless counts give one person away"),
            Phrase("say what noise prevents, and what the budget prevents"),
        ),
    ),
    Lesson(
        "lesson_3_laplace",
        Phrase("The Laplace mechanism"),
        Phrase("Noise as wide as one person's influence, divided by ε: neighbours become hard to tell apart."),
        20,
        (GLOBAL,),
        Phrase("Move ε before naming it. End on the ratio of the two histograms: it is the definition."),
        (
            Phrase("choose the noise for an ε, and say how far off the answer is"),
            Phrase("check an ε on the chances of two neighbours"),
        ),
    ),
    Lesson(
        "lesson_4_sensitivity",
        Phrase("Sensitivity and bounds"),
        Phrase("How far can one person move the answer? Bounds decide, and bounds have a price."),
        25,
        (GLOBAL, COMPARE),
        Phrase("Let the class propose bounds for incomes before they look. Then show what looking tells."),
        (
            Phrase("say how far one person moves a count, a sum and a mean"),
            Phrase("choose bounds, and say what each way to them costs"),
        ),
    ),
    Lesson(
        "lesson_5_composition",
        Phrase("What many answers cost"),
        Phrase("Privacy losses add up. Better accounts add up less."),
        20,
        (BUDGET, GLOBAL),
        Phrase("Everybody guesses what 100 answers of ε = 0.1 cost, then reads it off under each account."),
        (
            Phrase("add up what answers cost, of the same people and of separate groups"),
            Phrase("say what δ means, and when a better account pays"),
        ),
    ),
    Lesson(
        "lesson_6_local_sensitivity",
        Phrase("Local sensitivity"),
        Phrase("These data often need far less noise than the worst ones, but the noise itself must not tell so."),
        35,
        (TEST, SMOOTH, BLOCKS),
        Phrase("The heart of the day: recover n from the noise, then open all three mechanism pages."),
        (
            Phrase("define local sensitivity, and tell it from global sensitivity"),
            Phrase("say how noise that follows it gives the data away"),
            Phrase("name three safe ways to use it, and what each of them needs"),
        ),
    ),
    Lesson(
        "lesson_7_election",
        Phrase("Choosing without counting aloud"),
        Phrase("Where noise on the answer makes no sense, make good answers likelier."),
        25,
        (SELECTION,),
        Phrase("Hold the election in the room with the real votes of the class, at three values of ε."),
        (
            Phrase("choose among a few places at an ε, without counting aloud"),
            Phrase("say where noise on the answer makes no sense"),
        ),
    ),
    Lesson(
        "lesson_8_streams",
        Phrase("Streams, and nobody to trust"),
        Phrase("Pay for the few answers that matter, or add the noise before anybody collects."),
        20,
        (SELECTION, COMPARE),
        Phrase("Two short stories; with little time show the curve of error against people only."),
        (
            Phrase("follow a stream for the price of one answer"),
            Phrase("correct a share that was asked through coins, and say what trust is worth"),
        ),
    ),
    Lesson(
        "lesson_9_mistakes",
        Phrase("What the textbook gets wrong"),
        Phrase("Printed guarantees can be tested, and some of them fail."),
        20,
        (COMPARE, TEST),
        Phrase("Attack a printed guarantee live, then run the corrected form through the same test."),
        (Phrase("test a printed guarantee on two neighbours"), Phrase("say what has to change for it to hold")),
    ),
)


# Glossary: the terms of the course in both languages, with those of the Chinese textbook.

# a term, its name in the textbook and the notes, and its meaning
TERMS = (
    (
        Phrase("Differential privacy"),
        "差分隐私",
        Phrase("No answer is more than e^ε times likelier with a person than without, whoever it is."),
    ),
    (
        Phrase("Approximate differential privacy"),
        "近似差分隐私",
        Phrase("The same, but for an area δ by which one law may exceed e^ε times the other."),
    ),
    (
        Phrase("Failure probability"),
        "失败概率",
        Phrase(
            "What notes call δ. It is an area, and not a chance that the promise of ε fails once in a while. At "
            "δ = 1/n it lets one of n people, drawn by lot, be told whole: notes ask for 1/n² at most."
        ),
    ),
    (
        Phrase("Differencing attack"),
        "差分攻击",
        Phrase("Two harmless questions whose answers differ by one person, and so tell of that person."),
    ),
    (
        Phrase("Mechanism"),
        "机制",
        Phrase("An algorithm with noise in it. It is private or not; an answer and a table of data are neither."),
    ),
    (
        Phrase("Distance of datasets"),
        "距离（对称差）",
        Phrase("How many rows have to come or go until one is the other. A changed row is a distance of 2."),
    ),
    (Phrase("Neighbours"), "临近数据集", Phrase("Two datasets that differ by one person, who comes, goes or changes.")),
    (
        Phrase("Unbounded and bounded"),
        "无界、有界",
        Phrase("A person comes or goes, and n is secret; or a person changes, and n is public."),
    ),
    (Phrase("Statistic"), "问询", Phrase("The function of the data that is asked for: a count, a mean, a median.")),
    (Phrase("Privacy budget"), "隐私预算", Phrase("What all answers about the same people may cost together.")),
    (Phrase("Cost"), "隐私消耗量", Phrase("The ε and δ of an answer, charged before it is drawn.")),
    (Phrase("Global sensitivity"), "全局敏感度", Phrase("How far one person can move a statistic, on the worst data.")),
    (
        Phrase("Local sensitivity"),
        "局部敏感度",
        Phrase("How far one person can move it on these data: a secret, because it depends on them."),
    ),
    (Phrase("Ladder A(k)"), "k 距离局部敏感度", Phrase("The largest local sensitivity within k persons of the data.")),
    (
        Phrase("Unbounded sensitivity"),
        "无界敏感度",
        Phrase("No bound says how far one person can move a statistic, so no noise is enough. Clipping mends it."),
    ),
    (Phrase("Clipping"), "裁剪", Phrase("Values beyond a bound count as the bound.")),
    (Phrase("Laplace mechanism"), "拉普拉斯机制", Phrase("Noise of scale sensitivity / ε on a number.")),
    (Phrase("Gaussian mechanism"), "高斯机制", Phrase("Normal noise, which follows L2 and needs a δ.")),
    (
        Phrase("L1 and L2 norm"),
        "L1范数、L2范数",
        Phrase(
            "The length of a list of changes: all of them added up, or as an arrow. Laplace or Gaussian noise follows."
        ),
    ),
    (
        Phrase("Propose-test-release"),
        "建议-测试-发布",
        Phrase("Propose a bound, test in private whether it is safe, then answer."),
    ),
    (
        Phrase("Smooth sensitivity"),
        "平滑敏感度",
        Phrase("The largest e^(−βk) A(k): it hardly changes from neighbour to neighbour."),
    ),
    (
        Phrase("Sample and aggregate"),
        "采样-聚合",
        Phrase("Answer on separate blocks of people, then aggregate with noise."),
    ),
    (
        Phrase("Catastrophe mechanism"),
        "灾难机制",
        Phrase("Publishes all data with chance δ, and nothing else: still (0, δ)."),
    ),
    (Phrase("Exponential mechanism"), "指数机制", Phrase("Draws a candidate with a weight that grows with its score.")),
    (Phrase("Candidate"), "备选回复", Phrase("What may be chosen. The list is public.")),
    (Phrase("Score"), "评分函数", Phrase("How good a candidate is on the data.")),
    (Phrase("Sequential composition"), "串行组合性", Phrase("Costs of answers about the same people add up.")),
    (
        Phrase("Parallel composition"),
        "并行组合性",
        Phrase("Answers about separate groups cost what the dearest costs."),
    ),
    (Phrase("Post-processing"), "后处理性", Phrase("What is computed from an answer costs nothing more.")),
    (
        Phrase("KL divergence"),
        "KL散度（相对熵）",
        Phrase("The average privacy loss. It is not symmetric, and so it is no distance."),
    ),
    (Phrase("Max divergence"), "最大散度", Phrase("The largest privacy loss: ε is its bound.")),
    (
        Phrase("Rényi divergence"),
        "瑞丽散度",
        Phrase("An average of the loss, of order α; it adds up answer by answer."),
    ),
    (Phrase("zCDP"), "零集中差分隐私", Phrase("Rényi divergences of all orders α are at most ρα.")),
    (
        Phrase("Sparse vector technique"),
        "稀疏向量技术",
        Phrase("Asks many questions and pays for the few that are above a threshold."),
    ),
    (Phrase("Local model"), "本地差分隐私", Phrase("Everybody adds noise before anybody collects.")),
    (Phrase("Randomized response"), "随机响应", Phrase("A truth or its opposite, by the flip of a coin.")),
    (
        Phrase("Four places of noise"),
        "输入扰动、目标扰动、优化扰动、输出扰动",
        Phrase("On the data, on what is optimised, on each step of the optimiser, or on the result."),
    ),
    (
        Phrase("De-identification"),
        "去标识",
        Phrase("Removing names and numbers of persons; what is left may still point at them."),
    ),
    (Phrase("k-anonymity"), "k-匿名性", Phrase("Everybody agrees with k − 1 others in all that may be known.")),
    (Phrase("Generalisation"), "泛化", Phrase("A coarser value in the place of a value.")),
    (
        Phrase("19 in 20"),
        "–",
        Phrase("In 95 of a hundred cases. What lies further away happens once in twenty times, on average."),
    ),
)


def glossary() -> None:
    """Show the terms in their order in the course."""
    st.markdown(say("The terms of the course in English and Chinese, and what the Chinese textbook calls them."))
    heads = [*LANGUAGES.values(), say("In the textbook"), say("Meaning")]
    lines = [[*(said_in(code, term) for code in LANGUAGES), book, say(meaning)] for term, book, meaning in TERMS]
    st.table(pd.DataFrame(lines, columns=heads), hide_index=True)
