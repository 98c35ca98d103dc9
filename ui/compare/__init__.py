"""Compare: every mechanism at equal cost, on open data or a scenario."""
