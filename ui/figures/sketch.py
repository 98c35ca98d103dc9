"""A sketch: a figure as plain values, in the words of Plotly's own figures.

Plotly's figures look at each property as it is set, and at the whole once more when it is sent: half
of what a move of a slider costs the server. A sketch is only sent. What it says is looked at by
Plotly in a test of every figure instead (`tests/ui/test_sketches.py`).
"""

from __future__ import annotations

from typing import Any

from plotly.basedatatypes import BaseFigure  # type: ignore[import-untyped]

# of the theme that Streamlit gives to Plotly: what these figures do not say of themselves.
# The browser fills in the rest, and needs the place where to.
TEMPLATE: dict[str, Any] = {"data": {"scatter": [{"marker": {"line": {"width": 0}}}]}, "layout": {}}


class Sketch(BaseFigure):  # type: ignore[misc]
    """What Streamlit may send as it is, because it is a figure by its class."""

    def __init__(self, **layout: Any) -> None:
        """Begin with a layout and nothing drawn."""
        self._traces: list[dict[str, Any]] = []
        self._page: dict[str, Any] = {"template": TEMPLATE, "shapes": [], "annotations": []}
        self.update_layout(**layout)

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as it is sent."""
        return {"data": self._traces, "layout": self._page}

    def axis(self, letter: str) -> dict[str, Any]:
        """Return what was said of an axis so far."""
        said: dict[str, Any] = self._page.get(f"{letter}axis", {})
        return said

    def places(self, letter: str) -> list[float]:
        """Return the numbers that are drawn along an axis, and not along another one of its letter."""
        drawn = (trace.get(letter) for trace in self._traces if trace.get(f"{letter}axis", letter) == letter)
        return [float(place) for places in drawn if places is not None for place in places]

    def logarithmic(self, axis: str) -> bool:
        """Say whether places on an axis are logarithms."""
        return bool(self.axis(axis).get("type") == "log")

    @property
    def annotations(self) -> list[dict[str, Any]]:
        """Return what is written on the figure so far."""
        written: list[dict[str, Any]] = self._page["annotations"]
        return written

    def update_layout(self, **layout: Any) -> None:
        """Say more of the layout; what was said of its other parts stays.

        A property of an axis may be named in one word: `xaxis_type`.
        """
        for name, value in layout.items():
            part, _, inner = name.partition("_")
            _merge(self._page, {part: {inner: value}} if inner else {part: value})

    def update_xaxes(self, **axis: Any) -> None:
        """Say more of the axis below."""
        self.update_layout(xaxis=axis)

    def update_yaxes(self, **axis: Any) -> None:
        """Say more of the axis beside."""
        self.update_layout(yaxis=axis)

    def add_scatter(self, **trace: Any) -> None:
        """Draw points, or a line through them."""
        self._trace("scatter", trace)

    def add_bar(self, **trace: Any) -> None:
        """Draw bars."""
        self._trace("bar", trace)

    def add_vline(self, x: float, line: dict[str, Any], name: str = "") -> None:
        """Draw a line from bottom to top at a place of the axis below."""
        self.add_shape(x0=x, x1=x, y0=0, y1=1, xref="x", yref="y domain", line=line, **_called(name))

    def add_hline(self, y: float, line: dict[str, Any], name: str = "") -> None:
        """Draw a line from side to side at a height of the axis beside."""
        self.add_shape(x0=0, x1=1, y0=y, y1=y, xref="x domain", yref="y", line=line, **_called(name))

    def add_band(self, low: float, high: float, colour: str) -> None:
        """Shade a stretch of the axis below."""
        ends = {"x0": low, "x1": high, "y0": 0, "y1": 1, "xref": "x", "yref": "y domain"}
        self.add_shape(type="rect", fillcolor=colour, opacity=0.25, line={"width": 0}, **ends)

    def add_box(self, **trace: Any) -> None:
        """Draw the quartiles of many values."""
        self._trace("box", trace)

    def add_heatmap(self, **trace: Any) -> None:
        """Colour the cells of a table by their numbers."""
        self._trace("heatmap", trace)

    def add_shape(self, **shape: Any) -> None:
        """Draw a line, or whatever it says it is, behind what is told of it."""
        self._page["shapes"].append({"type": "line"} | shape)

    def add_annotation(self, **words: Any) -> None:
        """Write words at a place."""
        self._page["annotations"].append(words)

    def _trace(self, kind: str, trace: dict[str, Any]) -> None:
        self._traces.append({"type": kind} | {name: value for name, value in trace.items() if value is not None})


def _merge(old: dict[str, Any], new: dict[str, Any]) -> None:
    for name, value in new.items():
        if isinstance(value, dict):
            _merge(old.setdefault(name, {}), value)
        else:
            old[name] = value


def _called(name: str) -> dict[str, str]:
    """Return the name of a shape, where it has one."""
    return {"name": name} if name else {}
