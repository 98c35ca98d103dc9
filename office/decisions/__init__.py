"""Decisions: the checklist, and what an officer decides."""
