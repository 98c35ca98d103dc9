"""Inbox: one card for each request that waits for an officer, and the decisions made so far."""

from discreet.ui.office.requests import review

review.show()
