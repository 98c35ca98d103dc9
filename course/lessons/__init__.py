"""Lessons: one folder a lesson, with the numbers behind it, its book and one file a step."""
