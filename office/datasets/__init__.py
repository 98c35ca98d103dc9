"""Datasets: where their rows lie, how they are registered, changed and ended."""
