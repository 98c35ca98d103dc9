"""Screens of registered datasets: registration, new versions, changes, end."""
