"""Benchmarks: accuracy against the libraries an analyst would otherwise pick, speed as ratios."""
