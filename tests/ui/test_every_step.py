"""Every step of the course, asked and shown, in both languages, on a phone, a laptop and a projector.

Nothing is cut, nothing is wider than the window, no words of a figure lie over others, and axe finds nothing of
ours. With STEP_PICTURES=folder each screen is kept as a picture there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from support.axe import violations
from support.soak import SOAKS, some
from support.visitor import Visitor

from discreet.course.whole_course import Place, places

SIZES = ((390, 844), (1280, 800), (1920, 1080))
SHOTS = os.environ.get("STEP_PICTURES", "")
# what cannot be read: words that end in dots, a formula that goes on beyond its place, letters of a figure beyond its
# edge or over others of it (boxes are a little higher than letters: a few pixels of two lines may share a place)
CUT = """() => {
    const wrong = [];
    const main = document.querySelector('[data-testid=stMain]');
    const seen = (node) => node.offsetParent !== null && node.getClientRects().length;
    const short = (node) => node.textContent.slice(0, 60);
    const words = '[data-testid=stMetricValue], [data-testid=stMetricLabel], p, button';
    for (const node of main.querySelectorAll(words))
        if (seen(node) && node.clientWidth && node.scrollWidth > node.clientWidth + 2
            && getComputedStyle(node).overflowX !== 'visible')
            wrong.push(['cut', short(node), node.scrollWidth - node.clientWidth]);
    for (const node of main.querySelectorAll('.katex-display > .katex .katex-html')) {
        const place = node.closest('[data-testid=stElementContainer]').getBoundingClientRect();
        const ends = [...node.querySelectorAll('.base')].map((base) => base.getBoundingClientRect().right);
        if (Math.max(...ends) > place.right + 2) wrong.push(['formula', short(node), Math.max(...ends) - place.right]);
    }
    for (const graph of main.querySelectorAll('.js-plotly-plot')) {
        const box = graph.getBoundingClientRect();
        for (const text of graph.querySelectorAll('svg text')) {
            const own = text.getBoundingClientRect();
            const out = [box.left - own.left, own.right - box.right, box.top - own.top, own.bottom - box.bottom];
            if (own.width && Math.max(...out) > 3) wrong.push(['figure', short(text), Math.round(Math.max(...out))]);
        }
        const words = [...graph.querySelectorAll('svg text')].filter((text) => {
            const { a, b } = text.getScreenCTM(); // boxes of names that stand aslant say nothing about them
            return text.textContent.trim() && (Math.abs(a) < 0.01 || Math.abs(b) < 0.01);
        });
        const boxes = words.map((text) => [short(text), text.getBoundingClientRect()]);
        boxes.forEach(([first, one], place) => boxes.slice(place + 1).forEach(([second, other]) => {
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (across > 3 && down > 4) wrong.push(['over', first, second, Math.round(across), Math.round(down)]);
        }));
    }
    if (main.scrollWidth > window.innerWidth) wrong.push(['wide', '', main.scrollWidth]);
    return wrong;
}"""
WALKED = some([(code, place) for code in ("zh", "en") for place in places().values()], 86)


def faults(visitor: Visitor, name: str, axe: bool) -> list[tuple[str, object]]:
    """Return what is wrong with the screen that is open, and keep a picture of it if somebody wants one."""
    page: Page = visitor.page
    page.wait_for_timeout(300 if SOAKS else 100)
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}.png")
    wrong: list[tuple[str, object]] = [(name, fault) for fault in page.evaluate(CUT)]
    return wrong + [(name, rule) for rule in (violations(page) if axe else [])]


@pytest.mark.soak_alone
@pytest.mark.parametrize(("code", "place"), WALKED, ids=[f"{code}-{place.key}" for code, place in WALKED])
def test_nothing_of_a_step_is_cut_and_axe_is_content(visit: Callable[..., Visitor], code: str, place: Place) -> None:
    """First as it asks, then as it shows; axe looks once at each, on the laptop.

    In `make test` axe reads lessons in test_axe.py, and test_learn.py looks whether steps fit the screen.
    """
    visitor, wrong = visit(), []
    for asks in ("yes", "no"):
        page = place.lesson.page.replace("_", "-")
        step = "&".join(f"{key}={value}" for key, value in place.address.items())
        for width, height in SIZES:
            visitor.page.set_viewport_size({"width": width, "height": height})
            if (width, height) == SIZES[0]:
                visitor.load(f"{page}?lang={code}&guess={asks}&{step}")
            visitor.settle()
            name = f"{place.key}-{code}-{width}-{'asked' if asks == 'yes' else 'shown'}"
            wrong += faults(visitor, name, width == SIZES[1][0])
    assert not wrong, "\n".join(map(str, wrong))


# a control whose middle something else covers once it has been scrolled to, and how much of the window a figure keeps
UNDER = """() => {
    const wrong = [];
    const row = document.querySelector('[data-testid=stHorizontalBlock]:has(.st-key-lesson-figure)');
    const words = row.querySelector(':scope > [data-testid=stColumn]:not(:has(.st-key-lesson-figure))');
    const shown = (node) => node.getClientRects().length && getComputedStyle(node).visibility !== 'hidden';
    const places = '[data-testid=stSlider], label:has(input), [role=radio], button, input:not([type=range])';
    const touched = (node) => shown(node) && !(node.matches('input') && node.closest('label')); // a label has its own
    for (const node of [...words.querySelectorAll(places)].filter(touched)) {
        for (const block of ['center', 'end']) {
            node.scrollIntoView({ block, behavior: 'instant' });
            const box = node.getBoundingClientRect();
            const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            const own = node.closest('[data-testid=stElementContainer]');
            if (!own.contains(hit)) wrong.push([own.className.slice(-60), block, Math.round(box.top)]);
        }
    }
    const figure = row.querySelector(':scope > [data-testid=stColumn]:has(.st-key-lesson-figure)');
    const first = words.getBoundingClientRect();
    document.querySelector('[data-testid=stMain]').scrollBy(0, first.top - window.innerHeight * 0.45);
    const low = figure.getBoundingClientRect().bottom;
    if (low > window.innerHeight * 0.46) wrong.push(['figure', Math.round(low)]);
    return wrong;
}"""
TALLEST = "lesson6-blocks"  # two figures, one below the other
PHONE = some(sorted(places(), key=lambda key: key != TALLEST), len(places()))


def test_on_a_phone_no_figure_covers_the_controls_of_a_step(visit: Callable[..., Visitor]) -> None:
    """Each control of every step can be seen and touched, wherever it was scrolled to.

    In `make test` the tallest figure, that of sample and aggregate.
    """
    visitor = visit()
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    wrong = {}
    for place in map(places().__getitem__, PHONE):
        step = "&".join(f"{key}={value}" for key, value in place.address.items())
        visitor.load(f"{place.lesson.page.replace('_', '-')}?lang=en&guess=no&{step}")
        visitor.page.wait_for_selector(".st-key-lesson-figure")
        visitor.page.wait_for_timeout(300)
        if covered := visitor.page.evaluate(UNDER):
            wrong[place.key] = covered
    assert not wrong, "\n".join(map(str, wrong.items()))
