"""Screens of the office: signing in, asking, deciding, registering, and what everybody may read."""
