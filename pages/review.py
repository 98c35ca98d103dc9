"""Review: what waits for an officer, one card each, and what was decided."""

from ui.office import review

review.show()
