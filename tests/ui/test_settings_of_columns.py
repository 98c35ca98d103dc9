"""What is set for one column never stays for another, and no page opens on what it warns of."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest
from support.pages import at, shown, space

from discreet.lab.contest import numbers_of_blocks
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian
from discreet.rows import Dataset, Date, LocalSource, Number, Schema

AGES, GAINS = Number(0, 100, integer=True), Number(0, 100_000)
CSV = "age,gain\n" + "".join(f"{20 + i % 50},{i}\n" for i in range(900))


@pytest.fixture
def two(app: AppTest) -> AppTest:
    """Return the app on protected data with two columns of very different range."""
    space(app).open("mine", Dataset(LocalSource(CSV.encode()), Schema({"age": AGES, "gain": GAINS})))
    return app


def pick(app: AppTest, column: str) -> AppTest:
    """Ask of another column."""
    (choice,) = [box for box in app.selectbox if box.label == "Column"]
    return choice.set_value(column).run()


def numbers(app: AppTest, label: str) -> list[float]:
    """Return what stands in the fields of a name."""
    return [field.value for field in app.number_input if field.label == label]


def test_the_proposed_bound_follows_the_column(two: AppTest) -> None:
    """A test that fits ages would refuse every answer about gains."""
    at(two, "propose_test_release")
    settings = [text.value for text in two.text if ": " in text.value]
    pick(two, "gain")
    assert not two.exception and settings and settings != [text.value for text in two.text if ": " in text.value]
    pick(two, "age")
    assert settings == [text.value for text in two.text if ": " in text.value]


def test_the_range_of_an_estimate_follows_the_column(two: AppTest) -> None:
    """The mean of gains lies between the bounds of gains."""
    at(two, "sample_and_aggregate")
    assert (numbers(two, "Lowest estimate"), numbers(two, "Highest estimate")) == ([0.0], [100.0])
    pick(two, "gain")
    assert numbers(two, "Highest estimate") == [100_000.0]
    (highest,) = [field for field in two.number_input if field.label == "Highest estimate"]
    highest.set_value(500.0).run()
    assert numbers(pick(two, "age"), "Highest estimate") == [100.0]


@pytest.fixture
def dated(app: AppTest) -> AppTest:
    """Return the app on protected data with a column of days and nothing else."""
    days = "day\n" + "2020-03-01\n" * 400
    schema = Schema({"day": Date("2020-01-01", "2020-12-31")})
    space(app).open("dated", Dataset(LocalSource(days.encode()), schema))
    return app


def written(app: AppTest, label: str) -> list[str]:
    """Return what is written in the fields of a name."""
    return [field.value for field in app.text_input if field.label == label]


def test_the_range_of_a_mean_of_days_is_asked_in_days(dated: AppTest) -> None:
    """Not as 0 to 365: the button's question counts them; what is no date is refused with a sentence."""
    at(dated, "sample_and_aggregate")
    assert not dated.exception and not numbers(dated, "Lowest estimate")
    assert (written(dated, "Lowest estimate"), written(dated, "Highest estimate")) == (["2020-01-01"], ["2020-12-31"])
    (highest,) = [field for field in dated.text_input if field.label == "Highest estimate"]
    highest.set_value("2020-02-01").run()
    (spend,) = [button for button in dated.button if str(button.key).endswith(":spend")]
    spend.click().run()
    ((release, _),) = space(dated).here.answered
    assert release.request.mechanism.values()["upper"] == 31.0
    (highest,) = [field for field in dated.text_input if field.label == "Highest estimate"]
    highest.set_value("soon").run()
    assert any("Enter a date in the form 2020" in error.value for error in dated.error)


def test_compare_asks_for_the_days_of_a_scenario(dated: AppTest) -> None:
    """The people who do not exist have days, too."""
    at(dated, "compare")
    assert not dated.exception and (written(dated, "Lower"), written(dated, "Upper")) == (
        ["2020-01-01"],
        ["2020-12-31"],
    )
    assert not numbers(dated, "Lower")


def test_the_error_that_somebody_can_live_with_is_in_the_unit_of_its_column(two: AppTest) -> None:
    """Half a year is no wish for gains."""
    at(two, "global_sensitivity")
    (way,) = [group for group in two.segmented_control if group.label == "Target"]
    way.set_value("error").run()
    label = "Target margin of error (95%)"
    (before,) = numbers(two, label)
    (after,) = numbers(pick(two, "gain"), label)
    assert not two.exception and after > 100 * before


@pytest.mark.parametrize("people", (1000, 100_000))
def test_blocks_open_on_as_many_as_do_best_on_public_people(two: AppTest, people: int) -> None:
    """By their error there, of noise and of small blocks together; a method that is much worse names the other."""
    at(two, "sample_and_aggregate")
    (guess,) = [field for field in two.number_input if field.label == "Rows (approximate)"]
    guess.set_value(people).run()
    (method,) = [box for box in two.selectbox if box.label == "Mechanism"]
    assert method.value is BlocksMedian and not two.warning
    (k,) = numbers(two, "Blocks")
    assert k in numbers_of_blocks(people) and any(f"{int(k)} blocks" in caption.value for caption in two.caption)
    method.set_value(BlocksMean).run()
    assert any(BlocksMedian.title in warning.value for warning in two.warning), shown(two)
