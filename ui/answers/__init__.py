"""Answers: everything that was released about the data in use."""
