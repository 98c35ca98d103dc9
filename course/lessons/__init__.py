"""Lessons: one folder per lesson, with the numbers behind it, its book and one file per step."""
