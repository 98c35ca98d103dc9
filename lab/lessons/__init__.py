"""Lessons: the numbers behind the course, each from the same laws and ledgers that release."""
