"""Compare: every mechanism at equal cost, on public data or a scenario."""
