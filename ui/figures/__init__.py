"""Figures: charts with a common look, a data table behind each, and one colour per mechanism."""
