"""Data: which data are in use, what is declared of them, and what may be shown."""
