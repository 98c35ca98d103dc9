"""Survey: everyone flips a coin before answering, so that no one has to be trusted."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.budget import Phrase
from discreet.course import figures, own_file
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.streams import numbers as streams
from discreet.course.lessons.streams.answers import ANSWERS
from discreet.course.lessons.streams.book import PAGES
from discreet.course.lessons.streams.guesses import GUESSES
from discreet.course.lessons.streams.letters import LETTERS
from discreet.course.lessons.streams.scales import EPSILONS, error
from discreet.course.steps import Step
from discreet.queries.bounds import FloatArray
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say
from discreet.ui.session.own_table import OwnTable

PERCENT = range(0, 101, 5)
WIDEST, LEAST = 3, 0.15  # the axis reaches this many margins of error from the true share, and at least this far
ASKED = streams.PEOPLE[:-1]


def local_controls(by: Controls) -> tuple[float, int, int, int | None]:
    """Choose epsilon, how many are asked and would say yes, and that share in percent if it can be changed."""
    table = own_file.own(by)
    epsilon = by.pick("epsilon", say("ε of each person"), EPSILONS, 1.0)
    if table is not None:
        return epsilon, table.rows, _of_own(table, by), None
    people = int(by.pick("people", say("People asked"), ASKED, 1000))
    asked = by.whole("yes", say("True answer yes, in percent"), 0, 100, 30, 5)
    return epsilon, people, asked * people // 100, asked


def _of_own(table: OwnTable, by: Controls) -> int:
    """Choose a column of the own table, and the value that counts as yes; return how many rows have it."""
    cells = table.written[table.groups[by.among("column", say("Column"), table.groups)]]
    levels = sorted(set(cells))
    return cells.count(levels[by.among("level", say("Value counted as yes"), levels)])


def local(settings: tuple[float, int, int, int | None], key: str) -> None:
    """Draw the estimates of the local model, and of a trusted curator."""
    epsilon, people, yes, asked = settings
    survey = streams.surveyed(people, yes, epsilon)
    errors = error(survey.local), error(survey.central)
    numbers(
        {
            say("A report is true"): percent(streams.truthful(epsilon), 1),
            say("No one trusted"): errors[0],
            say("Curator trusted"): errors[1],
        }
    )
    words = say(
        "{percent}% of {people} people have the true answer yes. 95% of estimates are within "
        "{local} if no one is trusted, and within {central} if a curator is.",
        people=number(people),
        percent=number(100 * yes / people, 3),
        local=errors[0],
        central=errors[1],
    )
    grips = [] if asked is None else [_grip(asked, key)]
    reach = max(WIDEST * survey.local, LEAST)
    _figure(*streams.estimates(people, yes, epsilon), yes / people, reach, grips, words, key)


def _grip(asked: int, key: str) -> Handle:
    """Return the handle of the share who would truly say yes."""
    return Handle(f"{key}-yes", say("True answer yes, in percent"), PERCENT, [each / 100 for each in PERCENT], asked)


def _figure(
    untrusted: FloatArray,
    trusted: FloatArray,
    share: float,
    reach: float,
    grips: Sequence[Handle],
    words: str,
    key: str,
) -> None:
    """Draw the probabilities of the estimates around the true share, in the local and in the central model."""
    figures.lines(
        streams.SHARES.tolist(),
        [
            Series(say("curator trusted"), trusted.tolist(), "global", at=int(trusted.argmax()), fill=True, side=1),
            Series(say("no one trusted"), untrusted.tolist(), "local", at=_beside(untrusted), fill=True, side=1),
        ],
        (say("Estimated share of yes"), say("Probability")),
        words,
        key,
        [Mark(share, "", "truth")],
        grips,
        xaxis_tickformat=".0%",
        yaxis_tickformat=".0%",
        xaxis_range=[max(-0.5, share - reach), min(1.5, share + reach)],
        yaxis_range=[0, 1.1],
    )


def _beside(chances: FloatArray) -> int:
    """Return a position for a curve's label, below its top."""
    return int(chances.argmax()) + 1


SURVEY = Step(
    "local",
    Phrase("No trusted curator"),
    Phrase(
        "Mia and everyone else flip a coin before answering, so every answer can be denied. The "
        "share of yes is corrected for the flips. For comparison: a trusted curator adds noise "
        "once."
    ),
    Phrase("Ask 100,000 people: the curves look alike, but read the two errors. How much do they differ?"),
    local_controls,
    local,
    GUESSES["local"],
    PAGES["local"],
    letters=LETTERS["local"],
    answer=ANSWERS["local"],
)
