"""Intake: bytes of a file become a table, in a limited process of its own."""
