"""Durations, in seconds: what the office counts in."""

MINUTE, HOUR = 60.0, 3600.0
DAY = 24 * HOUR
WEEK = 7 * DAY
