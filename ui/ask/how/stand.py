"""Stand: the open column on which the inside of a mechanism is shown."""

from __future__ import annotations

import streamlit as st

from discreet.lab import preview
from discreet.lab.contest import Ground
from discreet.lab.experiment import NoRows
from discreet.lab.samples import census
from discreet.rows import OpenData
from discreet.ui.frame.words import say
from discreet.ui.state import workspace

SIZES = (20, 50, 100, 300, 1000, 3000, 10_000)


def stand(key: str, wish: str, numbers: bool = True) -> tuple[OpenData, str]:
    """Choose an open column: of the data in use, or of the census if they are protected."""
    shown = workspace().here.shown
    data = census() if shown is None else shown.dataset
    names = _columns(data, numbers)
    if shown is None or not names:
        data, names = census(), _columns(census(), numbers)
        st.caption(say("Shown on the census sample: your own data stay unseen."))
    first = names.index(wish) if wish in names else 0
    return data, st.selectbox(say("Column"), names, first, key=f"{key}:column")


def _columns(data: OpenData, numbers: bool) -> list[str]:
    return list(data.schema.numbers if numbers else data.schema.categories)


def ground_of(key: str, wish: str = "age", people: int = 300) -> Ground:
    """Choose a column of numbers, and how many people there are with its shape."""
    data, column = stand(key, wish)
    here = workspace().here
    mine = here.shown is not None and data is here.shown.dataset
    ground = here.ground(column) if mine else preview.census_ground(column)
    if ground is None:
        raise NoRows
    sizes = [size for size in SIZES if size < ground.column.n] + [ground.column.n]
    size = st.select_slider(
        say("People"),
        sizes,
        max(n for n in sizes if n <= max(people, sizes[0])),
        key=f"{key}:how:people",
        help=say("The same shape with fewer people: what local sensitivity lives on."),
    )
    return ground if size == ground.column.n else ground.resized(size)
