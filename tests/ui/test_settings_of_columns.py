"""What is set for one column never stays for another, and no page opens on what it warns of."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest
from test_pages import app, at, shown, space

from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.rows import Dataset, LocalSource, Number, Schema

__all__ = ["app"]
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


def test_the_error_that_somebody_can_live_with_is_in_the_unit_of_its_column(two: AppTest) -> None:
    """Half a year is no wish for gains."""
    at(two, "global_sensitivity")
    (way,) = [group for group in two.segmented_control if group.label == "Set"]
    way.set_value("error").run()
    label = "Error you can live with, 19 times in 20"
    (before,) = numbers(two, label)
    (after,) = numbers(pick(two, "gain"), label)
    assert not two.exception and after > 100 * before


@pytest.mark.parametrize("people", (1000, 100_000))
def test_blocks_open_on_a_method_that_so_many_people_can_do_with(two: AppTest, people: int) -> None:
    """A median of few blocks lies anywhere: it is not what a page proposes, and says so where it is chosen."""
    at(two, "sample_and_aggregate")
    (method,) = [box for box in two.selectbox if box.label == "Method"]
    assert method.value is not BlocksMedian and not two.warning
    method.set_value(BlocksMedian).run()
    (guess,) = [field for field in two.number_input if field.label == "About how many people"]
    guess.set_value(people).run()
    assert bool(two.warning) == (people == 1000), shown(two)
