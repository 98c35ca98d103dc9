"""Look: every colour is a token of the theme, readable on its ground, and described where the design rules are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import streamlit as st

from discreet.report.html import FIGURES
from discreet.ui.figures import theme
from discreet.ui.frame.families import EXHIBIT, FACES, INTERVAL, TOKENS
from discreet.ui.frame.links import ON_ACCENT

ROOT = Path(__file__).parents[1]
THEME = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
MODES = ("light", "dark")
STRONGEST = (
    max(int(each) for each in re.findall(r"var\(--mark\) (\d+)%,transparent\)}", FIGURES)) / 100
)  # cell of a map
PAGE = (ROOT / "ui" / "brand" / "page.css").read_text(encoding="utf-8")
CAPTION = int(re.search(r"stCaption[^}]*?currentcolor (\d+)%", PAGE)[1]) / 100  # type: ignore[index]
KEYS = {
    "ground": "backgroundColor",
    "truth": "textColor",
    "quiet": "grayTextColor",
    "line": "borderColor",
    "result": "primaryColor",
    "with": "orangeColor",
    "without": "blueColor",
    "reserved": "violetColor",
    "refused": "redColor",
    "done": "greenTextColor",
}
WRITTEN = ("textColor", "linkColor", "primaryColor", "grayTextColor", "greenTextColor", "redColor", "violetColor")
DRAWN = ("orangeColor", "blueColor", "yellowColor", "greenColor", "grayColor")
COLOUR = re.compile(r"""#[0-9a-fA-F]{6}\b|(?<=["'\s(,])#[0-9a-fA-F]{3}(?=["';,)\s])|\brgba?\(\s*\d""")
# printed or read on its own, with a palette of its own; a QR code is black on white
ELSEWHERE = {"report/html.py", "ui/frame/links.py"}


def channels(colour: str) -> list[float]:
    """Return the shares of red, green and blue."""
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast of two colours, as WCAG defines it."""

    def light(rgb: list[float]) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def blend(mark: str, ground: str, share: float) -> list[float]:
    """Return the colour of a ground with so much of another colour on it."""
    return [one * (1 - share) + other * share for one, other in zip(channels(ground), channels(mark), strict=True)]


def pale(mode: int) -> list[tuple[str, str, str, float]]:
    """Return the pairs of a theme that are too near each other: name, colour, ground, contrast."""
    theme = THEME[MODES[mode]]
    page = [theme["backgroundColor"], theme["secondaryBackgroundColor"], theme["sidebar"]["backgroundColor"]]
    pairs = [(key, theme[key], ground, 4.5) for key in WRITTEN for ground in page]
    pairs += [(key, theme[key], ground, 3.0) for key in DRAWN for ground in page]
    pairs += [("warning", theme["yellowTextColor"], theme["yellowBackgroundColor"], 4.5)]
    pairs += [("note", theme["blueTextColor"], theme["blueBackgroundColor"], 4.5)]
    pairs += [("filled button", theme["backgroundColor"], theme["primaryColor"], 4.5)]
    pairs += [("family", hue, page[0], 3.0) for hue in theme["chartCategoricalColors"]]
    pairs += [(name, hues[mode], page[0], 4.5) for name, hues in TOKENS.items() if name not in ("ground", "line")]
    pairs += [("family", face.hues[mode], page[0], 3.0) for face in FACES.values()]
    found = [(name, one, ground, need, contrast(channels(one), channels(ground))) for name, one, ground, need in pairs]
    # names and ends of an interval on its band, and a number in the strongest cell of a map
    band, strongest = (blend(theme["primaryColor"], page[0], share) for share in (INTERVAL[mode], STRONGEST))
    found += [("number in a map", theme["textColor"], "map", 4.5, contrast(channels(theme["textColor"]), strongest))]
    found += [("end of a band", theme["primaryColor"], "band", 3.0, contrast(channels(theme["primaryColor"]), band))]
    found += [("ink on a band", theme["textColor"], "band", 4.5, contrast(channels(theme["textColor"]), band))]
    captions = [blend(theme["textColor"], ground, CAPTION) for ground in page]
    found += [("caption", "", at, 4.5, contrast(one, channels(at))) for at, one in zip(page, captions, strict=True)]
    return [(name, one, ground, round(has, 2)) for name, one, ground, need, has in found if has < need]


@pytest.mark.parametrize("mode", (0, 1), ids=MODES)
def test_every_pair_of_colours_is_readable(mode: int) -> None:
    """Text reaches 4.5 on its ground, and a mark 3."""
    assert not pale(mode)


def test_figures_have_the_colours_of_the_theme() -> None:
    """A meaning has one colour in every figure."""
    assert {name: tuple(THEME[mode][KEYS[name]] for mode in MODES) for name in TOKENS} == TOKENS
    assert THEME["dark"]["backgroundColor"] == ON_ACCENT
    hues = [*(face.hues for face in FACES.values()), EXHIBIT]
    assert all(hue[at] in THEME[mode]["chartCategoricalColors"] for hue in hues for at, mode in enumerate(MODES))


@pytest.mark.parametrize("mode", (0, 1), ids=MODES)
def test_an_axis_is_readable(mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit writes axes in a grey that is too pale in the light theme: figures name a colour for every axis."""
    monkeypatch.setattr(theme, "dark", lambda: bool(mode))
    fig = theme.figure("x", "y", yaxis2={"overlaying": "y"})
    monkeypatch.setattr(st, "plotly_chart", lambda *_, **__: None)
    theme.show(fig, "a figure", {}, "look")
    ground = channels(THEME[MODES[mode]]["backgroundColor"])
    for name in ("xaxis", "yaxis", "yaxis2"):
        axis = fig.to_dict()["layout"][name]
        for part in (axis, axis["title"]):
            font = part.get("tickfont") or part["font"]
            assert contrast(channels(font["color"]), ground) >= 4.5, name


def tokens() -> set[str]:
    """Return every colour that may stand in code."""
    return {
        str(value) for mode in MODES for part in (THEME[mode], THEME[mode]["sidebar"]) for value in part.values()
    } | {colour for mode in MODES for colour in THEME[mode]["chartCategoricalColors"]}


def strays(text: str) -> list[str]:
    """Return the colours of a text that are no tokens."""
    return [colour for colour in COLOUR.findall(text) if colour not in tokens()]


def test_a_colour_in_code_or_style_is_a_token() -> None:
    """No screen has a colour of its own."""
    files = [
        path
        for folder in ("ui", "course", "pages", "office", "report")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".css", ".js", ".svg") and path.relative_to(ROOT).as_posix() not in ELSEWHERE
    ]
    assert len(files) > 100
    found = {path.name: strays(path.read_text(encoding="utf-8")) for path in files}
    assert not {name: colours for name, colours in found.items() if colours}


def test_a_colour_that_is_no_token_is_found() -> None:
    """The search finds one, and takes nothing else for one."""
    assert strays("a{color:#123456;background:rgba(1, 2, 3, 0.5)}") == ["#123456", "rgba(1"]
    assert strays('dark="#000"') == ["#000"] and not strays("color: #0b6e66; /* issue #12 */ #st-key")


def test_the_design_rules_list_the_tokens() -> None:
    """The page lists each token with its two values, and no other."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| (`#\w+` \| `#\w+`) \|", text, re.MULTILINE))
    single = [key for key, value in THEME["light"].items() if isinstance(value, str)]
    assert listed == {key: f"`{THEME['light'][key]}` | `{THEME['dark'][key]}`" for key in single}


def test_the_logo_is_of_outlines_and_the_menu_has_one_width() -> None:
    """A text in an image has no font of the page; the place of the menu is kept before it arrives."""
    for mode in MODES:
        logo = (ROOT / "ui" / "brand" / f"logo-{mode}.svg").read_text(encoding="utf-8")
        assert "<text" not in logo and "<path" in logo and "<circle" in logo
    (wide,) = re.findall(r"^WIDTH = (\d+)", (ROOT / "ui" / "shell.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"padding-left: {wide}px;" in PAGE


def test_in_lessons_orange_and_blue_are_with_and_without_a_person() -> None:
    """The families of these hues are drawn only where they are the topic; a person has one colour, in every lesson."""
    hues = re.compile(r'"(?:ptr|smooth)"')
    theirs = {"local", "mistakes"}
    lessons = [path for path in (ROOT / "course" / "lessons").rglob("*.py") if path.parent.name not in theirs]
    assert not [path.name for path in lessons if hues.search(path.read_text(encoding="utf-8"))]
    people = re.compile(r'say\("(?:P, )?(with|without)(?: Mia| her)?"\)[^\n]*?, "(\w+)"')
    named = [found for path in lessons for found in people.findall(path.read_text(encoding="utf-8"))]
    assert len(named) >= 4 and all(name == hue for name, hue in named)
