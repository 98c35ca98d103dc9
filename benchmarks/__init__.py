"""Benchmarks: accuracy against the libraries an analyst would otherwise choose, speed as ratios."""
