"""Classroom: a class in one room, what it answers together, and its screens."""
