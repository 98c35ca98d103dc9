"""The reading check: what does not fit is noticed, what fits is not blamed, all by released counts."""

from __future__ import annotations

import pytest

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Release, Request, road
from discreet.lab import reading_check
from discreet.lab.reading_check import EMPTY, NOTHING, OTHERS, SURE, UNSURE, WHOLE, Reading
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.queries.column import HowRead
from discreet.rows import Category, Dataset, Date, LocalSource, Number, Person, Schema
from discreet.rows.columns import Kind
from discreet.rows.persons import DrawnLots

AGE, HEIGHT = Number(0, 120, integer=True), Number(0, 250)
TOWN = Category(("a", "b"))


def table(rows: int, height: str = "171.4", town: str = "a", empty: int = 1, people: int = 10**9) -> bytes:
    """Return a table; of `empty` rows one has an age."""
    lines = (f"p{i % people};{i % 90 if i % empty == 0 else ''};{height};{town}\n" for i in range(rows))
    return ("who;age;height;town\n" + "".join(lines)).encode()


def checked(data: bytes, columns: dict[str, Kind], epsilon: float = 1.0) -> dict[str, Reading]:
    """Return what the check says of each column, asked on the road of every answer."""
    schema, ledger = Schema(columns), SessionLedger(Cost.of(2, 0))
    curator = Curator(Dataset(LocalSource(data), schema), ledger, tick=0)
    asked = reading_check.requests(schema, epsilon)
    assert reading_check.cost(asked).epsilon <= epsilon
    answers = {name: curator.ask(request) for name, request in asked.items()}
    assert ledger.spent == reading_check.cost(asked)
    return {line.column: line for line in reading_check.readings(schema, answers)}


def verdicts(data: bytes, columns: dict[str, Kind], epsilon: float = 1.0) -> dict[str, str]:
    """Return its words."""
    return {name: str(line.verdict) for name, line in checked(data, columns, epsilon).items()}


def test_what_fits_is_read() -> None:
    """No column is blamed."""
    assert set(verdicts(table(5000), {"age": AGE, "height": HEIGHT, "town": TOWN}).values()) == {str(WHOLE)}


@pytest.mark.parametrize(
    ("wrong", "column", "verdict"),
    [({"height": "171,4"}, "height", NOTHING), ({"town": "A"}, "town", NOTHING), ({"empty": 4}, "age", EMPTY)],
)
def test_what_does_not_fit_is_named(wrong: dict[str, object], column: str, verdict: str) -> None:
    """Comma decimals, levels in capitals, and a column that most rows lack: each is told, and no other column."""
    seen = verdicts(table(5000, **wrong), {"age": AGE, "height": HEIGHT, "town": TOWN})  # type: ignore[arg-type]
    assert seen == dict.fromkeys(("age", "height", "town"), str(WHOLE)) | {column: str(verdict)}


def test_what_is_missing_is_told_apart_from_what_is_not_read() -> None:
    """A third of the ages is not there, and a tenth of them are words: each is said, and only one is a fault."""
    rows = "age;height\n" + "31;170\n30;unknown\n" + "32;171\n" * 5 + ";172\n" * 2 + "NA;173\n"
    head, *lines = rows.splitlines(keepends=True)
    seen = checked((head + "".join(lines) * 500).encode(), {"age": AGE, "height": HEIGHT})
    assert seen["age"].good and seen["age"].verdict == "Read. About 30% of the cells are empty."
    assert not seen["height"].good and "About 10% of the non-empty cells" in seen["height"].verdict
    assert seen["height"].unread is not None and seen["height"].unread.rows + seen["height"].unread.width > 500


def test_levels_that_nobody_names_are_told_where_others_count() -> None:
    """All rows count as other, so none is left out; they are still not what was meant."""
    assert verdicts(table(5000, town="A"), {"age": AGE, "town": Category(("a", "b"), other=True)})["town"] == OTHERS


GERMAN = "Nr;Einkommen\n" + "".join(
    f"{at};{400 + at % 600 if at % 3 else f'{1 + at % 40}.{at % 1000:03}'}\n" for at in range(2000)
)
COMMAS = "Nr;Einkommen\n" + "".join(f"{at};{1 + at % 9}.{at % 1000:03},50\n" for at in range(2000))


@pytest.mark.parametrize(("table", "verdict"), [(GERMAN, "exactly three digits"), (COMMAS, NOTHING)])
def test_german_numbers_are_noticed_with_the_way_they_are_perhaps_written(table: str, verdict: str) -> None:
    """A point between thousands makes another number, a decimal comma makes none; declared so, all is read."""
    wrong = checked(table.encode(), {"Einkommen": Number(0, 50_000)}, 2.0)["Einkommen"]
    assert not wrong.good and verdict in wrong.verdict and wrong.perhaps == "1.234,5"
    right = checked(table.encode(), {"Einkommen": Number(0, 50_000, decimal=",", thousands=".")}, 2.0)["Einkommen"]
    assert right.good and not right.perhaps and right.verdict.startswith("Read.")
    assert ("look like 1.234. They are read as 1234" in right.verdict) is (table is GERMAN)


SETTINGS = ((30, 4000, 0.1), (10, 2200, 0.1), (5, 4000, 0.1), (30, 4000, 1.0))
DRAWS = 400


def released(data: Dataset, asked: dict[str, Request], draws: int) -> list[dict[str, Release]]:
    """Draw so many answers of all questions, by the steps of every release."""
    lots, noise = DrawnLots(SimulationNoise(1)), SimulationNoise(2)
    seen = {name: road.views(data, request, lots) for name, request in asked.items()}
    return [
        {n: road.shown(n, q, data.schema, road.drawn(q, seen[n], noise), 0) for n, q in asked.items()}
        for _ in range(draws)
    ]


def levelled(levels: int, rows: int) -> Dataset:
    """Return rows of so many levels, of whose ages a tenth is a word and a tenth is empty."""
    ages = ("", "unknown", "1.234", *map(str, range(20, 27)))
    lines = "".join(f"L{at % levels};{ages[at % 10]}\n" for at in range(rows))
    schema = Schema({"g": Category(tuple(f"L{at}" for at in range(levels))), "x": Number(0, 100)})
    return Dataset(LocalSource(("g;x\n" + lines).encode()), schema)


@pytest.mark.parametrize(("levels", "rows", "epsilon"), SETTINGS)
def test_all_intervals_hold_together_as_often_as_they_say(levels: int, rows: int, epsilon: float) -> None:
    """Of 400 checks hardly one has an interval that leaves the truth out, however many levels there are."""
    data, tenth, held = levelled(levels, rows), rows / 10, 0
    truths = {"g": (rows, 0, 0), "x": (8 * tenth, tenth, tenth)}
    for releases in released(data, reading_check.requests(data.schema, epsilon), DRAWS):
        lines = reading_check.readings(data.schema, releases)
        held += all(within(line, truths[line.column]) for line in lines)
    assert held >= DRAWS * SURE - 6  # three deviations of that many draws
    assert lines[0].width < 11 * 2 / epsilon  # of one count, however many levels there are


def within(line: Reading, truth: tuple[float, float, float]) -> bool:
    """Say whether the intervals of a column hold what is read, not read and missing."""
    assert line.unread is not None and line.missing is not None
    counts = ((line.rows, line.width), *((part.rows, part.width) for part in (line.unread, line.missing)))
    return all(abs(rows - true) <= width for (rows, width), true in zip(counts, truth, strict=True))


def test_intervals_that_leave_out_levels_below_the_noise_would_be_caught() -> None:
    """So they were made before: all levels were counted, those below their width left out, the rest added."""
    data, held = levelled(30, 4000), 0
    request = Request(CountsGeometric(epsilon=0.05), ("g",))
    for releases in released(data, {"g": request}, DRAWS):
        width = request.mechanism.forecast(request.public(data.schema), SURE).half_width or 0.0
        counts: tuple[int, ...] = releases["g"].answer
        held += abs(sum(count for count in counts if count > width) - 4000) <= width * len(counts) ** 0.5
    assert held < DRAWS * SURE - 6


def test_the_question_counts_each_cell_once() -> None:
    """What is read, doubtful, of thousands, not read and missing are all rows, of persons at most as many as count."""
    columns: dict[str, Kind] = {"who": Person(2), "age": AGE, "height": HEIGHT, "town": Category(("b",), other=True)}
    schema = Schema(columns)
    data = Dataset(LocalSource(table(900, people=300, empty=3, height="1.234")), schema)
    for name, counts in {"age": (200, 0, 0, 0, 400), "height": (0, 600, 0, 0, 0), "town": (0, 600, 0, 0, 0)}.items():
        scores = data.how_read(name, (), DrawnLots(SimulationNoise(1)))
        assert scores.labels == HowRead().labels and scores.n == 600
        assert name == "age" or tuple(scores.counts) == counts


def test_a_few_rows_tell_nothing() -> None:
    """The noise hides ten people: it says so and blames nothing, but for the rare draw that leaves its interval."""
    said = [set(verdicts(table(10), {"age": AGE, "height": HEIGHT}, 0.1).values()) for _ in range(7)]
    assert sum(each == {str(UNSURE)} for each in said) > 3


def test_several_rows_of_a_person_cost_accuracy() -> None:
    """With five rows a person the noise is five times as large, and said to be."""
    schema = Schema({"who": Person(5), "age": AGE})
    (request,) = reading_check.requests(schema, 0.5).values()
    curator = Curator(Dataset(LocalSource(table(5000, people=1000)), schema), SessionLedger(Cost.of(2, 0)), tick=0)
    (line,) = reading_check.readings(schema, {"age": curator.ask(request)})
    assert line.good and line.unread is not None and 55 < line.unread.width < 70


@pytest.mark.parametrize("many", [1, 3, 6, 7, 100])
def test_a_wide_declaration_shares_the_price(many: int) -> None:
    """Any number of columns cost what was chosen, to the last unit of the ledger."""
    columns: dict[str, Kind] = {f"c{i}": AGE for i in range(many)}
    assert reading_check.cost(reading_check.requests(Schema(columns), 0.1)) == Cost.of("0.1")


@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        ("05.03.24", "four digits"),
        ("5.3.'24", "four digits"),
        ("2024-W05", "ISO weeks a weekday"),
        ("W05 2024", "a weekday"),
    ],
)
def test_dates_that_cannot_be_read_are_told_how_to_be_written(cell: str, advice: str) -> None:
    """Years of two digits, weeks without a weekday: no row has a date, and the sentence says what to do."""
    rows = "age;day\n" + f"31;{cell}\n" * 4000
    seen = verdicts(rows.encode(), {"age": AGE, "day": Date("2020-01-01", "2024-12-31", order="day-month-year")})
    assert seen["age"] == WHOLE and NOTHING in seen["day"] and advice in seen["day"]
