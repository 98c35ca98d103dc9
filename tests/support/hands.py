"""Hands: a finger on a touch screen."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Page


def drag_by_finger(page: Page, ends: tuple[float, float], height: float) -> None:
    """Put a finger on the screen, move it, a little downwards too, and lift it."""
    finger = page.context.new_cdp_session(page)
    points = [{"x": x, "y": height + 3 * down} for down, x in enumerate(np.linspace(*ends, 9).tolist())]
    for place, point in enumerate(points):
        kind = "touchMove" if place else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        page.wait_for_timeout(30)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()
