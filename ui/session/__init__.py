"""Session: what a browser works on, and its budgets."""
