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

    `needs` are the numbers of the lessons before it whose ideas it uses; `picture` is a path of SVG, 120 by 48.
    `minutes` is the time in a half-day workshop; `plan` says what a teacher does with it, `goals` what learners can do
    afterwards, `reached` the exercise that shows each of them.
    """

    page: str
    picture: str
    title: Phrase
    idea: Phrase
    minutes: int
    leads: tuple[tuple[str, Phrase], ...]
    plan: Phrase
    goals: tuple[Phrase, ...]
    reached: tuple[int, ...]
    needs: tuple[int, ...] = ()

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
SELECTION = ("exponential_mechanism", Phrase("Exponential mechanism"))
BUDGET = ("budget", Phrase("Budget"))
COMPARE = ("compare", Phrase("Compare"))

# minutes of break after a lesson, in half a day
BREAKS = {3: 15, 6: 15}

LESSONS = (
    Lesson(
        "lesson_1_deidentification",
        "M8 10h36v28H8zM8 20h36M8 29h36M76 10h36v28H76zM76 20h36M76 29h36M44 24h32",
        Phrase("Names removed, people identified"),
        Phrase("A table without names still identifies people: a few harmless columns are enough."),
        20,
        (("dataset", Phrase("Dataset")),),
        Phrase(
            "Join the two tables together with the class. Let everyone find a k of 5 that loses the least information."
        ),
        (
            Phrase("explain which harmless columns together identify a person"),
            Phrase("read k off a table, and explain what a larger one costs"),
        ),
        (9, 1),
    ),
    Lesson(
        "lesson_2_differencing",
        "M24 44V8h22v36zM74 44V14h22v30zM46 8h50M46 14h28",
        Phrase("Two harmless queries"),
        Phrase(
            "Exact results of two harmless queries can expose one person. Noise prevents this, and a "
            "budget keeps it prevented."
        ),
        25,
        (GLOBAL, BUDGET),
        Phrase("Read the two queries aloud first. Add noise, then use the ledger: who gets the best average?"),
        (
            Phrase("show how two harmless counts reveal one person"),
            Phrase("explain what noise prevents, and what the budget prevents"),
        ),
        (1, 8),
    ),
    Lesson(
        "lesson_3_laplace",
        "M6 42Q52 40 60 6Q68 40 114 42",
        Phrase("The Laplace mechanism"),
        Phrase("Noise as wide as one person's influence divided by ε makes neighbouring datasets hard to distinguish."),
        20,
        (GLOBAL,),
        Phrase("Move ε before naming it. Finish with the ratio of the two histograms: it is the definition."),
        (
            Phrase("choose the noise for an ε, and give the margin of error"),
            Phrase("check an ε on the probabilities of two neighbouring datasets"),
        ),
        (1, 8),
        (2,),
    ),
    Lesson(
        "lesson_4_sensitivity",
        "M8 40H112M28 8v32M92 8v32M28 24H92M36 18l-8 6 8 6M84 18l8 6-8 6",
        Phrase("Sensitivity and bounds"),
        Phrase("How much can one person change the result? The bounds decide, and bounds have a cost."),
        25,
        (GLOBAL, COMPARE),
        Phrase(
            "Let the class propose bounds for incomes before they look at the data. Afterwards, show "
            "what looking reveals."
        ),
        (
            Phrase("explain how much one person changes a count, a sum and a mean"),
            Phrase("choose bounds, and explain what each way to find them costs"),
        ),
        (2, 11),
        (3,),
    ),
    Lesson(
        "lesson_5_composition",
        "M8 42L112 6M8 42Q44 24 112 22M8 42Q40 32 112 32",
        Phrase("Composition: what many queries cost"),
        Phrase("Privacy losses add up. Better accounting methods give smaller totals."),
        20,
        (BUDGET, GLOBAL),
        Phrase("Everyone guesses what 100 results of ε = 0.1 cost, then reads the cost under each accounting method."),
        (
            Phrase("add up the cost of queries about the same people and about separate groups"),
            Phrase("explain what δ means, and when a better accounting method pays off"),
        ),
        (2, 7),
        (3,),
    ),
    Lesson(
        "lesson_6_local_sensitivity",
        "M6 42h26v-4h22v-6h20V12h38M6 20H112",
        Phrase("Local sensitivity"),
        Phrase(
            "A real dataset often needs far less noise than the worst case, but the noise level must "
            "not reveal how much less."
        ),
        35,
        (TEST, SMOOTH, BLOCKS),
        Phrase("The main part of the day: recover n from the noise, then go through the three safe mechanisms."),
        (
            Phrase("define local sensitivity, and distinguish it from global sensitivity"),
            Phrase("explain how noise that follows local sensitivity reveals the data"),
            Phrase("use propose-test-release, and explain why it needs δ"),
            Phrase("compute a smooth sensitivity, and explain why it hides the dataset"),
            Phrase("use sample and aggregate where no sensitivity is known"),
        ),
        (1, 4, 6, 7, 9),
        (3, 4),
    ),
    Lesson(
        "lesson_7_election",
        "M14 44V30h16v14zM40 44V22h16v22zM66 44V8h16v36zM92 44V36h16v8z",
        Phrase("Exponential mechanism"),
        Phrase("Where noise on the result makes no sense, make good results more likely."),
        25,
        (SELECTION,),
        Phrase("Hold the election in the room with the real votes of the class, at three values of ε."),
        (
            Phrase("choose among a few places at a given ε without publishing the counts"),
            Phrase("explain where noise on the result makes no sense"),
        ),
        (1, 6),
        (3,),
    ),
    Lesson(
        "lesson_8_streams",
        "M6 36L20 33L34 38L48 29L62 33L76 14L90 18L112 8M6 22H112",
        Phrase("Streams and local differential privacy"),
        Phrase(
            "Sparse vector: pay only for the results that matter. Local model: add noise before the data is collected."
        ),
        20,
        (SELECTION, COMPARE),
        Phrase("Two short stories. If time is short, show only the curve of error by number of people."),
        (
            Phrase("watch a stream for the cost of one result"),
            Phrase("correct a share that was measured through coins, and explain what trust is worth"),
        ),
        (4, 3),
        (3,),
    ),
    Lesson(
        "lesson_9_mistakes",
        "M6 42Q40 40 46 8Q52 40 80 42M40 42Q68 40 74 14Q80 40 114 42M54 20l12 12M66 20L54 32",
        Phrase("What the textbook gets wrong"),
        Phrase("Textbook guarantees can be tested, and some of them fail."),
        20,
        (COMPARE, TEST),
        Phrase("Attack a textbook guarantee live, then run the corrected version through the same test."),
        (
            Phrase("test a textbook guarantee on two neighbouring datasets"),
            Phrase("explain what must change to make it valid"),
        ),
        (1, 4),
        (4, 6),
    ),
)


# Glossary: the terms of the course in both languages, with those of the Chinese textbook.

# a term, its name in the textbook and the notes, and its meaning
TERMS = (
    (
        Phrase("Differential privacy"),
        "差分隐私",
        Phrase(
            "A guarantee of an algorithm: for any person, every set of results is at most e^ε times "
            "as likely with that person's data as without."
        ),
    ),
    (
        Phrase("Approximate differential privacy"),
        "近似差分隐私",
        Phrase("The same guarantee, except that the probability of any set of results may be larger by up to δ."),
    ),
    (
        Phrase("Failure probability"),
        "失败概率",
        Phrase(
            "Lecture notes use this name for δ. δ is not a probability that the guarantee of ε fails. It adds "
            "at most δ to the probability of any set of outcomes. At δ = 1/n, the definition allows a "
            "mechanism that picks one of n people at random and publishes that person's whole data. Notes ask "
            "for 1/n² at most."
        ),
    ),
    (
        Phrase("Differencing attack"),
        "差分攻击",
        Phrase("Two harmless queries: their results differ by one person, and so reveal that person."),
    ),
    (
        Phrase("Mechanism"),
        "机制",
        Phrase(
            "A randomised algorithm that produces a result. Privacy is a property of the mechanism, "
            "never of a single result or of a dataset."
        ),
    ),
    (
        Phrase("Distance of datasets"),
        "距离（对称差）",
        Phrase(
            "The number of rows that must be added or removed to turn one dataset into the other. A "
            "changed row counts as 2."
        ),
    ),
    (
        Phrase("Neighbours"),
        "临近数据集",
        Phrase("Two datasets that differ by one person, who is added, removed or changed."),
    ),
    (
        Phrase("Unbounded and bounded"),
        "无界、有界",
        Phrase(
            "Unbounded (add/remove): a person is added or removed, and n is private. Bounded "
            "(change-one): a person's values are changed, and n is public."
        ),
    ),
    (Phrase("Statistic"), "问询", Phrase("The function of the data to be computed: a count, a mean, a median.")),
    (Phrase("Privacy budget"), "隐私预算", Phrase("The maximum cost of all results about the same people together.")),
    (Phrase("Cost"), "隐私消耗量", Phrase("The ε and δ of a result, charged before the noise is drawn.")),
    (
        Phrase("Global sensitivity"),
        "全局敏感度",
        Phrase("How much one person can change a statistic, in the worst dataset."),
    ),
    (
        Phrase("Local sensitivity"),
        "局部敏感度",
        Phrase(
            "How much one person can change a statistic in this dataset. It depends on the data, so "
            "it is private itself."
        ),
    ),
    (
        Phrase("Ladder A(k)"),
        "k 距离局部敏感度",
        Phrase("The largest local sensitivity of any dataset within k people of this one."),
    ),
    (
        Phrase("Unbounded sensitivity"),
        "无界敏感度",
        Phrase(
            "No bound limits how much one person can change a statistic, so no amount of noise is "
            "enough. Clipping solves this."
        ),
    ),
    (Phrase("Clipping"), "裁剪", Phrase("Values beyond a bound are replaced by the bound.")),
    (Phrase("Laplace mechanism"), "拉普拉斯机制", Phrase("Noise with the scale sensitivity / ε, added to a number.")),
    (
        Phrase("Gaussian mechanism"),
        "高斯机制",
        Phrase("Gaussian noise, which scales with the L2 sensitivity and needs a δ."),
    ),
    (
        Phrase("L1 and L2 norm"),
        "L1范数、L2范数",
        Phrase(
            "Two lengths of a list of changes: the sum of all changes (L1) and the length as a vector "
            "(L2). Laplace noise follows L1, Gaussian noise L2."
        ),
    ),
    (
        Phrase("Propose-test-release"),
        "建议-测试-发布",
        Phrase("Propose a bound and test in private whether it is safe. Release a result only if the test passes."),
    ),
    (
        Phrase("Smooth sensitivity"),
        "平滑敏感度",
        Phrase("The largest e^(−βk) A(k). It hardly changes between neighbouring datasets."),
    ),
    (
        Phrase("Sample and aggregate"),
        "采样-聚合",
        Phrase("Compute the statistic on separate blocks of people, then aggregate with noise."),
    ),
    (
        Phrase("Catastrophe mechanism"),
        "灾难机制",
        Phrase(
            "Publishes the whole dataset with probability δ, otherwise nothing. It satisfies (0, "
            "δ)-differential privacy."
        ),
    ),
    (
        Phrase("Exponential mechanism"),
        "指数机制",
        Phrase("Picks a candidate at random, with a weight that grows with its score."),
    ),
    (Phrase("Candidate"), "备选回复", Phrase("An option that can be chosen. The list of candidates is public.")),
    (Phrase("Score"), "评分函数", Phrase("How good a candidate is for the dataset.")),
    (Phrase("Sequential composition"), "串行组合性", Phrase("The costs of queries about the same people add up.")),
    (
        Phrase("Parallel composition"),
        "并行组合性",
        Phrase("Queries about separate groups cost only as much as the most expensive one."),
    ),
    (Phrase("Post-processing"), "后处理性", Phrase("Whatever is computed from a result costs nothing more.")),
    (
        Phrase("KL divergence"),
        "KL散度（相对熵）",
        Phrase("The average privacy loss. It is not symmetric, so it is not a distance."),
    ),
    (Phrase("Max divergence"), "最大散度", Phrase("The largest privacy loss: ε is its bound.")),
    (
        Phrase("Rényi divergence"),
        "瑞丽散度",
        Phrase("An average of the loss, of order α. It adds up result by result."),
    ),
    (Phrase("zCDP"), "零集中差分隐私", Phrase("Rényi divergences of all orders α are at most ρα.")),
    (
        Phrase("Sparse vector technique"),
        "稀疏向量技术",
        Phrase("Runs many queries and pays only for the few above a threshold."),
    ),
    (Phrase("Local model"), "本地差分隐私", Phrase("Each person adds noise to their own data before it is collected.")),
    (Phrase("Randomized response"), "随机响应", Phrase("A true answer or its opposite, decided by a coin flip.")),
    (
        Phrase("Four places of noise"),
        "输入扰动、目标扰动、优化扰动、输出扰动",
        Phrase("On the data, on the objective, on each step of the optimiser, or on the result."),
    ),
    (
        Phrase("De-identification"),
        "去标识",
        Phrase("Removing names and ID numbers. The remaining columns may still identify people."),
    ),
    (
        Phrase("k-anonymity"),
        "k-匿名性",
        Phrase("Every person has the same values as k − 1 others in all columns that may be known."),
    ),
    (Phrase("Generalisation"), "泛化", Phrase("Replacing a value by a coarser one.")),
    (
        Phrase("95% interval"),
        "–",
        Phrase(
            "An interval made so that it contains the exact value of the rows in 95 of 100 releases. "
            "It covers the added noise, not sampling error."
        ),
    ),
)


def glossary() -> None:
    """Show the terms in their order in the course."""
    st.markdown(say("Terms of the course in English and Chinese, with the names in the Chinese textbook."))
    heads = [*LANGUAGES.values(), say("Textbook name"), say("Meaning")]
    lines = [[*(said_in(code, term) for code in LANGUAGES), book, say(meaning)] for term, book, meaning in TERMS]
    st.table(pd.DataFrame(lines, columns=heads), hide_index=True)
