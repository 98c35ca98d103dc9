"""Classroom: what a class in one room answers together, and what the library makes of it."""
