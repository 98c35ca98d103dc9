"""Classroom: the screens of a class in one room, which show the course and nothing else of the house."""
