"""The tour: five stops on the real screens, left at any of them and found again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from support.axe import stands
from support.soak import some
from support.visitor import Visitor

from discreet.ui.frame.tour import STOPS

Visit = Callable[..., Visitor]


@pytest.mark.soak
@pytest.mark.parametrize(("scheme", "width"), some([("dark", 390), ("light", 1280)], 2))
def test_the_tour_leads_over_five_screens_and_can_be_left(visit: Visit, scheme: str, width: int) -> None:
    """From the sidebar to the last stop and back, over screens that stand; left, it is one press away."""
    visitor = visit(width, scheme)
    page = visitor.open()
    page.get_by_role("button", name="Take the tour").evaluate("button => button.click()")
    box = page.locator(".st-key-tour")
    for number in range(1, len(STOPS) + 1):
        expect(box.get_by_text(f"Tour: step {number} of {len(STOPS)}")).to_be_visible()
        visitor.settle()
        stands(page, page.url)
        fits = box.evaluate("box => box.scrollWidth <= box.clientWidth + 1")
        assert fits
        bar, top = page.get_by_test_id("stHeader").bounding_box(), box.bounding_box()
        assert bar is not None and top is not None and bar["y"] + bar["height"] <= top["y"]
        if number < len(STOPS):
            box.get_by_role("link", name="Next step").click()
    expect(box.get_by_role("link", name="Next step")).to_have_count(0)
    box.get_by_role("link", name="Back").click()
    expect(box.get_by_text(f"Tour: step {len(STOPS) - 1} of {len(STOPS)}")).to_be_visible()
    box.get_by_role("button", name="Leave tour").click()
    expect(box).to_have_count(0)
    visitor.settle()
    page.get_by_role("button", name="Take the tour").evaluate("button => button.click()")
    expect(box.get_by_text(f"Tour: step {len(STOPS) - 1} of {len(STOPS)}")).to_be_visible()
    visitor.go("compare")
    expect(box).to_have_count(0)
    way_back = page.get_by_test_id("stSidebar").get_by_role("link", name="Restart tour")
    way_back.evaluate("link => link.click()")
    expect(box.get_by_text(f"Tour: step 1 of {len(STOPS)}")).to_be_visible()
