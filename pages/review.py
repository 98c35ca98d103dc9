"""Review: what waits for an officer, one card each, and what was decided."""

from discreet.ui.office.requests import review

review.show()
