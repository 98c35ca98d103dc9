"""Figures: one look for all of them, a table behind each, and one colour for each mechanism."""
