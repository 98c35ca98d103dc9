"""Classroom: a class in one room, the answers it gives together, and its screens."""
