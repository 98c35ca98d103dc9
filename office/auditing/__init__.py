"""Auditing: what an auditor verifies, here or at home."""
